import { accessSync, constants, existsSync, mkdirSync, readFileSync, statSync } from 'node:fs'
import { join } from 'node:path'
import type Sqlite from 'better-sqlite3'
import { Kysely, type Transaction } from 'kysely'
import { DATABASE_FILE, enterDataFolder, INSTALL_ID_FILE } from '#db/data-folder.ts'
import { writeDurably } from '#db/durable-file.ts'
import { migrateToLatest } from '#db/migrate.ts'
import type { Tables } from '#db/schema.ts'
import { randomToken } from '#db/secrets.ts'
import {
  countTables,
  findDamage,
  ImmediateDialect,
  isForeignFile,
  openSqlite,
  SERVER_BUSY_MS,
} from '#db/sqlite.ts'

export type Db = Kysely<Tables>
/** What a verb takes when it may also be a step of another verb's transaction. */
export type DbOrTrx = Db | Transaction<Tables>

export type Database = {
  db: Db
  connection: Sqlite.Database
  file: string
  close(): Promise<void>
}

/**
 * Opens the database of a data folder, checks that it is sound and belongs there, and migrates
 * it. Throws an Error with a one-line message for a person when it must not be used.
 */
export async function openDatabase(
  dataDir: string,
  busyTimeoutMs: number = SERVER_BUSY_MS,
): Promise<Database> {
  mkdirSync(dataDir, { recursive: true, mode: 0o700 })
  assertWritable(dataDir)
  const release = enterDataFolder(dataDir)
  try {
    const opened = await openFile(join(dataDir, DATABASE_FILE), dataDir, busyTimeoutMs)
    return { ...opened, close: () => opened.db.destroy().finally(release) }
  } catch (error) {
    release()
    throw error
  }
}

async function openFile(file: string, dataDir: string, busyTimeoutMs: number) {
  const connection = openSqlite(file, busyTimeoutMs, (opened) => assertUsable(opened, dataDir))
  try {
    const db = new Kysely<Tables>({ dialect: new ImmediateDialect(connection) })
    await migrateToLatest(db, connection)
    await assertInstallId(db, dataDir)
    return { db, connection, file }
  } catch (error) {
    connection.close()
    throw error
  }
}

function assertWritable(dataDir: string): void {
  try {
    accessSync(dataDir, constants.W_OK)
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException
    const reason = code === 'EROFS' ? 'the disk is read-only' : 'this user may not write there'
    throw new Error(`The data folder ${dataDir} cannot be written to: ${reason}`)
  }
}

function assertUsable(connection: Sqlite.Database, dataDir: string): void {
  if (countTables(connection) === 0 && existsSync(join(dataDir, INSTALL_ID_FILE))) {
    throw new Error(
      `${DATABASE_FILE} is missing or empty, but this data folder has been in use: restore a backup, or start with an empty data folder`,
    )
  }
  if (isForeignFile(connection)) {
    throw new Error(`${DATABASE_FILE} is a database of another program`)
  }
  const damage = isQuicklyChecked(connection.name) && findDamage(connection)
  if (damage) throw new Error(damageMessage(damage))
}

/** A check reads the whole file; above this size it would hold up the start. */
const QUICKLY_CHECKED_BYTES = 16 * 1024 * 1024

export function isQuicklyChecked(file: string): boolean {
  return statSync(file).size <= QUICKLY_CHECKED_BYTES
}

export function damageMessage(damage: string): string {
  return `${DATABASE_FILE} is damaged (${damage}): restore a backup`
}

/** A lost database file must not pass for a fresh installation, nor another one's for this one's. */
async function assertInstallId(db: Db, dataDir: string): Promise<void> {
  const file = join(dataDir, INSTALL_ID_FILE)
  await db
    .insertInto('meta')
    .values({ key: 'install_id', value: randomToken() })
    .onConflict((conflict) => conflict.doNothing())
    .execute()
  const { value } = await db
    .selectFrom('meta')
    .select('value')
    .where('key', '=', 'install_id')
    .executeTakeFirstOrThrow()
  if (!existsSync(file)) writeDurably(file, `${value}\n`)
  else if (readFileSync(file, 'utf8').trim() !== value) {
    throw new Error(`${DATABASE_FILE} belongs to another data folder: its install-id differs`)
  }
}

/** True when the database still answers a question. */
export async function isAnswering(db: Db): Promise<boolean> {
  return db
    .selectFrom('meta')
    .select('key')
    .limit(1)
    .execute()
    .then(
      () => true,
      () => false,
    )
}
