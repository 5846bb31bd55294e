import type { DbOrTrx } from '#db/client.ts'
import type { Day } from '#db/schema.ts'
import { daysUntil, toDayIn } from '#domain/time.ts'

/** Longer than the charts show. Older days are deleted. */
const DAYS_KEPT = 60

/**
 * Records that an account was active on the zone's day. The first time on a day also deletes days older than two
 * months.
 */
export async function noteActive(
  db: DbOrTrx,
  accountId: string,
  now: Date,
  timezone: string,
): Promise<void> {
  const day = toDayIn(timezone, now)
  const { numInsertedOrUpdatedRows: isFirst } = await db
    .insertInto('active_days')
    .values({ day, account_id: accountId })
    .onConflict((conflict) => conflict.doNothing())
    .executeTakeFirstOrThrow()
  if (!isFirst) return
  const oldest = daysUntil(day, DAYS_KEPT)[0] as Day
  await db.deleteFrom('active_days').where('day', '<', oldest).execute()
}

/** Returns how many accounts were active on each of these consecutive days. */
export async function countActivePerDay(db: DbOrTrx, days: Day[]): Promise<number[]> {
  const rows = await db
    .selectFrom('active_days')
    .select(({ fn }) => ['day', fn.countAll<number>().as('accounts')])
    .where('day', '>=', days[0] ?? '')
    .groupBy('day')
    .execute()
  const counted = new Map(rows.map(({ day, accounts }) => [day, accounts]))
  return days.map((day) => counted.get(day) ?? 0)
}
