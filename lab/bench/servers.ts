import { writeFileSync } from 'node:fs'
import { setTimeout as sleep } from 'node:timers/promises'
import { cpuSeconds, makeGroup } from '#lab/support/control-group.ts'
import { ask } from '#tests/support/postgres.ts'
import { onPostgres } from './postgres.ts'
import { readPaths, startUnlimited } from './sample.ts'
import { SETTLED_MS } from './scan-page.ts'
import { load } from './support/load.ts'
import type { Running } from './support/processes.ts'
import { median, medianRatio, type Row, toRow } from './support/report.ts'

/** The part of a core for each server: two of them leave room on it. */
const SHARE = 1 / 3
const WARM_UP_SECONDS = 6
/** Thirty periods of a control group. */
const ROUND_SECONDS = 3
const ROUNDS = 5

/** One round: scans a second, the CPU of a scan, and PostgreSQL's share of its core. */
type Round = { perSecond: number; serverUs: number; databaseUs: number; databasePercent: number }

/**
 * Compares one web server with two on the same PostgreSQL. The servers share core 0, each limited to a
 * third of it; PostgreSQL shares core 1 with the load, and must have room there.
 */
export async function benchServers(seeded: string, work: string): Promise<Row[]> {
  return onPostgres(work, async (copy, cluster) => {
    const { postgres, databaseUrl } = await copy(seeded, 'codes')
    const paths = readPaths(seeded).plain
    const start = () => startUnlimited(postgres, paths[0] ?? '', { DATABASE_URL: databaseUrl })
    const servers = [await start(), await start()]
    for (const { url } of servers) await load(url, paths, WARM_UP_SECONDS)
    await sleep(SETTLED_MS)
    const groups = servers.map(({ process: { pid } }) => {
      const group = makeGroup('cpu', SHARE)
      writeFileSync(group.procs, String(pid))
      return group
    })
    const before = await measureDisk(databaseUrl)
    const one: Round[] = []
    const two: Round[] = []
    const measure = (loaded: Running[]) =>
      measureRound(loaded, paths, databaseUrl, () => cpuSeconds(cluster.pid()))
    for (let round = 0; round < ROUNDS; round++) {
      // Each server in turn is the one.
      one.push(await measure(servers.slice(round % 2, (round % 2) + 1)))
      two.push(await measure(servers))
    }
    const after = await measureDisk(databaseUrl)
    const commits = await Promise.all(servers.map(({ url }) => meanCommit(url)))
    await Promise.all(servers.map(({ stop }) => stop()))
    for (const group of groups) group.remove()
    const scans = after.scans - before.scans
    return [
      ...toRows(one, two),
      toRow('Scans in a commit', median(commits), 'scans'),
      toRow('Log of PostgreSQL for a scan', (after.log - before.log) / scans, 'bytes'),
      toRow('Table and index for a scan', (after.table - before.table) / scans, 'bytes'),
    ]
  })
}

async function measureRound(
  servers: Running[],
  paths: string[],
  databaseUrl: string,
  databaseSeconds: () => number,
): Promise<Round> {
  const serverSeconds = () =>
    servers.reduce((sum, { process: { pid } }) => sum + cpuSeconds(pid ?? 0), 0)
  const { scans: scansBefore } = await measureDisk(databaseUrl)
  const [serversBefore, databaseBefore] = [serverSeconds(), databaseSeconds()]
  const loads = await Promise.all(servers.map(({ url }) => load(url, paths, ROUND_SECONDS)))
  const serverUs = (serverSeconds() - serversBefore) * 1e6
  const databaseUs = (databaseSeconds() - databaseBefore) * 1e6
  const scans = (await measureDisk(databaseUrl)).scans - scansBefore
  const requests = loads.reduce((sum, each) => sum + each.requests, 0)
  if (scans < requests) throw new Error(`${requests} requests, but ${scans} scans recorded`)
  return {
    perSecond: loads.reduce((sum, each) => sum + each.requestsPerSecond, 0),
    serverUs: serverUs / scans,
    databaseUs: databaseUs / scans,
    databasePercent: databaseUs / ROUND_SECONDS / 1e4,
  }
}

/** Returns the number of scans, and the bytes of PostgreSQL's log and of the table of scans. */
async function measureDisk(databaseUrl: string) {
  const [row] = (await ask(
    databaseUrl,
    `select (select sum(scans) from scan_quarters)::float as scans,
      (pg_current_wal_lsn() - '0/0'::pg_lsn)::float as log,
      pg_total_relation_size('scans')::float as "table"`,
  )) as [{ scans: number; log: number; table: number }]
  return row
}

/** Returns the scans in a commit since the start of a server. */
async function meanCommit(url: string): Promise<number> {
  const text = await (await fetch(`${url}/metrics`)).text()
  const read = (what: string) =>
    Number(new RegExp(`^driveqr_scan_commit_scans_${what} (.+)$`, 'm').exec(text)?.[1])
  return read('sum') / read('count')
}

function toRows(one: Round[], two: Round[]): Row[] {
  const of = (rounds: Round[], what: keyof Round) => rounds.map((each) => each[what])
  const compare = (label: string, what: keyof Round, unit: string): Row => ({
    what: label,
    measured: `${median(of(two, what)).toFixed(0)} ${unit}`,
    limit: `${median(of(one, what)).toFixed(0)} ${unit}`,
    ratio: medianRatio(of(two, what), of(one, what)),
  })
  return [
    {
      ...compare('Two servers ÷ one, each with a third of a core', 'perSecond', 'a second'),
      budget: { atLeast: 1.7 },
    },
    compare('CPU of a server for a scan, of two ÷ of one', 'serverUs', 'µs'),
    compare('CPU of PostgreSQL for a scan, of two ÷ of one', 'databaseUs', 'µs'),
    compare('Core of PostgreSQL, of two ÷ of one', 'databasePercent', '%'),
  ]
}
