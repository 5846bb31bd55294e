import { actorOf } from '#db/admin/audit-events.ts'
import { createPromoCode } from '#db/plans/promo-changes.ts'
import { expiryOf } from '#domain/expiry.ts'
import { toPromoCodeView } from '#domain/plans/promo.ts'
import type { AppContext } from '#routes/_http/deps.ts'
import { requireAdmin } from '#routes/_http/guards.ts'
import type { SentPromoCode } from '#routes/_http/plan-forms.ts'

/** Makes a code for the admin who is signed in; a time without a zone is one of this installation's. */
export async function makePromoCode(c: AppContext, { expires, ...promo }: SentPromoCode) {
  const { db, clock, config } = c.var.deps
  const now = clock()
  const expires_at = expiryOf(expires, config.timezone, now)?.toISOString() ?? null
  const actor = actorOf(requireAdmin(c))
  return toPromoCodeView(await createPromoCode(db, { ...promo, expires_at }, actor, now), now)
}
