import type { ReactNode } from 'react'
import { type Column, Matrix } from '#components/alerts/matrix.tsx'
import { QuietHoursFields, type QuietHoursView } from '#components/alerts/quiet-hours.tsx'
import { Icon } from '#components/icons/icon.tsx'
import type { Choices } from '#domain/alerts/alert.ts'
import { SHARED_FIELD, SHOWN_FIELD } from '#domain/alerts/choice-form.ts'
import { ESCALATION_PAGE, settingsAction, settingsHref } from '#domain/settings.ts'

type NotificationsProps = {
  /** a row for each channel, connected or not */
  rows: ReactNode
  columns: Column[]
  choices: Choices
  /** for codes that others share; undefined without any */
  sharedChoices: Choices | undefined
  quiet: QuietHoursView
  /** whether people help the account with its codes */
  hasPeople: boolean
}

/** The settings of alerts: their channels, events and quiet hours. */
export function Notifications(props: NotificationsProps) {
  const { rows, columns, choices, sharedChoices, quiet, hasPeople } = props
  const shown = columns.filter(({ not }) => !not).map(({ kind }) => kind)
  return (
    <>
      <section className="sheet">
        <h2>Where we reach you</h2>
        <ul className="rows">{rows}</ul>
      </section>
      {hasPeople && (
        <section className="sheet">
          <ul className="rows">
            <li className="to">
              <a href={settingsHref(ESCALATION_PAGE)}>
                <Icon name="users" />
                If nobody answers
                <Icon name="chev" />
              </a>
            </li>
          </ul>
        </section>
      )}
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
        {sharedChoices && (
          <section className="sheet">
            <h2>Codes shared with you</h2>
            <input type="hidden" name={SHARED_FIELD} value="on" />
            <Matrix columns={columns} choices={sharedChoices} isShared />
          </section>
        )}
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
