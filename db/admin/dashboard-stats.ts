import type { NotNull } from 'kysely'
import { toFlag, toInstant } from '#db/cast.ts'
import type { Db } from '#db/client.ts'
import { quarterOf } from '#db/scans/scan-sums.ts'
import { startOfDayIn, toDayIn } from '#domain/time.ts'

export type DashboardStats = {
  users: { total: number; active: number; admins: number }
  qr_codes: { total: number }
  activity: { today_scans: number }
}

/** Returns the counts of the admin management page. `today` is the day in the zone. */
export async function readDashboardStats(
  db: Db,
  now: Date,
  timezone: string,
): Promise<DashboardStats> {
  const today = quarterOf(toInstant(startOfDayIn(timezone, toDayIn(timezone, now))))
  const { users, blocked, admins, codes, scans } = await db
    .selectNoFrom(({ selectFrom, fn }) => {
      const count = fn.countAll<number>().as('n')
      return [
        selectFrom('accounts').select(count).as('users'),
        // Counts the smaller group, because an index contains only that.
        selectFrom('accounts').select(count).where('is_active', '=', toFlag(false)).as('blocked'),
        selectFrom('accounts')
          .select(count)
          .where('role', 'in', ['admin', 'super_admin'])
          .as('admins'),
        selectFrom('qr_codes').select(count).as('codes'),
        selectFrom('scan_quarters')
          .select((scans) => scans.fn.sum<number | null>('scans').as('n'))
          .where('quarter', '>=', today)
          .as('scans'),
      ]
    })
    .$narrowType<{ users: NotNull; blocked: NotNull; admins: NotNull; codes: NotNull }>()
    .executeTakeFirstOrThrow()
  return {
    users: { total: users, active: users - blocked, admins },
    qr_codes: { total: codes },
    activity: { today_scans: scans ?? 0 },
  }
}
