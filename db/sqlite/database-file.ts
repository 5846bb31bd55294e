import { statSync } from 'node:fs'
import { join } from 'node:path'
import type Sqlite from 'better-sqlite3'
import { DATABASE_FILE } from '#db/data-folder.ts'
import type { BeforeMigration } from '#db/engine.ts'
import { assertInstallId, assertNeverUsed, openFolder } from '#db/folder.ts'
import { assertSupported, SCHEMA_VERSION } from '#db/schema-version.ts'
import {
  assertOwnKey,
  FINGERPRINT,
  fingerprint,
  type KeySettings,
  loadOwnKey,
} from '#db/secret-key.ts'
import { randomToken, type SecretKey } from '#db/secrets.ts'
import {
  countTables,
  findDamage,
  findNote,
  isForeignFile,
  openSqlite,
  schemaVersion,
} from '#db/sqlite/sqlite.ts'

type OpenedFile = { connection: Sqlite.Database; installId: string; secretKey: SecretKey }
export type DatabaseFile = OpenedFile & { file: string; close(): void }

/**
 * Opens the database of a data folder, checks that it is undamaged and belongs there with its key,
 * and migrates it. Throws an Error with a one-line message for the operator when it must not be used.
 */
export async function openDatabaseFile(
  settings: KeySettings,
  busyTimeoutMs: number,
  beforeMigration?: BeforeMigration,
): Promise<DatabaseFile> {
  const { dataDir } = settings
  const release = openFolder(dataDir)
  try {
    const file = join(dataDir, DATABASE_FILE)
    const opened = await openFile(file, settings, busyTimeoutMs, beforeMigration)
    const close = () => {
      opened.connection.close()
      release()
    }
    return { ...opened, file, close }
  } catch (error) {
    release()
    throw error
  }
}

async function openFile(
  file: string,
  settings: KeySettings,
  busyTimeoutMs: number,
  beforeMigration?: BeforeMigration,
): Promise<OpenedFile> {
  const { dataDir } = settings
  const connection = openSqlite(file, busyTimeoutMs, (opened) => assertUsable(opened, dataDir))
  try {
    // Before the migration, because a server with another key changes nothing.
    const secretKey = loadOwnKey(settings, findNote(connection, FINGERPRINT))
    await bringUpToDate(connection, beforeMigration)
    const installId = noteOnce(connection, 'install_id', randomToken)
    assertInstallId(dataDir, installId, DATABASE_FILE)
    const noted = noteOnce(connection, FINGERPRINT, () => fingerprint(secretKey))
    assertOwnKey(settings, secretKey, noted)
    return { connection, installId, secretKey }
  } catch (error) {
    connection.close()
    throw error
  }
}

async function bringUpToDate(
  connection: Sqlite.Database,
  beforeMigration?: BeforeMigration,
): Promise<void> {
  const version = schemaVersion(connection)
  if (version === SCHEMA_VERSION) return
  assertSupported(version)
  if (version > 0) await beforeMigration?.({ from: version, to: SCHEMA_VERSION })
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

/** A value that the first one notes: another process that opens the same new folder may be it. */
function noteOnce(connection: Sqlite.Database, key: string, make: () => string): string {
  const noted = findNote(connection, key)
  if (noted !== undefined) return noted
  const note = connection.prepare(
    'insert into meta (key, value) values (?, ?) on conflict (key) do nothing',
  )
  note.run(key, make())
  return findNote(connection, key) ?? ''
}
