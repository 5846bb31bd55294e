import { z } from '@hono/zod-openapi'
import { DECISION_STATUSES, type DecisionAction } from '#domain/decision.ts'
import { DomainError } from '#domain/error.ts'
import { PAID_PLANS, PLAN_IDS } from '#domain/plans/plan.ts'
import type { upgradeDecision } from '#routes/_http/plans/forms.ts'
import { choice } from '#routes/_http/schema.ts'
import { pageFields, toPage } from '#routes/api/_paging.ts'

const nullable = z.string().nullable()
const user = {
  user_id: z.string(),
  user_name: z.string(),
  user_email: nullable,
  user_mobile: nullable,
}

/** The query of lists of requests: page and status. Pending ones come first. */
export const decisionQuery = z
  .object({
    ...pageFields,
    status: choice(DECISION_STATUSES, 'status'),
  })
  .transform(toPage)

export const redemption = z
  .object({
    id: z.string(),
    code: z.string(),
    ...user,
    subscription_plan: z.enum(PAID_PLANS).nullable(),
    plan_months: z.int().nullable(),
    child_qr_quantity: z.int(),
    discount_value: z.int(),
    status: z.enum(DECISION_STATUSES),
    redeemed_at: z.iso.datetime(),
    decided_by: nullable.openapi({ description: "the admin's name" }),
    decided_at: z.iso.datetime().nullable(),
  })
  .openapi('CodeRedemption')

export const upgradeRequest = z
  .object({
    id: z.string(),
    ...user,
    current_plan: z.enum(PLAN_IDS),
    requested_plan: z.enum(PAID_PLANS),
    months: z.int().nullable().openapi({ description: 'asked for, then approved; null: no end' }),
    amount: z.int().openapi({ description: 'whole rupees for all months, after discounts' }),
    payment_method: nullable,
    payment_reference: nullable,
    screenshot_url: nullable,
    requested_at: z.iso.datetime(),
    status: z.enum(DECISION_STATUSES),
    notes: nullable.openapi({ description: "the account's" }),
    approved_by: nullable.openapi({ description: 'the name of the admin who decided' }),
    approved_at: z.iso.datetime().nullable(),
    decision_notes: nullable.openapi({ description: "the admin's, mailed to the account" }),
    receipt_number: nullable.openapi({ description: 'of an approved request' }),
  })
  .openapi('UpgradeRequest')

export type SentDecision = z.infer<typeof upgradeDecision>

/** Throws invalid when the payload contradicts the URL. */
export function assertSameDecision(
  inUrl: { id: string; action: DecisionAction },
  sent: SentDecision,
): void {
  if ((sent.request_id ?? inUrl.id) !== inUrl.id) {
    throw new DomainError('invalid.request_id_differs')
  }
  if ((sent.action ?? inUrl.action) !== inUrl.action) {
    throw new DomainError('invalid.action_differs')
  }
}
