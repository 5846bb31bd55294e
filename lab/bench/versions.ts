import { existsSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { pathToFileURL } from 'node:url'
import Sqlite from 'better-sqlite3'
import { openHook } from './alerts.ts'
import { LARGE, seedFleet, signIn } from './dashboard.ts'
import { medianRatio, readPaths, SETTLED_MS } from './scan-page.ts'
import { cpuSeconds } from './support/control-group.ts'
import { load, onClientCore } from './support/load.ts'
import { type Running, startServer } from './support/processes.ts'
import { median, type Row } from './support/report.ts'

const ROUNDS = 15
/** Together at least a second of processor time a round, which is counted in hundredths. */
const PAGES_A_ROUND = 60
const SCAN_SECONDS = 1
const WARM_UP_PAGES = 150
const WARM_UP_SECONDS = 6
/** What is slower by less than this is as quick as before. */
const MOST = 1.03

const ALERTS_A_ROUND = 1000
const ALERTED = 50

const PAGES = {
  'Dashboard of 10,000 codes': '/dashboard?tab=my-qrs',
  'Search in 10,000 codes': '/dashboard?tab=my-qrs&q=swift',
  'Analytics of 1,000,000 scans': '/dashboard?tab=analytics',
  Documents: '/dashboard?tab=documents',
}

const ENV = { RATE_LIMITS: 'off', ALLOW_PRIVATE_TARGETS: '1', NODE_ENV: 'development' }

type Hook = Awaited<ReturnType<typeof openHook>>
type Version = {
  running: Running
  paths: string[]
  cookie: string
  /** puts alerts into the outbox, and waits until the server has delivered them; not in all versions */
  deliver: (() => Promise<void>) | undefined
}
/** Asks a version for the same, and answers how many requests that was. */
type Act = (version: Version) => Promise<number>

/**
 * The processor time that requests take in this version, compared with that of another clone that is built. Both run
 * at the same time and are asked in turn, because two runs one after the other differ by more than two versions do.
 */
export async function benchVersions(
  other: string,
  work: string,
  reportPart: (part: string) => void,
): Promise<Row[]> {
  const folders = [resolve('.'), resolve(other)] as const
  const hook = await openHook()
  const [ours, theirs] = [
    await openVersion(folders[0], join(work, 'this'), hook),
    await openVersion(folders[1], join(work, 'other'), hook),
  ]
  reportPart('both are ready')
  const acts = Object.entries<Act>({
    'Scan page': scan({}),
    'Scan page, gzip': scan({ 'Accept-Encoding': 'gzip' }),
    ...Object.fromEntries(Object.entries(PAGES).map(([name, path]) => [name, open(path)])),
    ...(ours.deliver && theirs.deliver && { 'Delivered alert': deliver }),
  })
  try {
    const rows: Row[] = []
    for (const [name, act] of acts) {
      rows.push(await compare(name, act, ours, theirs))
      reportPart(name)
    }
    return rows
  } finally {
    await Promise.all([ours.running.stop(), theirs.running.stop()])
    hook.stop()
  }
}

/** The product of a folder, on sample data that it has made itself, because each has a schema of its own. */
async function openVersion(folder: string, dataDir: string, hook: Hook): Promise<Version> {
  const fleet = await seedFleet(dataDir, LARGE, join(folder, 'dist/driveqr.js'))
  const database = new Sqlite(join(dataDir, 'driveqr.db'))
  database.exec('delete from admin_messages; update popup_images set is_active = 0')
  database.close()
  const how = join(folder, 'scripts/bootstrap/server.mjs')
  const { SERVER = ['dist/server.js'], SERVER_ENV = {} } = existsSync(how)
    ? await import(pathToFileURL(how).href)
    : {}
  const script = SERVER.map((each: string) => each.replace(/^dist/, join(folder, 'dist')))
  const env = { ...ENV, DATA_DIR: dataDir }
  const running = await startServer(script, '/healthz', { ...SERVER_ENV, ...env })
  const cookie = await signIn(running.url, fleet)
  const deliver = await alerting(folder, dataDir, hook)
  return { running, paths: readPaths(dataDir), cookie, deliver }
}

/** By the version's own code, because each has an outbox of its own. Old ones cannot be asked for it. */
async function alerting(folder: string, dataDir: string, hook: Hook): Promise<Version['deliver']> {
  const alerts = join(folder, 'lab/bench/alerts.ts')
  if (!existsSync(alerts)) return undefined
  const { connectOwners, alertOwners }: Partial<typeof import('./alerts.ts')> = await import(
    pathToFileURL(alerts).href
  )
  if (!connectOwners || !alertOwners) return undefined
  const owners = await connectOwners(dataDir, hook.url, ALERTED)
  const alerted = Array.from({ length: ALERTS_A_ROUND }, (_, n) => owners[n % ALERTED] ?? '')
  return async () => {
    const before = hook.count()
    await alertOwners(dataDir, alerted)
    await hook.reached(before + ALERTS_A_ROUND)
  }
}

function scan(headers: Record<string, string>): Act {
  return async ({ running, paths }) => {
    const { requests } = await load(running.url, paths, SCAN_SECONDS, headers)
    return requests
  }
}

function open(path: string): Act {
  return async ({ running, cookie }) => {
    for (let i = 0; i < PAGES_A_ROUND; i++) {
      const headers = { 'Accept-Encoding': 'identity', cookie }
      const answer = await fetch(running.url + path, { headers })
      if (!answer.ok) throw new Error(`${path} answered ${answer.status}`)
      await answer.arrayBuffer()
    }
    return PAGES_A_ROUND
  }
}

async function deliver(version: Version): Promise<number> {
  await version.deliver?.()
  return ALERTS_A_ROUND
}

function compare(name: string, act: Act, ours: Version, theirs: Version): Promise<Row> {
  return onClientCore(async () => {
    for (const version of [ours, theirs]) await warmUp(act, version)
    await new Promise((resolve) => setTimeout(resolve, SETTLED_MS))
    const [here, there]: [number[], number[]] = [[], []]
    for (let round = 0; round < ROUNDS; round++) {
      here.push(await cpuMs(act, ours))
      there.push(await cpuMs(act, theirs))
    }
    return {
      what: `${name}: processor time ÷ that of the other version`,
      measured: `${median(here).toFixed(3)} ms`,
      limit: `${median(there).toFixed(3)} ms`,
      ratio: medianRatio(here, there),
      budget: { atMost: MOST },
    }
  })
}

async function warmUp(act: Act, version: Version): Promise<void> {
  const until = performance.now() + WARM_UP_SECONDS * 1000
  for (let asked = 0; asked < WARM_UP_PAGES || performance.now() < until; ) {
    asked += await act(version)
  }
}

/** For each request, of all threads. */
async function cpuMs(act: Act, version: Version): Promise<number> {
  const pid = version.running.process.pid ?? 0
  const before = cpuSeconds(pid)
  const requests = await act(version)
  return ((cpuSeconds(pid) - before) / requests) * 1000
}
