/** Settings and checks of a SQLite connection. */
import Sqlite from 'better-sqlite3'
import { withoutMarks } from '#domain/text.ts'

/** Older releases could corrupt a WAL that two connections write. */
const OLDEST_SAFE_SQLITE = [3, 51, 3]

/** Marks the file as DriveQR's ("DrQR"). */
const APPLICATION_ID = 0x44725152

/** The time for which a connection waits for another one's commit. It blocks the thread. */
export const SERVER_BUSY_MS = 250
export const COMMAND_LINE_BUSY_MS = 10_000

/**
 * Opens a connection with the settings that every connection needs. `assertUsable` checks the file
 * before them, because the first setting already writes to it.
 */
export function openSqlite(
  file: string,
  busyTimeoutMs: number,
  assertUsable?: (connection: Sqlite.Database) => void,
): Sqlite.Database {
  const connection = new Sqlite(file, { timeout: busyTimeoutMs })
  try {
    assertSafeVersion(connection)
    assertUsable?.(connection)
    applySettings(connection)
    connection.function('has_unmarked', { deterministic: true }, hasUnmarked)
    return connection
  } catch (error) {
    connection.close()
    throw error
  }
}

/** Implements `hasUnmarked` of `db/text-search.ts`, for which SQLite has no function of its own. */
function hasUnmarked(column: unknown, text: unknown): number {
  if (typeof column !== 'string') return 0
  const plain = withoutMarks(column)
  // A column without marks was looked at by `like`.
  return Number(plain !== column && plain.toLowerCase().includes(String(text)))
}

function applySettings(connection: Sqlite.Database): void {
  for (const setting of [
    'journal_mode = WAL',
    'synchronous = FULL',
    'foreign_keys = ON',
    'trusted_schema = OFF',
    'cell_size_check = ON',
    'secure_delete = ON',
    'temp_store = MEMORY',
    // In KB. The system keeps the file in memory; 16 MB for each connection were no faster.
    'cache_size = -2000',
    'journal_size_limit = 67108864',
  ]) {
    connection.pragma(setting)
  }
}

/**
 * Opens a connection that refuses to write. It is not opened read-only, because such a connection
 * leaves its -wal and -shm files behind. Created by root, they would lock out the server's user.
 */
export function openToInspect(file: string): Sqlite.Database {
  const connection = new Sqlite(file, { fileMustExist: true, timeout: COMMAND_LINE_BUSY_MS })
  connection.pragma('query_only = ON')
  return connection
}

export function isForeignFile(connection: Sqlite.Database): boolean {
  const id = connection.pragma('application_id', { simple: true })
  return id !== APPLICATION_ID && countTables(connection) > 0
}

export function markAsOurs(connection: Sqlite.Database): void {
  connection.pragma(`application_id = ${APPLICATION_ID}`)
}

/** Returns the version of a database's schema; 0 when it is empty. */
export function schemaVersion(connection: Sqlite.Database): number {
  return connection.pragma('user_version', { simple: true }) as number
}

/** Returns a single value of the installation; undefined too in a database that is not migrated. */
export function findNote(connection: Sqlite.Database, key: string): string | undefined {
  if (countTables(connection) === 0) return undefined
  const noted = connection.prepare('select value from meta where key = ?').pluck()
  return noted.get(key) as string | undefined
}

export function countTables(connection: Sqlite.Database): number {
  return connection.prepare('select count(*) from sqlite_schema').pluck().get() as number
}

/**
 * Returns the first damage that a check finds, on one line; undefined when there is none. The quick check
 * does not compare tables with their indexes.
 */
export function findDamage(
  connection: Sqlite.Database,
  check: 'quick_check' | 'integrity_check' = 'quick_check',
): string | undefined {
  const finding = String(connection.pragma(`${check}(1)`, { simple: true }))
  return finding === 'ok' ? undefined : finding.replaceAll(/\s+/g, ' ')
}

/**
 * Writes the database as of one moment into a new file, while others write. The backup API would
 * start again after each write of another process.
 */
export function copyInto(connection: Sqlite.Database, target: string): void {
  connection.prepare('vacuum into ?').run(target)
}

/** Returns a table with a row that refers to a missing row; undefined when there is none. */
export function findBrokenReference(connection: Sqlite.Database): string | undefined {
  const first = connection.prepare('pragma foreign_key_check').get() as
    | { table: string }
    | undefined
  return first?.table
}

export function isBusy(error: unknown): boolean {
  return error instanceof Sqlite.SqliteError && error.code.startsWith('SQLITE_BUSY')
}

export function sqliteVersion(connection: Sqlite.Database): string {
  return String(connection.prepare('select sqlite_version()').pluck().get())
}

/** Throws when this release of SQLite could damage the database. */
export function assertSafeVersion(connection: Sqlite.Database): void {
  const version = sqliteVersion(connection)
  const parts = version.split('.').map(Number)
  const difference = OLDEST_SAFE_SQLITE.map((part, i) => (parts[i] ?? 0) - part).find(
    (d) => d !== 0,
  )
  if ((difference ?? 0) < 0) {
    throw new Error(
      `SQLite ${version} can corrupt its log; ${OLDEST_SAFE_SQLITE.join('.')} or newer is needed`,
    )
  }
}
