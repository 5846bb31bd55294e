import { execFile } from 'node:child_process'
import { chmodSync, mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { noteBackup } from '#lab/support/fresh-backup.ts'
import { ask, type Cluster, run, startCluster } from '#tests/support/postgres.ts'
import { addUsers, download, timed } from './administration.ts'
import { compare, type Fleet, openFleet } from './dashboard.ts'
import { counterOf, measure, medianRatio, readPaths, startForLoad } from './scan-page.ts'
import { CLIENT_CORE, onClientCore } from './support/load.ts'
import { median, type Row } from './support/report.ts'
import { openUploader } from './uploads.ts'

const EXPORTS = 5

type Given = { seeded: string; fleet: Fleet; work: string; reportPart: (part: string) => void }
/** The same data on both engines: a folder, and another one with a database. */
type Pair = { sqlite: string; postgres: string; databaseUrl: string }

/**
 * The server has one core as ever, and PostgreSQL the other, with the load. Each commit of both
 * engines is flushed to the same disk.
 */
export function benchPostgres({ seeded, fleet, work, reportPart }: Given): Promise<Row[]> {
  return onPostgres(work, async (copy) => {
    addUsers(join(seeded, 'driveqr.db'))
    const [codes, history] = [await copy(seeded, 'codes'), await copy(fleet.folder, 'history')]
    reportPart('copies on PostgreSQL')
    const rows = await benchScans(codes)
    reportPart('scan page')
    rows.push(...(await benchHistory(history, fleet)))
    reportPart('dashboard')
    rows.push(...(await benchLists(codes, work)))
    reportPart('administration')
    return rows
  })
}

/** Copies a data folder to a database of this name. */
type Copy = (sqlite: string, name: string) => Promise<Pair>

/** Works with a PostgreSQL server of its own, which shares core 1 with the load. */
export async function onPostgres<T>(
  work: string,
  measureOn: (copy: Copy, cluster: Cluster) => Promise<T>,
): Promise<T> {
  const folder = join(work, 'cluster')
  mkdirSync(folder)
  // The user that PostgreSQL runs as must get through.
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
    // What PostgreSQL does by itself within a minute or two.
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
  const paths = readPaths(sqlite)
  const first = paths[0] ?? ''
  const ours = await startForLoad({ DATA_DIR: sqlite }, first)
  const env = { DATA_DIR: postgres, DATABASE_URL: databaseUrl }
  const shared = await startForLoad(env, first)
  const countScans = async () => {
    const [row] = (await ask(databaseUrl, 'select count(*) as scans from scans')) as [
      { scans: string },
    ]
    return Number(row.scans)
  }
  const targets = [
    { name: 'sqlite', running: ours, countScans: counterOf(join(sqlite, 'driveqr.db')) },
    { name: 'postgres', running: shared, countScans },
  ]
  const { sqlite: theirs = [], postgres: loads = [] } = await measure(targets, paths)
  await Promise.all([ours.stop(), shared.stop()])
  const row = (what: string, of: (load: (typeof loads)[0]) => number, unit: string) => ({
    what: `Scan page on PostgreSQL ÷ SQLite${what}`,
    measured: `${median(loads.map(of)).toFixed(1)} ${unit}`,
    limit: `${median(theirs.map(of)).toFixed(1)} ${unit}`,
    ratio: medianRatio(loads.map(of), theirs.map(of)),
  })
  return [
    { ...row('', (load) => load.requestsPerSecond, 'a second'), budget: { atLeast: 0.6 } },
    { ...row(', p99 of 32 connections', (load) => load.p99Ms, 'ms'), budget: undefined },
  ]
}

async function benchHistory({ postgres, databaseUrl }: Pair, fleet: Fleet): Promise<Row[]> {
  const ours = await openFleet(fleet)
  const shared = await openFleet({ ...fleet, folder: postgres }, { DATABASE_URL: databaseUrl })
  try {
    return [
      toRow('Dashboard', await compare(shared, ours, '/dashboard?tab=my-qrs')),
      toRow('Analytics', await compare(shared, ours, '/dashboard?tab=analytics')),
    ]
  } finally {
    await Promise.all([ours.stop(), shared.stop()])
  }
}

async function benchLists({ sqlite, postgres, databaseUrl }: Pair, work: string): Promise<Row[]> {
  const ours = await openAdmin({ DATA_DIR: sqlite })
  const shared = await openAdmin({ DATA_DIR: postgres, DATABASE_URL: databaseUrl })
  try {
    const users = '/admin-dashboard?tab=users'
    const rows = [
      toRow('Users, first page of 100,000', await compare(shared, ours, users)),
      toRow('Users, one found', await compare(shared, ours, `${users}&q=person77777`)),
      toRow('Codes, some found', await compare(shared, ours, '/admin?tab=qr-codes&q=KA05ME')),
    ]
    const file = join(work, 'export.csv')
    const times = { much: [] as number[], little: [] as number[] }
    await onClientCore(async () => {
      // The first exports wait for their own program to be compiled.
      for (let round = -1; round < EXPORTS; round++) {
        const [much, little] = [await shared.timeExport(file), await ours.timeExport(file)]
        if (round < 0) continue
        times.much.push(much)
        times.little.push(little)
      }
    })
    const csv = { much: median(times.much), little: median(times.little) }
    return [...rows, toRow('CSV of 100,000 codes', csv)]
  } finally {
    await Promise.all([ours.stop(), shared.stop()])
  }
}

/** A server with a super admin who is signed in. */
async function openAdmin(env: Record<string, string>) {
  const server = await startForLoad(env, '/healthz')
  const { ask, token, cookie } = await openUploader(server)
  await ask('POST', '/admin/grant-super-admin')
  return {
    async open(path: string) {
      const answer = await fetch(server.url + path, { headers: { Cookie: cookie } })
      if (!answer.ok) throw new Error(`${path} answered ${answer.status}`)
      return answer.text()
    },
    timeExport: (file: string) =>
      timed(() =>
        download(
          `${server.url}/api/admin/qr-codes/export/csv`,
          { Authorization: `Bearer ${token}` },
          file,
        ),
      ),
    stop: server.stop,
  }
}

function toRow(what: string, { much, little }: { much: number; little: number }): Row {
  return {
    what: `${what}: PostgreSQL ÷ SQLite`,
    measured: `${much.toFixed(1)} ms`,
    limit: `${little.toFixed(1)} ms`,
    ratio: much / little,
    budget: undefined,
  }
}
