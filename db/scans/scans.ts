import type { Db, DbOrTrx } from '#db/client.ts'
import { type LostPeriod, listLostPeriods } from '#db/codes/lost-mode.ts'
import { seenBy } from '#db/codes/seen-by.ts'
import type { Scan } from '#db/schema.ts'
import { inTransaction } from '#db/transaction.ts'
import { assertNotHeld } from '#domain/codes/claim.ts'
import type { Holder } from '#domain/people/share.ts'

/** Returns the number of scans of each of these codes. Codes without scans are not in the map. */
export async function countScans(db: DbOrTrx, qrIds: string[]): Promise<Map<string, number>> {
  const rows = await db
    .selectFrom('scans')
    .select(({ fn }) => ['qr_id', fn.countAll<number>().as('count')])
    .where('qr_id', 'in', qrIds)
    .groupBy('qr_id')
    .execute()
  return new Map(rows.map(({ qr_id, count }) => [qr_id, count]))
}

/** A scan; `replaced_id` is the id on the scanned tag, if the code has another one now. */
export type RecentScan = Pick<Scan, 'scanned_at' | 'replaced_id'>

/**
 * Returns the newest scans of each of these codes, at most `each` per code, newest first. Codes
 * without scans are not in the map.
 */
export async function listRecentScans(
  db: DbOrTrx,
  qrIds: string[],
  each: number,
): Promise<Map<string, RecentScan[]>> {
  if (qrIds.length === 0) return new Map()
  const rows = await db
    .selectFrom('qr_codes')
    .innerJoin('scans', 'scans.qr_id', 'qr_codes.qr_id')
    .select(['scans.qr_id', 'scans.scanned_at', 'scans.replaced_id'])
    .where('qr_codes.qr_id', 'in', qrIds)
    // Starts at the oldest wanted scan, so that only the end of a code's million scans is read.
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
  const recent = new Map<string, RecentScan[]>()
  for (const { qr_id, ...scan } of rows) {
    const newest = recent.get(qr_id) ?? []
    // Scans of the same millisecond are all found, so there may be too many.
    if (newest.length < each) recent.set(qr_id, [...newest, scan])
  }
  return recent
}

export type ScanAnalytics = {
  total_scans: number
  recent_scans: RecentScan[]
  lost_periods: LostPeriod[]
}

/**
 * Returns the scan statistics of a code for its owner and people, with the owner's id; undefined when the account
 * has neither. The code of a child user is its parent's. Throws conflict for a held code.
 */
export async function findScanAnalytics(
  db: Db,
  viewer: Holder,
  qrId: string,
  limit: number,
): Promise<(ScanAnalytics & { owner_id: string }) | undefined> {
  return inTransaction(db, async (trx) => {
    const owned = await trx
      .selectFrom('qr_codes')
      .select(['owner_id', 'claimed_at', 'earlier_scans'])
      .where('qr_id', '=', qrId)
      .where(seenBy({ ...viewer, parent_id: null }))
      .executeTakeFirst()
    if (!owned) return undefined
    assertNotHeld(owned)
    const counts = await countScans(trx, [qrId])
    const recent = await listRecentScans(trx, [qrId], limit)
    const lost = await listLostPeriods(trx, [qrId])
    return {
      owner_id: owned.owner_id,
      total_scans: (counts.get(qrId) ?? 0) + owned.earlier_scans,
      recent_scans: recent.get(qrId) ?? [],
      lost_periods: lost.get(qrId) ?? [],
    }
  })
}
