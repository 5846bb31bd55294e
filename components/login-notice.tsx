import { Note } from '#components/note.tsx'

export const LOGIN_NOTICES = ['registered', 'expired', 'reset', 'logged_out'] as const
export type LoginNoticeKind = (typeof LOGIN_NOTICES)[number]

export const LOGGED_OUT = 'Logged out successfully'

/** What brought somebody to the login page. After a logout a toast says it, where there is script. */
export function LoginNotice({ kind }: { kind: LoginNoticeKind | undefined }) {
  switch (kind) {
    case 'registered':
      return (
        <Note tone="go">
          Your QR code is registered. Log in with your email or mobile number and your password.
        </Note>
      )
    case 'expired':
      return <Note tone="warn">Your session has ended. Please log in again.</Note>
    case 'reset':
      return <Note tone="go">Your password is changed. Log in with the new one.</Note>
    case 'logged_out':
      return (
        <noscript>
          <Note tone="go">{LOGGED_OUT}</Note>
        </noscript>
      )
  }
}
