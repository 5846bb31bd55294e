/** A registration as it is shown on the finder's pages. */
export function ScanPlate({ registration, small }: { registration: string; small?: boolean }) {
  return (
    <p className={small ? 'plate s' : 'plate'} translate="no">
      <i aria-hidden="true">IND</i>
      <b>{registration}</b>
    </p>
  )
}
