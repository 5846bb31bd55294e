import { toInstant } from '#db/cast.ts'
import type { DbOrTrx } from '#db/client.ts'
import type { Day } from '#db/schema.ts'
import { monthsUntil, startOfDayIn, toDayIn } from '#domain/time.ts'

/**
 * Returns the amounts, in whole rupees, of the upgrades that were approved on each of these days of the
 * zone.
 */
export async function sumRevenuePerDay(
  db: DbOrTrx,
  days: Day[],
  timezone: string,
): Promise<number[]> {
  const summed = await sumRevenue(db, days[0] as Day, timezone, (day) => day)
  return days.map((day) => summed.get(day) ?? 0)
}

/** A month (YYYY-MM) of the zone and the amounts, in whole rupees, that were approved in it. */
export type MonthRevenue = { month: string; amount: number }

/** Returns the approved amounts of the last `count` months of the zone, the present one last. */
export async function sumRevenuePerMonth(
  db: DbOrTrx,
  { count, now, timezone }: { count: number; now: Date; timezone: string },
): Promise<MonthRevenue[]> {
  const months = monthsUntil(toDayIn(timezone, now), count)
  const summed = await sumRevenue(db, `${months[0]}-01`, timezone, (day) => day.slice(0, 7))
  return months.map((month) => ({ month, amount: summed.get(month) ?? 0 }))
}

async function sumRevenue(
  db: DbOrTrx,
  first: Day,
  timezone: string,
  keyOf: (day: Day) => string,
): Promise<Map<string, number>> {
  const since = toInstant(startOfDayIn(timezone, first))
  // Deleting an account deletes its requests, but not its receipts.
  const deleted = db
    .selectFrom('receipts')
    .select(['issued_at as at', 'amount'])
    .where('upgrade_request_id', 'is', null)
    .where('issued_at', '>=', since)
  const rows = await db
    .selectFrom('upgrade_requests')
    .select(['approved_at as at', 'amount'])
    .where('status', '=', 'approved')
    .where('approved_at', '>=', since)
    .unionAll(deleted)
    .execute()
  const summed = new Map<string, number>()
  for (const { at, amount } of rows) {
    const key = keyOf(toDayIn(timezone, new Date(at as string)))
    summed.set(key, (summed.get(key) ?? 0) + amount)
  }
  return summed
}
