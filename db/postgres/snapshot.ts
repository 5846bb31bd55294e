import type pg from 'pg'
import { enterDataFolder } from '#db/data-folder.ts'
import { listTables } from '#db/postgres/catalog.ts'
import { findSchemaVersion } from '#db/postgres/migrate.ts'
import { addressOf, openPool, withClient } from '#db/postgres/pool.ts'
import { finishRestore } from '#db/postgres/restore.ts'
import { readRows } from '#db/postgres/rows.ts'
import { whyNotConnected } from '#db/postgres/server-checks.ts'
import { assertCurrent } from '#db/schema-version.ts'
import { migrateToLatest } from '#db/sqlite/migrate.ts'
import { writeRows } from '#db/sqlite/rows.ts'
import { inspectSnapshot, type Snapshot } from '#db/sqlite/snapshot.ts'
import { openSqlite } from '#db/sqlite/sqlite.ts'
import { CommandError } from '#domain/error.ts'

type Copy = ReturnType<typeof openSqlite>

/**
 * Copies the database as of one moment, while others write, into a new SQLite file, which is the
 * format of archives. The copy is checked in depth.
 */
export async function takePostgresSnapshot(
  dataDir: string,
  url: string,
  target: string,
): Promise<Snapshot> {
  const pool = openPool(url, 1, { default_transaction_read_only: 'on', statement_timeout: '0' })
  const connection = openSqlite(target, 0)
  let release = () => {}
  try {
    await finishRestore(pool, dataDir)
    release = enterDataFolder(dataDir)
    await migrateToLatest(connection)
    // Tables are copied one after the other, so a row may refer to a row that comes later.
    connection.pragma('foreign_keys = OFF')
    connection.pragma('synchronous = OFF')
    await withClient(pool, (client) => copyAll(client, connection))
    connection.pragma('wal_checkpoint(TRUNCATE)')
  } catch (error) {
    throw whyNotConnected(error, addressOf(pool))
  } finally {
    connection.close()
    await pool.end()
    release()
  }
  return inspectSnapshot(target)
}

async function copyAll(client: pg.ClientBase, connection: Copy): Promise<void> {
  await client.query('begin isolation level repeatable read')
  const version = await findSchemaVersion(client)
  if (version === undefined) {
    throw new CommandError('There is no database in DATABASE_URL')
  }
  assertCurrent(version)
  for (const name of await listTables(client)) {
    for await (const rows of readRows(client, name)) writeRows(connection, name, rows)
  }
  await client.query('commit')
}
