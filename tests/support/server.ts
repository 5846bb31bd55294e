import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, readFileSync, readlinkSync } from 'node:fs'
import { createServer } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'

const START_LIMIT_MS = 60_000

/** The end of a process: an exit code or a signal. */
export type Ending = { code: number | null; signal: NodeJS.Signals | null }

export type Launched = {
  url: string
  child: ChildProcess
  /** Sends a signal to the server itself, not to a wrapper such as strace. */
  kill(signal: NodeJS.Signals): void
  /** All that it has written to stdout and stderr so far. */
  output(): string
  ended: Promise<Ending>
  /** True when it answers; false when it has ended before, or does not answer in time. */
  serves(): Promise<boolean>
}

export type Launch = {
  dataDir: string
  env?: Record<string, string>
  /** the program to run; drills have modified versions */
  program?: string
  /** arguments of the program */
  args?: string[]
  /** a free one unless given */
  port?: number
  /** a wrapper command with its arguments, for example strace */
  under?: string[]
}

/** Starts the built product on a free port of loopback, without waiting for it to serve. */
export async function launch({
  dataDir,
  env = {},
  program = 'dist/server.js',
  args = [],
  under = [],
  port: given,
}: Launch): Promise<Launched> {
  const port = given ?? (await freePort())
  const url = `http://localhost:${port}`
  const [command = '', ...all] = [...under, process.execPath, program, ...args]
  const child = spawn(command, all, {
    env: { PATH: process.env.PATH, PORT: String(port), PUBLIC_URL: url, DATA_DIR: dataDir, ...env },
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  let output = ''
  child.stdout.on('data', (chunk) => (output += chunk))
  child.stderr.on('data', (chunk) => (output += chunk))
  // Not `exit`, which may come before the last output has been read.
  const ended = once(child, 'close').then(([code, signal]) => ({ code, signal }) as Ending)
  return {
    url,
    child,
    kill: (signal) => process.kill(innermost(child.pid ?? 0), signal),
    output: () => output,
    ended,
    serves: () => untilServing(child, url),
  }
}

/** A wrapper has one child. The server may have some too. */
function innermost(pid: number): number {
  const path = `/proc/${pid}/task/${pid}/children`
  const children = existsSync(path) ? readFileSync(path, 'utf8').trim() : ''
  const isServer = children && readlinkSync(`/proc/${pid}/exe`) === process.execPath
  return children && !isServer ? innermost(Number(children.split(' ')[0])) : pid
}

export async function freePort(): Promise<number> {
  const probe = createServer().listen(0, '127.0.0.1')
  await once(probe, 'listening')
  const address = probe.address()
  probe.close()
  await once(probe, 'close')
  if (address === null || typeof address === 'string') throw new Error('No port was given')
  return address.port
}

async function untilServing(child: ChildProcess, url: string): Promise<boolean> {
  const deadline = Date.now() + START_LIMIT_MS
  while (Date.now() < deadline && child.exitCode === null && child.signalCode === null) {
    const answer = await fetch(`${url}/healthz`).catch(() => undefined)
    if (answer?.ok) return true
    await sleep(25)
  }
  return false
}
