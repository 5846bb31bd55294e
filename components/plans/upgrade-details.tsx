import { SelectField, TextAreaField } from '#components/forms/field.tsx'
import { Icon } from '#components/icons/icon.tsx'
import { OwnRequest } from '#components/plans/upgrade-card.tsx'
import { type UpgradeDetailsView, UpgradeFacts } from '#components/plans/upgrade-facts.tsx'
import { Dialog, DialogBody, DialogFoot } from '#components/ui/dialog.tsx'
import { Note } from '#components/ui/note.tsx'
import { monthsText } from '#domain/plans/term.ts'
import { LENGTHS } from '#domain/text.ts'

/** A number of months to approve, and the day on which the plan then ends, as it is shown. */
export type MonthsOption = { months: number; until: string }

type UpgradeDetailsProps = {
  view: UpgradeDetailsView
  options: MonthsOption[]
  /** what an approval takes from the account */
  loss: string | undefined
  action: string
  mails: boolean
}

/** All that is known of a request, and the decision while it waits. */
export function UpgradeDetails(props: UpgradeDetailsProps) {
  const { view, options, loss, action, mails } = props
  const { status, is_own, requested_plan } = view
  const mayDecide = status === 'pending' && !is_own

  return (
    <Dialog title="Upgrade Request Details" open>
      <form method="post" action={action} data-enhance>
        <DialogBody>
          <UpgradeFacts view={view} />
          {status === 'pending' && is_own && <OwnRequest />}
          {mayDecide && (
            <>
              <input type="hidden" name="requested_plan" value={requested_plan} />
              <input type="hidden" name="amount" value={view.amount} />
              {loss && <Note tone="warn">{loss}</Note>}
              <SelectField label="Months" name="months" defaultValue={view.months ?? ''}>
                {options.map(({ months, until }) => (
                  <option key={months} value={months}>
                    {`${monthsText(months)}, until ${until}`}
                  </option>
                ))}
                <option value="">No end</option>
              </SelectField>
              <TextAreaField
                label="Notes"
                optional
                hint={mails ? 'Goes to the user with the decision' : undefined}
                name="notes"
                maxLength={LENGTHS.notes}
                rows={2}
              />
            </>
          )}
        </DialogBody>
        {mayDecide && (
          <DialogFoot>
            <button
              className="btn"
              type="submit"
              name="action"
              value="reject"
              data-failed="Failed to reject upgrade request"
            >
              Reject Request
            </button>
            <button
              className="btn btn-go"
              type="submit"
              name="action"
              value="approve"
              data-failed="Failed to approve upgrade request"
            >
              <Icon name="check" />
              Approve Upgrade
            </button>
          </DialogFoot>
        )}
      </form>
    </Dialog>
  )
}
