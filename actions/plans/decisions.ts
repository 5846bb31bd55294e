import { byMailTo, mailOrigin } from '#actions/mail.ts'
import { fileUrl } from '#actions/papers/view.ts'
import { actorOf } from '#db/admin/audit-events.ts'
import type { AccountAndDecider, Decision } from '#db/plans/decisions.ts'
import { decideRedemption, type ListedRedemption } from '#db/plans/redemption-decisions.ts'
import {
  decideUpgradeRequest,
  type ListedUpgrade,
  type UpgradeDecision,
} from '#db/plans/upgrade-decisions.ts'
import { DECISION_ACTIONS } from '#domain/decision.ts'
import { DomainError } from '#domain/error.ts'
import { REDEMPTION_FAILED } from '#domain/plans/promo.ts'
import {
  redemptionApprovedMail,
  redemptionRejectedMail,
  upgradeApprovedMail,
  upgradeRejectedMail,
} from '#mail/plan-decisions.ts'
import type { AppContext } from '#routes/_http/deps.ts'
import { readForm } from '#routes/_http/forms.ts'
import { requireAdmin } from '#routes/_http/guards.ts'
import { refusalOf } from '#routes/_http/refusal.ts'

/** Decides a redemption as the admin who is signed in, and mails the account what came of it. */
export function decideRedemptionAs(c: AppContext, decision: Decision): Promise<ListedRedemption> {
  const { db, clock } = c.var.deps
  const notify = byMailTo(c, (decided: ListedRedemption) => {
    const { account_id: accountId, code, status } = decided
    const write = status === 'approved' ? redemptionApprovedMail : redemptionRejectedMail
    return { accountId, ...write({ ...decisionOrigin(c), code, benefit: decided }) }
  })
  return decideRedemption(db, decision, actorOf(requireAdmin(c)), clock(), notify)
}

/** Decides an upgrade request as the admin who is signed in, and mails the account. */
export function decideUpgradeAs(c: AppContext, decision: UpgradeDecision): Promise<ListedUpgrade> {
  const { db, clock } = c.var.deps
  const notify = byMailTo(c, (decided: ListedUpgrade) => {
    const { account_id: accountId, requested_plan: plan, decision_notes, status } = decided
    const write = status === 'approved' ? upgradeApprovedMail : upgradeRejectedMail
    return { accountId, ...write({ ...decisionOrigin(c), plan, notes: decision_notes }) }
  })
  return decideUpgradeRequest(db, decision, actorOf(requireAdmin(c)), clock(), notify)
}

/** Decides the redemption that the address of an admin page's form names. */
export async function decideByForm(c: AppContext) {
  const { form } = await readForm(c)
  const action = DECISION_ACTIONS.find((each) => each === form.action)
  if (!action) throw new DomainError('invalid', `action must be ${DECISION_ACTIONS.join(' or ')}`)
  const id = c.req.param('id') ?? ''
  const refusal = await refusalOf(decideRedemptionAs(c, { id, action }))
  return {
    refusal,
    failed: REDEMPTION_FAILED[action],
    outcome: { done: `redemption-${action}`, at: `redemption-${id}` },
  }
}

function decisionOrigin(c: AppContext) {
  const { publicUrl, support } = c.var.deps.config
  return {
    site: mailOrigin(c).site,
    dashboardUrl: `${publicUrl}/dashboard`,
    support: [support.email, support.phone].filter(Boolean).join(' or ') || undefined,
  }
}

export function toRedemptionView(redemption: ListedRedemption) {
  return {
    id: redemption.id,
    code: redemption.code,
    ...toUser(redemption),
    subscription_plan: redemption.subscription_plan,
    child_qr_quantity: redemption.child_qr_quantity,
    discount_value: redemption.discount_value,
    status: redemption.status,
    redeemed_at: redemption.redeemed_at,
    decided_by: redemption.decider_name,
    decided_at: redemption.decided_at,
  }
}

export function toUpgradeView(request: ListedUpgrade) {
  return {
    id: request.id,
    ...toUser(request),
    current_plan: request.current_plan,
    requested_plan: request.requested_plan,
    amount: request.amount,
    payment_method: request.payment_method,
    payment_reference: request.payment_reference,
    screenshot_url: request.screenshot_name && fileUrl(request.screenshot_name),
    requested_at: request.requested_at,
    status: request.status,
    notes: request.notes,
    approved_by: request.decider_name,
    approved_at: request.approved_at,
    decision_notes: request.decision_notes,
  }
}

function toUser(about: AccountAndDecider & { account_id: string }) {
  return {
    user_id: about.account_id,
    user_name: about.user_name,
    user_email: about.user_email,
    user_mobile: about.user_mobile,
  }
}
