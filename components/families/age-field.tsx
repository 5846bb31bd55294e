import { useId } from 'react'
import { FieldError } from '#components/forms/field.tsx'
import type { Catalogue } from '#locales/catalogue.ts'

type AgeFieldProps = {
  /** as it was sent: `yes` or `no` */
  chosen: string | undefined
  error: string | undefined
  words: Catalogue['child']
}

/** Asks whether the person is of age, and names the consequence if they are not. */
export function AgeField({ chosen, error, words }: AgeFieldProps) {
  const id = useId()
  return (
    <fieldset className="stack gap-2" aria-describedby={error && `${id}-error`}>
      <legend className="legend">{words.age}</legend>
      <label className="option">
        <input type="radio" name="adult" value="yes" defaultChecked={chosen === 'yes'} required />
        <span>
          <b>{words.adult}</b>
        </span>
      </label>
      <label className="option">
        <input type="radio" name="adult" value="no" defaultChecked={chosen === 'no'} required />
        <span>
          <b>{words.minor}</b>
          <small>{words.minorHint}</small>
        </span>
      </label>
      <FieldError id={`${id}-error`} text={error} />
    </fieldset>
  )
}
