import { z } from '@hono/zod-openapi'
import { PAID_PLANS } from '#domain/plans/plan.ts'
import { MOST_CHILD_CODES, PROMO_CODE_LENGTH } from '#domain/plans/promo.ts'
import { LENGTHS } from '#domain/text.ts'
import { requires, text } from '#routes/_http/schema.ts'
import { notAnObject } from '#routes/api/_qr-schema.ts'

const nullable = z.string().nullable()

/** One record in the words of both of the screens that list it. */
export const promoCode = z
  .object({
    id: z.string(),
    code: z.string(),
    description: nullable,
    subscription_plan: z.enum(PAID_PLANS).nullable(),
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

/** A form sends texts: its numbers in digits, and a ticked box as `on`. */
const number = (minimum: number, maximum?: number) =>
  z.unknown().optional().openapi({ type: 'integer', minimum, maximum })
const ticked = z.union([z.boolean(), z.enum(['on', 'off', 'true', 'false'])], {
  error: 'requires_approval must be true or false',
})

/**
 * Both payloads of a creation. What gives a plan needs approval unless told otherwise, what gives
 * child codes does not.
 */
export const newPromoCode = requires(
  z.object(
    {
      code: text('code').openapi({ maxLength: PROMO_CODE_LENGTH, pattern: '^\\S+$' }),
      description: text('description', LENGTHS.other),
      subscription_plan: z
        .enum(['', ...PAID_PLANS], 'Plan must be premium or enterprise')
        .nullish()
        .openapi({ enum: [...PAID_PLANS, null] }),
      usage_limit: number(1).openapi({ description: 'needed, by this name or as max_uses' }),
      max_uses: number(1),
      child_qr_quantity: number(0, MOST_CHILD_CODES),
      discount_type: z.enum(['percentage'], 'discount_type must be percentage').nullish(),
      discount_value: number(0, 100),
      expires_at: text('expires_at'),
      expiry_date: text('expiry_date'),
      requires_approval: ticked.nullish().openapi({ type: 'boolean' }),
    },
    notAnObject,
  ),
  { code: 1 },
).transform((sent) => ({
  code: sent.code ?? '',
  description: sent.description,
  subscription_plan: sent.subscription_plan || null,
  child_qr_quantity: toNumber(sent.child_qr_quantity) || 0,
  discount_value: toNumber(sent.discount_value ?? 0),
  usage_limit: toNumber(sent.usage_limit ?? sent.max_uses),
  expires: sent.expires_at ?? sent.expiry_date,
  requires_approval: isTicked(sent.requires_approval) ?? Boolean(sent.subscription_plan),
}))

export type SentPromoCode = z.infer<typeof newPromoCode>

function isTicked(sent: z.infer<typeof ticked> | null | undefined): boolean | undefined {
  if (sent === null || sent === undefined) return undefined
  return sent === true || sent === 'on' || sent === 'true'
}

function toNumber(sent: unknown): number {
  if (typeof sent === 'number') return sent
  return typeof sent === 'string' && sent.trim() ? Number(sent) : Number.NaN
}
