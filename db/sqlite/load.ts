import { setTimeout as sleep } from 'node:timers/promises'
import type Sqlite from 'better-sqlite3'
import { movedOn, type Note, type Rows } from '#db/engine.ts'
import { prepareScanSums } from '#db/sqlite/scan-sums.ts'

/** A program that waits for a lock which was held so long tries again within this time. */
const SHORTEST_REST_MS = 30

/**
 * Inserts rows in one transaction. Afterwards it pauses, so that a running server can write: as long
 * as the transaction took, of which all above 30 ms only if another program has written meanwhile.
 */
export async function loadRows(
  connection: Sqlite.Database,
  rows: Rows,
  note?: Note,
): Promise<void> {
  const startedAt = performance.now()
  const written = otherWrites(connection)
  connection
    .transaction(() => {
      if (note) moveOn(connection, note)
      for (const [table, all] of Object.entries(rows)) insertRows(connection, table, all)
      if (rows.scans) addToSums(connection, rows.scans)
    })
    .immediate()
  const took = performance.now() - startedAt
  await sleep(Math.min(took, SHORTEST_REST_MS))
  if (otherWrites(connection) !== written) await sleep(took - SHORTEST_REST_MS)
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
