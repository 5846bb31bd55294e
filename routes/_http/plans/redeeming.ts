import { redeem } from '#actions/plans/promo-codes.ts'
import type { AppContext } from '#routes/_http/context.ts'
import { requireAccount } from '#routes/_http/guards.ts'
import { limitRefusals, REDEMPTION_LIMITS } from '#routes/_http/rate-limits.ts'

type Redeemed = Awaited<ReturnType<typeof redeem>>

/** The last redemption of each account that redeems now. */
const last = new Map<string, Promise<Redeemed>>()

/**
 * Redeems a promo code for the caller's account, one after another: of many guesses at once one could be right before
 * the wrong ones count. Throws too_many, and the errors of `redeem`.
 */
export async function redeemForCaller(
  c: AppContext,
  typed: string | null | undefined,
): Promise<Redeemed> {
  const { id } = requireAccount(c)
  const before = last.get(id)
  const turn = (async () => {
    // Its own caller is told its refusal.
    await before?.catch(() => {})
    return limitRefusals(c, REDEMPTION_LIMITS, () => redeem(c.var.deps, id, typed))
  })()
  last.set(id, turn)
  try {
    return await turn
  } finally {
    if (last.get(id) === turn) last.delete(id)
  }
}
