import type Sqlite from 'better-sqlite3'
import { test } from 'vitest'
import { openEngine } from '#db/open-engine.ts'
import type { NoteCommit, ScanPath } from '#db/scans/scan-path.ts'
import { openDatabase } from '#db/sqlite/database.ts'
import { openScanPath } from '#db/sqlite/scan-path.ts'
import { findDamage, schemaVersion } from '#db/sqlite/sqlite.ts'
import { keepPools } from '#tests/support/kept-pools.ts'
import { isOnPostgres, takeDatabase } from '#tests/support/postgres.ts'
import { isOnS3 } from '#tests/support/storage.ts'

/** A test of SQLite's own: its plans, its file, its pragmas. */
export const testOnSqlite = test.skipIf(isOnPostgres())
export const testOnPostgres = test.skipIf(!isOnPostgres())
export const testOnLinux = test.skipIf(process.platform !== 'linux')
/** The super user may read and write everything. */
export const testAsUser = test.skipIf(process.getuid?.() === 0)
/** A test of files in a folder: their disk, links, times. */
export const testOnFolder = test.skipIf(isOnS3())
/** For both. */
export const testOnDisk = test.skipIf(isOnPostgres() || isOnS3())

/** An empty database of the engine that this run is about. */
export async function openTestDatabase(dataDir: string) {
  return isOnPostgres() ? openOnPostgres(dataDir) : openOnSqlite(dataDir)
}

async function openOnSqlite(dataDir: string) {
  const { db, file, connection, close } = await openDatabase(dataDir)
  return {
    db,
    url: undefined,
    connection,
    openScanPath: (clock: () => Date, noteCommit?: NoteCommit) =>
      openLater(() => openScanPath(file, clock, noteCommit)),
    readVersion: async () => schemaVersion(connection),
    listPools: () => [],
    findDamage: async () => findDamage(connection) ?? null,
    close: async () => close(),
  }
}

/** Opened with the first scan: most tests have none, and its connection reads the whole schema. */
function openLater(open: () => ScanPath): ScanPath {
  let opened: ScanPath | undefined
  const path = () => (opened ??= open())
  return {
    find: (qrId) => path().find(qrId),
    findReplaced: (qrId) => path().findReplaced(qrId),
    findHost: (host) => path().findHost(host),
    isPrinted: (qrId, accountId) => path().isPrinted(qrId, accountId),
    listPopup: (code) => path().listPopup(code),
    forgetPopups: () => opened?.forgetPopups(),
    record: (scan) => path().record(scan),
    close: () => opened?.close(),
  }
}

async function openOnPostgres(dataDir: string) {
  const { url, giveBack } = await takeDatabase()
  keepPools(url)
  const engine = await openEngine({ dataDir, databaseUrl: url, databasePool: 10 })
  return {
    ...engine,
    db: await engine.queries(),
    url,
    // There is none: a test that asks for it is one of testOnSqlite.
    connection: undefined as unknown as Sqlite.Database,
    async close() {
      await engine.close()
      await giveBack()
    },
  }
}
