import { Note } from '#components/ui/note.tsx'
import { LOST_ADDRESS_ACTION } from '#domain/accounts/lost-address.ts'

export type LostAddressView = {
  /** when it was lost, as an instant and as it is shown */
  at: string
  date: string
  /** the random id of an account without a mobile number */
  login_id: string | null
  hasPassword: boolean
}

/** Tells an account that somebody else has proven its address, and how to sign in from now on. */
export function LostAddress({ view }: { view: LostAddressView }) {
  const { at, date, login_id, hasPassword } = view
  return (
    <section className="main main-notice" aria-label="Your email">
      <Note tone="warn" title={`On ${date} your account lost its email. `}>
        Its owner uses it for another account.{' '}
        {login_id ? (
          <>
            {'From now on you sign in with the login id '}
            <code className="any-break">{login_id}</code>
            {' and your password. Write it down.'}
          </>
        ) : (
          'From now on you sign in with your mobile number and your password.'
        )}{' '}
        {!hasPassword && (
          <>
            You have no password yet: <a href="/settings/security">set one</a>.{' '}
          </>
        )}
        You can also <a href="/settings/profile">add an email of your own</a>.
      </Note>
      <form className="row" method="post" action={LOST_ADDRESS_ACTION}>
        <input type="hidden" name="until" value={at} />
        <button className="btn" type="submit">
          {login_id ? 'I have written it down' : 'I have read it'}
        </button>
      </form>
    </section>
  )
}

/** Shows its login id to an account without other contacts. */
export function LoginIdLine({ login_id }: { login_id: string | null }) {
  if (!login_id) return null
  return (
    <p>
      {'Without an email and a mobile number you sign in with the login id '}
      <b className="any-break">{login_id}</b>.
    </p>
  )
}
