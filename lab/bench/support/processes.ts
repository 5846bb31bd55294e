import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { setTimeout as sleep } from 'node:timers/promises'
import { residentMb } from '#lab/support/resident.ts'
import { SERVER, SERVER_ENV } from '#scripts/bootstrap/server.mjs'
import { freePort } from '#tests/support/server.ts'

export type Running = {
  url: string
  process: ChildProcess
  firstAnswerMs: number
  stop(): Promise<void>
}

const LONGEST_START_MS = 20_000
/** The core of the server. Its load comes from the other one. */
export const SERVER_CORE = '0'

/** A bench that fails leaves none of them running. */
const started: ChildProcess[] = []
process.on('exit', () => {
  for (const child of started) child.kill()
})

/** Starts DriveQR as `npm start` does, on a free port of loopback, and waits until `path` answers 200. */
export function startProduct(path: string, env: Record<string, string> = {}): Promise<Running> {
  return startServer(SERVER, path, { ...SERVER_ENV, ...env })
}

/** Starts a Node script on a free port of loopback and waits until `path` answers 200. */
export async function startServer(
  script: string[],
  path: string,
  env: Record<string, string> = {},
): Promise<Running> {
  const port = await freePort()
  const url = `http://127.0.0.1:${port}`
  const startedAt = performance.now()
  const args = ['-c', SERVER_CORE, process.execPath, ...script]
  const child = spawn('taskset', args, {
    env: {
      ...process.env,
      NODE_EXTRA_CA_CERTS: '',
      PORT: String(port),
      PUBLIC_URL: `http://localhost:${port}`,
      ...env,
    },
    stdio: ['ignore', 'ignore', 'inherit'],
  })
  started.push(child)
  await waitFor(`${url}${path}`, child)
  const firstAnswerMs = performance.now() - startedAt
  const stop = async () => {
    child.kill('SIGTERM')
    if (child.exitCode === null && child.signalCode === null) await once(child, 'exit')
  }
  return { url, process: child, firstAnswerMs, stop }
}

/** Watches the resident memory of a process until `stop`. */
export function watchMemory(child: ChildProcess) {
  const idleMb = residentMb(child.pid)
  let peakMb = idleMb
  const watch = setInterval(() => {
    peakMb = Math.max(peakMb, residentMb(child.pid))
  }, 10)
  return {
    stop() {
      clearInterval(watch)
      return { idleMb, peakMb }
    },
  }
}

async function waitFor(url: string, child: ChildProcess): Promise<void> {
  const giveUpAt = performance.now() + LONGEST_START_MS
  while (performance.now() < giveUpAt) {
    if (child.exitCode !== null) throw new Error(`The server ended with ${child.exitCode}`)
    const response = await fetch(url).catch(() => undefined)
    await response?.arrayBuffer()
    if (response?.ok) return
    await sleep(2)
  }
  throw new Error(`${url} did not answer 200`)
}
