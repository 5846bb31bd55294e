import { execFile } from 'node:child_process'
import { chmodSync, mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { noteBackup } from '#lab/support/fresh-backup.ts'
import { ask, type Cluster, run, startCluster } from '#tests/support/postgres.ts'
import { benchDashboardEngines, openFleet } from './dashboard.ts'
import { type Fleet, readPaths, startUnlimited } from './sample.ts'
import { compareSpeed, countIn, measure } from './scan-page.ts'
import { CLIENT_CORE } from './support/load.ts'
import type { Row } from './support/report.ts'

/** The same data in a folder, and in another folder with a database. */
type Pair = { sqlite: string; postgres: string; databaseUrl: string }
/** Copies a data folder to a database of this name. */
type Copy = (sqlite: string, name: string) => Promise<Pair>

/** The same data on both engines. Each commit of both is flushed to the same disk. */
export function benchPostgres(seeded: string, fleet: Fleet, work: string): Promise<Row[]> {
  return onPostgres(work, async (copy) => {
    const scans = await benchScans(await copy(seeded, 'codes'))
    return [...scans, ...(await benchHistory(await copy(fleet.folder, 'history'), fleet))]
  })
}

/** Starts a PostgreSQL server, which shares core 1 with the load, for the measurement. */
export async function onPostgres<T>(
  work: string,
  measureOn: (copy: Copy, cluster: Cluster) => Promise<T>,
): Promise<T> {
  const folder = join(work, 'cluster')
  mkdirSync(folder)
  // Lets the user that PostgreSQL runs as pass.
  chmodSync(work, 0o711)
  const cluster = await startCluster(folder, ['taskset', '-c', CLIENT_CORE])
  const copy: Copy = async (sqlite, name) => {
    const databaseUrl = cluster.urlOf(name)
    const postgres = join(work, `${name}-on-postgres`)
    await run(cluster.urlOf('postgres'), `create database ${name}`)
    const archive = join(work, `${name}.tar`)
    await driveqr({ DATA_DIR: sqlite }, 'backup', archive)
    await driveqr({ DATA_DIR: postgres, DATABASE_URL: databaseUrl }, 'restore', archive)
    for (const dataDir of [sqlite, postgres]) noteBackup(dataDir)
    // PostgreSQL does this by itself within a minute or two.
    await run(databaseUrl, 'vacuum analyze')
    return { sqlite, postgres, databaseUrl }
  }
  try {
    return await measureOn(copy, cluster)
  } finally {
    await cluster.stop()
  }
}

function driveqr(settings: Record<string, string>, ...args: string[]) {
  const env = { ...process.env, ...settings }
  return promisify(execFile)(process.execPath, ['dist/driveqr.js', ...args], { env })
}

async function benchScans({ sqlite, postgres, databaseUrl }: Pair): Promise<Row[]> {
  const paths = readPaths(sqlite).plain
  const ours = await startUnlimited(sqlite, paths[0] ?? '')
  const shared = await startUnlimited(postgres, paths[0] ?? '', { DATABASE_URL: databaseUrl })
  const countScans = async () => {
    const [row] = (await ask(databaseUrl, 'select count(*)::int as n from scans')) as [
      { n: number },
    ]
    return row.n
  }
  const results = await measure([
    { name: 'sqlite', running: ours, paths, countScans: countIn(sqlite) },
    { name: 'postgres', running: shared, paths, countScans },
  ])
  await Promise.all([ours.stop(), shared.stop()])
  const { postgres: loads = [], sqlite: others = [] } = results
  return [compareSpeed('Scan page on PostgreSQL ÷ SQLite', loads, others, 0.6)]
}

async function benchHistory({ postgres, databaseUrl }: Pair, fleet: Fleet): Promise<Row[]> {
  const ours = await openFleet(fleet)
  const shared = await openFleet({ ...fleet, folder: postgres }, { DATABASE_URL: databaseUrl })
  try {
    return await benchDashboardEngines(shared, ours)
  } finally {
    await Promise.all([ours.stop(), shared.stop()])
  }
}
