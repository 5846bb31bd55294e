import type { Transaction } from 'kysely'
import { getAccount } from '#db/accounts/accounts.ts'
import { changeForGood, readEntitlements } from '#db/accounts/entitlements.ts'
import type { Tables } from '#db/schema.ts'
import { type Entitlement, type History, withPlan } from '#domain/accounts/permission.ts'
import type { PaidPlan } from '#domain/plans/plan.ts'

type Benefit = { subscription_plan: PaidPlan | null; child_qr_quantity: number }

/**
 * Gives an account a plan and child slots, in its current and its permanent permission. A lower
 * plan than the current one changes nothing. Call it in the transaction of the approval, after the
 * row of a redemption. Returns the entitlement before and after.
 */
export async function giveBenefit(
  trx: Transaction<Tables>,
  accountId: string,
  benefit: Benefit,
): Promise<{ before: Entitlement; after: Entitlement }> {
  const entitlements = await readEntitlements(trx, await getAccount(trx, accountId))
  const { current: before, history } = entitlements
  const after = await changeForGood(trx, entitlements, (each) =>
    withBenefit(each, benefit, history),
  )
  return { before: entitlementOf(before), after: entitlementOf(after) }
}

function entitlementOf({
  role,
  subscription_plan,
  qr_limit,
  child_qr_quota,
}: Entitlement): Entitlement {
  return { role, subscription_plan, qr_limit, child_qr_quota }
}

function withBenefit(entitlement: Entitlement, benefit: Benefit, history: History): Entitlement {
  const { subscription_plan: plan, child_qr_quantity } = benefit
  const more = { ...entitlement, child_qr_quota: entitlement.child_qr_quota + child_qr_quantity }
  return plan ? withPlan(more, plan, history) : more
}
