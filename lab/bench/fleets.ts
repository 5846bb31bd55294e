import { once } from 'node:events'
import { createWriteStream } from 'node:fs'
import { join, resolve } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import Sqlite from 'better-sqlite3'
import { readDelay, timed } from './administration.ts'
import { copyDatabase, readPaths } from './scan-page.ts'
import { CLIENT_CORE, onClientCore } from './support/load.ts'
import { runCommand, startProduct } from './support/processes.ts'
import type { Row } from './support/report.ts'
import { openScans, openUploader, percentile99, scanWhile, type Uploader } from './uploads.ts'

const ROWS = 1_000
const MANY_ROWS = 100_000
const COMPANIES = 20
/** All codes of a company. */
const DELETED = MANY_ROWS / COMPANIES
const ALONE_MS = 5_000
/** After the start the server checks its database. */
const SETTLED_MS = 4_000
const HEAD =
  'vehicle_registration,owner_name,contact_phone,email,vehicle_make_model,insurance_expiry_date,company_fleet_name\n'
const LETTERS = 'ABCDEFGHJKLMNPRSTUVWXYZ'

/** Tables of vehicles, by the API and by the command line beside a server, and a deletion of thousands. */
export async function benchFleets(seeded: string, work: string): Promise<Row[]> {
  const paths = readPaths(seeded)
  const database = copyDatabase(seeded, work, 'fleets')
  const dataDir = join(database, '..')
  const delayFile = join(work, 'fleets-loop-delay')
  const server = await startProduct(paths[0] ?? '', {
    DATA_DIR: dataDir,
    RATE_LIMITS: 'off',
    NODE_OPTIONS: `--import=${resolve('lab/bench/targets/loop-delay.mjs')}`,
    LOOP_DELAY_FILE: delayFile,
  })
  const finders = openScans(server, paths)
  try {
    return await onClientCore(async () => {
      const owner = await openUploader(server)
      allowAny(database)
      await sleep(SETTLED_MS)
      const seconds = (await timed(() => importByCall(owner))) / 1000
      const alone = await scanWhile(finders, sleep(ALONE_MS))
      const file = join(work, 'fleet.csv')
      await writeTable(file, MANY_ROWS)
      const importing = importByCommand(file, dataDir)
      const meanwhile = await scanWhile(finders, importing)
      const { perSecond, peakMb } = await importing
      await sleep(ALONE_MS)
      await readDelay(server, delayFile)
      let deleting = 0
      const deletion = timed(() => deleteCodes(owner)).then((took) => {
        deleting = took
      })
      const waits = await scanWhile(finders, deletion)
      const pause = await readDelay(server, delayFile)
      const [p99, limit] = [percentile99(meanwhile), percentile99(alone)]
      const absolute = (what: string, ratio: number, unit: string, budget: Row['budget']): Row => {
        return { what, measured: `${ratio.toFixed(1)} ${unit}`, limit: '–', ratio, budget }
      }
      return [
        absolute(`Import of ${ROWS} rows by the API, s`, seconds, 's', { atMost: 3 }),
        absolute(
          `Import of ${MANY_ROWS} rows by the command line beside a server, a second`,
          perSecond,
          'a second',
          { atLeast: 5_000 },
        ),
        absolute('Meanwhile: its memory, MB', peakMb, 'MB', { atMost: 120 }),
        {
          what: 'Meanwhile: scan p99 ÷ alone',
          measured: `${p99.toFixed(1)} ms`,
          limit: `${limit.toFixed(1)} ms`,
          ratio: p99 / limit,
          budget: { atMost: 1.5 },
        },
        {
          what: `Deletion of ${DELETED} codes at once: longest pause of the loop, ms`,
          measured: `${pause.toFixed(1)} ms of ${deleting.toFixed(0)} ms`,
          limit: '–',
          ratio: pause,
          budget: undefined,
        },
        {
          what: 'Meanwhile: longest scan, ms',
          measured: `${Math.max(...waits).toFixed(0)} ms`,
          limit: `${Math.max(...alone).toFixed(0)} ms alone`,
          ratio: Math.max(...waits),
          budget: { atMost: 1_000 },
        },
      ]
    })
  } finally {
    await finders.stop()
    await server.stop()
  }
}

/** The plan of the account that imports. */
function allowAny(database: string): void {
  const connection = new Sqlite(database)
  connection.exec(
    "update accounts set subscription_plan = 'enterprise', qr_limit = -1 where email like 'bench%'",
  )
  connection.close()
}

/** Plates of 40 offices, each with pairs of letters. */
function rowOf(n: number): string {
  const [office, pair] = [n % 40, Math.floor(n / 40_000)]
  const letters = `${LETTERS[pair % 22]}${LETTERS[Math.floor(n / 880_000) % 22]}`
  const plate = `MH${10 + office}${letters}${String(1000 + (Math.floor(n / 40) % 1_000))}`
  return `${plate},Driver ${n},98765 ${10_000 + (n % 90_000)},driver${n}@example.in,Maruti Ertiga,2027-03-31,NeelRath ${n % COMPANIES}\n`
}

async function writeTable(file: string, rows: number): Promise<void> {
  const table = createWriteStream(file)
  table.write(HEAD)
  for (let n = 0; n < rows; n++) if (!table.write(rowOf(n))) await once(table, 'drain')
  table.end()
  await once(table, 'close')
}

async function importByCall({ url, token }: Uploader): Promise<void> {
  const rows = Array.from({ length: ROWS }, (_, n) => rowOf(MANY_ROWS + n))
  const body = new FormData()
  body.set('file', new Blob([HEAD + rows.join('')]), 'fleet.csv')
  const headers = { Authorization: `Bearer ${token}` }
  const answer = await fetch(`${url}/api/qr/import`, { method: 'POST', headers, body })
  const { created_count } = (await answer.json()) as { created_count?: number }
  if (created_count !== ROWS) throw new Error(`An import was answered ${answer.status}`)
}

/** On the core of the load. */
async function importByCommand(file: string, dataDir: string) {
  const args = ['qr', 'import', file, '--owner', 'bench0@example.in']
  const { seconds, peakMb } = await runCommand(dataDir, args, ['taskset', '-c', CLIENT_CORE])
  return { perSecond: MANY_ROWS / seconds, peakMb }
}

async function deleteCodes({ ask }: Uploader): Promise<void> {
  // Those of both tables.
  const value = DELETED + ROWS / COMPANIES
  const act = { company_fleet_name: 'NeelRath 0', action: 'delete', value }
  await ask('POST', '/qr/bulk', act)
}
