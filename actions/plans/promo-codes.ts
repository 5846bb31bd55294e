import type { ActionDeps } from '#actions/deps.ts'
import { actorOf } from '#db/admin/audit-events.ts'
import { createPromoCode } from '#db/plans/promo-changes.ts'
import type { Account } from '#db/schema.ts'
import { expiryOf } from '#domain/expiry.ts'
import { type NewPromoCode, toPromoCodeView } from '#domain/plans/promo.ts'

type PromoInput = Omit<NewPromoCode, 'expires_at'> & { expires: string | null }

/** Creates a promo code. A time without a zone is in the configured zone. */
export async function makePromoCode(
  { db, clock, config }: ActionDeps,
  admin: Account,
  { expires, ...promo }: PromoInput,
) {
  const now = clock()
  const expires_at = expiryOf(expires, config.timezone, now)?.toISOString() ?? null
  const code = await createPromoCode(db, { ...promo, expires_at }, actorOf(admin), now)
  return toPromoCodeView(code, now)
}
