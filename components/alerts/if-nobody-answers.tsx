import { Icon } from '#components/icons/icon.tsx'
import { Note } from '#components/ui/note.tsx'
import { STEP_MINUTES, type StepMinutes, turnsOf } from '#domain/alerts/escalation.ts'
import { ROLE_NAMES, type ShareRole } from '#domain/people/roles.ts'
import { ESCALATION_PAGE, settingsHref } from '#domain/settings.ts'

/** A person in the order; `scope` names the codes of the share, unless it is all. */
export type PersonInOrder = {
  id: string
  name: string
  role: ShareRole
  scope: string | null
  is_at_once: boolean
}

type Props = { minutes: StepMinutes | null; people: PersonInOrder[]; ownerName: string }

/** The form of the order in which people are told of a message until somebody opens it. */
export function IfNobodyAnswers({ minutes, people, ownerName }: Props) {
  const turns = turnsOf(people, minutes)
  return (
    <form
      className="sheet"
      method="post"
      action={settingsHref(ESCALATION_PAGE)}
      data-enhance
      data-failed="The settings could not be saved"
    >
      <p>
        A finder writes. These people are told, one after another, until somebody opens the message.
      </p>
      <fieldset className="field">
        <legend className="legend">Ask the next person after</legend>
        <div className="segments">
          {['off', ...STEP_MINUTES].map((value) => (
            <label key={value}>
              <input
                type="radio"
                name="minutes"
                value={value}
                defaultChecked={value === (minutes ?? 'off')}
                data-draft
              />
              {value === 'off' ? 'Off' : value}
            </label>
          ))}
        </div>
        <span className="hint">minutes</span>
      </fieldset>
      {/* Enter saves, and moves nobody. */}
      <button className="vh" type="submit" tabIndex={-1} aria-hidden="true" data-busy="Saving..." />
      <input type="hidden" name="order" value={people.map(({ id }) => id).join(' ')} />
      <ol className="order" data-script="order">
        <li>
          <span className="when">At once</span>
          <Face name={ownerName} />
          <span className="grow">You</span>
        </li>
        {people.map((person, n) => (
          <Person
            key={person.id}
            person={person}
            turn={turns[n] ?? 0}
            isFirst={n === 0}
            isLast={n === people.length - 1}
          />
        ))}
      </ol>
      <Note icon="medic" title="An accident does not wait">
        Everybody is told at once, also at night.
      </Note>
      <div className="save">
        <button className="btn btn-main" type="submit" id="save" data-busy="Saving...">
          Save
        </button>
      </div>
    </form>
  )
}

function Face({ name }: { name: string }) {
  return (
    <span className="avatar" aria-hidden="true">
      {[...name][0]?.toUpperCase()}
    </span>
  )
}

type PersonProps = { person: PersonInOrder; turn: number; isFirst: boolean; isLast: boolean }

function Person({ person, turn, isFirst, isLast }: PersonProps) {
  const { id, name, role, scope, is_at_once } = person
  return (
    <li data-person={id}>
      <span className="when">{turn === 0 ? 'At once' : `After ${turn} min`}</span>
      <Face name={name} />
      <span className="grow any-break">
        <bdi>{name}</bdi>
        <br />
        <small className="small soft">
          {ROLE_NAMES[role]}
          {scope && `, ${scope} only`}
        </small>
        <label className="tick">
          <input
            type="checkbox"
            name={`at_once.${id}`}
            value="on"
            defaultChecked={is_at_once}
            data-draft
          />
          <span>
            At once<span className="vh">{`, ${name}`}</span>
          </span>
        </label>
      </span>
      <span className="acts">
        <Move id={id} name={name} to="earlier" icon="up" isDisabled={isFirst} />
        <Move id={id} name={name} to="later" icon="down" isDisabled={isLast} />
      </span>
    </li>
  )
}

type MoveProps = {
  id: string
  name: string
  to: 'earlier' | 'later'
  icon: 'up' | 'down'
  isDisabled: boolean
}

function Move({ id, name, to, icon, isDisabled }: MoveProps) {
  return (
    <button
      className="btn btn-quiet btn-icon btn-sm"
      type="submit"
      id={`${to}-${id}`}
      name={to}
      value={id}
      aria-label={`${name} ${to}`}
      disabled={isDisabled}
    >
      <Icon name={icon} />
    </button>
  )
}
