import { useId } from 'react'
import { FieldError } from '#components/forms/field.tsx'

export type EndForm = { expires_on: string; no_end: boolean }

type EndFieldsProps = EndForm & {
  error?: string | undefined
  /** in an island; otherwise the fields keep their values themselves */
  change?: (fields: Partial<EndForm>) => void
}

/** The end of a document, or that it has no end, which wins where both are sent. */
export function EndFields({ expires_on, no_end, error, change }: EndFieldsProps) {
  const id = useId()
  const describedBy = [`${id}-hint`, error && `${id}-error`].filter(Boolean).join(' ')
  return (
    <fieldset className="field">
      <legend className="legend">Ends on</legend>
      <p className="hint" id={`${id}-hint`}>
        We remind you 30, 15, 7 and 1 day before.
      </p>
      <input
        className="input"
        type="date"
        name="expires_on"
        aria-label="Ends on"
        aria-describedby={describedBy}
        {...(error && { 'aria-invalid': true })}
        {...(change
          ? {
              value: expires_on,
              disabled: no_end,
              onChange: ({ target }) => change({ expires_on: target.value }),
            }
          : { defaultValue: expires_on })}
      />
      <label className="tick">
        <input
          type="checkbox"
          name="no_end"
          {...(change
            ? { checked: no_end, onChange: ({ target }) => change({ no_end: target.checked }) }
            : { defaultChecked: no_end })}
        />
        No end
      </label>
      <FieldError id={`${id}-error`} text={error} />
    </fieldset>
  )
}
