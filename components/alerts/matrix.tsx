import {
  CHANNEL_ICONS,
  EVENT_WORDS,
  type OfferedEvent,
  offeredEvents,
} from '#components/alerts/alert-words.ts'
import { Icon } from '#components/icons/icon.tsx'
import { CHANNEL_LABELS, type ChannelKind, type Choices, isFixed } from '#domain/alerts/alert.ts'
import { choiceName } from '#domain/alerts/choice-form.ts'

/** A channel that the account may have; `not` says in a word or two why it reaches nobody now. */
export type Column = { kind: ChannelKind; not?: string | undefined }

/** Events down, channels across. On a phone each event opens, and its summary names the chosen channels. */
export function Matrix({ columns, choices }: { columns: Column[]; choices: Choices }) {
  return (
    <div className="matrix" data-script="matrix">
      <div className="matrix-head" aria-hidden="true">
        <span />
        {columns.map(({ kind }) => (
          <span key={kind}>
            <Icon name={CHANNEL_ICONS[kind]} />
            {CHANNEL_LABELS[kind]}
          </span>
        ))}
      </div>
      {offeredEvents().map((event) => (
        <Event key={event} event={event} columns={columns} choices={choices} />
      ))}
    </div>
  )
}

type EventProps = { event: OfferedEvent; columns: Column[]; choices: Choices }

function Event({ event, columns, choices }: EventProps) {
  const { label, hint } = EVENT_WORDS[event]
  const fixed = columns.filter(({ kind }) => isFixed(event, kind))
  const on = columns.filter(({ kind, not }) => !not && choices[event][kind])
  return (
    <details data-event={event} open>
      <summary>
        <b>{label}</b>
        <small>
          {hint}
          {fixed.map(({ kind }) => ` ${CHANNEL_LABELS[kind]} cannot be switched off.`)}
        </small>
        <small className="picked">
          {on.map(({ kind }) => CHANNEL_LABELS[kind]).join(', ') || 'Off'}
        </small>
        <Icon name="down" />
      </summary>
      <fieldset className="marks">
        <legend className="vh">{label}</legend>
        {columns.map(({ kind, not }) => (
          <Mark key={kind} event={event} kind={kind} not={not} isOn={choices[event][kind]} />
        ))}
      </fieldset>
    </details>
  )
}

type MarkProps = { event: OfferedEvent; kind: ChannelKind; not: string | undefined; isOn: boolean }

/** A channel that reaches nobody is not ticked. The stored choice applies again once the channel works. */
function Mark({ event, kind, not, isOn }: MarkProps) {
  const name = choiceName(event, kind)
  const isAlways = isFixed(event, kind)
  const note = not ?? (isAlways ? 'always' : undefined)
  return (
    <label>
      <input
        type="checkbox"
        id={name}
        name={name}
        value="on"
        defaultChecked={isOn && !not}
        disabled={note !== undefined}
        data-draft
      />
      <span>
        {CHANNEL_LABELS[kind]}
        {note && <small>{` ${note}`}</small>}
      </span>
    </label>
  )
}
