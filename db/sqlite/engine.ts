import { execFile } from 'node:child_process'
import { extname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { DATABASE_FILE } from '#db/data-folder.ts'
import type { BeforeMigration, Duty, Engine, Opener, WorkEngine } from '#db/engine.ts'
import type { KeySettings } from '#db/secret-key.ts'
import { isQuicklyChecked, openDatabaseFile } from '#db/sqlite/database-file.ts'
import { openLog } from '#db/sqlite/flushed-log.ts'
import { openScanPath } from '#db/sqlite/scan-path.ts'
import {
  COMMAND_LINE_BUSY_MS,
  openSqlite,
  SERVER_BUSY_MS,
  schemaVersion,
} from '#db/sqlite/sqlite.ts'
import { openTurns } from '#db/sqlite/turns.ts'

/**
 * A full log is copied into the database by the next commit, which takes some tens of milliseconds:
 * by default at 1,000 pages. A command or a thread that writes much does it before a server has to
 * in the middle of a scan.
 */
const BESIDE_LOG_PAGES = 500

/** Opens the database file of a data folder. */
export async function openSqliteEngine(
  settings: KeySettings,
  opener: Opener,
  beforeMigration?: BeforeMigration,
): Promise<Engine> {
  const busyTimeoutMs = opener === 'server' ? SERVER_BUSY_MS : COMMAND_LINE_BUSY_MS
  const { connection, file, installId, secretKey, close } = await openDatabaseFile(
    settings,
    busyTimeoutMs,
    beforeMigration,
  )
  if (opener === 'command line') connection.pragma(`wal_autocheckpoint = ${BESIDE_LOG_PAGES}`)
  const turns = openTurns()
  return {
    installId,
    secretKey,
    openScanPath: (clock, noteCommit) => openScanPath(file, clock, noteCommit, turns),
    readVersion: async () => schemaVersion(connection),
    hasAccounts: async () =>
      connection.prepare('select 1 from accounts limit 1').get() !== undefined,
    listPools: () => [],
    forWork: () => openSqliteForWork(settings.dataDir),
    forThread: turns.shared,
    async queries() {
      const { queriesOn } = await import('#db/sqlite/queries.ts')
      return queriesOn(connection)
    },
    clock: undefined,
    takeDuty: async () => ONLY_PROCESS,
    findDamage: () => findDamageBeside(file),
    isChecked: isQuicklyChecked(file),
    close: async () => close(),
  }
}

/** One process owns the file. */
const ONLY_PROCESS: Duty = { lost: new AbortController().signal, release() {} }

/**
 * Opens a further connection to a database that this process has open. The flush after its commits holds up neither
 * the thread nor other writers, because the commit is over by then. `shared`, of the engine that answers, is
 * for another thread than that one's.
 */
export async function openSqliteForWork(
  dataDir: string,
  shared?: SharedArrayBuffer,
): Promise<WorkEngine> {
  const file = join(dataDir, DATABASE_FILE)
  // It must not block a thread that has the transaction that it waits for.
  const connection = openSqlite(file, 0)
  connection.pragma('synchronous = NORMAL')
  // So that the thread that answers need not.
  if (shared) connection.pragma(`wal_autocheckpoint = ${BESIDE_LOG_PAGES}`)
  const turns = shared && openTurns(shared)
  const log = openLog(file)
  return {
    async queries() {
      const { queriesOn } = await import('#db/sqlite/queries.ts')
      return queriesOn(connection, { flush: log.flush, turns })
    },
    clock: undefined,
    takeDuty: async () => ONLY_PROCESS,
    async close() {
      connection.close()
      log.close()
    },
  }
}

/**
 * Runs in a separate process, because it reads the whole file, and its memory is freed afterwards.
 */
async function findDamageBeside(file: string): Promise<string | null> {
  // The program is beside this file, in the sources and in the build.
  const name = `./find-damage${extname(import.meta.url)}`
  const script = fileURLToPath(new URL(name, import.meta.url))
  const { stdout } = await promisify(execFile)(process.execPath, [script, file])
  return stdout || null
}
