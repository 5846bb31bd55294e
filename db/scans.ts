import { sql } from 'kysely'
import { secondsAfter, toInstant } from '#db/cast.ts'
import type { Db, DbOrTrx } from '#db/client.ts'
import type { Day, Instant } from '#db/schema.ts'
import { toDayIn } from '#domain/time.ts'

/** How often each of these codes was scanned; a code that never was is not in the map. */
export async function countScans(db: DbOrTrx, qrIds: string[]): Promise<Map<string, number>> {
  const rows = await db
    .selectFrom('scans')
    .select(({ fn }) => ['qr_id', fn.countAll<number>().as('count')])
    .where('qr_id', 'in', qrIds)
    .groupBy('qr_id')
    .execute()
  return new Map(rows.map(({ qr_id, count }) => [qr_id, count]))
}

/**
 * The newest scans of each of these codes, at most `each` of a code, newest first; a code that
 * was never scanned is not in the map.
 */
export async function listRecentScans(
  db: DbOrTrx,
  qrIds: string[],
  each: number,
): Promise<Map<string, Instant[]>> {
  const rows = await db
    .selectFrom('qr_codes')
    .innerJoin('scans', 'scans.qr_id', 'qr_codes.qr_id')
    .select(['scans.qr_id', 'scans.scanned_at'])
    .where('qr_codes.qr_id', 'in', qrIds)
    // From the oldest that is wanted on: a code with a million scans is read from its end alone.
    .where('scans.scanned_at', '>=', ({ selectFrom, fn, val }) =>
      fn.coalesce(
        selectFrom('scans as newer')
          .select('newer.scanned_at')
          .whereRef('newer.qr_id', '=', 'qr_codes.qr_id')
          .orderBy('newer.scanned_at', 'desc')
          .limit(1)
          .offset(each - 1),
        val(''),
      ),
    )
    .orderBy('scans.scanned_at', 'desc')
    .orderBy('scans.n', 'desc')
    .execute()
  const recent = new Map<string, Instant[]>()
  for (const { qr_id, scanned_at } of rows) {
    const newest = recent.get(qr_id) ?? []
    // Scans of one millisecond come together, wanted or not.
    if (newest.length < each) recent.set(qr_id, [...newest, scanned_at])
  }
  return recent
}

export type ScanAnalytics = { total_scans: number; recent_scans: { scanned_at: Instant }[] }

/** What the owner of a code learns of its scans; undefined when the code is not this account's. */
export async function findScanAnalytics(
  db: Db,
  ownerId: string,
  qrId: string,
  limit: number,
): Promise<ScanAnalytics | undefined> {
  return db.transaction().execute(async (trx) => {
    const owned = await trx
      .selectFrom('qr_codes')
      .select('id')
      .where('qr_id', '=', qrId)
      .where('owner_id', '=', ownerId)
      .executeTakeFirst()
    if (!owned) return undefined
    const counts = await countScans(trx, [qrId])
    const recent = await listRecentScans(trx, [qrId], limit)
    const recent_scans = (recent.get(qrId) ?? []).map((scanned_at) => ({ scanned_at }))
    return { total_scans: counts.get(qrId) ?? 0, recent_scans }
  })
}

const DAY_SECONDS = 86_400

/** A code's scans on each of the last `days` days of the zone, today's last; days without any too. */
export async function listScansPerDay(
  db: DbOrTrx,
  qrId: string,
  { days, now, timezone }: { days: number; now: Date; timezone: string },
): Promise<{ day: Day; scans: number }[]> {
  const minutes = await db
    .selectFrom('scans')
    // No zone is off by less than a minute, so the database need not know about zones.
    .select(({ fn }) => [
      sql<string>`substr(scanned_at, 1, 16)`.as('minute'),
      fn.countAll<number>().as('scans'),
    ])
    .where('qr_id', '=', qrId)
    .where('scanned_at', '>=', toInstant(secondsAfter(now, -(days + 1) * DAY_SECONDS)))
    .groupBy('minute')
    .execute()
  const scansOf = new Map<Day, number>()
  for (const { minute, scans } of minutes) {
    const day = toDayIn(timezone, new Date(`${minute}Z`))
    scansOf.set(day, (scansOf.get(day) ?? 0) + scans)
  }
  return lastDays(toDayIn(timezone, now), days).map((day) => ({
    day,
    scans: scansOf.get(day) ?? 0,
  }))
}

function lastDays(today: Day, days: number): Day[] {
  const last = Date.parse(`${today}T00:00:00Z`)
  return Array.from({ length: days }, (_, i) =>
    new Date(last - (days - 1 - i) * DAY_SECONDS * 1000).toISOString().slice(0, 10),
  )
}
