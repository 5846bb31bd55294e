import { CodeField } from '#components/accounts/code-field.tsx'
import { UsePasskey } from '#components/accounts/passkeys.tsx'
import { PasswordField } from '#components/forms/field.tsx'
import type { Problem } from '#components/forms/place-problem.ts'
import { SettingsBar, SetUpBar } from '#components/frame/top-bar.tsx'
import { Dialog, DialogBody, DialogCancel, DialogFoot } from '#components/ui/dialog.tsx'
import { Note } from '#components/ui/note.tsx'
import { Refusal } from '#components/ui/outcome.tsx'
import { CONFIRM_ACTION, CONFIRM_YOU } from '#domain/accounts/confirmation.ts'

/** The proofs of identity that an account can give. */
export type ConfirmWays = { password: boolean; code: boolean; passkey: boolean }

type ConfirmProps = {
  /** the form that waits, sealed */
  held: string
  /** the next step, as a sentence */
  next: string
  /** whether that is a file */
  isDownload: boolean
  ways: ConfirmWays
  problem: Problem | undefined
  /** whether no other page can be reached before a second factor is set up */
  isAlone: boolean
}

/** The question in place of the requested page. With script only its dialog is taken, over the page with the form. */
export function ConfirmPage(props: ConfirmProps) {
  return (
    <>
      {props.isAlone ? <SetUpBar /> : <SettingsBar />}
      <main className="wrap" id="main">
        <div className="main main-narrow" id="panel">
          <h1>{CONFIRM_YOU}</h1>
          <p>It is a while since you signed in.</p>
        </div>
        <div id="dialog">
          <Dialog title={CONFIRM_YOU} size="small" open>
            {Object.values(props.ways).includes(true) ? (
              <ConfirmForm {...props} />
            ) : (
              <SignInAgain />
            )}
          </Dialog>
        </div>
      </main>
    </>
  )
}

const ABOUT_PASSKEY = ['invalid.passkey', 'unauthenticated.passkey']
const ABOUT_CODE = ['invalid.password_or_code', 'unauthenticated.second_factor']

function ConfirmForm({ held, next, isDownload, ways, problem }: ConfirmProps) {
  const { subject = '', message } = problem ?? {}
  const isAboutPasskey = ABOUT_PASSKEY.includes(subject)
  const isAboutCode = !ways.password || ABOUT_CODE.includes(subject)
  const problemOfField = isAboutPasskey ? undefined : message
  return (
    <form
      method="post"
      action={CONFIRM_ACTION}
      noValidate
      data-enhance={isDownload ? undefined : true}
      data-confirm
    >
      <input type="hidden" name="held" value={held} />
      <Refusal>{isAboutPasskey ? message : undefined}</Refusal>
      <DialogBody>
        <p className="soft">{next}</p>
        {ways.passkey && <UsePasskey />}
        {ways.passkey && (ways.password || ways.code) && <p className="or needs-script">or</p>}
        {ways.password && (
          <PasswordField
            label="Password"
            name="password"
            error={isAboutCode ? undefined : problemOfField}
            autoComplete="current-password"
          />
        )}
        {ways.code && (
          <details className="fold" open={isAboutCode}>
            <summary>Use a code from the app</summary>
            <CodeField error={isAboutCode ? problemOfField : undefined} />
          </details>
        )}
      </DialogBody>
      <DialogFoot>
        <DialogCancel>Cancel</DialogCancel>
        <button className="btn btn-main" type="submit">
          Confirm
        </button>
      </DialogFoot>
    </form>
  )
}

/** For an account whose only proof is another sign-in. */
function SignInAgain() {
  return (
    <form method="post" action="/logout" data-confirm>
      <DialogBody>
        <Note>
          Your account has no password. Log in again, and do this in the ten minutes after that.
        </Note>
      </DialogBody>
      <DialogFoot>
        <DialogCancel>Cancel</DialogCancel>
        <button className="btn btn-main" type="submit">
          Log in again
        </button>
      </DialogFoot>
    </form>
  )
}
