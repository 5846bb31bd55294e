import { Note } from '#components/ui/note.tsx'
import { RESET_QUESTION_ACTION, resetQuestion } from '#domain/families/password-reset.ts'

export type ResetQuestionView = {
  approved_by: string
  /** the date as it is shown */
  date: string
  /** whether this device may answer, another one must, or the answer was no */
  state: 'here' | 'elsewhere' | 'denied'
  has_email: boolean
  has_locked: boolean
}

/** Asks a child user whether the reset of its password was its own. */
export function ResetQuestion({ view }: { view: ResetQuestionView }) {
  const { approved_by, date, state } = view
  return (
    <section className="main main-notice" aria-label="Password reset">
      <Note tone={state === 'denied' ? 'stop' : 'warn'} title={`${titleOf(view)} `}>
        {WORDS[state](view)}
      </Note>
      {state === 'here' && (
        <form className="row" method="post" action={RESET_QUESTION_ACTION}>
          <fieldset className="row">
            <legend className="vh">{resetQuestion(approved_by, date)}</legend>
            <button className="btn btn-go" type="submit" name="answer" value="yes">
              Yes
            </button>
            <button className="btn" type="submit" name="answer" value="no">
              No
            </button>
          </fieldset>
        </form>
      )}
    </section>
  )
}

function titleOf({ approved_by, date, state }: ResetQuestionView): string {
  return state === 'denied'
    ? `You did not ask for the password reset by ${approved_by} on ${date}.`
    : resetQuestion(approved_by, date)
}

const WORDS = {
  here: ({ has_locked }: ResetQuestionView) =>
    has_locked
      ? 'Your private papers and earlier messages are closed. Yes opens them; No keeps them closed and signs out every other device.'
      : 'No signs out every other device.',
  elsewhere: ({ has_email }: ResetQuestionView) =>
    `Your private papers and earlier messages are closed until you answer on a device that you were logged in on before${has_email ? ', or log in with a one-time code from your email' : ''}.`,
  denied: ({ has_email, has_locked }: ResetQuestionView) =>
    `Every other device was signed out${has_locked ? ', and your private papers and earlier messages stay closed' : ''}. ${has_email ? `Log in with a one-time code from your email: that ${has_locked ? 'opens them and ' : ''}ends the password.` : 'Ask the owner of your QR code for a new link, set a password that only you know, and answer here again.'}`,
}
