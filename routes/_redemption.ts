import { type Redeemed, redeemPromoCode } from '#db/promo-redemptions.ts'
import { benefitText, REDEMPTION_TEXTS } from '#domain/promo.ts'
import type { AppContext } from '#routes/_deps.ts'
import { requireAccount } from '#routes/_guards.ts'

/** The one redemption that both calls and the form without script are faces of. */
export function redeem(c: AppContext, typed: string | null): Promise<Redeemed> {
  const { db, clock } = c.var.deps
  return redeemPromoCode(db, requireAccount(c).id, typed ?? '', clock())
}

export function toPlanRedemptionView({ status, plan }: Redeemed) {
  return { status, subscription_plan: plan, requires_approval: status === 'pending' }
}

export function toBenefitView(redeemed: Redeemed) {
  return {
    success: true,
    promo_code: redeemed.code,
    benefit: benefitText(redeemed),
    message: REDEMPTION_TEXTS[redeemed.status],
  }
}
