/** Shows how hard the typed password is to guess. Only a script fills it in. */
export function PasswordMeter({ id }: { id: string }) {
  return (
    <div className="strength" id={id} role="status" hidden>
      <i />
      <i />
      <i />
      <span />
    </div>
  )
}
