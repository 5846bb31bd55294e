import { Note } from '#components/ui/note.tsx'
import { LOST_ADDRESS_ACTION } from '#domain/accounts/lost-address.ts'

export type LostAddressView = {
  /** when it was lost, as an instant and as it is shown */
  at: string
  date: string
  /** the random id of an account without a mobile number */
  login_id: string | null
}

/** Tells an account that somebody else has proven its address, and how to sign in from now on. */
export function LostAddress({ view: { at, date, login_id } }: { view: LostAddressView }) {
  return (
    <section className="main main-notice" aria-label="Your email">
      <Note tone="warn" title={`On ${date} your account lost its email. `}>
        The owner of that mailbox has shown that it is theirs, and nobody had before.{' '}
        {login_id ? (
          <>
            {'From now on you sign in with the login id '}
            <code className="any-break">{login_id}</code>
            {' and your password. Write it down, or'}
          </>
        ) : (
          'From now on you sign in with your mobile number and your password. You can also'
        )}{' '}
        <a href="/settings/profile">add an email of your own</a>.
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
