import type { ExpressionBuilder } from 'kysely'
import { toInstant } from '#db/cast.ts'
import type { DbOrTrx } from '#db/client.ts'
import type { Account, Tables } from '#db/schema.ts'
import { hasPlans } from '#domain/plans/offer.ts'
import { isAbove, type PlanId } from '#domain/plans/plan.ts'
import { type PermittedPlan, type PlanState, withPlanNow } from '#domain/plans/term.ts'

/** An account with the plan that it has at this instant: see `withPlanNow`. */
export type AccountNow = Account & PlanState

export function accountNow(account: Account, now: Date): AccountNow {
  return withPlanNow(account, now)
}

/**
 * Returns the plan without end of an account's row, if a permission gives it until a time and a lower one follows.
 */
export async function findPermittedPlan(
  db: DbOrTrx,
  {
    id,
    subscription_plan,
    lasting_plan: plan = subscription_plan,
  }: Pick<Account, 'id' | 'subscription_plan'> & Partial<PlanState>,
): Promise<PermittedPlan | undefined> {
  if (plan === 'free') return undefined
  const after = await db
    .selectFrom('temporary_permissions')
    .select(['subscription_plan', 'expires_at'])
    .where('account_id', '=', id)
    .executeTakeFirst()
  if (!after || !isAbove(plan, after.subscription_plan)) return undefined
  return { plan, ends_at: after.expires_at }
}

type Builder = ExpressionBuilder<Tables, 'accounts'>

/** Returns whether the plan of an account's term is above its plan without end. */
export function outranksSql(eb: Builder) {
  const [term, lasting] = ['accounts.term_plan', 'accounts.subscription_plan'] as const
  return eb.or([
    eb.and([eb(term, '=', 'enterprise'), eb(lasting, '!=', 'enterprise')]),
    eb.and([eb(term, '=', 'premium'), eb(lasting, '=', 'free')]),
  ])
}

/** Returns the plan of an account at an instant, in a statement: as `planNow` says it. */
export function planNowSql(eb: Builder, now: Date) {
  const without: PlanId = 'enterprise'
  if (!hasPlans()) return eb.cast<PlanId>(eb.val(without), 'text')
  return eb
    .case()
    .when(eb.and([eb('accounts.term_ends_at', '>', toInstant(now)), outranksSql(eb)]))
    .then(eb.ref('accounts.term_plan'))
    .else(eb.ref('accounts.subscription_plan'))
    .end()
    .$notNull()
}
