import { Act, shareNumberText } from '#components/conversations/talk-tools.tsx'
import type { TalkView } from '#components/conversations/talk-view.ts'
import { TextAreaField } from '#components/forms/field.tsx'
import { Icon } from '#components/icons/icon.tsx'
import { MESSAGE_LENGTHS, QUICK_ANSWERS, QUICK_OF_REASON } from '#domain/conversations/message.ts'
import { type MessagesPlace, messagesHref } from '#domain/conversations/places.ts'

type AnswerFormProps = { place: MessagesPlace; view: TalkView; typed: string | undefined }

/** An answer in the owner's own words, and the quick ones that they can begin with. */
export function AnswerForm({ place, view, typed }: AnswerFormProps) {
  return (
    <Act act="answer" place={place} className="stack gap-3" keep={fieldId(place)}>
      <QuickAnswers place={place} view={view} />
      <TextAreaField
        id={fieldId(place)}
        label="Your answer"
        name="text"
        rows={2}
        maxLength={MESSAGE_LENGTHS.text}
        defaultValue={typed}
        required
        data-draft
        data-typing={view.shared ? view.id : undefined}
      />
      <button className="btn btn-main btn-block" type="submit" id="send">
        <Icon name="send" />
        Answer
      </button>
    </Act>
  )
}

/** Puts an answer into the box: the script at once, and without one the server. */
function QuickAnswers({ place, view }: Omit<AnswerFormProps, 'typed'>) {
  const quick = QUICK_OF_REASON[view.reason]
  if (quick.length === 0) return null
  return (
    <fieldset className="quick">
      <legend className="hint">Tap one, change it, then send:</legend>
      {quick.map((key) => (
        <button
          key={key}
          className="btn btn-sm"
          type="submit"
          name="quick"
          value={QUICK_ANSWERS[key]}
          formNoValidate
          data-fill={fieldId(place)}
        >
          {QUICK_ANSWERS[key]}
        </button>
      ))}
      {quick.includes('call') && (
        <a
          className="btn btn-sm"
          href={messagesHref(place, { number: '1' })}
          data-dialog="number"
          data-gone="Conversation not found"
        >
          <Icon name="phone" />
          {shareNumberText(view.shared_by)}
        </a>
      )}
    </fieldset>
  )
}

const UNSENT = 'Not sent'

/**
 * Shows, in place of the form, an answer that can no longer be sent. The script puts it here when
 * it finds the form's field gone.
 */
export function UnsentAnswer({
  place,
  typed,
}: {
  place: MessagesPlace
  typed: string | undefined
}) {
  const id = fieldId(place)
  return (
    <div className="unsent" id={`unsent-${id}`} data-label={UNSENT}>
      {typed && (
        <TextAreaField id={id} label={UNSENT} rows={2} defaultValue={typed} readOnly data-draft />
      )}
    </div>
  )
}

function fieldId({ conversation }: MessagesPlace): string {
  return `answer-${conversation}`
}
