import type { Transaction } from 'kysely'
import { countChildCodes } from '#db/qr-creation.ts'
import type { Tables } from '#db/schema.ts'
import { type Standing, withPlan } from '#domain/permission.ts'
import type { PaidPlan } from '#domain/plan.ts'

type Trx = Transaction<Tables>
type Benefit = { subscription_plan: PaidPlan | null; child_qr_quantity: number }

const STANDING = ['role', 'subscription_plan', 'qr_limit', 'child_qr_quota'] as const

/**
 * Gives an account a plan and child slots for good: in what it has now, and in what it falls back
 * to if that is for a time. A plan it is above already changes nothing. Belongs into the
 * transaction that approves it, after the row of a redemption. Answers the standing before and after.
 */
export async function giveBenefit(
  trx: Trx,
  accountId: string,
  benefit: Benefit,
): Promise<{ before: Standing; after: Standing }> {
  const childCodes = await countChildCodesOfPlan(trx, accountId)
  const before = await trx
    .selectFrom('accounts')
    .select(STANDING)
    .where('id', '=', accountId)
    .executeTakeFirstOrThrow()
  const after = withBenefit(before, benefit, childCodes)
  await trx.updateTable('accounts').set(after).where('id', '=', accountId).execute()
  const lasting = await trx
    .selectFrom('temporary_permissions')
    .select(STANDING)
    .where('account_id', '=', accountId)
    .executeTakeFirst()
  if (lasting) {
    await trx
      .updateTable('temporary_permissions')
      .set(withBenefit(lasting, benefit, childCodes))
      .where('account_id', '=', accountId)
      .execute()
  }
  return { before, after }
}

function withBenefit(standing: Standing, benefit: Benefit, childCodes: number): Standing {
  const { subscription_plan: plan, child_qr_quantity } = benefit
  const more = { ...standing, child_qr_quota: standing.child_qr_quota + child_qr_quantity }
  return plan ? withPlan(more, plan, childCodes) : more
}

/** How many child codes an account made of what its plan gives; negative while promo slots are left. */
export async function countChildCodesOfPlan(trx: Trx, accountId: string): Promise<number> {
  const { slots } = await trx
    .selectFrom('promo_redemptions')
    .select(({ fn }) => fn.sum<number | null>('child_qr_quantity').as('slots'))
    .where('account_id', '=', accountId)
    .where('status', '=', 'approved')
    .executeTakeFirstOrThrow()
  return (await countChildCodes(trx, accountId)) - (slots ?? 0)
}
