import type { Support } from '#components/plans/support-contact.tsx'
import type { UpgradePayment } from '#components/plans/upgrade-payment.tsx'
import type { PlanOffer } from '#components/plans/upgrade-plans.tsx'
import type { DecisionStatus } from '#domain/decision.ts'
import type { PaidPlan, PlanId } from '#domain/plans/plan.ts'
import type { PaymentNote } from '#domain/plans/upgrade.ts'

export type OpenRequest = {
  id: string
  requested_plan: PaidPlan
  months: number
  /** the day of the request, as it is shown */
  requested: string
  /** what the account has said of its payment */
  note: Required<PaymentNote>
  has_screenshot: boolean
  payment: UpgradePayment
}

/** The content of the Upgrade dialog. */
export type UpgradeView = {
  current: PlanId
  /** the day on which that ends, as it is shown */
  until: string | undefined
  /** the plans that can be asked for, and the one that is chosen */
  offers: PlanOffer[]
  chosen: PaidPlan | undefined
  /** the open request, or the last one with the reason for its rejection */
  request?: OpenRequest | undefined
  rejected?: { notes: string | null } | undefined
  /** the promo codes that wait for approval, with their benefits */
  waiting: { code: string; benefit: string }[]
  contact: Support
  /** whether the operator has said how to pay; otherwise they write first */
  takesPayments: boolean
  /** the operator's name, and the act towards the account, such as `writes to asha@example.in` */
  operator: { name: string | undefined; writes: string }
  /** whether a decision is mailed */
  mails: boolean
  tab: 'payment' | 'promo'
  /** how far the plan is used up, when that is why the dialog opens */
  limit?: string | undefined
  /** the problem of a refused form */
  message?: string | undefined
  code?: string | undefined
  problem?: string | undefined
  /** the outcome and day of a promo code that was used before */
  earlier?: { status: DecisionStatus; text: string } | undefined
}
