import { ask } from '#tests/support/postgres.ts'
import { onPostgres } from './postgres.ts'
import { readPaths, SETTLED_MS, startForLoad } from './scan-page.ts'
import { cpuSeconds, holdToShare } from './support/control-group.ts'
import { load } from './support/load.ts'
import type { Running } from './support/processes.ts'
import { median, type Row } from './support/report.ts'

/** Of a core, for each server: two of them and what else runs there leave room on it. */
const SHARE = 1 / 3
const WARM_UP_SECONDS = 6
/** Thirty periods of a control group. */
const ROUND_SECONDS = 3
const ROUNDS = 5

type Given = { seeded: string; work: string; reportPart: (part: string) => void }
/** Of one round: scans a second, and the CPU that a scan took. */
type Round = { perSecond: number; serverUs: number; databaseUs: number; databaseShare: number }

/**
 * One web server beside two on the same PostgreSQL. The servers share core 0, each held to a third of it;
 * PostgreSQL shares core 1 with the load, and must have room there.
 */
export async function benchServers({ seeded, work, reportPart }: Given): Promise<Row[]> {
  return onPostgres(work, async (copy, cluster) => {
    const { postgres, databaseUrl } = await copy(seeded, 'codes')
    reportPart('copy on PostgreSQL')
    const paths = readPaths(seeded)
    const env = { DATA_DIR: postgres, DATABASE_URL: databaseUrl }
    const servers = [
      await startForLoad(env, paths[0] ?? ''),
      await startForLoad(env, paths[0] ?? ''),
    ]
    for (const { url } of servers) await load(url, paths, WARM_UP_SECONDS)
    await new Promise((resolve) => setTimeout(resolve, SETTLED_MS))
    const release = servers.map(({ process: { pid } }) => holdToShare(pid ?? 0, SHARE))
    reportPart('warm')
    const measureRound = async (loaded: Running[]): Promise<Round> => {
      const count = () => countScans(databaseUrl)
      const cpu = () => ({
        servers: loaded.reduce((sum, { process: { pid } }) => sum + cpuSeconds(pid ?? 0), 0),
        database: cpuSeconds(cluster.pid()),
      })
      const [scansBefore, before] = [await count(), cpu()]
      const loads = await Promise.all(loaded.map(({ url }) => load(url, paths, ROUND_SECONDS)))
      const after = cpu()
      const scans = (await count()) - scansBefore
      const requests = loads.reduce((sum, each) => sum + each.requests, 0)
      if (scans < requests) throw new Error(`${requests} requests, but ${scans} scans recorded`)
      return {
        perSecond: loads.reduce((sum, each) => sum + each.requestsPerSecond, 0),
        serverUs: ((after.servers - before.servers) / scans) * 1e6,
        databaseUs: ((after.database - before.database) / scans) * 1e6,
        databaseShare: (after.database - before.database) / ROUND_SECONDS,
      }
    }
    const before = await measureDisk(databaseUrl)
    const one: Round[] = []
    const two: Round[] = []
    for (let round = 0; round < ROUNDS; round++) {
      // Each server in turn is the one.
      one.push(await measureRound(servers.slice(round % 2, (round % 2) + 1)))
      two.push(await measureRound(servers))
    }
    const after = await measureDisk(databaseUrl)
    const sizes = await Promise.all(servers.map(({ url }) => meanCommit(url)))
    await Promise.all(servers.map(({ stop }) => stop()))
    for (const remove of release) remove()
    const scans = after.scans - before.scans
    return [
      ...toRows(one, two),
      figure('Scans in a commit', median(sizes), ''),
      figure('Log of PostgreSQL for a scan', (after.log - before.log) / scans, 'bytes'),
      figure('Table and index for a scan', (after.table - before.table) / scans, 'bytes'),
    ]
  })
}

async function countScans(databaseUrl: string): Promise<number> {
  const [row] = (await ask(databaseUrl, 'select sum(scans) as scans from scan_quarters')) as [
    { scans: string },
  ]
  return Number(row.scans)
}

/** Scans, and the bytes of PostgreSQL's write-ahead log and of the table of scans. */
async function measureDisk(databaseUrl: string) {
  const [row] = (await ask(
    databaseUrl,
    `select (select sum(scans) from scan_quarters) as scans,
      pg_current_wal_lsn() - '0/0'::pg_lsn as log, pg_total_relation_size('scans') as "table"`,
  )) as [{ scans: string; log: string; table: string }]
  return { scans: Number(row.scans), log: Number(row.log), table: Number(row.table) }
}

function figure(what: string, value: number, unit: string): Row {
  const measured = `${value.toFixed(1)} ${unit}`.trim()
  return { what, measured, limit: '–', ratio: value, budget: undefined }
}

/** Scans in a commit, since the start of a server. */
async function meanCommit(url: string): Promise<number> {
  const text = await (await fetch(`${url}/metrics`)).text()
  const read = (what: string) =>
    Number(new RegExp(`^driveqr_scan_commit_scans_${what} (.+)$`, 'm').exec(text)?.[1])
  return read('sum') / read('count')
}

function toRows(one: Round[], two: Round[]): Row[] {
  const of = (rounds: Round[], what: keyof Round) => median(rounds.map((each) => each[what]))
  const compared = (what: string, measured: string, limit: string, ratio: number): Row => ({
    what,
    measured,
    limit,
    ratio,
    budget: undefined,
  })
  const perSecond = (rounds: Round[]) => `${of(rounds, 'perSecond').toFixed(0)} a second`
  const us = (rounds: Round[], what: 'serverUs' | 'databaseUs') =>
    `${of(rounds, what).toFixed(0)} µs`
  return [
    {
      what: 'Two servers ÷ one, each with a third of a core',
      measured: perSecond(two),
      limit: perSecond(one),
      ratio: median(
        two.map((each, round) => each.perSecond / (one[round]?.perSecond ?? Number.NaN)),
      ),
      budget: { atLeast: 1.7 },
    },
    compared(
      'CPU of a server for a scan, of two ÷ of one',
      us(two, 'serverUs'),
      us(one, 'serverUs'),
      of(two, 'serverUs') / of(one, 'serverUs'),
    ),
    compared(
      'CPU of PostgreSQL for a scan, of two ÷ of one',
      us(two, 'databaseUs'),
      us(one, 'databaseUs'),
      of(two, 'databaseUs') / of(one, 'databaseUs'),
    ),
    compared(
      'Core of PostgreSQL, of two ÷ of one',
      `${(of(two, 'databaseShare') * 100).toFixed(0)} %`,
      `${(of(one, 'databaseShare') * 100).toFixed(0)} %`,
      of(two, 'databaseShare') / of(one, 'databaseShare'),
    ),
  ]
}
