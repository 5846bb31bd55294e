import { z } from '@hono/zod-openapi'
import { DECISION_STATUSES } from '#domain/decision.ts'
import { PAID_PLANS, PLAN_IDS } from '#domain/plans/plan.ts'

const nullable = z.string().nullable()

export const plan = z
  .object({
    id: z.enum(PLAN_IDS),
    name: z.string(),
    price: z.int().openapi({ description: 'rupees a month' }),
    qr_limit: z.int().openapi({ description: '-1 means unlimited' }),
    child_qr_limit: z.int(),
    features: z.array(z.string()),
  })
  .openapi('Plan')

export const payment = z
  .object({
    request_id: z.string(),
    payment_methods: z
      .object({
        upi_id: nullable,
        upi_url: nullable,
        account_details: z
          .object({
            account_name: nullable,
            account_number: z.string(),
            ifsc: nullable,
            bank: nullable,
          })
          .nullable(),
      })
      .nullable()
      .openapi({ description: 'null where the operator writes first how to pay' }),
    contact: z.object({ email: nullable, phone: nullable }),
    months: z.int(),
    amount: z.int().openapi({ description: 'whole rupees for all months, after discounts' }),
  })
  .openapi('UpgradePayment', {
    description: 'Details that the operator has not configured are null',
  })

/** The answer of both calls that redeem a promo code. */
export const redemption = z
  .object({
    success: z.literal(true),
    status: z.enum(DECISION_STATUSES),
    subscription_plan: z.enum(PLAN_IDS).openapi({ description: 'now, or after approval' }),
    requires_approval: z.boolean(),
    promo_code: z.string(),
    benefit: z.string(),
    message: z.string(),
  })
  .openapi('Redemption')

export const receipt = z
  .object({
    number: z.string(),
    issued_at: z.iso.datetime(),
    plan: z.enum(PAID_PLANS),
    from: z.iso.datetime(),
    until: z.iso.datetime().nullable().openapi({ description: 'null: no end' }),
    amount: z.int().openapi({ description: 'received, in whole rupees' }),
    discount: z.int().openapi({ description: 'whole rupees' }),
    payment_reference: nullable,
  })
  .openapi('Receipt')
