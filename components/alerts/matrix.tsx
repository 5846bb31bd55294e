import {
  CHANNEL_ICONS,
  EVENT_WORDS,
  type OfferedEvent,
  offeredEvents,
} from '#components/alerts/alert-words.ts'
import { Icon } from '#components/icons/icon.tsx'
import {
  CHANNEL_LABELS,
  type ChannelKind,
  type Choices,
  isFixed,
  SHARED_EVENTS,
} from '#domain/alerts/alert.ts'
import { choiceName } from '#domain/alerts/choice-form.ts'

/** A channel that the account may have; `not` says in a word or two why it reaches nobody now. */
export type Column = { kind: ChannelKind; not?: string | undefined }

type MatrixProps = {
  columns: Column[]
  choices: Choices
  /** of codes that others share */
  isShared?: boolean
}

/** Events down, channels across. On a phone each event opens, and its summary names the chosen channels. */
export function Matrix({ columns, choices, isShared = false }: MatrixProps) {
  const events = isShared ? SHARED_EVENTS : offeredEvents()
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
      {events.map((event) => (
        <Event key={event} {...{ event, columns, choices, isShared }} />
      ))}
    </div>
  )
}

type EventProps = Required<MatrixProps> & { event: OfferedEvent }

function Event({ event, columns, choices, isShared }: EventProps) {
  const { label, hint } = EVENT_WORDS[event]
  const fixed = columns.filter(({ kind }) => isFixed(event, kind))
  const on = columns.filter(({ kind, not }) => !not && choices[event][kind])
  return (
    <details data-event={isShared ? `shared ${event}` : event} open>
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
          <Mark key={kind} {...{ event, kind, not, isShared }} isOn={choices[event][kind]} />
        ))}
      </fieldset>
    </details>
  )
}

type MarkProps = {
  event: OfferedEvent
  kind: ChannelKind
  not: string | undefined
  isOn: boolean
  isShared: boolean
}

/** A channel that reaches nobody is not ticked. The stored choice applies again once the channel works. */
function Mark({ event, kind, not, isOn, isShared }: MarkProps) {
  const name = choiceName(event, kind, isShared)
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
