import { cpSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import Sqlite from 'better-sqlite3'
import { noteBackup } from '#lab/support/fresh-backup.ts'
import { type Load, load } from './support/load.ts'
import { type Running, residentMb, startProduct, startServer } from './support/processes.ts'
import { median, type Row } from './support/report.ts'

/** After this time the start's garbage is collected and a large database is checked. */
export const SETTLED_MS = 2_700
/** Until the runtime has compiled what is used most, which takes a large program longer. */
const WARM_UP_SECONDS = 6
const ROUND_SECONDS = 1
/** Many short rounds, because a shared machine has slow seconds that hit one target at a time. */
const ROUNDS = 5
const CODES_IN_PLAY = 20_000
const SCAN_BYTES_ON_THE_WIRE = 4 * 1024

export type Target = {
  name: string
  running: Running
  /** What it has recorded so far, if it records scans. */
  countScans?: () => Promise<number>
  headers?: Record<string, string>
}

export async function startLimit(seeded: string, work: string, paths: string[]): Promise<Target> {
  const file = copyDatabase(seeded, work, 'limit')
  const env = { DATABASE: file, TEMPLATE: templateIn(work) }
  const running = await startServer(['dist/bench/limit.js'], paths[0] ?? '', env)
  return { name: 'limit', running, countScans: counterOf(file) }
}

export async function startOurs(
  seeded: string,
  work: string,
  paths: string[],
  env: Record<string, string> = {},
): Promise<Target> {
  const file = copyDatabase(seeded, work, 'driveqr')
  const running = await startDriveQr(file, paths[0] ?? '', env)
  return { name: 'driveqr', running, countScans: counterOf(file) }
}

const templateIn = (work: string) => join(work, 'page.html')

/** Lookup, recorded scan and page for random codes of 100,000, compared with the limit. */
export async function benchScanPage(seeded: string, work: string): Promise<Row[]> {
  const paths = readPaths(seeded)
  const page = await fetchSamplePage(seeded, work, paths[0] ?? '')
  const ours = await startOurs(seeded, work, paths)
  const driveqr = ours.running
  await sleep(SETTLED_MS)
  const idleMb = residentMb(driveqr.process)
  const bareMb = await measureBare(seeded, work, paths)
  await fetch(`${driveqr.url}/`)
  await sleep(SETTLED_MS)
  const wholeMb = residentMb(driveqr.process)
  const hello = await startServer(['dist/bench/hello.js'], '/scan/x')
  const limit = await startLimit(seeded, work, paths)
  const targets: Target[] = [
    { name: 'hello', running: hello },
    limit,
    ours,
    { ...ours, name: 'gzip', headers: { 'Accept-Encoding': 'gzip' } },
  ]
  const results = await measure(targets, paths)
  const loadedMb = residentMb(driveqr.process)
  await Promise.all([hello.stop(), limit.running.stop(), driveqr.stop()])
  return [
    ...toRows(results),
    ...sizeRows(page),
    ...memoryRows(bareMb, { idleMb, wholeMb, loadedMb }),
  ]
}

export function copyDatabase(seeded: string, work: string, name: string): string {
  const folder = join(work, name)
  rmSync(folder, { recursive: true, force: true })
  cpSync(seeded, folder, { recursive: true })
  noteBackup(folder)
  return join(folder, 'driveqr.db')
}

export function startDriveQr(
  database: string,
  path: string,
  env: Record<string, string> = {},
): Promise<Running> {
  return startForLoad({ DATA_DIR: join(database, '..'), ...env }, path)
}

/** A server that refuses nobody for asking too often. */
export function startForLoad(env: Record<string, string>, path: string): Promise<Running> {
  const settings = { RATE_LIMITS: 'off', NODE_ENV: 'development', ...env }
  return startProduct(path, settings)
}

export function readPaths(seeded: string): string[] {
  const database = new Sqlite(join(seeded, 'driveqr.db'), { readonly: true })
  const ids = database
    .prepare(
      `select qr_id from qr_codes where is_active = 1 and is_claimed = 1 and qr_type = 'normal' limit ${CODES_IN_PLAY}`,
    )
    .pluck()
    .all() as string[]
  database.close()
  return ids.map((id) => `/scan/${id}`)
}

/** Stores the page of a code as the limit's template, with `shown` of the name as its only gap. */
export async function fetchSamplePage(
  seeded: string,
  work: string,
  path: string,
  shown = (name: string) => name,
) {
  const file = copyDatabase(seeded, work, 'sample')
  const server = await startDriveQr(file, path)
  const answer = await fetch(server.url + path)
  const bytesSent = Number(answer.headers.get('Content-Length'))
  const html = await answer.text()
  await server.stop()
  const database = new Sqlite(file, { readonly: true })
  const name = database
    .prepare('select owner_name from qr_codes where qr_id = ?')
    .pluck()
    .get(path.slice('/scan/'.length)) as string
  database.close()
  writeFileSync(templateIn(work), html.replaceAll(shown(name), '{{owner_name}}'))
  return { html, bytesSent }
}

/** Loads of each target in interleaved rounds. Throws when a request was not recorded. */
export async function measure(targets: Target[], paths: string[]): Promise<Record<string, Load[]>> {
  const results: Record<string, Load[]> = {}
  for (const { name, running, headers } of targets) {
    await load(running.url, paths, WARM_UP_SECONDS, headers)
    results[name] = []
  }
  for (let round = 0; round < ROUNDS; round++) {
    for (const target of targets) {
      const before = await target.countScans?.()
      const result = await load(target.running.url, paths, ROUND_SECONDS, target.headers)
      const after = await target.countScans?.()
      if (before !== undefined && after !== undefined) {
        assertRecorded(target, result, after - before)
      }
      results[target.name]?.push(result)
    }
  }
  return results
}

export function counterOf(file: string): () => Promise<number> {
  return async () => {
    const database = new Sqlite(file, { readonly: true })
    const count = database.prepare('select count(*) from scans').pluck().get() as number
    database.close()
    return count
  }
}

/** wrk leaves up to one request a connection unread when its time is up. */
function assertRecorded(target: Target, { requests }: Load, recorded: number): void {
  if (recorded < requests || recorded > requests + 64) {
    throw new Error(`${target.name}: ${requests} requests, but ${recorded} scans recorded`)
  }
}

function toRows(results: Record<string, Load[]>): Row[] {
  const p99s = (name: string) => (results[name] ?? []).map(({ p99Ms }) => p99Ms)
  return [
    compare(results, 'Scan page ÷ node:http, template, NORMAL', 'driveqr', 'limit', 0.8),
    compare(results, 'Scan page ÷ plain Hono reply', 'driveqr', 'hello', 0.085),
    compare(results, 'Scan page with gzip ÷ without', 'gzip', 'driveqr', 0.75),
    {
      what: 'Scan page p99, 32 connections ÷ node:http',
      measured: `${median(p99s('driveqr')).toFixed(1)} ms`,
      limit: `${median(p99s('limit')).toFixed(1)} ms`,
      ratio: medianRatio(p99s('driveqr'), p99s('limit')),
      budget: { atMost: 1.3 },
    },
  ]
}

export function compare(
  results: Record<string, Load[]>,
  what: string,
  ours: string,
  theirs: string,
  atLeast: number,
): Row {
  const speeds = (name: string) => (results[name] ?? []).map((load) => load.requestsPerSecond)
  const perSecond = (name: string) => `${Math.round(median(speeds(name)))} a second`
  return {
    what,
    measured: perSecond(ours),
    limit: perSecond(theirs),
    ratio: medianRatio(speeds(ours), speeds(theirs)),
    budget: { atLeast },
  }
}

/** The ratio per round, because what slows down a whole round affects both. */
export function medianRatio(ours: number[], theirs: number[]): number {
  return median(ours.map((value, round) => value / (theirs[round] ?? Number.NaN)))
}

function sizeRows({ html, bytesSent: bytes }: { html: string; bytesSent: number }): Row[] {
  return [
    {
      what: 'Scan page, gzip, KB',
      measured: `${bytes} bytes`,
      limit: `${Buffer.byteLength(html)} raw`,
      ratio: bytes / 1024,
      budget: { atMost: SCAN_BYTES_ON_THE_WIRE / 1024 },
    },
  ]
}

/** Memory of the minimal process of `cold-start.ts` after one request. */
async function measureBare(seeded: string, work: string, paths: string[]): Promise<number> {
  const env = { DATABASE: copyDatabase(seeded, work, 'bare') }
  const bare = await startServer(['lab/bench/targets/bare.mjs'], paths[0] ?? '', env)
  await sleep(SETTLED_MS)
  const mb = residentMb(bare.process)
  await bare.stop()
  return mb
}

type Memory = Record<'idleMb' | 'wholeMb' | 'loadedMb', number>

function memoryRows(bareMb: number, { idleMb, wholeMb, loadedMb }: Memory): Row[] {
  const row = { limit: `${bareMb.toFixed(0)} MB` }
  return [
    {
      ...row,
      what: 'Memory idle after a scan, MB resident',
      measured: `${idleMb.toFixed(0)} MB`,
      ratio: idleMb,
      budget: { atMost: 80 },
    },
    {
      ...row,
      what: 'Memory idle after a page of the rest, MB resident',
      measured: `${wholeMb.toFixed(0)} MB`,
      ratio: wholeMb,
      budget: undefined,
    },
    {
      limit: '–',
      what: 'Memory under load, MB resident',
      measured: `${loadedMb.toFixed(0)} MB`,
      ratio: loadedMb,
      budget: undefined,
    },
  ]
}
