import { type FormEvent, useState } from 'react'
import { Dialog, DialogBody, DialogFoot } from '#components/dialog.tsx'
import { TextAreaField } from '#components/field.tsx'
import { Icon } from '#components/icon.tsx'
import { type UpgradeDetailsView, UpgradeFacts } from '#components/upgrade-facts.tsx'
import type { DecisionAction } from '#domain/decision.ts'
import { LENGTHS } from '#domain/text.ts'
import { UPGRADE_DECIDED } from '#domain/upgrade.ts'
import { type ApiProblem, isOutdated } from '#islands/_api.ts'
import { decideUpgrade } from '#islands/_decide-upgrade.ts'
import { abandonDialog, finishDialog } from '#islands/_dialog.ts'
import { useModal } from '#islands/_modal.ts'
import { dismissErrors, showToast } from '#islands/_toast.ts'

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
          <UpgradeFacts view={view} />
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
