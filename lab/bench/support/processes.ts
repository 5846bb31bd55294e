import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { readFileSync } from 'node:fs'
import { createServer } from 'node:net'
import { SERVER, SERVER_ENV } from '#scripts/bootstrap/server.mjs'

export type Running = {
  url: string
  process: ChildProcess
  firstAnswerMs: number
  stop(): Promise<void>
}

const LONGEST_START_MS = 20_000
/** The core of the server. Its load comes from the other one. */
const SERVER_CORE = '0'

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
  const port = await findFreePort()
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

/**
 * Runs a command of DriveQR to its end, by another program if one is given. Its memory is that of all its
 * processes, in MB.
 */
export async function runCommand(
  dataDir: string,
  args: string[],
  by: string[] = [],
): Promise<{ seconds: number; peakMb: number }> {
  const [program = '', ...rest] = [...by, process.execPath, 'dist/driveqr.js', ...args]
  const startedAt = performance.now()
  const child = spawn(program, rest, {
    env: { ...process.env, DATA_DIR: dataDir, PUBLIC_URL: 'https://keys.example.in' },
    stdio: ['ignore', 'ignore', 'inherit'],
  })
  let peakMb = 0
  const watch = setInterval(() => {
    if (child.exitCode === null) peakMb = Math.max(peakMb, residentMb(child) || 0)
  }, 10)
  const [status] = await once(child, 'exit')
  clearInterval(watch)
  if (status !== 0) throw new Error(`${args[0]} ended with ${status}`)
  return { seconds: (performance.now() - startedAt) / 1000, peakMb }
}

/** Resident memory of a process and those that it has started, in MB. */
export function residentMb({ pid }: ChildProcess): number {
  const children = readFileSync(`/proc/${pid}/task/${pid}/children`, 'utf8').trim()
  const all = [pid, ...children.split(' ').filter(Boolean)]
  return all.map(residentMbOf).reduce((sum, each) => sum + each)
}

function residentMbOf(pid: number | string | undefined): number {
  const status = readFileSync(`/proc/${pid}/status`, 'utf8')
  // A process that has just ended has none.
  return Number(status.match(/VmRSS:\s+(\d+)/)?.[1] ?? 0) / 1024
}

export async function waitFor(url: string, child: ChildProcess): Promise<void> {
  const giveUpAt = performance.now() + LONGEST_START_MS
  while (performance.now() < giveUpAt) {
    if (child.exitCode !== null) throw new Error(`The server ended with ${child.exitCode}`)
    const response = await fetch(url).catch(() => undefined)
    await response?.arrayBuffer()
    if (response?.ok) return
    await new Promise((resolve) => setTimeout(resolve, 2))
  }
  throw new Error(`${url} did not answer 200`)
}

export async function findFreePort(): Promise<number> {
  const probe = createServer().listen(0, '127.0.0.1')
  await once(probe, 'listening')
  const { port } = probe.address() as { port: number }
  probe.close()
  await once(probe, 'close')
  return port
}
