import type { ActionDeps } from '#actions/deps.ts'
import { actorOf } from '#db/admin/audit-events.ts'
import { createPromoCode } from '#db/plans/promo-changes.ts'
import { type Redeemed, redeemPromoCode } from '#db/plans/promo-redemptions.ts'
import type { Account } from '#db/schema.ts'
import { expiryOf } from '#domain/expiry.ts'
import { benefitText, type NewPromoCode, toPromoCodeView } from '#domain/plans/promo.ts'
import { REDEMPTION_TEXTS } from '#domain/plans/promo-notice.ts'

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

/** Redeems a promo code for an account. Throws the errors of `redeemPromoCode`. */
export async function redeem(
  { db, clock, config }: ActionDeps,
  accountId: string,
  typed: string | null | undefined,
) {
  return toRedeemedView(await redeemPromoCode(db, accountId, typed ?? '', clock(), config.timezone))
}

function toRedeemedView(redeemed: Redeemed) {
  const { status, plan, code } = redeemed
  return {
    success: true as const,
    status,
    subscription_plan: plan,
    requires_approval: status === 'pending',
    promo_code: code,
    benefit: benefitText(redeemed),
    message: REDEMPTION_TEXTS[status],
  }
}
