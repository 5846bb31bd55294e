import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import Sqlite from 'better-sqlite3'
import { childrenEnded, residentMb } from '#lab/support/resident.ts'
import { copyData, type Paths, readPaths, startUnlimited } from './sample.ts'
import { type Load, load } from './support/load.ts'
import { type Running, startServer } from './support/processes.ts'
import { median, medianRatio, type Row, toRow } from './support/report.ts'

/** After this time the start's garbage is collected and a large database is checked. */
export const SETTLED_MS = 2_700
/** Until the runtime has compiled the hot path, which takes a large program longer. */
const WARM_UP_SECONDS = 6
const ROUND_SECONDS = 1
/** Many short rounds, because a shared machine has slow seconds that hit one target at a time. */
const ROUNDS = 5
const GZIP = { 'Accept-Encoding': 'gzip' }
const TAMIL = { ...GZIP, 'Accept-Language': 'ta' }

export type Target = {
  name: string
  running: Running
  paths: string[]
  headers?: Record<string, string>
  /** Counts the scans that the target has recorded. */
  countScans(): Promise<number>
}

/** The scan page in its states, beside a hand-written server; its size; and the server's memory. */
export async function benchScanPage(seeded: string, work: string): Promise<Row[]> {
  const paths = readPaths(seeded)
  const folder = copyData(seeded, work, 'driveqr')
  const server = await startUnlimited(folder, paths.plain[0] ?? '')
  await sleep(SETTLED_MS)
  await childrenEnded(server.process.pid)
  const idleMb = residentMb(server.process.pid)
  const sizes = await sizeRows(server, paths)
  await fetch(`${server.url}/`)
  await sleep(SETTLED_MS)
  const wholeMb = residentMb(server.process.pid)
  const limit = await startLimit(seeded, work, server, paths.plain)
  const ours = { running: server, countScans: countIn(folder) }
  const results = await measure([
    limit,
    { ...ours, name: 'plain', paths: paths.plain },
    { ...ours, name: 'gzip', paths: paths.plain, headers: GZIP },
    { ...ours, name: 'tamil', paths: paths.plain, headers: TAMIL },
    { ...ours, name: 'relay', paths: paths.relay },
    { ...ours, name: 'lost', paths: paths.lost },
    { ...ours, name: 'branded', paths: paths.branded, headers: GZIP },
  ])
  const loadedMb = residentMb(server.process.pid)
  await Promise.all([limit.running.stop(), server.stop()])
  const compare = (what: string, name: string, other: string, atLeast: number) =>
    compareSpeed(what, results[name] ?? [], results[other] ?? [], atLeast)
  return [
    compare('Scan page ÷ node:http, template, NORMAL', 'plain', 'limit', 0.4),
    compare('Scan page in relay mode ÷ plain', 'relay', 'plain', 0.9),
    compare('Scan page of a lost code ÷ plain', 'lost', 'plain', 0.85),
    compare('Scan page with gzip ÷ without', 'gzip', 'plain', 0.5),
    compare('Scan page in Tamil, gzip ÷ in English', 'tamil', 'gzip', 0.9),
    compare('Scan page with a brand, gzip ÷ without a brand', 'branded', 'gzip', 0.9),
    ...sizes,
    memoryRow('idle after a scan', idleMb, 85),
    memoryRow('idle after a page of the rest', wholeMb, 110),
    memoryRow('under a load of scans', loadedMb, 160),
  ]
}

/** Starts the limit, which answers the page of our server with the name of each code's owner. */
async function startLimit(
  seeded: string,
  work: string,
  server: Running,
  paths: string[],
): Promise<Target> {
  const folder = copyData(seeded, work, 'limit')
  const [path = ''] = paths
  const html = await (await fetch(server.url + path)).text()
  const database = new Sqlite(join(folder, 'driveqr.db'), { readonly: true })
  const find = database.prepare('select owner_name from qr_codes where qr_id = ?').pluck()
  const name = String(find.get(path.slice('/scan/'.length)))
  database.close()
  const template = join(work, 'page.html')
  writeFileSync(template, html.replaceAll(name, '{{owner_name}}'))
  const env = { DATABASE: join(folder, 'driveqr.db'), TEMPLATE: template }
  const running = await startServer(['dist/bench/limit.js'], path, env)
  return { name: 'limit', running, paths, countScans: countIn(folder) }
}

/** Loads the targets in interleaved rounds. Throws when a request was not recorded. */
export async function measure(targets: Target[]): Promise<Record<string, Load[]>> {
  const results: Record<string, Load[]> = {}
  for (const { running, paths, headers } of targets) {
    await load(running.url, paths, WARM_UP_SECONDS, headers)
  }
  for (let round = 0; round < ROUNDS; round++) {
    for (const { name, running, paths, headers, countScans } of targets) {
      const before = await countScans()
      const result = await load(running.url, paths, ROUND_SECONDS, headers)
      const recorded = (await countScans()) - before
      // wrk leaves up to one request a connection unread when its time is up.
      if (recorded < result.requests || recorded > result.requests + 64) {
        throw new Error(`${name}: ${result.requests} requests, but ${recorded} scans recorded`)
      }
      results[name] = [...(results[name] ?? []), result]
    }
  }
  return results
}

export function countIn(folder: string): () => Promise<number> {
  return async () => {
    const database = new Sqlite(join(folder, 'driveqr.db'), { readonly: true })
    const count = database.prepare('select count(*) from scans').pluck().get() as number
    database.close()
    return count
  }
}

/** Compares requests a second; the ratio is the median of the rounds' ratios. */
export function compareSpeed(what: string, ours: Load[], theirs: Load[], atLeast: number): Row {
  const speeds = (loads: Load[]) => loads.map(({ requestsPerSecond }) => requestsPerSecond)
  const perSecond = (loads: Load[]) => `${median(speeds(loads)).toFixed(0)} a second`
  return {
    what,
    measured: perSecond(ours),
    limit: perSecond(theirs),
    ratio: medianRatio(speeds(ours), speeds(theirs)),
    budget: { atLeast },
  }
}

function sizeRows({ url }: Running, paths: Paths): Promise<Row[]> {
  const pages = [
    { what: 'Scan page', path: paths.plain[0], headers: GZIP, most: 4 },
    { what: 'Scan page in Tamil', path: paths.plain[0], headers: TAMIL, most: 5 },
    { what: 'Scan page with a brand and a logo', path: paths.branded[0], headers: GZIP, most: 8 },
  ]
  return Promise.all(
    pages.map(async ({ what, path, headers, most }) => {
      const answer = await fetch(`${url}${path}`, { headers })
      const bytes = Number(answer.headers.get('Content-Length'))
      const page = await answer.text()
      if (/<script|<link[^>]* rel="stylesheet"|src="(?!data:)/.test(page)) {
        throw new Error(`${what} loads more than itself`)
      }
      return toRow(`${what}, gzip`, bytes / 1024, 'KB', { atMost: most })
    }),
  )
}

function memoryRow(when: string, mb: number, atMost: number): Row {
  return toRow(`Memory ${when}, resident`, mb, 'MB', { atMost })
}
