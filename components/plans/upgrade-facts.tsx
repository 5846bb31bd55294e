import { PlanChange, type UpgradeCardView, UpgradeUser } from '#components/plans/upgrade-card.tsx'
import { Facts } from '#components/ui/facts.tsx'
import { formatRupees } from '#domain/number.ts'
import { monthsText } from '#domain/plans/term.ts'
import { receiptHref } from '#domain/settings.ts'

export type UpgradeDetailsView = UpgradeCardView & {
  /** what a payment by the UPI link says in the bank statement */
  payment_note: string
  screenshot_url: string | null
  decided_by: string | null
  /** the date as it is shown */
  decided: string
  decision_notes: string | null
  /** of an approved request */
  receipt_number: string | null
}

/** All that is known of an upgrade request, with the decision once there is one. */
export function UpgradeFacts({ view }: { view: UpgradeDetailsView }) {
  const { status, amount, notes, screenshot_url } = view
  const payment = [
    { label: 'Method', value: view.payment_method },
    { label: 'Reference', value: view.payment_reference, ltr: true },
    { label: 'Payment note', value: view.payment_note, ltr: true },
    { label: 'Requested', value: view.requested },
  ]
  const decision = [
    { label: status === 'approved' ? 'Approved by' : 'Rejected by', value: view.decided_by },
    { label: 'At', value: view.decided },
    { label: 'Notes', value: view.decision_notes },
    {
      label: 'Receipt',
      value: view.receipt_number && <ReceiptLink number={view.receipt_number} />,
    },
  ]
  return (
    <>
      <UpgradeUser view={view} />
      <h3>Plan</h3>
      <div className="row">
        <PlanChange from={view.current_plan} to={view.requested_plan} />
        <span className="soft">{`${formatRupees(amount)} for ${monthsText(view.months)}`}</span>
      </div>
      <h3>Payment</h3>
      <Facts size="medium" facts={payment.filter(({ value }) => value)} />
      {screenshot_url && <Screenshot url={screenshot_url} />}
      {notes && (
        <>
          <h3>User notes</h3>
          <blockquote className="quote any-break">{notes}</blockquote>
        </>
      )}
      {status !== 'pending' && (
        <>
          <h3>Decision</h3>
          <Facts size="medium" facts={decision.filter(({ value }) => value)} />
        </>
      )}
    </>
  )
}

function ReceiptLink({ number }: { number: string }) {
  return <a href={receiptHref(number)}>{number}</a>
}

function Screenshot({ url }: { url: string }) {
  return (
    <a className="block" href={url} target="_blank" rel="noreferrer">
      <img src={url} alt="Screenshot of the payment" />
      <span className="small">Open the screenshot</span>
    </a>
  )
}
