import { AuthenticatorSheet, type FactorsView } from '#components/accounts/authenticator.tsx'
import { CodeField } from '#components/accounts/code-field.tsx'
import { LoginIdLine } from '#components/accounts/lost-address.tsx'
import { type PasskeyRow, PasskeySheet, UsePasskey } from '#components/accounts/passkeys.tsx'
import { PasswordMeter } from '#components/accounts/password-meter.tsx'
import { PasswordField } from '#components/forms/field.tsx'
import { Icon, type IconName } from '#components/icons/icon.tsx'
import { Badge } from '#components/ui/badge.tsx'
import { ADMIN_PASSWORD_MIN } from '#domain/accounts/password-strength.ts'
import { PASSWORD_MIN } from '#domain/accounts/registration.ts'
import { isAdmin } from '#domain/accounts/roles.ts'
import type { FactorWay } from '#domain/accounts/second-factor.ts'
import type { DeviceKind } from '#domain/scans/scan.ts'
import { settingsAction } from '#domain/settings.ts'

type PasswordView = {
  /** whether there is one to type */
  isSet: boolean
  role: string
  login_id: string | null
  problems: { current_password?: string; code?: string; password?: string }
}

/** A session as the list shows it; `used` says since when and how lately. */
export type SessionRow = {
  id: string
  device: DeviceKind
  browser: string | null
  isCurrent: boolean
  used: string
}

type SecurityProps = {
  password: PasswordView
  /** the factors that can replace the present password */
  ways: FactorWay[]
  factors: FactorsView
  passkeys: PasskeyRow[]
  sessions: SessionRow[]
}

/** The sign-in settings of an account, and its sessions. */
export function SecurityPage({ password, ways, factors, passkeys, sessions }: SecurityProps) {
  return (
    <>
      <PasswordForm {...password} ways={password.isSet ? ways : []} />
      <AuthenticatorSheet {...factors} hasPasskeys={passkeys.length > 0} />
      <PasskeySheet passkeys={passkeys} />
      <Sessions sessions={sessions} />
    </>
  )
}

function PasswordForm({
  isSet,
  role,
  login_id,
  problems,
  ways,
}: PasswordView & { ways: FactorWay[] }) {
  const least = isAdmin(role) ? ADMIN_PASSWORD_MIN : PASSWORD_MIN
  return (
    <form
      className="sheet"
      method="post"
      action={settingsAction('security', '/password')}
      noValidate
      data-enhance
      data-quiet
      data-script="password"
    >
      <h2>Password</h2>
      <LoginIdLine login_id={login_id} />
      <div className="fields-2">
        {isSet && (
          <PasswordField
            label="Old password"
            name="current_password"
            error={problems.current_password}
            autoComplete="current-password"
          />
        )}
        <div className="stack gap-2">
          <PasswordField
            label="New password"
            name="password"
            error={problems.password}
            autoComplete="new-password"
            data-meter="new-password-strength"
          />
          <PasswordMeter id="new-password-strength" />
        </div>
      </div>
      {ways.length > 0 && <InPlaceOfPassword ways={ways} problem={problems.code} />}
      <p className="hint">{`At least ${least} characters. Signs out other devices.`}</p>
      <div className="save">
        <button className="btn btn-main" type="submit" data-busy="Changing...">
          {isSet ? 'Change password' : 'Set password'}
        </button>
      </div>
    </form>
  )
}

type InPlaceProps = { ways: FactorWay[]; problem: string | undefined }

/** For an owner who has forgotten the present password and has a second factor. */
function InPlaceOfPassword({ ways, problem }: InPlaceProps) {
  return (
    <details className="fold" open={problem !== undefined}>
      <summary>Forgot it?</summary>
      <div className="stack">
        {ways.includes('code') && <CodeField error={problem} />}
        {ways.includes('passkey') && <UsePasskey>Use a passkey instead</UsePasskey>}
      </div>
    </details>
  )
}

function Sessions({ sessions }: { sessions: SessionRow[] }) {
  return (
    <section className="sheet" aria-labelledby="sessions">
      <div className="head">
        <h2 id="sessions">Sessions</h2>
        {sessions.some(({ isCurrent }) => !isCurrent) && (
          <form
            method="post"
            action={settingsAction('security', '/sessions/end')}
            data-enhance
            data-failed="Failed to sign out"
          >
            <button className="btn btn-sm" type="submit">
              <Icon name="logout" />
              Sign out everywhere else
            </button>
          </form>
        )}
      </div>
      <ul className="rows" aria-label="Where you are signed in">
        {sessions.map((session) => (
          <SessionItem key={session.id} {...session} />
        ))}
      </ul>
    </section>
  )
}

const ICONS: Record<DeviceKind, IconName> = {
  phone: 'mobile',
  tablet: 'mobile',
  desktop: 'laptop',
  other: 'plug',
}

function SessionItem({ id, device, browser, isCurrent, used }: SessionRow) {
  const name = browser ?? 'Another device'
  return (
    <li>
      <span className="avatar">
        <Icon name={ICONS[device]} />
      </span>
      <div className="grow">
        <div className="row gap-2">
          <b className="any-break">{name}</b>
          {isCurrent && (
            <Badge tone="go" dot="full">
              This device
            </Badge>
          )}
        </div>
        <span className="small soft any-break">{used}</span>
      </div>
      {!isCurrent && (
        <form
          className="acts"
          method="post"
          action={settingsAction('security', `/sessions/${id}/end`)}
          data-enhance
          data-failed="Failed to sign out"
        >
          <button className="btn btn-sm" type="submit">
            Sign out
            <span className="vh">{` ${name}, ${used}`}</span>
          </button>
        </form>
      )}
    </li>
  )
}
