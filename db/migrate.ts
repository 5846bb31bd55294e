import type Sqlite from 'better-sqlite3'
import type { Kysely } from 'kysely'
import { type Migration, migrations } from '#db/migrations/index.ts'
import type { Tables } from '#db/schema.ts'
import { markAsOurs } from '#db/sqlite.ts'

/** The number of migrations that a database has seen stands in its `user_version`. */
export function schemaVersion(connection: Sqlite.Database): number {
  return connection.pragma('user_version', { simple: true }) as number
}

/**
 * Brings a database up to this program's schema, one transaction a migration, so that a crash
 * leaves either the old schema or the new one. Throws when the database is newer than the program.
 */
export async function migrateToLatest(
  db: Kysely<Tables>,
  connection: Sqlite.Database,
  steps: readonly Migration[] = migrations,
): Promise<void> {
  const version = schemaVersion(connection)
  if (version > steps.length) {
    throw new Error(newerSchemaMessage(version, steps.length))
  }
  for (const [index, migration] of steps.entries()) {
    if (index < version) continue
    await db.transaction().execute(async (trx) => {
      if (schemaVersion(connection) !== index) return
      await migration.up(trx as unknown as Kysely<unknown>)
      markAsOurs(connection)
      connection.pragma(`user_version = ${index + 1}`)
    })
  }
}

export function newerSchemaMessage(version: number, known = migrations.length): string {
  return `The database has schema ${version}, newer than this program's ${known}: start the newer program, or restore a backup made before the upgrade`
}
