import { type FormEvent, useState } from 'react'
import { Dialog, DialogBody, DialogFoot } from '#components/dialog.tsx'
import { Facts } from '#components/facts.tsx'
import { TextAreaField } from '#components/field.tsx'
import { Icon } from '#components/icon.tsx'
import { PlanChange, type UpgradeCardView, UpgradeUser } from '#components/upgrade-card.tsx'
import type { DecisionAction } from '#domain/decision.ts'
import { formatRupees } from '#domain/number.ts'
import { LENGTHS } from '#domain/text.ts'
import { UPGRADE_DECIDED } from '#domain/upgrade.ts'
import { type ApiProblem, isOutdated } from '#islands/_api.ts'
import { decideUpgrade } from '#islands/_decide-upgrade.ts'
import { abandonDialog, finishDialog, useModal } from '#islands/_dialog.ts'
import { dismissErrors, showToast } from '#islands/_toast.ts'

export type UpgradeDetailsView = UpgradeCardView & {
  amount: number
  /** what a payment by the UPI link says in the bank statement */
  payment_note: string
  screenshot_url: string | null
  decided_by: string | null
  /** the date as it is shown */
  decided: string
  decision_notes: string | null
}

type UpgradeDetailsProps = { view: UpgradeDetailsView; action: string; mails: boolean }

/** All that is known of a request, and the decision while it waits. */
export function UpgradeDetails({ view, action, mails }: UpgradeDetailsProps) {
  const [busy, setBusy] = useState<DecisionAction>()
  const modal = useModal()
  const { id, status, requested_plan } = view

  async function onSubmit(event: FormEvent<HTMLFormElement>) {
    event.preventDefault()
    dismissErrors()
    const { submitter } = event.nativeEvent as SubmitEvent
    const verdict = (submitter as HTMLButtonElement).value as DecisionAction
    const notes = String(new FormData(event.currentTarget).get('notes') ?? '')
    setBusy(verdict)
    try {
      await decideUpgrade(id, verdict, { notes, requested_plan })
      await finishDialog(UPGRADE_DECIDED[verdict], `request-${id}`)
    } catch (error) {
      const problem = error as ApiProblem
      const text = problem.message || `Failed to ${verdict} upgrade request`
      if (isOutdated(problem)) return abandonDialog(text)
      showToast(text, 'error')
      setBusy(undefined)
    }
  }

  return (
    <Dialog title="Upgrade Request Details" {...modal}>
      <form method="post" action={action} onSubmit={onSubmit}>
        <DialogBody>
          <Details view={view} />
          {status === 'pending' && (
            <>
              <input type="hidden" name="requested_plan" value={requested_plan} />
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
        {status === 'pending' && (
          <DialogFoot>
            <button
              className="btn"
              type="submit"
              name="action"
              value="reject"
              disabled={busy !== undefined}
              aria-busy={busy === 'reject'}
            >
              Reject Request
            </button>
            <button
              className="btn btn-go"
              type="submit"
              name="action"
              value="approve"
              disabled={busy !== undefined}
              aria-busy={busy === 'approve'}
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

function Details({ view }: { view: UpgradeDetailsView }) {
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
  ]
  return (
    <>
      <UpgradeUser view={view} />
      <h3>Plan</h3>
      <div className="row">
        <PlanChange from={view.current_plan} to={view.requested_plan} />
        <span className="soft">{`${formatRupees(amount)} per month`}</span>
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

function Screenshot({ url }: { url: string }) {
  return (
    <a className="block" href={url} target="_blank" rel="noreferrer">
      <img src={url} alt="Screenshot of the payment" />
      <span className="small">Open the screenshot</span>
    </a>
  )
}
