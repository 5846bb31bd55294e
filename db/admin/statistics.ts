import { sql } from 'kysely'
import { secondsAfter, toInstant } from '#db/cast.ts'
import type { DbOrTrx } from '#db/client.ts'
import { planNowSql } from '#db/plans/plan-now.ts'
import type { PlanId } from '#domain/plans/plan.ts'

const SPAN_SECONDS = 30 * 86_400
const count = sql<number>`count(*)`.as('n')
const sumOfScans = sql<number>`coalesce(sum(scans), 0)`.as('n')

export type Statistics = {
  totalUsers: number
  totalQRCodes: number
  totalScans: number
  activeDevices: number
  subscriptionBreakdown: Record<PlanId, number>
  pendingRedemptions: number
}

/**
 * Returns the totals of the whole installation, including scans of deleted codes. An active device is a
 * session that was used in the last 30 days.
 */
export async function readStatistics(db: DbOrTrx, now: Date): Promise<Statistics> {
  const since = toInstant(secondsAfter(now, -SPAN_SECONDS))
  const totals = await db
    .selectNoFrom(({ selectFrom }) => [
      selectFrom('accounts').select(count).as('totalUsers'),
      selectFrom('qr_codes').select(count).as('totalQRCodes'),
      selectFrom('scan_quarters').select(sumOfScans).as('totalScans'),
      selectFrom('sessions').select(count).where('last_used_at', '>=', since).as('activeDevices'),
      selectFrom('promo_redemptions')
        .select(count)
        .where('status', '=', 'pending')
        .as('pendingRedemptions'),
    ])
    .$narrowType<{ [K in keyof Statistics]: number }>()
    .executeTakeFirstOrThrow()
  return { ...totals, subscriptionBreakdown: await countByPlan(db, now) }
}

async function countByPlan(db: DbOrTrx, now: Date): Promise<Record<PlanId, number>> {
  const rows = await db
    .selectFrom('accounts')
    .select((eb) => [planNowSql(eb, now).as('plan'), count])
    .groupBy('plan')
    .execute()
  const counted = Object.fromEntries(rows.map(({ plan, n }) => [plan, n]))
  return { free: 0, premium: 0, enterprise: 0, ...counted }
}

export type EarlierTotals = { users: number; codes: number; scans: number }

/** Returns the totals of 30 days ago, of the accounts and codes that still exist. */
export async function readEarlierTotals(db: DbOrTrx, now: Date): Promise<EarlierTotals> {
  const then = secondsAfter(now, -SPAN_SECONDS)
  return db
    .selectNoFrom(({ selectFrom }) => [
      selectFrom('accounts').select(count).where('created_at', '<', toInstant(then)).as('users'),
      selectFrom('qr_codes').select(count).where('created_at', '<', toInstant(then)).as('codes'),
      selectFrom('scan_quarters')
        .select(sumOfScans)
        .where('quarter', '<', toInstant(then))
        .as('scans'),
    ])
    .$narrowType<EarlierTotals>()
    .executeTakeFirstOrThrow()
}
