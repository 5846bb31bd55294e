import type { ExpressionBuilder } from 'kysely'
import { toInstant } from '#db/cast.ts'
import type { Trx } from '#db/client.ts'
import { countRows } from '#db/pages.ts'
import type { Tables } from '#db/schema.ts'
import { hasPlans } from '#domain/plans/offer.ts'
import { PLANS, type PlanId } from '#domain/plans/plan.ts'

/** Returns how many child codes of an account there are. */
export function countChildCodes(trx: Trx, accountId: string): Promise<number> {
  return countRows(
    trx.selectFrom('qr_codes').where('created_by', '=', accountId).where('qr_type', '=', 'child'),
  )
}

/** Returns how many of them its plan has to give; negative when promo codes gave more than there are. */
export async function countChildCodesOfPlan(trx: Trx, accountId: string): Promise<number> {
  const { given } = await trx
    .selectFrom('promo_redemptions')
    .select(({ fn }) => fn.sum<number | null>('child_qr_quantity').as('given'))
    .where('account_id', '=', accountId)
    .where('status', '=', 'approved')
    .executeTakeFirstOrThrow()
  return (await countChildCodes(trx, accountId)) - (given ?? 0)
}

/**
 * Takes slots of child codes from an account's quota, which is endless without plans. Returns whether it had as many.
 */
export async function takeChildSlots(
  trx: Trx,
  ownerId: string,
  count: number,
  now: Date,
): Promise<boolean> {
  if (!hasPlans()) return true
  const { numUpdatedRows } = await trx
    .updateTable('accounts')
    .set((eb) => ({
      child_qr_quota: lessOrNone(eb, 'child_qr_quota', count),
      term_child_quota: lessOrNone(eb, 'term_child_quota', count),
    }))
    .where('id', '=', ownerId)
    .where((eb) => hasChildQuota(eb, count, now))
    .executeTakeFirstOrThrow()
  return numUpdatedRows > 0n
}

type AccountBuilder = ExpressionBuilder<Tables, 'accounts'>
type ChildQuota = 'child_qr_quota' | 'term_child_quota'

/** Takes a child code from the quota of the plan's term and from the lasting one. */
function lessOrNone(eb: AccountBuilder, quota: ChildQuota, count: number) {
  return eb
    .case()
    .when(quota, '>', count)
    .then(eb(quota, '-', count))
    .else(0)
    .end()
}

function hasChildQuota(eb: AccountBuilder, count: number, now: Date) {
  return eb.or([
    eb('child_qr_quota', '>=', count),
    eb.and([eb('term_child_quota', '>=', count), eb('term_ends_at', '>', toInstant(now))]),
  ])
}

/**
 * Gives an account the slots of child codes back that it no longer has, as far as its plans and promo codes
 * include slots. What a plan that has ended gets back is there again when it is renewed. A step of a transaction.
 */
export async function giveBackChildSlots(
  trx: Trx,
  accountId: string,
  count: number,
): Promise<void> {
  const { subscription_plan, child_qr_quota, term_plan, term_child_quota } = await trx
    .selectFrom('accounts')
    .select(['subscription_plan', 'child_qr_quota', 'term_plan', 'term_child_quota'])
    .where('id', '=', accountId)
    .executeTakeFirstOrThrow()
  const used = await countChildCodesOfPlan(trx, accountId)
  const withBack = (plan: PlanId, left: number) =>
    Math.max(left, Math.min(left + count, PLANS[plan].child_qr_limit - used))
  await trx
    .updateTable('accounts')
    .set({
      child_qr_quota: withBack(subscription_plan, child_qr_quota),
      ...(term_plan && { term_child_quota: withBack(term_plan, term_child_quota) }),
    })
    .where('id', '=', accountId)
    .execute()
}
