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

/** Returns those of these codes that anybody has scanned, their users included. */
export async function listScanned(db: DbOrTrx, qrIds: string[]): Promise<string[]> {
  const rows = await db
    .selectFrom('qr_codes')
    .select('qr_id')
    .where('qr_id', 'in', qrIds)
    .where(({ eb, or, exists, selectFrom }) =>
      or([
        eb('own_scan_at', 'is not', null),
        eb('earlier_scans', '>', 0),
        exists(
          selectFrom('scans').select('scans.n').whereRef('scans.qr_id', '=', 'qr_codes.qr_id'),
        ),
      ]),
    )
    .execute()
  return rows.map(({ qr_id }) => qr_id)
}
