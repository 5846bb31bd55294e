import { UserCell } from '#components/admin/user-table.tsx'
import { AskDialog } from '#components/forms/ask-dialog.tsx'
import { Facts } from '#components/ui/facts.tsx'
import type { DecisionAction } from '#domain/decision.ts'
import { REDEMPTION_FAILED } from '#domain/plans/promo.ts'

export type RedemptionQuestion = {
  code: string
  name: string
  contact: string
  /** the benefit of the code in words */
  gives: string
}

type DecideRedemptionProps = { view: RedemptionQuestion; decision: DecisionAction; action: string }

/** Asks before the benefit of a promo code is given, or refused for good. */
export function DecideRedemption({ view, decision, action }: DecideRedemptionProps) {
  const { code, name, contact, gives } = view
  const isApproval = decision === 'approve'
  return (
    <AskDialog
      action={action}
      title={isApproval ? `Approve ${code}?` : `Reject ${code}?`}
      tone={isApproval ? 'go' : 'stop'}
      icon={isApproval ? 'check' : 'close'}
      keep="Keep Pending"
      act={isApproval ? 'Approve' : 'Reject'}
      failed={REDEMPTION_FAILED[decision]}
    >
      <div className="row">
        <UserCell name={name} contact={contact} />
      </div>
      <Facts
        size="medium"
        facts={[{ label: isApproval ? 'Gets' : 'Does not get', value: gives }]}
      />
      <p>
        {isApproval
          ? 'They get it at once, and this is final.'
          : 'Somebody else can use the code, and this is final.'}
      </p>
      <input type="hidden" name="action" value={decision} />
    </AskDialog>
  )
}
