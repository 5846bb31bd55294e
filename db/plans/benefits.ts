import type { Transaction } from 'kysely'
import { getAccount } from '#db/accounts/accounts.ts'
import { changeForGood, readStandings } from '#db/accounts/entitlements.ts'
import type { Tables } from '#db/schema.ts'
import { type History, type Standing, withPlan } from '#domain/accounts/permission.ts'
import type { PaidPlan } from '#domain/plans/plan.ts'

type Benefit = { subscription_plan: PaidPlan | null; child_qr_quantity: number }

/**
 * Gives an account a plan and child slots for good: in what it has now, and in what it falls back
 * to if that is for a time. A plan it is above already changes nothing. Belongs into the
 * transaction that approves it, after the row of a redemption. Answers the standing before and after.
 */
export async function giveBenefit(
  trx: Transaction<Tables>,
  accountId: string,
  benefit: Benefit,
): Promise<{ before: Standing; after: Standing }> {
  const standings = await readStandings(trx, await getAccount(trx, accountId))
  const { current: before, history } = standings
  const after = await changeForGood(trx, standings, (each) => withBenefit(each, benefit, history))
  return { before: standingOf(before), after: standingOf(after) }
}

function standingOf({ role, subscription_plan, qr_limit, child_qr_quota }: Standing): Standing {
  return { role, subscription_plan, qr_limit, child_qr_quota }
}

function withBenefit(standing: Standing, benefit: Benefit, history: History): Standing {
  const { subscription_plan: plan, child_qr_quantity } = benefit
  const more = { ...standing, child_qr_quota: standing.child_qr_quota + child_qr_quantity }
  return plan ? withPlan(more, plan, history) : more
}
