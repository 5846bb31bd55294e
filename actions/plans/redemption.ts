import { z } from '@hono/zod-openapi'
import { type Redeemed, redeemPromoCode } from '#db/plans/promo-redemptions.ts'
import { DECISION_STATUSES } from '#domain/decision.ts'
import { PLAN_IDS } from '#domain/plans/plan.ts'
import { benefitText, REDEMPTION_TEXTS } from '#domain/plans/promo.ts'
import type { AppContext } from '#routes/_http/deps.ts'
import { requireAccount } from '#routes/_http/guards.ts'
import { limitRefusals } from '#routes/_http/rate-limits.ts'

/** What both calls answer: one redemption, in the words of either. */
export const redemption = z
  .object({
    success: z.literal(true),
    status: z.enum(DECISION_STATUSES),
    subscription_plan: z.enum(PLAN_IDS).openapi({ description: 'now, or once it is approved' }),
    requires_approval: z.boolean(),
    promo_code: z.string(),
    benefit: z.string(),
    message: z.string(),
  })
  .openapi('Redemption')

/** Uses a code for who is signed in. Throws what `redeemPromoCode` throws. */
export async function redeem(
  c: AppContext,
  typed: string | null | undefined,
): Promise<z.infer<typeof redemption>> {
  const { db, clock } = c.var.deps
  const { id } = requireAccount(c)
  return limitRefusals(c, ['redeem', 'redeem-address'], async () =>
    toRedemptionView(await redeemPromoCode(db, id, typed ?? '', clock())),
  )
}

function toRedemptionView(redeemed: Redeemed): z.infer<typeof redemption> {
  const { status, plan, code } = redeemed
  return {
    success: true,
    status,
    subscription_plan: plan,
    requires_approval: status === 'pending',
    promo_code: code,
    benefit: benefitText(redeemed),
    message: REDEMPTION_TEXTS[status],
  }
}
