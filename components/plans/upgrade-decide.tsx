import type { ReactNode } from 'react'
import { AskDialog } from '#components/forms/ask-dialog.tsx'
import { SelectField, TextAreaField } from '#components/forms/field.tsx'
import type { FormState } from '#components/forms/form-dialog.tsx'
import { PlanChange, type UpgradeCardView, UpgradeUser } from '#components/plans/upgrade-card.tsx'
import { Note } from '#components/ui/note.tsx'
import { formatRupees } from '#domain/number.ts'
import { PLANS } from '#domain/plans/plan.ts'
import { monthsText } from '#domain/plans/term.ts'
import { needsSeenPayment } from '#domain/plans/upgrade.ts'
import { LENGTHS } from '#domain/text.ts'

/** A number of months to approve, and the day on which the plan then ends, as it is shown. */
export type MonthsOption = { months: number; until: string }

type DecideProps = FormState & {
  view: UpgradeCardView
  /** whether the notes are mailed */
  mails: boolean
  /** the fields of a refused form */
  typed: Partial<Record<string, string>>
}

type ApproveProps = DecideProps & {
  options: MonthsOption[]
  /** the rest of another plan, which an approval ends */
  loss: string | undefined
}

/** Asks before a plan is given. Names its months and its amount, which the receipt repeats. */
export function ApproveUpgrade({ view, options, loss, mails, typed, ...form }: ApproveProps) {
  const { requested_plan, amount, months: asked } = view
  const months = typed.months ?? String(asked ?? '')
  const words = monthsWords(months === '' ? null : Number(months))
  return (
    <AskDialog
      {...form}
      title={`Approve ${PLANS[requested_plan].name}?`}
      tone="go"
      icon="check"
      keep="Keep Pending"
      act={
        <span>
          Approve
          <span className="needs-script" id="approved-months">{` ${words}`}</span>
        </span>
      }
      failed="Failed to approve upgrade request"
    >
      <Decided action="approve" view={view} />
      {loss && <Note tone="warn">{loss}</Note>}
      <SelectField
        label="Months"
        name="months"
        defaultValue={months}
        hint={`The user asked for ${monthsText(asked)}`}
        data-names="approved-months"
      >
        {options.map(({ months, until }) => (
          <option key={months} value={months} data-words={monthsWords(months)}>
            {`${monthsText(months)}, until ${until}`}
          </option>
        ))}
        <option value="" data-words={monthsWords(null)}>
          No end
        </option>
      </SelectField>
      <Payment view={view} isSeen={typed.payment_seen !== undefined} />
      <Notes mails={mails} typed={typed.notes} />
      <input type="hidden" name="amount" value={amount} />
    </AskDialog>
  )
}

/** Asks before a request is turned down. */
export function RejectUpgrade({ view, mails, typed, ...form }: DecideProps) {
  return (
    <AskDialog
      {...form}
      title="Reject this request?"
      icon="close"
      keep="Keep Pending"
      act="Reject Request"
      failed="Failed to reject upgrade request"
    >
      <Decided action="reject" view={view} />
      <PlanChange from={view.current_plan} to={view.requested_plan} />
      <p>
        {`The plan stays as it is, and this is final${mails ? ': the user is told by mail' : ''}.`}
      </p>
      <Notes mails={mails} typed={typed.notes} />
    </AskDialog>
  )
}

/** Sends along what the admin sees, because the account may change the request until the decision. */
function Decided({ action, view }: { action: string; view: UpgradeCardView }): ReactNode {
  return (
    <>
      <UpgradeUser view={view} />
      <input type="hidden" name="action" value={action} />
      <input type="hidden" name="requested_plan" value={view.requested_plan} />
    </>
  )
}

function Payment({ view, isSeen }: { view: UpgradeCardView; isSeen: boolean }) {
  const { months, payment_reference } = view
  const amount = formatRupees(view.amount)
  return (
    <>
      <p className="sum">
        <small>{`Amount for ${monthsText(months)}`}</small>
        <b className="num">{amount}</b>
        {payment_reference && (
          <small>
            {'Reference '}
            <bdi>{payment_reference}</bdi>
          </small>
        )}
      </p>
      {needsSeenPayment(view) && (
        <>
          <Note tone="warn" title="No payment reference. ">
            The receipt is numbered and cannot be taken back.
          </Note>
          <label className="tick">
            <input type="checkbox" name="payment_seen" defaultChecked={isSeen} required />
            {`I saw ${amount} arrive`}
          </label>
        </>
      )}
    </>
  )
}

function Notes({ mails, typed }: { mails: boolean; typed: string | undefined }) {
  return (
    <TextAreaField
      label="Notes"
      optional
      hint={mails ? 'Goes to the user with the decision' : undefined}
      name="notes"
      maxLength={LENGTHS.notes}
      rows={2}
      defaultValue={typed}
    />
  )
}

function monthsWords(months: number | null): string {
  return months === null ? 'without end' : monthsText(months)
}
