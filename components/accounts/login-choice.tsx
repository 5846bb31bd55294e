import { PasskeySignIn } from '#components/accounts/passkeys.tsx'
import { Icon, type IconName } from '#components/icons/icon.tsx'
import { Note } from '#components/ui/note.tsx'
import { Said } from '#components/ui/outcome.tsx'
import { hasPlans } from '#domain/plans/offer.ts'

/** The way to the first account: this page, where it can also become the admin's, or a command. */
export type FirstAccount = 'page' | 'admin' | 'command'

type LoginChoiceProps = {
  /** undefined once there is an account */
  first: FirstAccount | undefined
  /** the name of the configured sign-in provider */
  provider: string | undefined
  /** whether a one-time code would arrive: by mail, or on the page in test mode */
  codesArrive: boolean
  /** whether an invitation was opened in this browser */
  invited: boolean
  /** why nobody can register here, in place of the way to */
  refused: string | undefined
}

const NO_CODES = 'This server sends no mail. Its operator makes your account.'

/** The ways to log in, and the one to register. */
export function LoginChoice({ first, provider, codesArrive, invited, refused }: LoginChoiceProps) {
  const canRegister = codesArrive || invited
  const closed = refused ?? (canRegister || provider ? undefined : NO_CODES)
  return (
    <>
      {first && <NoAccountYet first={first} />}
      <section className="sheet stack">
        <h1>Welcome Back</h1>
        <Said />
        <Door
          main
          href="/login?mode=password"
          icon="lock"
          label="Login with a password"
          hint="Mobile number or e-mail"
        />
        <PasskeySignIn className="door" hint="Fingerprint, face or screen lock">
          Login with a passkey
        </PasskeySignIn>
        {provider && (
          <>
            <Door href="/api/auth/google" icon="google" label={`Login with ${provider}`} />
            <noscript>
              <p className="small soft center">{`Login with ${provider} needs JavaScript`}</p>
            </noscript>
          </>
        )}
        {codesArrive && (
          <Door href="/login?mode=password" icon="mail" label="Login with Email OTP" />
        )}
      </section>
      {closed ? (
        <p className="small soft center">{closed}</p>
      ) : (
        canRegister && <Registration invited={invited} />
      )}
      <p className="small center">
        By continuing you agree to our <a href="/terms">terms</a> and{' '}
        <a href="/privacy">privacy policy</a>.
      </p>
    </>
  )
}

function NoAccountYet({ first }: { first: FirstAccount }) {
  return (
    <Note title="There is no account here yet. ">
      {first === 'page' && 'Yours will be the first.'}
      {first === 'admin' && 'Yours will be the first, and can become the admin.'}
      {first === 'command' && (
        <>
          {'The operator makes the first one: '}
          <code>driveqr user create EMAIL --name NAME --verified</code>
        </>
      )}
    </Note>
  )
}

function Registration({ invited }: { invited: boolean }) {
  return (
    <section className="sheet stack">
      <div className="row row-apart">
        <h2 className="text-lg">New here?</h2>
        <span className="small soft">{hasPlans() ? 'Free, one minute' : 'One minute'}</span>
      </div>
      {invited ? (
        <Door href="/invite" icon="user" label="Accept your invitation" />
      ) : (
        <Door
          href="/login?mode=register"
          icon="user"
          label="Register with Email OTP"
          hint="We mail you a 6-digit code"
        />
      )}
    </section>
  )
}

type DoorProps = { href: string; icon: IconName; label: string; hint?: string; main?: boolean }

function Door({ href, icon, label, hint, main = false }: DoorProps) {
  return (
    <a className={main ? 'btn btn-main btn-block door' : 'btn btn-block door'} href={href}>
      <Icon name={icon} />
      <span>
        {label}
        {hint && <small>{hint}</small>}
      </span>
    </a>
  )
}
