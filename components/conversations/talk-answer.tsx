import { Act } from '#components/conversations/talk-tools.tsx'
import { TextAreaField } from '#components/forms/field.tsx'
import { Icon } from '#components/icons/icon.tsx'
import type { MessageReason } from '#domain/conversations/conversation.ts'
import { MESSAGE_LENGTHS, QUICK_ANSWERS, QUICK_OF_REASON } from '#domain/conversations/message.ts'
import { type MessagesPlace, messagesHref } from '#domain/conversations/places.ts'

type AnswerFormProps = { place: MessagesPlace; reason: MessageReason; typed: string | undefined }

/** An answer in the owner's own words, and the quick ones that they can begin with. */
export function AnswerForm({ place, reason, typed }: AnswerFormProps) {
  return (
    <Act act="answer" place={place} className="stack gap-3" keep={fieldId(place)}>
      <QuickAnswers place={place} reason={reason} />
      <TextAreaField
        id={fieldId(place)}
        label="Your answer"
        name="text"
        rows={2}
        maxLength={MESSAGE_LENGTHS.text}
        defaultValue={typed}
        required
        data-draft
      />
      <button className="btn btn-main btn-block" type="submit" id="send">
        <Icon name="send" />
        Answer
      </button>
    </Act>
  )
}

/** Puts an answer into the box: the script at once, and without one the server. */
function QuickAnswers({ place, reason }: Omit<AnswerFormProps, 'typed'>) {
  const quick = QUICK_OF_REASON[reason]
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
          Share my number
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
