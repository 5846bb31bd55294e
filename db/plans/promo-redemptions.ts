import { getAccount } from '#db/accounts/accounts.ts'
import { toInstant } from '#db/cast.ts'
import type { Db, DbOrTrx, Trx } from '#db/client.ts'
import { giveBenefit } from '#db/plans/benefits.ts'
import { getPromoCode } from '#db/plans/promo-codes.ts'
import type { RowOf } from '#db/schema.ts'
import { randomId } from '#db/secrets.ts'
import { inTransaction } from '#db/transaction.ts'
import { DomainError } from '#domain/error.ts'
import type { PlanId } from '#domain/plans/plan.ts'
import {
  assertRedeemable,
  normalizePromoCode,
  type PromoCode,
  planAfter,
  promoInputProblem,
} from '#domain/plans/promo.ts'
import { planNow } from '#domain/plans/term.ts'
import { DEFAULT_TIMEZONE } from '#domain/time.ts'

export type Redemption = RowOf<'promo_redemptions'>

/** A redemption, and the account's plan after it or after its approval. */
export type Redeemed = Redemption & { plan: PlanId }

/**
 * Redeems a promo code, once per account. Without approval its benefit applies at once. Throws
 * invalid for a code that cannot be used, not_found for an unknown one, and conflict for a second
 * time. Months are those of the time zone.
 */
export async function redeemPromoCode(
  db: Db,
  accountId: string,
  typed: string,
  now: Date,
  timezone = DEFAULT_TIMEZONE,
): Promise<Redeemed> {
  const problem = promoInputProblem(typed)
  if (problem) throw new DomainError(problem)
  return inTransaction(db, async (trx) => {
    const promo = await getPromoCode(trx, typed)
    assertRedeemable(promo, now)
    const redemption = await insertRedemption(trx, accountId, promo, now)
    await countUse(trx, promo.id)
    const plan = planAfter(planNow(await getAccount(trx, accountId), now), promo)
    if (redemption.status === 'approved') {
      await giveBenefit(trx, accountId, redemption, { now, timezone })
    }
    return { ...redemption, plan }
  })
}

async function insertRedemption(trx: Trx, accountId: string, promo: PromoCode, now: Date) {
  const row: Redemption = {
    id: randomId(),
    promo_code_id: promo.id,
    code: promo.code,
    account_id: accountId,
    subscription_plan: promo.subscription_plan,
    child_qr_quantity: promo.child_qr_quantity,
    discount_value: promo.discount_value,
    status: promo.requires_approval ? 'pending' : 'approved',
    redeemed_at: toInstant(now),
    decided_by: null,
    decided_at: null,
    discount_used_by: null,
    plan_months: promo.plan_months ?? null,
  }
  const { numInsertedOrUpdatedRows: inserted } = await trx
    .insertInto('promo_redemptions')
    .values(row)
    .onConflict((conflict) => conflict.columns(['promo_code_id', 'account_id']).doNothing())
    .executeTakeFirst()
  if (!inserted) throw new DomainError('conflict.promo_used')
  return row
}

async function countUse(trx: Trx, promoId: string): Promise<void> {
  const { numUpdatedRows } = await trx
    .updateTable('promo_codes')
    .set((eb) => ({ usage_count: eb('usage_count', '+', 1) }))
    .where('id', '=', promoId)
    .whereRef('usage_count', '<', 'usage_limit')
    .executeTakeFirst()
  if (!numUpdatedRows) {
    throw new DomainError('invalid.promo_used_up')
  }
}

/** Returns an account's redemption of a code, in any letter case. */
export async function findOwnRedemption(
  db: DbOrTrx,
  accountId: string,
  typed: string,
): Promise<Redemption | undefined> {
  return db
    .selectFrom('promo_redemptions')
    .selectAll()
    .where('account_id', '=', accountId)
    .where('code', '=', normalizePromoCode(typed))
    .orderBy('redeemed_at', 'desc')
    .limit(1)
    .executeTakeFirst()
}

/** Returns an account's redemptions since a time, and its pending ones, newest first. */
export async function listOwnRedemptions(
  db: DbOrTrx,
  accountId: string,
  since: Date,
): Promise<Redemption[]> {
  return db
    .selectFrom('promo_redemptions')
    .selectAll()
    .where('account_id', '=', accountId)
    .where(({ eb, or }) =>
      or([eb('status', '=', 'pending'), eb('redeemed_at', '>=', toInstant(since))]),
    )
    .orderBy('redeemed_at', 'desc')
    .orderBy('id')
    .execute()
}
