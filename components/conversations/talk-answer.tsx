import { Act } from '#components/conversations/talk-tools.tsx'
import { TextAreaField } from '#components/forms/field.tsx'
import { Icon } from '#components/icons/icon.tsx'
import { MESSAGE_LENGTHS, QUICK_ANSWERS } from '#domain/conversations/message.ts'
import type { MessagesPlace } from '#domain/conversations/places.ts'

/** An answer with one press, and one in the owner's own words. */
export function AnswerForm({ place, typed }: { place: MessagesPlace; typed: string | undefined }) {
  return (
    <div className="stack gap-3">
      <Act act="answer" place={place}>
        <fieldset className="quick">
          <legend className="vh">Quick answers</legend>
          {Object.values(QUICK_ANSWERS).map((text, n) => (
            <button
              key={text}
              className="btn btn-sm"
              type="submit"
              name="text"
              value={text}
              id={`quick-${n}`}
            >
              {text}
            </button>
          ))}
        </fieldset>
      </Act>
      <Act act="answer" place={place} className="stack gap-3">
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
    </div>
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
