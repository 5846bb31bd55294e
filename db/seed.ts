import { setTimeout as sleep } from 'node:timers/promises'
import type Sqlite from 'better-sqlite3'
import { prepareOwnerScans } from '#db/owner-scans.ts'
import type { QrCode, Scan, Tables } from '#db/schema.ts'
import { isUniqueViolation } from '#db/sqlite.ts'
import { DomainError } from '#domain/error.ts'

/** A scan with the day it counts for in the zone of the installation. */
export type DatedScan = Scan & { day: string }
type Rows = { [table in keyof Tables]?: readonly object[] }

const ROWS_AT_ONCE = 5000
const ALREADY_HERE =
  'Sample data is here already: to begin anew, stop the server and remove the data folder'

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
  await inTurns(codes, insert.immediate, onInserted)
}

/** Inserts any number of scans, quickest when they come ordered by code and time. */
export async function insertScans(
  connection: Sqlite.Database,
  scans: Iterable<DatedScan>,
  onInserted: (count: number) => void,
): Promise<void> {
  const count = connection.prepare(`
    insert into scan_days (day, scans) values (?, ?)
    on conflict (day) do update set scans = scans + excluded.scans`)
  const addToOwners = prepareOwnerScans(connection)
  const insert = connection.transaction((dated: DatedScan[]) => {
    const days = new Map<string, number>()
    const rows = dated.map(({ day, ...scan }) => {
      days.set(day, (days.get(day) ?? 0) + 1)
      return scan
    })
    insertRows(connection, 'scans', rows)
    for (const [day, scans] of days) count.run(day, scans)
    addToOwners(rows)
  })
  await inTurns(scans, insert.immediate, onInserted)
}

/** A server beside us gets its turn: after each transaction we rest as long as it took. */
async function inTurns<T>(
  rows: Iterable<T>,
  insert: (some: T[]) => void,
  onInserted: (count: number) => void,
): Promise<void> {
  for (const some of inChunks(rows)) {
    const startedAt = performance.now()
    insert(some)
    onInserted(some.length)
    await sleep(performance.now() - startedAt)
  }
}

function* inChunks<T>(rows: Iterable<T>): Generator<T[]> {
  let chunk: T[] = []
  for (const row of rows) {
    if (chunk.push(row) < ROWS_AT_ONCE) continue
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
