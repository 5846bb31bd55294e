import type { Db } from '#db/client.ts'
import { createPromoCode } from '#db/plans/promo-changes.ts'
import type { NewPromoCode, PromoCode } from '#domain/plans/promo.ts'

export const ACTOR = { actor_id: null, actor: 'test' }

/** Adds a code, by default one that needs no approval and gives the premium plan. */
export function addPromoCode(
  { db }: { db: Db },
  fields: Partial<NewPromoCode> = {},
): Promise<PromoCode> {
  const promo: NewPromoCode = {
    code: 'MONSOON50',
    description: null,
    subscription_plan: 'premium',
    child_qr_quantity: 0,
    discount_value: 0,
    usage_limit: 10,
    expires_at: null,
    requires_approval: false,
    ...fields,
  }
  return createPromoCode(db, promo, ACTOR, new Date())
}

/** Adds a code with this discount in percent on the next upgrade. */
export function addDiscount(app: { db: Db }, discount_value: number): Promise<PromoCode> {
  return addPromoCode(app, {
    code: `OFF${discount_value}`,
    subscription_plan: null,
    discount_value,
  })
}
