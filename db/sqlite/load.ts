import { setTimeout as sleep } from 'node:timers/promises'
import type Sqlite from 'better-sqlite3'
import { movedOn, type Note, type Rows } from '#db/engine.ts'
import { prepareScanSums } from '#db/sqlite/scan-sums.ts'

/** A program that waits for a lock which was held so long tries again within this time. */
const LONG_REST_MS = 30
/** A scan tries again after a millisecond. */
const SHORT_REST_MS = 2

/** The last load of a connection: when it ended, how long it took, and who had written by then. */
type Last = { endedAt: number; took: number; written: unknown }
const loads = new WeakMap<Sqlite.Database, Last>()

/**
 * Inserts rows in one transaction. Before it there is a pause since the last one, so that a running
 * server can write: 2 ms after a short one; 30 ms after a longer one, or as long as it took if another
 * program has written meanwhile.
 */
export async function loadRows(
  connection: Sqlite.Database,
  rows: Rows,
  note?: Note,
): Promise<void> {
  await rest(connection)
  const startedAt = performance.now()
  connection
    .transaction(() => {
      if (note) moveOn(connection, note)
      for (const [table, all] of Object.entries(rows)) insertRows(connection, table, all)
      if (rows.scans) addToSums(connection, rows.scans)
    })
    .immediate()
  const endedAt = performance.now()
  loads.set(connection, { endedAt, took: endedAt - startedAt, written: otherWrites(connection) })
}

async function rest(connection: Sqlite.Database): Promise<void> {
  const last = loads.get(connection)
  if (!last) return
  const { endedAt, took, written } = last
  const until = async (time: number) => {
    if (time > performance.now()) await sleep(time - performance.now())
  }
  await until(endedAt + (took < LONG_REST_MS ? SHORT_REST_MS : LONG_REST_MS))
  if (took > LONG_REST_MS && otherWrites(connection) !== written) await until(endedAt + took)
}

function moveOn(connection: Sqlite.Database, { key, from, to }: Note): void {
  const update = prepareOnce(connection, 'update meta set value = ? where key = ? and value = ?')
  if (update.run(to, key, from).changes === 0) throw movedOn()
}

/** A number that changes with every transaction of another connection. */
function otherWrites(connection: Sqlite.Database): unknown {
  return connection.pragma('data_version', { simple: true })
}

function addToSums(connection: Sqlite.Database, scans: Rows['scans'] & {}): void {
  const sums = prepareScanSums(connection)
  sums.add(
    scans.map(({ qr_id, scanned_at }) => ({ owner_id: sums.ownerOf(qr_id) ?? '', scanned_at })),
  )
}

function insertRows(connection: Sqlite.Database, table: string, rows: readonly object[]): void {
  if (!rows[0]) return
  const columns = Object.keys(rows[0])
  const insert = prepareOnce(
    connection,
    `insert into ${table} (${columns.join(', ')}) values (@${columns.join(', @')})`,
  )
  for (const row of rows) insert.run(row)
}

const prepared = new WeakMap<Sqlite.Database, Map<string, Sqlite.Statement>>()

/** Thousands of small loads would leave as many statements to the garbage collector. */
function prepareOnce(connection: Sqlite.Database, text: string): Sqlite.Statement {
  const own = prepared.get(connection) ?? new Map<string, Sqlite.Statement>()
  prepared.set(connection, own)
  const statement = own.get(text) ?? connection.prepare(text)
  own.set(text, statement)
  return statement
}
