import { type Fleet, signIn } from './sample.ts'
import { onClientCore } from './support/load.ts'
import { startProduct } from './support/processes.ts'
import { type Row, timed, toRatio, toRow } from './support/report.ts'

const WARM_UP = 20
const ROUNDS = 3
const PAGES_A_ROUND = 20
const DASHBOARD = '/dashboard?tab=my-qrs'
const ANALYTICS = '/dashboard?tab=analytics'

/** A server of a data folder, with the company's session. */
export type Visitor = Awaited<ReturnType<typeof openFleet>>

export async function openFleet(fleet: Fleet, settings: Record<string, string> = {}) {
  const server = await startProduct('/healthz', { DATA_DIR: fleet.folder, ...settings })
  const cookie = await signIn(server.url, fleet)
  async function open(path: string): Promise<void> {
    const headers = { 'Accept-Encoding': 'identity', cookie }
    const answer = await fetch(server.url + path, { headers })
    if (!answer.ok) throw new Error(`${path} answered ${answer.status}`)
    await answer.arrayBuffer()
  }
  return { open, url: server.url, cookie, stop: server.stop }
}

/** The dashboard and analytics of an account with very many codes, and of one with few. */
export async function benchDashboard(large: Fleet, small: Fleet): Promise<Row[]> {
  const [much, little] = [await openFleet(large), await openFleet(small)]
  try {
    const codes = await compareTimes(much, little, DASHBOARD)
    const analytics = await compareTimes(much, little, ANALYTICS)
    return [
      toRatio('Dashboard, 10,000 codes and 1,000,000 scans ÷ 10 codes and none', ...codes, {
        atMost: 1.5,
      }),
      toRow('Analytics of 10,000 codes and 1,000,000 scans', analytics[0], 'ms', { atMost: 50 }),
    ]
  } finally {
    await Promise.all([much.stop(), little.stop()])
  }
}

/** The same pages of the same large account on PostgreSQL and on SQLite. */
export async function benchDashboardEngines(postgres: Visitor, sqlite: Visitor): Promise<Row[]> {
  const dashboard = await compareTimes(postgres, sqlite, DASHBOARD)
  const analytics = await compareTimes(postgres, sqlite, ANALYTICS)
  return [
    toRatio('Dashboard: PostgreSQL ÷ SQLite', ...dashboard, { atMost: 2 }),
    toRatio('Analytics: PostgreSQL ÷ SQLite', ...analytics, { atMost: 2 }),
  ]
}

/** Opens a page of both, one request after the other in interleaved rounds. Returns milliseconds. */
function compareTimes(one: Visitor, other: Visitor, path: string): Promise<[number, number]> {
  return onClientCore(async () => {
    const measured = [one, other].map(({ open }) => ({ open, times: [] as number[] }))
    for (const { open } of measured) for (let i = 0; i < WARM_UP; i++) await open(path)
    for (let round = 0; round < ROUNDS; round++) {
      for (const { open, times } of measured) {
        for (let i = 0; i < PAGES_A_ROUND; i++) times.push(await timed(() => open(path)))
      }
    }
    const [ours, theirs] = measured.map(({ times }) => lowerQuartile(times))
    return [ours ?? Number.NaN, theirs ?? Number.NaN]
  })
}

/** The lower quartile, because other load can only add to a time. */
function lowerQuartile(times: number[]): number {
  return times.sort((a, b) => a - b)[times.length >> 2] ?? Number.NaN
}
