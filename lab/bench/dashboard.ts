import { execFile } from 'node:child_process'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { gzipSync } from 'node:zlib'
import { noteBackup } from '#lab/support/fresh-backup.ts'
import { onClientCore } from './support/load.ts'
import { startProduct } from './support/processes.ts'
import type { Row } from './support/report.ts'
import { cookieOf } from './uploads.ts'

/** A data folder with a company's codes, and the company's login. */
export type Fleet = { folder: string; contact: string; password: string }
export type Fleets = { large: Fleet; small: Fleet }

/** The company that `seed --codes` adds (scripts/_sample.ts). */
const COMPANY = 'fleet@driveqr.example'
export const LARGE = { codes: 10_000, scans: 1_000_000 }
const SMALL = { codes: 10, scans: 0 }
const WARM_UP = 20
const ROUNDS = 3
const PAGES_A_ROUND = 20
const LONGEST_ANALYTICS_MS = 50

export async function seedFleets(work: string): Promise<Fleets> {
  const large = seedFleet(join(work, 'large-fleet'), LARGE)
  return { large: await large, small: await seedFleet(join(work, 'small-fleet'), SMALL) }
}

export async function seedFleet(
  folder: string,
  { codes, scans }: typeof LARGE,
  program = 'dist/driveqr.js',
): Promise<Fleet> {
  const args = [program, '--json', 'seed', `--codes=${codes}`, `--scans=${scans}`]
  const env = { ...process.env, DATA_DIR: folder }
  const { stdout } = await promisify(execFile)(process.execPath, [...args, '--seed=1'], { env })
  const { password } = JSON.parse(stdout)
  noteBackup(folder)
  return { folder, contact: COMPANY, password }
}

type Visitor = Pick<Awaited<ReturnType<typeof openFleet>>, 'open'>

/** A server of that folder, with the company's session. */
export async function openFleet(fleet: Fleet, settings: Record<string, string> = {}) {
  const env = { DATA_DIR: fleet.folder, ...settings }
  const server = await startProduct('/healthz', env)
  const cookie = await signIn(server.url, fleet)
  async function open(path: string, signedIn = true): Promise<string> {
    const headers = { 'Accept-Encoding': 'identity', ...(signedIn && { cookie }) }
    const answer = await fetch(server.url + path, { headers })
    if (!answer.ok) throw new Error(`${path} answered ${answer.status}`)
    return answer.text()
  }
  return { open, url: server.url, cookie, stop: server.stop }
}

/** The cookies of a new session of the company. */
export async function signIn(url: string, { contact, password }: Fleet): Promise<string> {
  const login = await fetch(`${url}/api/auth/login`, {
    method: 'POST',
    headers: { 'Content-Type': 'application/json' },
    body: JSON.stringify({ contact, password }),
  })
  return cookieOf(login)
}

/** The dashboard of an account with very many codes, compared with one that has few. */
export async function benchDashboard({ large, small }: Fleets): Promise<Row[]> {
  const [much, little] = [await openFleet(large), await openFleet(small)]
  try {
    const codes = await compare(much, little, '/dashboard?tab=my-qrs')
    const analytics = await compare(much, little, '/dashboard?tab=analytics')
    const sizes = [much, little].map(({ open }) => open('/dashboard?tab=my-qrs').then(gzipKb))
    const [muchKb = 0, littleKb = 0] = await Promise.all(sizes)
    return [
      {
        what: 'Dashboard, 10,000 codes and 1,000,000 scans ÷ 10 codes and none',
        measured: `${codes.much.toFixed(1)} ms`,
        limit: `${codes.little.toFixed(1)} ms`,
        ratio: codes.much / codes.little,
        budget: { atMost: 1.5 },
      },
      {
        what: 'Dashboard, gzip, 12 cards ÷ 10 cards',
        measured: `${muchKb.toFixed(1)} KB`,
        limit: `${littleKb.toFixed(1)} KB`,
        ratio: muchKb / littleKb,
        budget: undefined,
      },
      {
        what: 'Analytics of 10,000 codes and 1,000,000 scans, ms',
        measured: `${analytics.much.toFixed(1)} ms`,
        limit: `${analytics.little.toFixed(1)} ms for none`,
        ratio: analytics.much,
        budget: { atMost: LONGEST_ANALYTICS_MS },
      },
    ]
  } finally {
    await Promise.all([much.stop(), little.stop()])
  }
}

/** Milliseconds to the whole page, one after the other, in interleaved rounds. */
export function compare(much: Visitor, little: Visitor, path: string) {
  return onClientCore(() => visitInTurn(much, little, path))
}

async function visitInTurn(much: Visitor, little: Visitor, path: string) {
  const times = { much: [] as number[], little: [] as number[] }
  for (const visitor of [much, little]) for (let i = 0; i < WARM_UP; i++) await visitor.open(path)
  for (let round = 0; round < ROUNDS; round++) {
    for (const [name, { open }] of Object.entries({ much, little })) {
      for (let i = 0; i < PAGES_A_ROUND; i++) {
        const startedAt = performance.now()
        await open(path)
        times[name as keyof typeof times].push(performance.now() - startedAt)
      }
    }
  }
  return { much: quick(times.much), little: quick(times.little) }
}

/** The lower quartile, because other load can only add to a time. */
function quick(times: number[]): number {
  return times.sort((a, b) => a - b)[times.length >> 2] ?? Number.NaN
}

function gzipKb(text: string): number {
  return gzipSync(text).length / 1024
}
