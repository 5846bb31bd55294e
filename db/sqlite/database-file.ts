import { statSync } from 'node:fs'
import { join } from 'node:path'
import type Sqlite from 'better-sqlite3'
import { DATABASE_FILE } from '#db/data-folder.ts'
import { assertInstallId, assertNeverUsed, openFolder } from '#db/folder.ts'
import { newerSchemaMessage, SCHEMA_VERSION } from '#db/schema-version.ts'
import { randomToken } from '#db/secrets.ts'
import {
  countTables,
  findDamage,
  findInstallId,
  isForeignFile,
  openSqlite,
  SERVER_BUSY_MS,
  schemaVersion,
} from '#db/sqlite/sqlite.ts'

export type DatabaseFile = { connection: Sqlite.Database; file: string; close(): void }

/**
 * Opens the database of a data folder, checks that it is undamaged and belongs there, and migrates
 * it. Throws an Error with a one-line message for the operator when it must not be used.
 */
export async function openDatabaseFile(
  dataDir: string,
  busyTimeoutMs: number = SERVER_BUSY_MS,
): Promise<DatabaseFile> {
  const release = openFolder(dataDir)
  try {
    const file = join(dataDir, DATABASE_FILE)
    const connection = await openFile(file, dataDir, busyTimeoutMs)
    const close = () => {
      connection.close()
      release()
    }
    return { connection, file, close }
  } catch (error) {
    release()
    throw error
  }
}

async function openFile(
  file: string,
  dataDir: string,
  busyTimeoutMs: number,
): Promise<Sqlite.Database> {
  const connection = openSqlite(file, busyTimeoutMs, (opened) => assertUsable(opened, dataDir))
  try {
    await bringUpToDate(connection)
    const id = findInstallId(connection) ?? noteInstallId(connection)
    assertInstallId(dataDir, id, DATABASE_FILE)
    return connection
  } catch (error) {
    connection.close()
    throw error
  }
}

async function bringUpToDate(connection: Sqlite.Database): Promise<void> {
  const version = schemaVersion(connection)
  if (version === SCHEMA_VERSION) return
  if (version > SCHEMA_VERSION) throw new Error(newerSchemaMessage(version))
  const { migrateToLatest } = await import('#db/sqlite/migrate.ts')
  await migrateToLatest(connection)
}

function assertUsable(connection: Sqlite.Database, dataDir: string): void {
  if (countTables(connection) === 0) assertNeverUsed(dataDir, DATABASE_FILE)
  if (isForeignFile(connection)) {
    throw new Error(`${DATABASE_FILE} is a database of another program`)
  }
  const damage = isQuicklyChecked(connection.name) && findDamage(connection)
  if (damage) throw new Error(damageMessage(damage))
}

/** A check reads the whole file. Above this size it would delay the start. */
const QUICKLY_CHECKED_BYTES = 16 * 1024 * 1024

export function isQuicklyChecked(file: string): boolean {
  return statSync(file).size <= QUICKLY_CHECKED_BYTES
}

export function damageMessage(damage: string): string {
  return `${DATABASE_FILE} is damaged (${damage}): restore a backup`
}

/** Another process that opens the same new folder may have stored one since. */
function noteInstallId(connection: Sqlite.Database): string {
  const note = connection.prepare(
    "insert into meta (key, value) values ('install_id', ?) on conflict (key) do nothing",
  )
  note.run(randomToken())
  return findInstallId(connection) ?? ''
}
