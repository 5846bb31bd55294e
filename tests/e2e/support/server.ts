import { rm } from 'node:fs/promises'
import { setTimeout as sleep } from 'node:timers/promises'
import { makeDataFolder } from '#tests/support/folders.ts'
import { type Launched, launch } from '#tests/support/server.ts'

const STOP_LIMIT_MS = 15_000

export type RunningServer = {
  url: string
  dataDir: string
  /** All that the server has written to stdout and stderr so far. */
  output(): string
  /** Ends the server as an operator would; throws when it does not leave with exit code 0. */
  stop(): Promise<void>
}

/**
 * Starts the built product on a free port with a data folder of its own, an empty one unless it is
 * given. `env` adds to or overrides its settings. Throws, with the server's output, when it does not get to serve.
 */
export async function startServer(
  env: Record<string, string> = {},
  dataDir = makeDataFolder(),
): Promise<RunningServer> {
  const server = await launch({ dataDir, env })
  const { url, output } = server
  if (await server.serves()) return { url, dataDir, output, stop: () => stop(server, dataDir) }
  server.child.kill('SIGKILL')
  await rm(dataDir, { recursive: true, force: true })
  throw new Error(`The server did not start:\n${output()}`)
}

async function stop({ child, ended, output }: Launched, dataDir: string) {
  child.kill('SIGTERM')
  await Promise.race([ended, sleep(STOP_LIMIT_MS, undefined, { ref: false })])
  if (child.exitCode === null) child.kill('SIGKILL')
  await rm(dataDir, { recursive: true, force: true })
  if (child.exitCode !== 0) {
    throw new Error(`The server ended with ${child.exitCode} instead of 0:\n${output()}`)
  }
}
