import { type Redeemed, redeemPromoCode } from '#db/plans/promo-redemptions.ts'
import { benefitText } from '#domain/plans/promo.ts'
import { REDEMPTION_TEXTS } from '#domain/plans/promo-notice.ts'
import type { AppContext } from '#routes/_http/context.ts'
import { requireAccount } from '#routes/_http/guards.ts'
import { limitRefusals } from '#routes/_http/rate-limits.ts'

/** Redeems a code for the caller. Throws the errors of `redeemPromoCode`, and too_many. */
export async function redeem(c: AppContext, typed: string | null | undefined) {
  const { db, clock, config } = c.var.deps
  const { id } = requireAccount(c)
  return limitRefusals(c, ['redeem', 'redeem-address'], async () =>
    toRedeemedView(await redeemPromoCode(db, id, typed ?? '', clock(), config.timezone)),
  )
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
