/** How hard a password is to guess, while it is typed; shown by script alone. */
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
