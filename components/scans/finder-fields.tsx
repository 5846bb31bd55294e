import { FinderPreview } from '#components/scans/finder-preview.tsx'
import { Note } from '#components/ui/note.tsx'
import { type ContactMode, cleanVisibility, type Visibility } from '#domain/codes/visibility.ts'

export type FinderState = {
  /** what the form shows at first */
  values: Record<string, unknown>
  /** what stands in the form now, for the preview */
  typed: Record<string, unknown>
  /** whether there will be an account to write to */
  canMessage: boolean
}

const MODES: { mode: ContactMode; label: string; hint: string }[] = [
  {
    mode: 'public',
    label: 'Finders can call me',
    hint: 'Call, WhatsApp, SMS and email, with your number',
  },
  {
    mode: 'relay',
    label: 'Finders write to me first. My number and e-mail stay hidden',
    hint: 'You answer in your dashboard. Only your first name is shown.',
  },
]

const SHOWN = [
  ['show_vehicle', 'Show the vehicle'],
  ['show_city', 'Show the city / area'],
] as const

/** What the owner of a code decides about its page, and under or beside it what becomes of that. */
export function FinderFields({ state, beside }: { state: FinderState; beside?: boolean }) {
  const { values, typed, canMessage } = state
  const chosen = cleanVisibility(values)
  return (
    <div className={beside ? 'beside' : 'stack'}>
      <div className="stack">
        <ContactModes chosen={chosen.contact_mode} />
        {!canMessage && (
          <Note tone="warn">
            Finders can write to you once this code is in an account. Until then they see your
            number and e-mail.
          </Note>
        )}
        <fieldset className="stack gap-0">
          <legend className="legend">What else is shown?</legend>
          {SHOWN.map(([name, label]) => (
            <Tick key={name} name={name} label={label} ticked={chosen[name] ?? true} />
          ))}
        </fieldset>
        <Note icon="medic">
          Emergency contact and blood group stay visible. You filled them in for that.
        </Note>
      </div>
      <FinderPreview typed={typed} canMessage={canMessage} />
    </div>
  )
}

function ContactModes({ chosen = 'public' }: { chosen: Visibility['contact_mode'] | undefined }) {
  return (
    <fieldset className="stack gap-2">
      <legend className="legend">How do finders reach you?</legend>
      {MODES.map(({ mode, label, hint }) => (
        <label key={mode} className="option">
          <input
            type="radio"
            name="contact_mode"
            value={mode}
            defaultChecked={mode === chosen}
            aria-labelledby={`mode-${mode}`}
            aria-describedby={`mode-${mode}-hint`}
          />
          <span>
            <b id={`mode-${mode}`}>{label}</b>
            <small id={`mode-${mode}-hint`}>{hint}</small>
          </span>
        </label>
      ))}
    </fieldset>
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
