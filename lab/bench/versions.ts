import { join, resolve } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { pathToFileURL } from 'node:url'
import { cpuSeconds } from '#lab/support/control-group.ts'
import {
  addMessage,
  LARGE,
  type Paths,
  prepareStates,
  readPaths,
  seedFleet,
  signIn,
} from './sample.ts'
import { SETTLED_MS } from './scan-page.ts'
import { load, onClientCore } from './support/load.ts'
import { type Running, startServer } from './support/processes.ts'
import { median, medianRatio, type Row } from './support/report.ts'

const ROUNDS = 15
/** Together at least a second of processor time a round, because it is counted in hundredths. */
const PAGES_A_ROUND = 60
const SMALL_PAGES_A_ROUND = 250
const SCAN_SECONDS = 1
const WARM_UP_PAGES = 150
const WARM_UP_SECONDS = 6
/** A version that takes no more than this counts as equally fast. */
const MOST = 1.03
const OWNER = 'demo@driveqr.example'
const GZIP = { 'Accept-Encoding': 'gzip' }

/** The company has 10,000 codes, and the owner of the sample data has conversations. */
type SignedIn = 'company' | 'owner'
type Version = {
  folder: string
  dataDir: string
  running: Running
  paths: Paths
  cookies: Record<SignedIn, string>
}
/** Sends the same requests to a version, and returns their number. */
type Act = (version: Version) => Promise<number>

const ACTS: Record<string, Act> = {
  'Scan page': scan('plain'),
  'Scan page in relay mode': scan('relay'),
  'Scan page of a lost code': scan('lost'),
  'Scan page, gzip': scan('plain', GZIP),
  'Scan page in Tamil, gzip': scan('plain', { ...GZIP, 'Accept-Language': 'ta' }),
  'Scan page with a brand, gzip': scan('branded', GZIP),
  'Dashboard of 10,000 codes': open('/dashboard?tab=my-qrs'),
  'Search in 10,000 codes': open('/dashboard?tab=my-qrs&q=swift'),
  'Analytics of 1,000,000 scans': open('/dashboard?tab=analytics'),
  Documents: open('/dashboard?tab=documents'),
  Messages: open('/dashboard?tab=messages', SMALL_PAGES_A_ROUND, 'owner'),
}

/**
 * Compares the processor time of requests with that of another clone that is built. Both run at the same
 * time and are asked in turn, because two runs one after the other differ by more than two versions do.
 */
export async function benchVersions(
  other: string,
  work: string,
  reportPart: (part: string) => void,
): Promise<Row[]> {
  const ours = await openVersion(resolve('.'), join(work, 'this'))
  const theirs = await openVersion(resolve(other), join(work, 'other'))
  reportPart('both are ready')
  try {
    const rows: Row[] = []
    for (const [name, act] of Object.entries(ACTS)) {
      rows.push(await compare(name, act, ours, theirs))
      reportPart(name)
    }
    // Last, because finders see it on every page.
    for (const { dataDir } of [ours, theirs]) addMessage(dataDir)
    const name = 'Scan page with a message of the operator'
    return [...rows, await compare(name, scan('plain'), ours, theirs)]
  } finally {
    await Promise.all([ours.running.stop(), theirs.running.stop()])
  }
}

/** Starts the product of a folder on sample data that it has made itself, because schemas differ. */
async function openVersion(folder: string, dataDir: string): Promise<Version> {
  const fleet = await seedFleet(dataDir, LARGE, join(folder, 'dist/driveqr.js'))
  prepareStates(dataDir)
  const how = await import(pathToFileURL(join(folder, 'scripts/bootstrap/server.mjs')).href)
  const script = how.SERVER.map((each: string) => each.replace(/^dist/, join(folder, 'dist')))
  const env = { DATA_DIR: dataDir, RATE_LIMITS: 'off', NODE_ENV: 'development' }
  const running = await startServer(script, '/healthz', { ...how.SERVER_ENV, ...env })
  const cookies = {
    company: await signIn(running.url, fleet),
    owner: await signIn(running.url, { ...fleet, contact: OWNER }),
  }
  return { folder, dataDir, running, paths: readPaths(dataDir), cookies }
}

function scan(state: keyof Paths, headers: Record<string, string> = {}): Act {
  return async ({ running, paths }) => {
    const { requests } = await load(running.url, paths[state], SCAN_SECONDS, headers)
    return requests
  }
}

function open(path: string, pages = PAGES_A_ROUND, as: SignedIn = 'company'): Act {
  return async ({ running, cookies }) => {
    for (let i = 0; i < pages; i++) {
      const headers = { 'Accept-Encoding': 'identity', cookie: cookies[as] }
      const answer = await fetch(running.url + path, { headers })
      if (!answer.ok) throw new Error(`${path} answered ${answer.status}`)
      await answer.arrayBuffer()
    }
    return pages
  }
}

function compare(name: string, act: Act, ours: Version, theirs: Version): Promise<Row> {
  return onClientCore(async () => {
    for (const version of [ours, theirs]) await warmUp(act, version)
    await sleep(SETTLED_MS)
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

/** Returns the processor time of a request in all threads of the server. */
async function cpuMs(act: Act, version: Version): Promise<number> {
  const pid = version.running.process.pid ?? 0
  const before = cpuSeconds(pid)
  const requests = await act(version)
  return ((cpuSeconds(pid) - before) / requests) * 1000
}
