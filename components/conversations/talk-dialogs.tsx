import { shareNumberText } from '#components/conversations/talk-tools.tsx'
import { AskDialog } from '#components/forms/ask-dialog.tsx'
import { TextAreaField } from '#components/forms/field.tsx'
import { FormDialog, type FormState } from '#components/forms/form-dialog.tsx'
import { Dialog, DialogBody, DialogCancel, DialogFoot } from '#components/ui/dialog.tsx'
import { Note } from '#components/ui/note.tsx'
import {
  REPORT_REASONS,
  REPORT_TEXT_LENGTH,
  type ReportReason,
} from '#domain/conversations/report.ts'
import { whose } from '#domain/people/whose.ts'

/** The name of the owner, where the conversation is another account's. */
type OfOwner = { shared_by: string | null }

function numberTitle(shared_by: string | null) {
  return `Share ${shared_by ? whose(shared_by) : 'your'} number?` as const
}

/** Asks before the number is shown to a stranger. */
export function ShareNumber({
  action,
  number,
  shared_by,
}: FormState & OfOwner & { number: string }) {
  return (
    <AskDialog
      title={numberTitle(shared_by)}
      action={action}
      tone="main"
      keep="Keep it private"
      act={shareNumberText(shared_by)}
      icon="phone"
    >
      <input type="hidden" name="share_number" value="true" />
      <p>
        <b dir="ltr" className="num text-lg">
          {number}
        </b>
      </p>
      <p>The finder gets it as a card to call you. A number that is shared stays shared.</p>
    </AskDialog>
  )
}

/** Says why there is no number to share. */
export function NoNumber({ why, shared_by }: OfOwner & { why: string }) {
  return (
    <Dialog title={numberTitle(shared_by)} size="small" open>
      <DialogBody>
        <p>{`${why}.`}</p>
      </DialogBody>
      <DialogFoot>
        <DialogCancel>Close</DialogCancel>
      </DialogFoot>
    </Dialog>
  )
}

/** Lists the consequences of a block before it is made. */
export function BlockSender({ action, shared_by }: FormState & OfOwner) {
  return (
    <AskDialog
      title="Block this sender?"
      action={action}
      keep="Keep Conversation"
      act="Block"
      icon="block"
    >
      <ul>
        <li>The conversation ends. The finder can no longer open it.</li>
        <li>
          {shared_by
            ? `For 24 hours ${shared_by} gets no messages from that phone, for any code.`
            : 'For 24 hours you get no messages from that phone, for any of your codes.'}
        </li>
        <li>Messages from others on the same network arrive, perhaps without an alert.</li>
      </ul>
      <p>
        What was written stays here until you delete it, for 90 days at most. Unblock undoes a
        block.
      </p>
    </AskDialog>
  )
}

const REPORT_LABELS: Record<ReportReason, string> = {
  threat: 'It threatens somebody',
  spam: 'It is advertising',
  offensive: 'It is offensive',
  fraud: 'It tries to cheat people',
  other: 'Something else',
}

type ReportProps = FormState & { typed: Record<string, string> }

/** Asks for the text of a report to the moderators. */
export function ReportConversation({ action, typed, message }: ReportProps) {
  return (
    <FormDialog title="Report this conversation" action={action} submit="Send report" icon="flag">
      {message && <Note tone="stop">{message}</Note>}
      <p>A moderator reads it, and decides what happens.</p>
      <fieldset className="stack gap-0">
        <legend className="legend">What is wrong?</legend>
        {REPORT_REASONS.map((reason) => (
          <label key={reason} className="tick">
            <input
              type="radio"
              name="reason"
              value={reason}
              defaultChecked={typed.reason === reason}
              required
            />
            {REPORT_LABELS[reason]}
          </label>
        ))}
      </fieldset>
      <TextAreaField
        label="What happened?"
        optional
        name="text"
        rows={3}
        maxLength={REPORT_TEXT_LENGTH}
        defaultValue={typed.text}
      />
    </FormDialog>
  )
}

/** Lists the consequences before a conversation is deleted. */
export function DeleteConversation({ action }: FormState) {
  return (
    <AskDialog title="Delete this conversation?" keep="Keep Conversation" action={action}>
      <p>This removes, for good:</p>
      <ul>
        <li>everything that was written, on both sides</li>
        <li>the place, the location and the photo</li>
        <li>the finder’s page of it</li>
      </ul>
    </AskDialog>
  )
}
