import { z } from '@hono/zod-openapi'
import { PAID_PLANS, PLAN_IDS } from '#domain/plans/plan.ts'
import { LENGTHS } from '#domain/text.ts'
import { lines, text } from '#routes/_http/schema.ts'
import { notAnObject } from '#routes/api/_qr-schema.ts'

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

/** Absent is not empty: what a later call does not name stays as it was told. */
const told = (schema: ReturnType<typeof text>, maxLength: number = LENGTHS.other) =>
  z.union([z.undefined(), schema]).openapi({ type: 'string', maxLength })

export const upgradeWish = z.object(
  {
    requested_plan: z.enum(PAID_PLANS, 'requested_plan must be premium or enterprise').optional(),
    payment_method: told(text('payment_method')),
    payment_reference: told(text('payment_reference')),
    notes: told(lines('notes', LENGTHS.notes), LENGTHS.notes),
  },
  notAnObject,
)

export const payment = z
  .object({
    request_id: z.string(),
    payment_methods: z.object({
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
    }),
    contact: z.object({ email: nullable, phone: nullable }),
    amount: z.int().openapi({ description: 'whole rupees, promo codes taken off' }),
  })
  .openapi('UpgradePayment', {
    description: 'What this installation has not set is null',
  })
