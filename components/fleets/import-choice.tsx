import { Icon } from '#components/icons/icon.tsx'
import type { OnDuplicate } from '#domain/fleets/import.ts'

const WORDS: Record<OnDuplicate, string> = {
  skip: 'Skip',
  update: 'Update',
  error: 'Stop with an error',
}

/** The choice for rows whose vehicle has a code already. `isChecked`: a change checks the table again. */
export function DuplicateChoice(props: { value: OnDuplicate; isChecked?: boolean }) {
  const { value, isChecked } = props
  return (
    <fieldset className="stack gap-2">
      <legend className="legend">Vehicles that already have a QR code</legend>
      <div className="segments">
        {Object.entries(WORDS).map(([choice, words]) => (
          <label key={choice}>
            <input
              type="radio"
              name="on_duplicate"
              value={choice}
              defaultChecked={choice === value}
              data-action={isChecked ? 'submit-on-change' : undefined}
            />
            {words}
          </label>
        ))}
      </div>
    </fieldset>
  )
}

/** Shown while a table is on its way. */
export function SendingTable() {
  return (
    <div className="stack gap-1" data-sending hidden>
      <p className="small soft" role="status">
        Sending the table…
      </p>
      <progress max={100} aria-label="Progress" />
    </div>
  )
}

export function TemplateLink({ href }: { href: string }) {
  return (
    <a className="btn btn-sm" href={href} download>
      <Icon name="download" />
      Template
    </a>
  )
}
