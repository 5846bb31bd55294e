import { toInstant } from '#db/cast.ts'
import type { Db, DbOrTrx } from '#db/client.ts'
import type { Instant, QrCode } from '#db/schema.ts'
import { inTransaction } from '#db/transaction.ts'

/** The first steps with a code. */
export type FirstSteps = {
  isPrinted: boolean
  /** by anybody, its user included */
  isScanned: boolean
  /** null when the time is not known any more */
  scanned_at: Instant | null
}

type StepColumn = 'printed_at' | 'own_scan_at'

const MOST_AT_ONCE = 500

/** Notes the first print of each of these codes, or the first picture that was saved of it. */
export async function noteFirstPrints(db: Db, qrIds: string[], now: Date): Promise<void> {
  for (let from = 0; from < qrIds.length; from += MOST_AT_ONCE) {
    await noteFirst(db, 'printed_at', qrIds.slice(from, from + MOST_AT_ONCE), now)
  }
}

/** Notes the first scan of a code by its own user, which does not count as a scan. */
export async function noteOwnScan(db: Db, qrId: string, now: Date): Promise<void> {
  await noteFirst(db, 'own_scan_at', [qrId], now)
}

async function noteFirst(db: Db, column: StepColumn, qrIds: string[], now: Date): Promise<void> {
  await inTransaction(db, async (trx) => {
    await trx
      .updateTable('qr_codes')
      .set({ [column]: toInstant(now) } as Pick<QrCode, StepColumn>)
      .where('qr_id', 'in', qrIds)
      .where(column, 'is', null)
      .execute()
  })
}

/** Returns the first steps of a code that exists. */
export async function getFirstSteps(db: DbOrTrx, qrId: string): Promise<FirstSteps> {
  const { printed_at, own_scan_at, earlier_scans, last } = await db
    .selectFrom('qr_codes')
    .select(['printed_at', 'own_scan_at', 'earlier_scans'])
    .select(({ selectFrom }) =>
      selectFrom('scans')
        .select(({ fn }) => fn.max('scanned_at').as('at'))
        .whereRef('scans.qr_id', '=', 'qr_codes.qr_id')
        .as('last'),
    )
    .where('qr_id', '=', qrId)
    .executeTakeFirstOrThrow()
  const scanned_at = last ?? own_scan_at
  return {
    isPrinted: printed_at !== null,
    isScanned: scanned_at !== null || earlier_scans > 0,
    scanned_at,
  }
}

/** Returns how many of the two steps are done, the print and the scan, for each of these codes that exists. */
export async function countFirstSteps(db: DbOrTrx, qrIds: string[]): Promise<Map<string, number>> {
  const rows = await db
    .selectFrom('qr_codes')
    .select(['qr_id', 'printed_at', 'own_scan_at', 'earlier_scans'])
    .select(({ selectFrom }) =>
      selectFrom('scans')
        .select('scans.n')
        .whereRef('scans.qr_id', '=', 'qr_codes.qr_id')
        .limit(1)
        .as('scan'),
    )
    .where('qr_id', 'in', qrIds)
    .execute()
  return new Map(
    rows.map(({ qr_id, printed_at, own_scan_at, earlier_scans, scan }) => {
      const isScanned = own_scan_at !== null || earlier_scans > 0 || scan !== null
      return [qr_id, Number(printed_at !== null) + Number(isScanned)]
    }),
  )
}
