import type { Db } from '#db/client.ts'
import { differencesOf, type Rows } from '#db/engine.ts'
import { isUniqueViolation } from '#db/errors.ts'
import type { Instant, QrCode, Scan } from '#db/schema.ts'
import { inTransaction } from '#db/transaction.ts'
import { phoneColumns } from '#domain/codes/phones.ts'
import { CommandError } from '#domain/error.ts'

/**
 * A batch this large locks the database for a tenth of a second, with the search index of the
 * codes.
 */
const CODES_AT_ONCE = 1500
const SCANS_AT_ONCE = 8000
export const BEGIN_AGAIN =
  'To begin again, stop the server and give it an empty data folder and an empty database.'
const ALREADY_HERE = `There is sample data already. ${BEGIN_AGAIN}`

/**
 * Inserts the rows of sample data in one transaction, in the order of their tables. Throws conflict
 * when one of them already exists.
 */
export async function insertSample(db: Db, rows: Rows): Promise<void> {
  try {
    await differencesOf(db).load(rows)
  } catch (error) {
    if (isUniqueViolation(error)) throw new CommandError(ALREADY_HERE)
    throw error
  }
}

/** Inserts any number of codes. `onInserted` gets the count after each short transaction. */
export async function insertCodes(
  db: Db,
  codes: Iterable<QrCode>,
  onInserted: (count: number) => void,
): Promise<void> {
  for (const qr_codes of inChunks(codes, CODES_AT_ONCE)) {
    await differencesOf(db).load({ qr_codes: qr_codes.map(withNumbers) })
    onInserted(qr_codes.length)
  }
}

/** Returns a code with the columns of its numbers. */
export function withNumbers(code: QrCode): QrCode {
  return { ...code, ...phoneColumns(code) }
}

/** Inserts any number of scans, fastest when they are ordered by code and time. */
export async function insertScans(
  db: Db,
  scans: Iterable<Scan>,
  onInserted: (count: number) => void,
): Promise<void> {
  for (const some of inChunks(scans, SCANS_AT_ONCE)) {
    await differencesOf(db).load({ scans: some })
    onInserted(some.length)
  }
}

/** Sets the failures of a channel of sample data, and the time of the first one. */
export async function setUnreachable(
  db: Db,
  channelId: string,
  { since, failures }: { since: Instant; failures: number },
): Promise<void> {
  await inTransaction(db, async (trx) => {
    await trx
      .updateTable('alert_channels')
      .set({ failing_since: since, unreachable_since: since, failures })
      .where('id', '=', channelId)
      .execute()
  })
}

function* inChunks<T>(rows: Iterable<T>, atOnce: number): Generator<T[]> {
  let chunk: T[] = []
  for (const row of rows) {
    if (chunk.push(row) < atOnce) continue
    yield chunk
    chunk = []
  }
  if (chunk.length > 0) yield chunk
}
