import { statSync } from 'node:fs'
import { join } from 'node:path'
import type Sqlite from 'better-sqlite3'
import { measureDatabase } from '#db/admin/database-size.ts'
import type { Db } from '#db/client.ts'
import { DATABASE_FILE } from '#db/data-folder.ts'
import type { Finding, Inspection } from '#db/engine.ts'
import { queriesOn } from '#db/sqlite/queries.ts'
import {
  assertSafeVersion,
  countTables,
  findBrokenReference,
  findDamage,
  isForeignFile,
  openToInspect,
  schemaVersion,
  sqliteVersion,
} from '#db/sqlite/sqlite.ts'
import { formatBytes } from '#domain/size.ts'

/** Opens the database file of a data folder for inspection; undefined when there is none, or an empty one. */
export async function inspectSqlite(dataDir: string): Promise<Inspection | undefined> {
  const file = join(dataDir, DATABASE_FILE)
  // Not existsSync: to a user without access to the folder it reports that nothing exists.
  if (!statSync(file, { throwIfNoEntry: false })) return undefined
  const connection = openToInspect(file)
  // A start that was refused or killed before it made the tables leaves that.
  if (countTables(connection) === 0) {
    connection.close()
    return undefined
  }
  const db = queriesOn(connection)
  return {
    db,
    version: schemaVersion(connection),
    checks: [
      ['SQLite', () => checkVersion(connection)],
      ['Database', () => checkDatabase(connection, db)],
      ['References', () => checkReferences(connection)],
    ],
    close: async () => void connection.close(),
  }
}

function checkVersion(connection: Sqlite.Database): Finding {
  assertSafeVersion(connection)
  return { status: 'ok', message: sqliteVersion(connection) }
}

async function checkDatabase(connection: Sqlite.Database, db: Db): Promise<Finding> {
  if (isForeignFile(connection)) {
    return { status: 'problem', message: 'is the database of another program' }
  }
  const damage = findDamage(connection)
  if (damage) return { status: 'problem', message: `is damaged (${damage}): restore a backup` }
  const bytes = (await measureDatabase(db)).reduce((sum, each) => sum + each.bytes, 0)
  return { status: 'ok', message: `quick check passed, ${formatBytes(bytes)}` }
}

function checkReferences(connection: Sqlite.Database): Finding {
  const table = findBrokenReference(connection)
  if (!table) return { status: 'ok', message: 'no reference is broken' }
  const message = `a row of ${table} refers to a missing row: restore a backup`
  return { status: 'problem', message }
}
