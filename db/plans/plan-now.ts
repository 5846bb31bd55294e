import type { ExpressionBuilder } from 'kysely'
import { toInstant } from '#db/cast.ts'
import type { Account, Tables } from '#db/schema.ts'
import { type PlanState, withPlanNow } from '#domain/plans/term.ts'

/** An account with the plan that it has at this instant: see `withPlanNow`. */
export type AccountNow = Account & PlanState

export function accountNow(account: Account, now: Date): AccountNow {
  return withPlanNow(account, now)
}

type Builder = ExpressionBuilder<Tables, 'accounts'>

/** Whether the plan of an account's term is above its plan without end. */
export function outranksSql(eb: Builder) {
  const [term, lasting] = ['accounts.term_plan', 'accounts.subscription_plan'] as const
  return eb.or([
    eb.and([eb(term, '=', 'enterprise'), eb(lasting, '!=', 'enterprise')]),
    eb.and([eb(term, '=', 'premium'), eb(lasting, '=', 'free')]),
  ])
}

/** The plan of an account at an instant, in a statement: as `planNow` says it. */
export function planNowSql(eb: Builder, now: Date) {
  return eb
    .case()
    .when(eb.and([eb('accounts.term_ends_at', '>', toInstant(now)), outranksSql(eb)]))
    .then(eb.ref('accounts.term_plan'))
    .else(eb.ref('accounts.subscription_plan'))
    .end()
    .$notNull()
}
