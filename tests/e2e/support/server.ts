import { rm } from 'node:fs/promises'
import { setTimeout as sleep } from 'node:timers/promises'
import { openEngine } from '#db/open-engine.ts'
import { makeDataFolder } from '#tests/support/folders.ts'
import { isOnPostgres, takeDatabase } from '#tests/support/postgres.ts'
import { type Launched, launch } from '#tests/support/server.ts'
import { storageSettings } from '#tests/support/storage.ts'

const STOP_LIMIT_MS = 15_000

export type RunningServer = {
  url: string
  dataDir: string
  /** undefined on SQLite, whose database is in the data folder */
  databaseUrl: string | undefined
  /** Everything that the server has written to stdout and stderr so far. */
  output(): string
  /** Ends the server by SIGTERM. Throws unless its exit code is 0. */
  stop(): Promise<void>
}

/**
 * Starts the built product on a free port with its own data folder, an empty one unless given.
 * `env` adds settings or overrides them. Throws, with the server's output, when it does not start.
 */
export async function startServer(
  env: Record<string, string> = {},
  dataDir = makeDataFolder(),
): Promise<RunningServer> {
  const taken = isOnPostgres() ? await takeDatabase() : undefined
  const databaseUrl = taken?.url
  const storage = await storageSettings(dataDir)
  const server = await launch({
    dataDir,
    env: { DATABASE_URL: databaseUrl ?? '', ...storage, ...env },
  })
  const { url, output } = server
  const remove = async () => {
    await rm(dataDir, { recursive: true, force: true })
    await taken?.giveBack()
  }
  if (await server.serves()) {
    return { url, dataDir, databaseUrl, output, stop: () => stop(server).finally(remove) }
  }
  server.child.kill('SIGKILL')
  await remove()
  throw new Error(`The server did not start:\n${output()}`)
}

/** The database of a running server. */
export async function openDatabaseOf({
  dataDir,
  databaseUrl,
}: Pick<RunningServer, 'dataDir' | 'databaseUrl'>) {
  const settings = { dataDir, databaseUrl, databasePool: 1 }
  const engine = await openEngine(settings, 'command line')
  return { db: await engine.queries(), close: engine.close }
}

async function stop({ child, ended, output }: Launched) {
  child.kill('SIGTERM')
  await Promise.race([ended, sleep(STOP_LIMIT_MS, undefined, { ref: false })])
  if (child.exitCode === null) child.kill('SIGKILL')
  if (child.exitCode !== 0) {
    throw new Error(`The server ended with ${child.exitCode} instead of 0:\n${output()}`)
  }
}
