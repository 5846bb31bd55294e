import { dirname } from 'node:path'
import Sqlite from 'better-sqlite3'
import type { Row } from './report.ts'
import {
  compare,
  copyDatabase,
  fetchSamplePage,
  measure,
  readPaths,
  startLimit,
  startOurs,
} from './scan-page.ts'

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
  return rows
}
