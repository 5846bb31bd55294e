import { Logo } from '#components/frame/logo.tsx'

type TakePageProps = {
  qr_id: string
  qr_id_text: string
  action: string
  /** who is signed in */
  account: { name: string; contact: string | null } | undefined
}

/** What a claimer without an account does to keep the code. */
export function TakePage({ qr_id, qr_id_text, action, account }: TakePageProps) {
  return (
    <main className="narrow-page">
      <Logo href="/" />
      <div className="sheet stack">
        <h1>Keep this QR code</h1>
        <p>
          <a href={`/scan/${qr_id}`}>
            <code>{qr_id_text}</code>
          </a>{' '}
          was claimed without an account. In an account you can change its details, add documents
          and switch it off.
        </p>
        {account ? (
          <>
            <p>
              {'It goes to the account of '}
              <b>{account.name}</b>
              {account.contact && ` (${account.contact})`}.
            </p>
            <form method="post" action={action}>
              <button className="btn btn-main btn-block" type="submit">
                Add to My Account
              </button>
            </form>
            <a className="btn btn-quiet btn-block" href="/dashboard">
              Cancel
            </a>
          </>
        ) : (
          <>
            <p>Afterwards you come back here. The link works until the code is in an account.</p>
            <a className="btn btn-main btn-block" href="/login?mode=register">
              Create Account
            </a>
            <a className="btn btn-block" href="/login">
              Login
            </a>
          </>
        )}
      </div>
    </main>
  )
}
