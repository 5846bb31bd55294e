import type Sqlite from 'better-sqlite3'
import type { Kysely } from 'kysely'
import { queriesOn } from '#db/kysely.ts'
import { type Migration, migrations } from '#db/migrations/index.ts'
import { schemaVersion } from '#db/schema-version.ts'
import { markAsOurs } from '#db/sqlite/sqlite.ts'
import { inTransaction } from '#db/transaction.ts'

/**
 * Brings an older database up to this program's schema, one transaction a migration, so that a
 * crash leaves either the old schema or the new one.
 */
export async function migrateToLatest(
  connection: Sqlite.Database,
  steps: readonly Migration[] = migrations,
): Promise<void> {
  const db = queriesOn(connection)
  const version = schemaVersion(connection)
  for (const [index, migration] of steps.entries()) {
    if (index < version) continue
    await inTransaction(db, async (trx) => {
      if (schemaVersion(connection) !== index) return
      await migration.up(trx as unknown as Kysely<unknown>)
      markAsOurs(connection)
      connection.pragma(`user_version = ${index + 1}`)
    })
  }
}
