import {
  chmodSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  statSync,
  truncateSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import Sqlite from 'better-sqlite3'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { insertAccount } from '#db/accounts/accounts.ts'
import { DATABASE_FILE } from '#db/data-folder.ts'
import { SCHEMA_VERSION } from '#db/schema-version.ts'
import { openDatabase } from '#db/sqlite/database.ts'
import { openSqlite, schemaVersion } from '#db/sqlite/sqlite.ts'
import { inTransaction } from '#db/transaction.ts'
import { testOnLinux } from '#tests/support/database.ts'

const NOW = new Date('2026-11-20T10:00:00.000Z')
let dataDir: string
let file: string

beforeEach(() => {
  dataDir = mkdtempSync(join(tmpdir(), 'driveqr-db-'))
  file = join(dataDir, DATABASE_FILE)
})
afterEach(() => rmSync(dataDir, { recursive: true, force: true }))

async function openAndClose(): Promise<void> {
  await (await openDatabase(dataDir)).close()
}

const account = (email: string) => ({ name: 'Asha', email, password_hash: null })

describe('opening the database', () => {
  test('a fresh folder gets a database, its install id and the settings that keep data', async () => {
    const { connection, close } = await openDatabase(dataDir)
    const setting = (name: string) => connection.pragma(name, { simple: true })
    expect(setting('journal_mode')).toBe('wal')
    expect(setting('synchronous')).toBe(2)
    expect(setting('foreign_keys')).toBe(1)
    expect(schemaVersion(connection)).toBe(SCHEMA_VERSION)
    await close()
    expect(readFileSync(join(dataDir, 'install-id'), 'utf8')).toMatch(/^[\w-]{43}\n$/)
    expect(statSync(join(dataDir, 'install-id')).mode & 0o777).toBe(0o600)
  })

  test('a new database has no account', async () => {
    const { db, close } = await openDatabase(dataDir)
    const accounts = await db.selectFrom('accounts').selectAll().execute()
    await close()
    expect(accounts).toEqual([])
  })

  test('a folder that others could read is closed to them, with its contents', async () => {
    await openAndClose()
    const outside = join(dataDir, 'photo.jpg')
    const folders = ['', 'files', 'backups'].map((name) => join(dataDir, name))
    const files = ['driveqr.db', 'driveqr.db-wal', 'secret.key', 'install-id', 'lock'].map((name) =>
      join(dataDir, name),
    )
    for (const folder of folders) mkdirSync(folder, { recursive: true })
    for (const path of [join(dataDir, 'driveqr.db-wal'), outside]) writeFileSync(path, '')
    for (const folder of folders) chmodSync(folder, 0o755)
    for (const path of [...files, outside]) chmodSync(path, 0o644)
    const { close } = await openDatabase(dataDir)
    const modes = (paths: string[]) => paths.map((path) => statSync(path).mode & 0o777)
    expect(modes(folders)).toEqual(folders.map(() => 0o700))
    expect(modes(files)).toEqual(files.map(() => 0o600))
    expect(modes([outside])).toEqual([0o644])
    await close()
  })

  test('synchronous stays FULL on a connection that opens an existing file', async () => {
    await openAndClose()
    const connection = openSqlite(file, 0)
    connection.prepare("insert into meta values ('probe', '1')").run()
    expect(connection.pragma('synchronous', { simple: true })).toBe(2)
    connection.close()
  })

  test('opening again changes nothing', async () => {
    await openAndClose()
    const before = readFileSync(join(dataDir, 'install-id'), 'utf8')
    await openAndClose()
    expect(readFileSync(join(dataDir, 'install-id'), 'utf8')).toBe(before)
  })

  test('a lost or emptied database is not taken for a fresh installation', async () => {
    await openAndClose()
    truncateSync(file, 0)
    await expect(openDatabase(dataDir)).rejects.toThrow('missing or empty')
    expect(statSync(file).size).toBe(0)
    rmSync(file)
    await expect(openDatabase(dataDir)).rejects.toThrow('restore a backup')
  })

  test('a file in place of the folder is refused with an explanation', async () => {
    writeFileSync(file, 'a note')
    await expect(openDatabase(file)).rejects.toThrow(`DATA_DIR ${file} is no folder`)
    await expect(openDatabase(join(file, 'data'))).rejects.toThrow('or not in one')
  })

  testOnLinux('a folder that the system does not make is refused, not tried for ever', async () => {
    for (const folder of ['/proc/driveqr', '/proc/driveqr/data']) {
      await expect(openDatabase(folder)).rejects.toThrow(`DATA_DIR ${folder} cannot be made`)
    }
  })

  test('a database from another folder is refused', async () => {
    await openAndClose()
    writeFileSync(join(dataDir, 'install-id'), 'another\n')
    await expect(openDatabase(dataDir)).rejects.toThrow('belongs to another data folder')
  })

  test('a database of another program is refused and left alone', async () => {
    const other = new Sqlite(file)
    other.exec('create table theirs (a)')
    other.close()
    const before = readFileSync(file)
    await expect(openDatabase(dataDir)).rejects.toThrow('another program')
    expect(readFileSync(file).equals(before)).toBe(true)
  })

  test('a file that is no database is refused', async () => {
    writeFileSync(file, 'not a database at all, whatever its name says. '.repeat(100))
    await expect(openDatabase(dataDir)).rejects.toThrow(/not a database/)
  })

  test('a damaged page is found before anything is served', async () => {
    const { db, close } = await openDatabase(dataDir)
    for (let i = 0; i < 200; i++) await insertAccount(db, account(`a${i}@example.in`), NOW)
    await close()
    const bytes = readFileSync(file)
    for (let page = 4; page * 4096 < bytes.length; page += 2)
      bytes.fill(0xff, page * 4096, page * 4096 + 512)
    writeFileSync(file, bytes)
    await expect(openDatabase(dataDir)).rejects.toThrow(/damaged|malformed/)
  })

  test('a database newer than the program is refused with one line', async () => {
    await openAndClose()
    const connection = new Sqlite(file)
    connection.pragma('user_version = 99')
    connection.close()
    await expect(openDatabase(dataDir)).rejects.toThrow(/schema 99, newer than/)
  })
})

describe('two writers', () => {
  test('a transaction waits for another connection’s write instead of failing', async () => {
    const { db, close } = await openDatabase(dataDir, 0)
    const other = openSqlite(file, 0)
    other.exec('begin immediate')
    setTimeout(() => other.exec('commit'), 150)
    await insertAccountInTransaction(db, 'a@example.in')
    expect(other.prepare('select count(*) from accounts').pluck().get()).toBe(1)
    other.close()
    await close()
  })

  test('a read before the write is never a stale snapshot', async () => {
    const { db, close } = await openDatabase(dataDir, 0)
    const other = openSqlite(file, 1000)
    await inTransaction(db, async (trx) => {
      await trx.selectFrom('accounts').selectAll().execute()
      expect(() => other.prepare("insert into meta values ('x', 'y')").run()).toThrow('locked')
      await insertAccount(trx, account('a@example.in'), NOW)
    })
    other.close()
    await close()
  })

  test('strict tables refuse what is not of their type', async () => {
    const { connection, close } = await openDatabase(dataDir)
    const insert = connection.prepare('insert into scan_quarters (quarter, scans) values (?, ?)')
    expect(() => insert.run('2026-11-20T10:00', 'many')).toThrow('cannot store TEXT value')
    expect(() => insert.run('2026-11-20T10:00', 0)).toThrow('CHECK constraint')
    await close()
  })
})

async function insertAccountInTransaction(
  db: Awaited<ReturnType<typeof openDatabase>>['db'],
  email: string,
): Promise<void> {
  await inTransaction(db, (trx) => insertAccount(trx, account(email), NOW))
}
