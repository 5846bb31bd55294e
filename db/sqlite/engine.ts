import { execFile } from 'node:child_process'
import { extname } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import type { Engine, Opener } from '#db/engine.ts'
import { isQuicklyChecked, openDatabaseFile } from '#db/sqlite/database-file.ts'
import { openScanPath } from '#db/sqlite/scan-path.ts'
import { COMMAND_LINE_BUSY_MS, SERVER_BUSY_MS } from '#db/sqlite/sqlite.ts'

/** The database file of a data folder. */
export async function openSqliteEngine(dataDir: string, opener: Opener): Promise<Engine> {
  const busyTimeoutMs = opener === 'server' ? SERVER_BUSY_MS : COMMAND_LINE_BUSY_MS
  const { connection, file, close } = await openDatabaseFile(dataDir, busyTimeoutMs)
  return {
    openScanPath: (clock) => openScanPath(file, clock),
    async queries() {
      const { queriesOn } = await import('#db/sqlite/queries.ts')
      return queriesOn(connection)
    },
    findDamage: () => findDamageBeside(file),
    isChecked: isQuicklyChecked(file),
    close: async () => close(),
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
