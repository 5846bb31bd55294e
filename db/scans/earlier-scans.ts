import { sql } from 'kysely'
import type { Trx } from '#db/client.ts'
import type { Instant, QrCode } from '#db/schema.ts'

/** Computes `quarterOf` in the database. */
const quarterOfScan = sql<string>`substr(scanned_at, 1, 14) || case
  when substr(scanned_at, 15, 2) < '15' then '00'
  when substr(scanned_at, 15, 2) < '30' then '15'
  when substr(scanned_at, 15, 2) < '45' then '30'
  else '45' end`

/**
 * Deletes the times of a code's scans, up to `until` or all, takes them off its owner's sums, and returns
 * how many there were. The transaction adds them to the `earlier_scans` of the code. If it gives the code to
 * another account, the move then has no sums to take along, and is repeated if a scan came meanwhile.
 */
export async function forgetScanTimes(
  trx: Trx,
  { qr_id, owner_id }: Pick<QrCode, 'qr_id' | 'owner_id'>,
  until?: Instant,
): Promise<number> {
  await trx
    .updateTable('owner_scans')
    .from(({ selectFrom, fn }) =>
      selectFrom('scans')
        .select([quarterOfScan.as('quarter'), fn.countAll<number>().as('scans')])
        .where('scans.qr_id', '=', qr_id)
        .$if(until !== undefined, (some) => some.where('scanned_at', '<=', until ?? ''))
        .groupBy('quarter')
        .as('gone'),
    )
    .set(({ eb, ref }) => ({ scans: eb('owner_scans.scans', '-', ref('gone.scans')) }))
    .where('owner_scans.owner_id', '=', owner_id)
    .whereRef('owner_scans.quarter', '=', 'gone.quarter')
    .execute()
  const { numDeletedRows } = await trx
    .deleteFrom('scans')
    .where('qr_id', '=', qr_id)
    .$if(until !== undefined, (some) => some.where('scanned_at', '<=', until ?? ''))
    .executeTakeFirstOrThrow()
  return Number(numDeletedRows)
}
