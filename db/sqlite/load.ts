import { setTimeout as sleep } from 'node:timers/promises'
import type Sqlite from 'better-sqlite3'
import type { Rows } from '#db/engine.ts'
import type { Scan } from '#db/schema.ts'
import { prepareScanSums } from '#db/sqlite/scan-sums.ts'

/** A program that waits for the lock tries again within this time. */
const SHORTEST_REST_MS = 30

/**
 * Inserts rows in one transaction. Afterwards it pauses, so that a running server can write: as
 * long as the transaction took, if another program has written meanwhile.
 */
export async function loadRows(connection: Sqlite.Database, rows: Rows): Promise<void> {
  const startedAt = performance.now()
  const written = otherWrites(connection)
  connection
    .transaction(() => {
      for (const [table, all] of Object.entries(rows)) insertRows(connection, table, all)
      addToSums(connection, rows.scans ?? [])
    })
    .immediate()
  const took = performance.now() - startedAt
  await sleep(SHORTEST_REST_MS)
  if (otherWrites(connection) !== written) await sleep(took - SHORTEST_REST_MS)
}

/** A number that changes with every transaction of another connection. */
function otherWrites(connection: Sqlite.Database): unknown {
  return connection.pragma('data_version', { simple: true })
}

function addToSums(connection: Sqlite.Database, scans: readonly Scan[]): void {
  const sums = prepareScanSums(connection)
  sums.add(
    scans.map(({ qr_id, scanned_at }) => ({ owner_id: sums.ownerOf(qr_id) ?? '', scanned_at })),
  )
}

function insertRows(connection: Sqlite.Database, table: string, rows: readonly object[]): void {
  if (!rows[0]) return
  const columns = Object.keys(rows[0])
  const insert = connection.prepare(
    `insert into ${table} (${columns.join(', ')}) values (@${columns.join(', @')})`,
  )
  for (const row of rows) insert.run(row)
}
