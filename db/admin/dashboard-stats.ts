import { toFlag, toInstant } from '#db/cast.ts'
import type { Db } from '#db/client.ts'
import { quarterOf } from '#db/scans/scan-sums.ts'
import { startOfDayIn, toDayIn } from '#domain/time.ts'

export type DashboardStats = {
  users: { total: number; active: number; admins: number }
  qr_codes: { total: number }
  activity: { today_scans: number }
}

/** What the admin management page counts; today is the day in the zone. */
export async function readDashboardStats(
  db: Db,
  now: Date,
  timezone: string,
): Promise<DashboardStats> {
  const count = db.fn.countAll<number>().as('count')
  const accounts = db.selectFrom('accounts').select(count)
  const users = await accounts.executeTakeFirstOrThrow()
  // The few are counted, not the many: an index holds them alone.
  const blocked = await accounts.where('is_active', '=', toFlag(false)).executeTakeFirstOrThrow()
  const admins = await accounts
    .where('role', 'in', ['admin', 'super_admin'])
    .executeTakeFirstOrThrow()
  const codes = await db.selectFrom('qr_codes').select(count).executeTakeFirstOrThrow()
  const today = await db
    .selectFrom('scan_quarters')
    .select(({ fn }) => fn.sum<number | null>('scans').as('scans'))
    .where('quarter', '>=', quarterOf(toInstant(startOfDayIn(timezone, toDayIn(timezone, now)))))
    .executeTakeFirstOrThrow()
  return {
    users: {
      total: users.count,
      active: users.count - blocked.count,
      admins: admins.count,
    },
    qr_codes: { total: codes.count },
    activity: { today_scans: today.scans ?? 0 },
  }
}
