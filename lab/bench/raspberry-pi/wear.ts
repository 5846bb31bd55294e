import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { readFileSync } from 'node:fs'
import { copyDatabase, readPaths, SETTLED_MS, startDriveQr } from '../scan-page.ts'
import type { Running } from '../support/processes.ts'
import type { Row } from '../support/report.ts'
import { findTool } from '../support/tools.ts'

/** Several checkpoints of the write-ahead log. */
const SCANS = 2_000
const AT_ONCE = 32
const TRACED_SCANS = 300
/** The first minute after a start has work of its own. */
const STARTED_MS = 65_000
const MOST_FOR_A_SCAN = 28
const MOST_FOR_AN_IDLE_HOUR = 256
const BY_STRACE = 'Written for a scan ÷ by strace'

/** What scans write to the disk, and the same counted by strace. */
export async function benchWear(seeded: string, work: string): Promise<Row[]> {
  const paths = readPaths(seeded)
  const database = copyDatabase(seeded, work, 'wear')
  const server = await startDriveQr(database, paths[0] ?? '')
  try {
    await sleep(SETTLED_MS)
    const alone = await writtenBy(server, () => scan(server, paths, SCANS, 1))
    const together = await writtenBy(server, () => scan(server, paths, SCANS, AT_ONCE))
    const rows = [
      toRow('Written to the disk for a scan, KB', alone / SCANS),
      toRow(`Written to the disk for a scan, ${AT_ONCE} at once, KB`, together / SCANS),
    ]
    const strace = findTool('strace', BY_STRACE)
    return strace ? [...rows, await compareWithCalls(server, paths, strace, database)] : rows
  } finally {
    await server.stop()
  }
}

/** The kernel's count of whole pages beside the bytes of the calls, so that neither is trusted alone. */
async function compareWithCalls(
  server: Running,
  paths: string[],
  strace: string,
  database: string,
): Promise<Row> {
  const trace = `${database}.trace`
  const counted = await writtenBy(server, () =>
    traced(server, [strace, '-o', trace], () => scan(server, paths, TRACED_SCANS, 1)),
  )
  const called = callsIn(trace, database)
  if (called === 0 || counted < called) {
    throw new Error(`${called} bytes were written to ${database}, and ${counted} to a disk`)
  }
  return {
    what: BY_STRACE,
    measured: inKb(counted / TRACED_SCANS),
    limit: inKb(called / TRACED_SCANS),
    ratio: counted / called,
    budget: { atMost: 2 },
  }
}

/** What a server writes to the disk while nobody asks it anything. */
export async function benchIdleWear(seeded: string, work: string, minutes: number): Promise<Row> {
  const paths = readPaths(seeded)
  const server = await startDriveQr(copyDatabase(seeded, work, 'idle'), paths[0] ?? '')
  try {
    await sleep(STARTED_MS)
    const bytes = await writtenBy(server, () => sleep(minutes * 60_000))
    return {
      what: `Written to the disk in an idle hour, by ${minutes} minutes, KB`,
      measured: inKb(bytes),
      limit: '–',
      ratio: ((bytes / 1024) * 60) / minutes,
      budget: { atMost: MOST_FOR_AN_IDLE_HOUR },
    }
  } finally {
    await server.stop()
  }
}

/** Bytes that a server has had written to a disk, in whole pages: on a disk in memory it is nothing. */
async function writtenBy(server: Running, act: () => Promise<unknown>): Promise<number> {
  const before = writtenBytes(server)
  await act()
  return writtenBytes(server) - before
}

function writtenBytes({ process: { pid } }: Running): number {
  const io = readFileSync(`/proc/${pid}/io`, 'utf8')
  return Number(/^write_bytes: (\d+)$/m.exec(io)?.[1] ?? Number.NaN)
}

async function scan(
  { url }: Running,
  paths: string[],
  scans: number,
  atOnce: number,
): Promise<void> {
  let begun = 0
  const finder = async () => {
    while (begun < scans) {
      // Far apart in the table, as codes are.
      const path = paths[(begun++ * 7_919) % paths.length] ?? ''
      const answer = await fetch(url + path)
      if (!answer.ok) throw new Error(`${path} answered ${answer.status}`)
      await answer.arrayBuffer()
    }
  }
  await Promise.all(Array.from({ length: atOnce }, finder))
}

/** Traces what a server writes meanwhile, with the paths of the files. */
async function traced(
  { process: { pid } }: Running,
  [program = '', ...output]: string[],
  act: () => Promise<void>,
): Promise<void> {
  const calls = ['-e', 'trace=write,writev,pwrite64,pwritev,pwritev2']
  const args = ['-f', '-y', '-s', '0', ...calls, ...output, '-p', String(pid)]
  const strace = spawn(program, args, { stdio: ['ignore', 'ignore', 'pipe'] })
  const ended = once(strace, 'exit')
  // It says that it is attached.
  await Promise.race([once(strace.stderr, 'data'), ended])
  await act()
  strace.kill('SIGINT')
  await ended
}

/** The bytes of all calls that wrote to a database or its log. */
function callsIn(trace: string, database: string): number {
  let bytes = 0
  for (const line of readFileSync(trace, 'utf8').split('\n')) {
    const [, path = '', written = ''] = /\(\d+<([^>]+)>.* = (\d+)$/.exec(line) ?? []
    if (path.startsWith(database)) bytes += Number(written)
  }
  return bytes
}

function toRow(what: string, bytes: number): Row {
  const budget = { atMost: MOST_FOR_A_SCAN }
  return { what, measured: inKb(bytes), limit: '–', ratio: bytes / 1024, budget }
}

function inKb(bytes: number): string {
  return `${(bytes / 1024).toFixed(1)} KB`
}

function sleep(milliseconds: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, milliseconds))
}
