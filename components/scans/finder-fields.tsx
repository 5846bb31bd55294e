import type { ReactNode } from 'react'
import { SelectField } from '#components/forms/field.tsx'
import { FinderPreview } from '#components/scans/finder-preview.tsx'
import { Note } from '#components/ui/note.tsx'
import type { ShownBrand } from '#domain/brands/brand.ts'
import { cleanVisibility, THINGS, type Visibility } from '#domain/codes/visibility.ts'
import type { Catalogue } from '#locales/catalogue.ts'

export type FinderState = {
  /** what the form shows at first */
  values: Record<string, unknown>
  /** the present values of the form, for the preview */
  typed: Record<string, unknown>
  /** whether there will be an account to write to */
  canMessage: boolean
  words: Catalogue['holder']
  /** the brand of the code's page; null where the product's name is hidden */
  brand?: ShownBrand | null | undefined
}

const MODES = ['public', 'relay'] as const
const HINTS = { public: 'publicHint', relay: 'relayHint' } as const
const SHOWN = ['show_vehicle', 'show_city'] as const

type FinderFieldsProps = {
  state: FinderState
  /** labels of the ways to the owner, if their radios stand elsewhere in the form */
  modes?: ReactNode
}

/** The owner's choices for the finder's page, with their effect under them, or beside the labels. */
export function FinderFields({ state, modes }: FinderFieldsProps) {
  const { values, typed, canMessage, words, brand } = state
  const chosen = cleanVisibility(values)
  return (
    <div className={modes ? 'beside' : 'stack'}>
      <div className="stack">
        {modes ?? <ContactModes chosen={chosen.contact_mode} words={words} />}
        {!canMessage && <Note tone="warn">{words.relayLater}</Note>}
        <SelectField name="thing" label={words.thing} defaultValue={chosen.thing}>
          {THINGS.map((thing) => (
            <option key={thing} value={thing}>
              {words.things[thing]}
            </option>
          ))}
        </SelectField>
        <fieldset className="stack gap-0">
          <legend className="legend">{words.shown}</legend>
          {SHOWN.map((name) => (
            <Tick key={name} name={name} label={words[name]} ticked={chosen[name] ?? true} />
          ))}
        </fieldset>
        <Note icon="medic">{words.staysVisible}</Note>
      </div>
      <FinderPreview {...{ typed, canMessage, brand }} words={words.preview} />
    </div>
  )
}

type ContactModesProps = {
  chosen: Visibility['contact_mode'] | undefined
  words: FinderState['words']
  name?: string
}

/** The ways in which finders reach an owner. */
export function ContactModes({
  chosen = 'public',
  words,
  name = 'contact_mode',
}: ContactModesProps) {
  return (
    <fieldset className="stack gap-2">
      <legend className="legend">{words.reach}</legend>
      {MODES.map((mode) => (
        <label key={mode} className="option">
          <input
            type="radio"
            id={`reach-${mode}`}
            name={name}
            value={mode}
            defaultChecked={mode === chosen}
            aria-labelledby={`mode-${mode}`}
            aria-describedby={`mode-${mode}-hint`}
          />
          <span>
            <b id={`mode-${mode}`}>{words[mode]}</b>
            <small id={`mode-${mode}-hint`}>{words[HINTS[mode]]}</small>
          </span>
        </label>
      ))}
    </fieldset>
  )
}

/**
 * The same choice at a second place of a form, for the pointer: labels of the radios of `ContactModes`, which
 * are one choice for the keyboard and for screen readers.
 */
export function ContactModeLabels({ words }: { words: FinderState['words'] }) {
  return (
    <div className="stack gap-2">
      <p className="legend">{words.reach}</p>
      {MODES.map((mode) => (
        <label key={mode} className="option option-again" htmlFor={`reach-${mode}`}>
          <span>
            <b>{words[mode]}</b>
            <small>{words[HINTS[mode]]}</small>
          </span>
        </label>
      ))}
    </div>
  )
}

/** Without a tick the browser sends nothing, so the field before it says so. */
function Tick(tick: { name: string; label: string; ticked: boolean }) {
  return (
    <label className="toggle">
      <input type="hidden" name={tick.name} value="0" />
      <input type="checkbox" name={tick.name} value="1" defaultChecked={tick.ticked} />
      {tick.label}
    </label>
  )
}
