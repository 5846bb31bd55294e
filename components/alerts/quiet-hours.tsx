import { TextField } from '#components/forms/field.tsx'
import type { QuietHours } from '#domain/alerts/quiet-hours.ts'

/** The fields. An invalid time is shown again beside its problem. */
export type QuietHoursView = QuietHours & {
  isOn: boolean
  timezone: string
  problems?: Partial<Record<keyof QuietHours, string>> | undefined
}

/** The quiet hours, in which alerts wait. */
export function QuietHoursFields({ from, to, isOn, timezone, problems = {} }: QuietHoursView) {
  return (
    <section className="sheet">
      <h2>Quiet hours</h2>
      <label className="toggle">
        <input
          type="checkbox"
          // biome-ignore lint/a11y/useAriaPropsForRole: a checkbox has a state of its own
          role="switch"
          id="quiet"
          name="quiet"
          value="on"
          defaultChecked={isOn}
          data-draft
        />
        Keep quiet at night
      </label>
      <div className="fields-2">
        <TextField
          label="From"
          type="time"
          id="quiet-from"
          name="from"
          defaultValue={from}
          error={problems.from}
          data-draft
        />
        <TextField
          label="To"
          type="time"
          id="quiet-to"
          name="to"
          defaultValue={to}
          error={problems.to}
          data-draft
        />
      </div>
      <p className="hint">{`Times in ${timezone}. What waits comes at the end.`}</p>
    </section>
  )
}
