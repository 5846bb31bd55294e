import type Sqlite from 'better-sqlite3'
import { CompiledQuery } from 'kysely'
import { migrations, versionsOf } from '#db/migrations/index.ts'
import type { Migration } from '#db/migrations/migration.ts'
import { queriesOn } from '#db/sqlite/queries.ts'
import { markAsOurs, schemaVersion } from '#db/sqlite/sqlite.ts'
import { inTransaction } from '#db/transaction.ts'

/**
 * Migrates an older database to this program's schema, one transaction per migration, so that a
 * crash leaves a complete schema.
 */
export async function migrateToLatest(
  connection: Sqlite.Database,
  steps: readonly Migration[] = migrations,
): Promise<void> {
  const db = queriesOn(connection)
  const version = schemaVersion(connection)
  for (const [index, { sqlite, fill }] of steps.entries()) {
    const { before, after } = versionsOf(index)
    if (version >= after) continue
    await inTransaction(db, async (trx) => {
      // Another process may have migrated it while this one waited.
      if (schemaVersion(connection) !== before) return
      // A migration may change a check, which SQLite keeps as text.
      connection.unsafeMode(true)
      try {
        for (const statement of sqlite) await trx.executeQuery(CompiledQuery.raw(statement))
      } finally {
        connection.unsafeMode(false)
      }
      await fill?.(async <Row>(statement: string, values: unknown[]) => {
        const { rows } = await trx.executeQuery(CompiledQuery.raw(statement, values))
        return rows as Row[]
      })
      markAsOurs(connection)
      connection.pragma(`user_version = ${after}`)
    })
  }
}
