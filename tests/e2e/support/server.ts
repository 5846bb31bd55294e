import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, rm } from 'node:fs/promises'
import { createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'

const START_LIMIT_MS = 15_000
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
 * Starts the built product on a free port with an empty data folder of its own. `env` adds to or
 * overrides its settings. Throws, with the server's output, when it does not get to serve.
 */
export async function startServer(env: Record<string, string> = {}): Promise<RunningServer> {
  const dataDir = await mkdtemp(join(tmpdir(), 'driveqr-e2e-'))
  const port = await freePort()
  const url = `http://localhost:${port}`
  const child = spawn(process.execPath, ['dist/server.js'], {
    env: { PATH: process.env.PATH, PORT: String(port), PUBLIC_URL: url, DATA_DIR: dataDir, ...env },
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  let output = ''
  child.stdout.on('data', (chunk) => (output += chunk))
  child.stderr.on('data', (chunk) => (output += chunk))
  try {
    await untilServing(child, url, () => output)
  } catch (error) {
    await rm(dataDir, { recursive: true, force: true })
    throw error
  }
  return {
    url,
    dataDir,
    output: () => output,
    stop: () => stopServer(child, dataDir, () => output),
  }
}

async function freePort(): Promise<number> {
  const probe = createServer().listen(0, '127.0.0.1')
  await once(probe, 'listening')
  const address = probe.address()
  probe.close()
  await once(probe, 'close')
  if (address === null || typeof address === 'string') throw new Error('No port was given')
  return address.port
}

async function untilServing(child: ChildProcess, url: string, output: () => string) {
  const deadline = Date.now() + START_LIMIT_MS
  while (Date.now() < deadline && child.exitCode === null) {
    const answer = await fetch(`${url}/healthz`).catch(() => undefined)
    if (answer?.ok) return
    await sleep(25)
  }
  child.kill('SIGKILL')
  throw new Error(`The server did not start:\n${output()}`)
}

async function stopServer(child: ChildProcess, dataDir: string, output: () => string) {
  const ended = child.exitCode === null ? once(child, 'exit') : Promise.resolve()
  child.kill('SIGTERM')
  await Promise.race([ended, sleep(STOP_LIMIT_MS, undefined, { ref: false })])
  if (child.exitCode === null) child.kill('SIGKILL')
  await rm(dataDir, { recursive: true, force: true })
  if (child.exitCode !== 0) {
    throw new Error(`The server ended with ${child.exitCode} instead of 0:\n${output()}`)
  }
}
