import { Logo } from '#components/frame/logo.tsx'

type WayBackProps = {
  title: string
  /** the address that the account gets again */
  email: string
  action: string
}

/** What an earlier address is asked before it takes the change of an e-mail back. */
export function WayBackPage({ title, email, action }: WayBackProps) {
  return (
    <main className="narrow-page">
      <Logo href="/" />
      <form className="sheet stack" method="post" action={action}>
        <h1>{title}</h1>
        <p>
          Your account gets the address <b className="any-break">{email}</b> again.
        </p>
        <p>
          Every device is signed out, and the password, API keys and shared links end. Set a new
          password afterwards by “Forgot Password?”.
        </p>
        <button className="btn btn-main btn-block" type="submit">
          Take it back
        </button>
        <a className="btn btn-quiet btn-block" href="/">
          Leave it as it is
        </a>
      </form>
    </main>
  )
}
