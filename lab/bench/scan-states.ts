import { randomBytes } from 'node:crypto'
import { dirname } from 'node:path'
import Sqlite from 'better-sqlite3'
import {
  compare,
  copyDatabase,
  counterOf,
  fetchSamplePage,
  measure,
  readPaths,
  startDriveQr,
  startLimit,
  startOurs,
} from './scan-page.ts'
import type { Row } from './support/report.ts'

/** What owners can choose, as SQL for all codes, and what such a page shows of a name. */
const STATES = [
  {
    what: 'in relay mode',
    change: "update qr_codes set contact_mode = 'relay'",
    shown: (name: string) => name.split(' ')[0] ?? '',
  },
  {
    what: 'of a lost code',
    change: `update qr_codes set lost_since = '2026-11-18T08:00:00.000Z',
      lost_note = 'Lost between Deccan bus stop and Kothrud depot. Three keys on a red strap.',
      lost_reward = '₹2,000'`,
    shown: (name: string) => name,
  },
]

/** The same page in other states, compared with the limit that answers pages of their length. */
export async function benchScanStates(seeded: string, work: string): Promise<Row[]> {
  const paths = readPaths(seeded)
  const rows: Row[] = []
  for (const { what, change, shown } of STATES) {
    const file = copyDatabase(seeded, work, 'state')
    const database = new Sqlite(file)
    database.exec(change)
    database.close()
    const changed = dirname(file)
    await fetchSamplePage(changed, work, paths[0] ?? '', shown)
    const limit = await startLimit(changed, work, paths)
    const ours = await startOurs(changed, work, paths)
    const results = await measure([limit, ours], paths)
    await Promise.all([limit.running.stop(), ours.running.stop()])
    rows.push(compare(results, `Scan page ${what} ÷ node:http`, 'driveqr', 'limit', 0.8))
  }
  return [...rows, ...(await benchBrand(seeded, work, paths))]
}

/** A logo of the largest size, which compresses as little as a real one. */
const LOGO = randomBytes(3_000).toString('base64')
const BRAND = `
  update accounts set subscription_plan = 'enterprise';
  insert into brands (account_id, version, name, colour, footer, logo, logo_file, updated_at)
    select id, id, 'NeelRath Cabs', '#0f4c96', 'Control room open 24 hours', '${LOGO}', 'logo.png', ''
    from accounts`

/** With a brand and without, as phones ask for the page; and how long it is, which loads nothing else. */
async function benchBrand(seeded: string, work: string, paths: string[]): Promise<Row[]> {
  const file = copyDatabase(seeded, work, 'brand')
  const database = new Sqlite(file)
  database.exec(BRAND)
  database.close()
  const gzip = { 'Accept-Encoding': 'gzip' }
  const plain = { ...(await startOurs(seeded, work, paths)), name: 'plain', headers: gzip }
  const [path = ''] = paths
  const running = await startDriveQr(file, path)
  const branded = { name: 'branded', running, countScans: counterOf(file), headers: gzip }
  const answer = await fetch(running.url + path, { headers: gzip })
  const bytes = Number(answer.headers.get('Content-Length'))
  const page = await answer.text()
  if (!page.includes(LOGO)) throw new Error('the page has no brand')
  if (/<script|<link[^>]* rel="stylesheet"|src="(?!data:)/.test(page)) {
    throw new Error('the page loads more than itself')
  }
  const results = await measure([plain, branded], paths)
  await Promise.all([plain.running.stop(), running.stop()])
  return [
    compare(results, 'Scan page with a brand ÷ without', 'branded', 'plain', 0.9),
    {
      what: 'Scan page with a brand, gzip, in KB',
      measured: `${bytes} bytes`,
      limit: '8 KB',
      ratio: bytes / 1024,
      budget: { atMost: 8 },
    },
  ]
}
