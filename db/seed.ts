import { setTimeout as sleep } from 'node:timers/promises'
import type Sqlite from 'better-sqlite3'
import { prepareScanSums } from '#db/scans/scan-sums.ts'
import type { QrCode, Scan, Tables } from '#db/schema.ts'
import { isUniqueViolation } from '#db/sqlite/sqlite.ts'
import { DomainError } from '#domain/error.ts'

type Rows = { [table in keyof Tables]?: readonly object[] }

/** So many hold the database for a tenth of a second; codes bring their search index with them. */
const CODES_AT_ONCE = 1500
const SCANS_AT_ONCE = 8000
/** Whoever waits for its turn looks again within this time. */
const SHORTEST_REST_MS = 30
export const BEGIN_AGAIN = 'To begin again, stop the server and remove the data folder.'
const ALREADY_HERE = `There is sample data already. ${BEGIN_AGAIN}`

/**
 * Inserts the rows of a sample in one transaction, in the order in which its tables stand. Throws
 * conflict when one of them is there already.
 */
export function insertSample(connection: Sqlite.Database, rows: Rows): void {
  const insertAll = connection.transaction(() => {
    for (const [table, all] of Object.entries(rows)) insertRows(connection, table, all)
  })
  try {
    insertAll.immediate()
  } catch (error) {
    if (isUniqueViolation(error)) throw new DomainError('conflict', ALREADY_HERE)
    throw error
  }
}

/** Inserts any number of codes; `onInserted` hears how many after each short transaction. */
export async function insertCodes(
  connection: Sqlite.Database,
  codes: Iterable<QrCode>,
  onInserted: (count: number) => void,
): Promise<void> {
  const insert = connection.transaction((some: QrCode[]) =>
    insertRows(connection, 'qr_codes', some),
  )
  await inTurns(connection, inChunks(codes, CODES_AT_ONCE), insert.immediate, onInserted)
}

/** Inserts any number of scans, quickest when they come ordered by code and time. */
export async function insertScans(
  connection: Sqlite.Database,
  scans: Iterable<Scan>,
  onInserted: (count: number) => void,
): Promise<void> {
  const sums = prepareScanSums(connection)
  const insert = connection.transaction((some: Scan[]) => {
    insertRows(connection, 'scans', some)
    sums.add(
      some.map(({ qr_id, scanned_at }) => ({ owner_id: sums.ownerOf(qr_id) ?? '', scanned_at })),
    )
  })
  await inTurns(connection, inChunks(scans, SCANS_AT_ONCE), insert.immediate, onInserted)
}

/**
 * A server beside us gets its turn: after each transaction we rest, and as long as it took when
 * somebody else has written since the one before.
 */
async function inTurns<T>(
  connection: Sqlite.Database,
  chunks: Iterable<T[]>,
  insert: (some: T[]) => void,
  onInserted: (count: number) => void,
): Promise<void> {
  for (const some of chunks) {
    const startedAt = performance.now()
    const written = otherWrites(connection)
    insert(some)
    onInserted(some.length)
    const took = performance.now() - startedAt
    await sleep(SHORTEST_REST_MS)
    if (otherWrites(connection) !== written) await sleep(took - SHORTEST_REST_MS)
  }
}

/** A number that changes with every transaction of another connection. */
function otherWrites(connection: Sqlite.Database): unknown {
  return connection.pragma('data_version', { simple: true })
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

function insertRows(connection: Sqlite.Database, table: string, rows: readonly object[]): void {
  if (!rows[0]) return
  const columns = Object.keys(rows[0])
  const insert = connection.prepare(
    `insert into ${table} (${columns.join(', ')}) values (@${columns.join(', @')})`,
  )
  for (const row of rows) insert.run(row)
}
