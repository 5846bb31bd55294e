import type { ReactNode } from 'react'
import { Note } from '#components/ui/note.tsx'
import { parseContact } from '#domain/accounts/contact.ts'
import { BEING_DELETED } from '#domain/accounts/deletion.ts'

/** Why a sign-in with Google failed. */
const GOOGLE_REFUSALS = {
  google_failed: 'Google could not be reached, or its answer could not be checked. Try again.',
  google_stale: 'The sign-in took too long, or began in another browser. Try again.',
  google_cancelled: 'You cancelled it at Google.',
  google_unverified: 'Google has not verified the email address of this account.',
  google_blocked: 'Your account has been blocked. Please contact support.',
  google_deleting: BEING_DELETED,
  google_invite: 'Registration is by invitation.',
  google_closed: 'Registration is closed.',
  google_domain: 'An account needs an email address of another domain here.',
} as const
type GoogleRefusal = keyof typeof GOOGLE_REFUSALS

export const LOGIN_NOTICES = [
  'registered',
  'guardian',
  'expired',
  'reset',
  'logged_out',
  'taken_back',
  'deleted',
  'kept',
  ...(Object.keys(GOOGLE_REFUSALS) as GoogleRefusal[]),
] as const
export type LoginNoticeKind = (typeof LOGIN_NOTICES)[number]

/** The notices of a registration that the operator's rule refused. */
export const REFUSED_NOTICES: readonly LoginNoticeKind[] = [
  'google_invite',
  'google_closed',
  'google_domain',
]

export const LOGGED_OUT = 'Logged out successfully'

type LoginNoticeProps = {
  kind: LoginNoticeKind | undefined
  /** the name of the sign-in provider */
  provider: string | undefined
  /** with which somebody has just registered */
  contact?: string | undefined
}

/** Why the login page was opened. After a logout the script says it. */
export function LoginNotice({ kind, provider = 'Google', contact }: LoginNoticeProps) {
  switch (kind) {
    case 'registered':
      return (
        <Note tone="go">
          {'Your QR code is registered. '}
          <LoginId contact={contact}>
            Log in with your email or mobile number and your password.
          </LoginId>
        </Note>
      )
    case 'guardian':
      return (
        <Note tone="warn">
          Your QR code is registered. You can log in once its owner confirms as your guardian.{' '}
          <LoginId contact={contact} />
        </Note>
      )
    case 'expired':
      return <Note tone="warn">Your session has ended. Please log in again.</Note>
    case 'reset':
      return <Note tone="go">Your password is changed. Log in with the new one.</Note>
    case 'taken_back':
      return (
        <Note tone="go">
          Your account has its earlier email again. Choose “Forgot Password?” to set a new password.
        </Note>
      )
    case 'deleted':
      return (
        <Note tone="warn">
          Your account is being deleted. The link in our mail takes that back for 7 days.
        </Note>
      )
    case 'kept':
      return <Note tone="go">Your account is kept. Log in as before.</Note>
    case 'logged_out':
      return (
        <noscript>
          <Note tone="go">{LOGGED_OUT}</Note>
        </noscript>
      )
    case undefined:
      return null
    default:
      return (
        <Note tone="stop">
          Login failed: {GOOGLE_REFUSALS[kind].replaceAll('Google', provider)}
        </Note>
      )
  }
}

/** Shows the login id of somebody whose address another account has; else the children. */
function LoginId({ contact, children }: { contact: string | undefined; children?: ReactNode }) {
  if (!contact || parseContact(contact)?.kind !== 'login_id') return children
  return (
    <>
      {'Another account has your email for now, so log in with the login id '}
      <code className="any-break">{contact}</code>
      {' and your password. Write it down. Then verify your email in Settings → Profile.'}
    </>
  )
}
