import { setImmediate as nextTurn } from 'node:timers/promises'
import { type ExpressionBuilder, type SqlBool, sql } from 'kysely'
import { toInstant } from '#db/cast.ts'
import type { Db, DbOrTrx } from '#db/client.ts'
import type { Notify } from '#db/outbox.ts'
import { findPermittedPlan, outranksSql } from '#db/plans/plan-now.ts'
import type { Account, Instant, Tables } from '#db/schema.ts'
import { inTransaction } from '#db/transaction.ts'
import type { PaidPlan, PlanId } from '#domain/plans/plan.ts'

const DAY_MS = 86_400_000

/** In the order in which they are due. Their number is stored with the account. */
const REMINDERS = [
  { stage: 1, daysBefore: 7 },
  { stage: 2, daysBefore: 1 },
  { stage: 3, daysBefore: 0 },
] as const

/** The end of a plan of which the account must be reminded. */
export type DueReminder = {
  accountId: string
  plan: PaidPlan
  endsAt: string
  hasEnded: boolean
  /** what the account has then */
  after: PlanId
}

/**
 * Makes the reminders of plans that end in a week, in a day or now, each once among concurrent
 * callers and after leaps of the clock: a later reminder replaces earlier ones. There is none for a
 * blocked account, nor while a permission or a plan without end gives as much.
 */
export async function makeReminders(
  db: Db,
  now: Date,
  notify: Notify<DueReminder>,
): Promise<number> {
  let made = 0
  for (const reminder of REMINDERS.toReversed()) {
    const due = await db
      .selectFrom('accounts')
      .select('id')
      .where((eb) => isDue(eb, reminder, now))
      .execute()
    for (const { id } of due) {
      made += await inTransaction(db, async (trx) => {
        const account = await trx
          .updateTable('accounts')
          .set({ term_reminded: reminder.stage })
          .where('id', '=', id)
          // Read again: another process may have made it, or the plan may be renewed.
          .where((eb) => isDue(eb, reminder, now))
          .returning(['id', 'subscription_plan', 'term_plan', 'term_ends_at'])
          .executeTakeFirst()
        if (!account?.term_plan || !account.term_ends_at) return 0
        const { term_plan: plan, term_ends_at: endsAt } = account
        const after = await findPlanAfter(trx, account, endsAt)
        const hasEnded = endsAt <= toInstant(now)
        await notify(trx, { accountId: id, plan, endsAt, hasEnded, after })
        return 1
      })
    }
    await nextTurn()
  }
  return made
}

/** The plan without end of an account, unless it is a permission's that is over by then. */
async function findPlanAfter(
  trx: DbOrTrx,
  account: Pick<Account, 'id' | 'subscription_plan'>,
  endsAt: Instant,
): Promise<PlanId> {
  const permitted = await findPermittedPlan(trx, account)
  return permitted && permitted.ends_at <= endsAt ? 'free' : account.subscription_plan
}

function isDue(
  eb: ExpressionBuilder<Tables, 'accounts'>,
  { stage, daysBefore }: (typeof REMINDERS)[number],
  now: Date,
) {
  const latest = new Date(now.getTime() + daysBefore * DAY_MS)
  return eb.and([
    eb('term_ends_at', '<=', toInstant(latest)),
    eb('term_reminded', '<', stage),
    // In words, or the index for these is not found.
    sql<SqlBool>`term_reminded < 3`,
    eb('is_active', '=', 1),
    outranksSql(eb),
  ])
}
