import { byAlert } from '#actions/alerts/alerting.ts'
import type { ActionDeps } from '#actions/deps.ts'
import { mailOrigin } from '#actions/mail.ts'
import { fileUrl } from '#actions/papers/view.ts'
import { issuerOf } from '#actions/plans/receipts.ts'
import { actorOf } from '#db/admin/audit-events.ts'
import type { AccountAndDecider, Decision } from '#db/plans/decisions.ts'
import { decideRedemption, type ListedRedemption } from '#db/plans/redemption-decisions.ts'
import {
  decideUpgradeRequest,
  type ListedUpgrade,
  type UpgradeDecision,
} from '#db/plans/upgrade-decisions.ts'
import type { Account } from '#db/schema.ts'
import { receiptHref } from '#domain/settings.ts'
import { formatDate } from '#domain/time.ts'
import { asAlert } from '#mail/alerts.ts'
import type { WrittenLetter } from '#mail/letter.ts'
import {
  redemptionApprovedMail,
  redemptionRejectedMail,
  upgradeApprovedMail,
  upgradeRejectedMail,
} from '#mail/plan-decisions.ts'

/** Decides a redemption and alerts the account. Throws the errors of `decideRedemption`. */
export function decideRedemptionAs(
  deps: ActionDeps,
  admin: Account,
  decision: Decision,
): Promise<ListedRedemption> {
  const { db, clock } = deps
  const notify = byAlert(deps, (decided: ListedRedemption) => {
    const { account_id: accountId, code, status } = decided
    const write = status === 'approved' ? redemptionApprovedMail : redemptionRejectedMail
    const letter = write({ ...decisionOrigin(deps), code, benefit: decided })
    return { accountId, ...asPlanAlert(deps, letter) }
  })
  const { timezone } = deps.config
  return decideRedemption(db, decision, actorOf(admin), clock(), notify, timezone)
}

/** Decides an upgrade request and alerts the account. Throws the errors of `decideUpgradeRequest`. */
export function decideUpgradeAs(
  deps: ActionDeps,
  admin: Account,
  decision: UpgradeDecision,
): Promise<ListedUpgrade> {
  const { db, clock } = deps
  const notify = byAlert(deps, (decided: ListedUpgrade) => {
    const { account_id: accountId, requested_plan: plan, decision_notes: notes } = decided
    const about = { ...decisionOrigin(deps), plan, notes }
    const letter =
      decided.status === 'approved'
        ? upgradeApprovedMail({ ...about, ...periodOf(deps, decided) })
        : upgradeRejectedMail(about)
    return { accountId, ...asPlanAlert(deps, letter) }
  })
  const issuer = issuerOf(deps.config)
  return decideUpgradeRequest(db, decision, actorOf(admin), clock(), notify, issuer)
}

/** Returns the last day of an approved plan, and the number and URL of its receipt, which needs a session. */
function periodOf(
  { config }: ActionDeps,
  { months, term_ends_at, receipt_number: number }: ListedUpgrade,
) {
  const until = months === null || !term_ends_at ? null : formatDate(term_ends_at, config.timezone)
  const receipt = number && { number, url: config.publicUrl + receiptHref(number) }
  return { until, receipt: receipt || undefined }
}

function asPlanAlert({ config }: ActionDeps, letter: WrittenLetter) {
  return asAlert(letter, { event: 'plan', url: `${config.publicUrl}/dashboard` })
}

function decisionOrigin({ config }: ActionDeps) {
  const { publicUrl, support } = config
  return {
    site: mailOrigin({ config }).site,
    dashboardUrl: `${publicUrl}/dashboard`,
    support: [support.email, support.phone].filter(Boolean).join(' or ') || undefined,
  }
}

/** Returns a redemption as admins see it. */
export function toRedemptionView(redemption: ListedRedemption) {
  return {
    id: redemption.id,
    code: redemption.code,
    ...toUser(redemption),
    subscription_plan: redemption.subscription_plan,
    plan_months: redemption.plan_months,
    child_qr_quantity: redemption.child_qr_quantity,
    discount_value: redemption.discount_value,
    status: redemption.status,
    redeemed_at: redemption.redeemed_at,
    decided_by: redemption.decider_name,
    decided_at: redemption.decided_at,
  }
}

/** Returns an upgrade request as admins see it. */
export function toUpgradeView(request: ListedUpgrade) {
  return {
    id: request.id,
    ...toUser(request),
    current_plan: request.current_plan,
    requested_plan: request.requested_plan,
    months: request.months,
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
    receipt_number: request.receipt_number,
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
