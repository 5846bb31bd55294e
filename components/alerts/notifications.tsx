import type { ReactNode } from 'react'
import { type Column, Matrix } from '#components/alerts/matrix.tsx'
import { QuietHoursFields, type QuietHoursView } from '#components/alerts/quiet-hours.tsx'
import type { Choices } from '#domain/alerts/alert.ts'
import { SHOWN_FIELD } from '#domain/alerts/choice-form.ts'
import { settingsAction } from '#domain/settings.ts'

type NotificationsProps = {
  /** a row for each channel, connected or not */
  rows: ReactNode
  columns: Column[]
  choices: Choices
  quiet: QuietHoursView
}

/** The settings of alerts: their channels, events and quiet hours. */
export function Notifications({ rows, columns, choices, quiet }: NotificationsProps) {
  const shown = columns.filter(({ not }) => !not).map(({ kind }) => kind)
  return (
    <>
      <section className="sheet">
        <h2>Where we reach you</h2>
        <ul className="rows">{rows}</ul>
      </section>
      <form
        className="stack"
        method="post"
        action={settingsAction('notifications')}
        noValidate
        data-enhance
        data-failed="The settings could not be saved"
      >
        <section className="sheet">
          <h2>What reaches you</h2>
          <input type="hidden" name={SHOWN_FIELD} value={shown.join(' ')} />
          <Matrix columns={columns} choices={choices} />
        </section>
        <QuietHoursFields {...quiet} />
        <div className="save">
          <button className="btn btn-main" type="submit" id="save" data-busy="Saving...">
            Save
          </button>
        </div>
      </form>
    </>
  )
}
