import { PasskeySignIn } from '#components/accounts/passkeys.tsx'
import { Icon } from '#components/icons/icon.tsx'

export function LoginChoice({ google }: { google: boolean }) {
  return (
    <section className="sheet stack">
      <h1>Welcome Back</h1>
      <p className="soft">How would you like to continue?</p>
      <PasskeySignIn>Sign in with a passkey</PasskeySignIn>
      {google ? <GoogleLink /> : <GoogleMissing />}
      <p className="or">or</p>
      <a className="btn btn-main btn-block" href="/login?mode=password">
        <Icon name="mail" />
        Login with Email OTP
      </a>
      <a className="btn btn-block" href="/login?mode=register">
        <Icon name="user" />
        Register with Email OTP
      </a>
      <p className="small soft">
        By continuing you agree to our <a href="/terms">terms</a> and{' '}
        <a href="/privacy">privacy policy</a>.
      </p>
    </section>
  )
}

function GoogleLink() {
  return (
    <>
      <a className="btn btn-block" href="/api/auth/google">
        <Icon name="google" />
        Login with Google
      </a>
      <noscript>
        <p className="small soft center">Login with Google needs JavaScript</p>
      </noscript>
    </>
  )
}

function GoogleMissing() {
  return (
    <>
      <button className="btn btn-block" type="button" disabled aria-describedby="google-missing">
        <Icon name="google" />
        Login with Google
      </button>
      <p className="small soft center" id="google-missing">
        Google sign-in is not configured
      </p>
    </>
  )
}
