import type { Selectable, Transaction } from 'kysely'
import { type Actor, recordAct } from '#db/audit-events.ts'
import { giveBenefit } from '#db/benefits.ts'
import { toInstant } from '#db/cast.ts'
import type { Db, DbOrTrx } from '#db/client.ts'
import { getPromoCode } from '#db/promo-codes.ts'
import type { Account, PromoRedemptionsTable, Tables } from '#db/schema.ts'
import { randomId } from '#db/secrets.ts'
import { DomainError } from '#domain/error.ts'
import type { PlanId } from '#domain/plan.ts'
import { assertRedeemable, type PromoCode, planAfter, promoInputProblem } from '#domain/promo.ts'

type Trx = Transaction<Tables>
export type Redemption = Selectable<PromoRedemptionsTable>

/** A redemption, and the plan that the account has by it, or will have once it is approved. */
export type Redeemed = Redemption & { plan: PlanId }

/**
 * Uses a promo code, once per account: what needs no approval is given at once. Throws invalid for
 * a code that cannot be used (any more), not_found for none, conflict for the second time.
 */
export async function redeemPromoCode(
  db: Db,
  accountId: string,
  typed: string,
  now: Date,
): Promise<Redeemed> {
  const problem = promoInputProblem(typed)
  if (problem) throw new DomainError('invalid', problem)
  return db.transaction().execute(async (trx) => {
    const promo = await getPromoCode(trx, typed)
    assertRedeemable(promo, now)
    const redemption = await insertRedemption(trx, accountId, promo, now)
    await countUse(trx, promo.id)
    const plan = planAfter(await findPlan(trx, accountId), promo)
    if (redemption.status === 'approved') await giveBenefit(trx, accountId, redemption)
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
  }
  const { numInsertedOrUpdatedRows: inserted } = await trx
    .insertInto('promo_redemptions')
    .values(row)
    .onConflict((conflict) => conflict.columns(['promo_code_id', 'account_id']).doNothing())
    .executeTakeFirst()
  if (!inserted) throw new DomainError('conflict', 'You have already used this promo code')
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
    throw new DomainError('invalid', 'This promo code has reached its usage limit')
  }
}

async function findPlan(trx: Trx, accountId: string): Promise<PlanId> {
  const { subscription_plan } = await trx
    .selectFrom('accounts')
    .select('subscription_plan')
    .where('id', '=', accountId)
    .executeTakeFirstOrThrow()
  return subscription_plan
}

type Verdict = { redemptionId: string; action: 'approve' | 'reject' }
/** A redemption that was decided, with whom to tell. */
export type DecidedRedemption = Redemption & { account: Pick<Account, 'name' | 'email'> }

/**
 * Decides a redemption that waits, for good: approval gives its benefit, rejection gives the use
 * back. Throws not_found, and conflict for what is decided.
 */
export async function decideRedemption(
  db: Db,
  { redemptionId, action }: Verdict,
  actor: Actor,
  now: Date,
): Promise<DecidedRedemption> {
  return db.transaction().execute(async (trx) => {
    const status = action === 'approve' ? 'approved' : 'rejected'
    const decided = await trx
      .updateTable('promo_redemptions')
      .set({ status, decided_by: actor.actor_id, decided_at: toInstant(now) })
      .where('id', '=', redemptionId)
      .where('status', '=', 'pending')
      .returningAll()
      .executeTakeFirst()
    if (!decided) throw await undecidable(trx, redemptionId)
    const change =
      status === 'approved'
        ? await giveBenefit(trx, decided.account_id, decided)
        : await giveUseBack(trx, decided)
    const subject = { subject_type: 'redemption', subject_id: redemptionId }
    await recordAct(trx, { ...actor, ...subject, action: `redemption.${status}`, ...change }, now)
    const account = await trx
      .selectFrom('accounts')
      .select(['name', 'email'])
      .where('id', '=', decided.account_id)
      .executeTakeFirstOrThrow()
    return { ...decided, account }
  })
}

async function undecidable(db: DbOrTrx, id: string): Promise<DomainError> {
  const known = await db
    .selectFrom('promo_redemptions')
    .select('id')
    .where('id', '=', id)
    .executeTakeFirst()
  return known
    ? new DomainError('conflict', 'This redemption has already been decided')
    : new DomainError('not_found', 'Redemption not found')
}

async function giveUseBack(trx: Trx, { promo_code_id }: Redemption) {
  await trx
    .updateTable('promo_codes')
    .set((eb) => ({ usage_count: eb('usage_count', '-', 1) }))
    .where('id', '=', promo_code_id)
    .execute()
  return {}
}
