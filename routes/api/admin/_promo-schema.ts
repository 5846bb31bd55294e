import { z } from '@hono/zod-openapi'
import { PAID_PLANS } from '#domain/plans/plan.ts'

const nullable = z.string().nullable()

/** A promo code, with the field names of both screens that list it. */
export const promoCode = z
  .object({
    id: z.string(),
    code: z.string(),
    description: nullable,
    subscription_plan: z.enum(PAID_PLANS).nullable(),
    plan_months: z.int().nullable().openapi({ description: 'null: no end' }),
    child_qr_quantity: z.int(),
    discount_type: z.enum(['percentage']).nullable(),
    discount_value: z.int().openapi({ description: 'percent off the next upgrade' }),
    usage_limit: z.int(),
    max_uses: z.int().openapi({ description: 'the same as usage_limit' }),
    usage_count: z.int(),
    used_count: z.int().openapi({ description: 'the same as usage_count' }),
    usage_percentage: z.number(),
    expires_at: z.iso.datetime().nullable(),
    expiry_date: z.iso.datetime().nullable().openapi({ description: 'the same as expires_at' }),
    requires_approval: z.boolean(),
    is_active: z.boolean(),
    is_expired: z.boolean(),
    created_at: z.iso.datetime(),
  })
  .openapi('PromoCode')
