import { z } from '@hono/zod-openapi'
import { DECISION_ACTIONS } from '#domain/decision.ts'
import { toNumber } from '#domain/number.ts'
import { PAID_PLANS } from '#domain/plans/plan.ts'
import { MOST_CHILD_CODES, PROMO_CODE_LENGTH } from '#domain/plans/promo.ts'
import { MOST_MONTHS } from '#domain/plans/term.ts'
import { LENGTHS } from '#domain/text.ts'
import { choice, lines, mustBe, payload, requires, text } from '#routes/_http/schema.ts'
import { refusing } from '#routes/_http/schema-refusals.ts'

/** A missing field stays unchanged; an empty one is cleared. */
const given = (schema: ReturnType<typeof text>, maxLength: number = LENGTHS.other) =>
  z.union([z.undefined(), schema]).openapi({ type: 'string', maxLength })

/** A form sends a number as text, and nothing for no end. */
const months = z
  .unknown()
  .optional()
  .transform((sent) => (sent === undefined || sent === null || sent === '' ? null : toNumber(sent)))
const MONTHS = { type: 'integer', minimum: 1, maximum: MOST_MONTHS } as const

export const upgradeInput = payload({
  requested_plan: choice(PAID_PLANS, 'requested_plan'),
  months: months
    .transform((count) => count ?? undefined)
    .openapi({ ...MONTHS, description: 'unchanged if missing, at first 1' }),
  payment_method: given(text('payment_method')),
  payment_reference: given(text('payment_reference')),
  notes: given(lines('notes', LENGTHS.notes), LENGTHS.notes),
})

/** A form sends a ticked checkbox as `on`. */
const ticked = (field: string) =>
  z
    .union([z.boolean(), z.enum(['on', 'off', 'true', 'false'])], {
      error: mustBe(field, 'true or false'),
    })
    .nullish()
    .openapi({ type: 'boolean' })

/** `request_id` and `action` may repeat what the URL says, and must then be equal to it. */
export const upgradeDecision = payload({
  request_id: text('request_id'),
  action: choice(DECISION_ACTIONS, 'action'),
  notes: lines('notes', LENGTHS.notes),
  months: months.openapi({
    type: ['integer', 'null'],
    minimum: 1,
    maximum: MOST_MONTHS,
    description: 'of an approval; null or missing: no end',
  }),
  requested_plan: choice(PAID_PLANS, 'requested_plan').openapi({
    description: 'the plan last seen: refused if the request is now for another',
  }),
  amount: z
    .union([z.int().min(0), z.string().regex(/^\d+$/).transform(Number)], {
      error: mustBe('amount', 'a whole number'),
    })
    .optional()
    .openapi({
      type: 'integer',
      minimum: 0,
      description: 'the amount last seen: refused if the request is now for another',
    }),
  payment_seen: ticked('payment_seen').transform(isTicked).openapi({
    type: 'boolean',
    description:
      'you saw the amount arrive: an approval without a payment_reference of the account must say so',
  }),
})

/** A form sends numbers as text. */
const number = (minimum: number, maximum?: number) =>
  z.unknown().optional().openapi({ type: 'integer', minimum, maximum })

/**
 * Both payloads that create a promo code. By default a code that gives a plan requires approval, and
 * one that gives only child codes does not.
 */
export const newPromoCode = requires(
  payload({
    code: text('code').openapi({ maxLength: PROMO_CODE_LENGTH, pattern: '^\\S+$' }),
    description: text('description', LENGTHS.other),
    subscription_plan: z
      .enum(['', ...PAID_PLANS], refusing('invalid.promo_plan'))
      .nullish()
      .openapi({ enum: [...PAID_PLANS, null] }),
    plan_months: months.openapi({
      type: ['integer', 'null'],
      minimum: 1,
      maximum: MOST_MONTHS,
      description: 'for how many months it gives the plan; null: no end',
    }),
    usage_limit: number(1).openapi({ description: 'required, by this name or as max_uses' }),
    max_uses: number(1),
    child_qr_quantity: number(0, MOST_CHILD_CODES),
    discount_type: choice(['percentage'], 'discount_type'),
    discount_value: number(0, 100),
    expires_at: text('expires_at'),
    expiry_date: text('expiry_date'),
    requires_approval: ticked('requires_approval'),
  }),
  { code: 1 },
).transform((sent) => ({
  code: sent.code ?? '',
  description: sent.description,
  subscription_plan: sent.subscription_plan || null,
  plan_months: sent.plan_months,
  child_qr_quantity: toNumber(sent.child_qr_quantity) || 0,
  discount_value: toNumber(sent.discount_value ?? 0),
  usage_limit: toNumber(sent.usage_limit ?? sent.max_uses),
  expires: sent.expires_at ?? sent.expiry_date,
  requires_approval: isTicked(sent.requires_approval) ?? Boolean(sent.subscription_plan),
}))

function isTicked(sent: z.infer<ReturnType<typeof ticked>>): boolean | undefined {
  if (sent === null || sent === undefined) return undefined
  return sent === true || sent === 'on' || sent === 'true'
}
