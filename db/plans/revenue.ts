import { toInstant } from '#db/cast.ts'
import type { DbOrTrx } from '#db/client.ts'
import type { Day } from '#db/schema.ts'
import { startOfDayIn, toDayIn } from '#domain/time.ts'

/**
 * The amounts, in whole rupees, of the upgrades that were approved on each of these days of the
 * zone.
 */
export async function sumRevenuePerDay(
  db: DbOrTrx,
  days: Day[],
  timezone: string,
): Promise<number[]> {
  const rows = await db
    .selectFrom('upgrade_requests')
    .select(['approved_at', 'amount'])
    .where('status', '=', 'approved')
    .where('approved_at', '>=', toInstant(startOfDayIn(timezone, days[0] as Day)))
    .execute()
  const summed = new Map<Day, number>()
  for (const { approved_at, amount } of rows) {
    const day = toDayIn(timezone, new Date(approved_at as string))
    summed.set(day, (summed.get(day) ?? 0) + amount)
  }
  return days.map((day) => summed.get(day) ?? 0)
}
