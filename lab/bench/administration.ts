import { execFileSync } from 'node:child_process'
import { createWriteStream, existsSync, readFileSync, rmSync } from 'node:fs'
import { get } from 'node:http'
import { join } from 'node:path'
import { pipeline } from 'node:stream/promises'
import { pathToFileURL } from 'node:url'
import Sqlite from 'better-sqlite3'
import { copyDatabase } from './scan-page.ts'
import { onClientCore } from './support/load.ts'
import { type Running, residentMb, startProduct } from './support/processes.ts'
import { median, type Row } from './support/report.ts'
import { findTool } from './support/tools.ts'
import { openUploader } from './uploads.ts'

const USERS = 100_000
/** The first exports are slower until their code is compiled. */
const WARM_UP = 5
const ROUNDS = 5
const DISK_RESTS_MS = 400
const PAGES = 10
const LONGEST_PAGE_MS = 50
const PRELOAD = pathToFileURL('lab/bench/targets/loop-delay.mjs')

/** The query of an export, for the sqlite3 shell. */
const SELECT = `select c.qr_id, c.qr_type, c.owner_name, c.contact_phone, c.email, c.city_area,
  c.emergency_contact_name, c.emergency_contact_phone, c.blood_group, c.vehicle_registration,
  c.vehicle_make_model, c.company_fleet_name, c.public_message, c.is_active, c.is_claimed,
  c.is_child_registered, a.name, a.email, a.mobile, c.updated_at, c.created_at
  from qr_codes c join accounts a on a.id = c.owner_id order by c.created_at, c.id`

/** The lists of a large installation, and the export of its codes. */
export async function benchAdministration(seeded: string, work: string): Promise<Row[]> {
  const database = copyDatabase(seeded, work, 'administration')
  addUsers(database)
  const delayFile = join(work, 'loop-delay')
  const server = await startProduct('/healthz', {
    DATA_DIR: join(database, '..'),
    RATE_LIMITS: 'off',
    NODE_ENV: 'development',
    NODE_OPTIONS: `--import=${PRELOAD}`,
    LOOP_DELAY_FILE: delayFile,
  })
  try {
    const { ask, token, cookie } = await openUploader(server)
    await ask('POST', '/admin/grant-super-admin')
    const headers = { Authorization: `Bearer ${token}` }
    const open = async (path: string) => {
      const answer = await fetch(server.url + path, { headers: { Cookie: cookie } })
      if (!answer.ok) throw new Error(`${path} answered ${answer.status}`)
      return answer.text()
    }
    const page = await quickest(() => open('/admin-dashboard?tab=users'))
    const found = await quickest(() => open('/admin-dashboard?tab=users&q=person77777'))
    const code = await quickest(() => open('/admin?tab=qr-codes&q=KA05ME'))
    return [
      toPageRow('Users, first page of 100,000, ms', page),
      toPageRow('Users, one found among 100,000, ms', found),
      toPageRow('Codes, some found among 100,000, ms', code),
      ...(await onClientCore(() => benchExport(server, { database, work, headers, delayFile }))),
    ]
  } finally {
    await server.stop()
  }
}

function toPageRow(what: string, ms: number): Row {
  const budget = { atMost: LONGEST_PAGE_MS }
  return { what, measured: `${ms.toFixed(1)} ms`, limit: '–', ratio: ms, budget }
}

type Export = {
  database: string
  work: string
  headers: Record<string, string>
  delayFile: string
}

async function benchExport(server: Running, { database, work, headers, delayFile }: Export) {
  const shell = findTool('sqlite3', 'CSV export')
  if (!shell) return []
  const file = join(work, 'export.csv')
  const url = `${server.url}/api/admin/qr-codes/export/csv`
  const ours: number[] = []
  const theirs: number[] = []
  const pauses: number[] = []
  const idleMb = residentMb(server.process)
  let peakMb = idleMb
  const watch = setInterval(() => {
    peakMb = Math.max(peakMb, residentMb(server.process))
  }, 5)
  for (let round = 0; round < WARM_UP; round++) await download(url, headers, file)
  for (let round = 0; round < ROUNDS; round++) {
    // The export is recorded first, and pending writes of earlier files would delay it.
    await new Promise((resolve) => setTimeout(resolve, DISK_RESTS_MS))
    await readDelay(server, delayFile)
    ours.push(await timed(() => download(url, headers, file)))
    pauses.push(await readDelay(server, delayFile))
    theirs.push(await timed(async () => exportByShell(shell, database, join(work, 'shell.csv'))))
  }
  clearInterval(watch)
  const [measured, limit] = [median(ours), median(theirs)]
  const pause = median(pauses)
  return [
    {
      what: 'CSV of 100,000 codes through HTTP ÷ sqlite3 .mode csv',
      measured: `${measured.toFixed(0)} ms`,
      limit: `${limit.toFixed(0)} ms`,
      ratio: measured / limit,
      budget: { atMost: 1.5 },
    },
    {
      what: 'CSV of 100,000 codes: memory above idle, MB',
      measured: `${peakMb.toFixed(0)} MB`,
      limit: `${idleMb.toFixed(0)} MB idle`,
      ratio: peakMb - idleMb,
      budget: { atMost: 60 },
    },
    {
      what: 'CSV of 100,000 codes: longest pause of the loop, ms',
      measured: `${pause.toFixed(1)} ms`,
      limit: '–',
      ratio: pause,
      budget: { atMost: 10 },
    },
  ]
}

/** Minimal accounts, in addition to those of the sample. */
export function addUsers(path: string): void {
  const database = new Sqlite(path)
  database.exec(`
    with recursive people (n) as (select 1 union all select n + 1 from people where n < ${USERS})
    insert into accounts (id, name, email, role, subscription_plan, qr_limit, child_qr_quota,
      is_active, created_at)
    select 'person' || n, 'Person Deshpande ' || n, 'person' || n || '@example.in', 'client',
      'free', 1, 0, 1, strftime('%Y-%m-%dT%H:%M:%fZ', 1700000000 + n * 60, 'unixepoch') from people`)
  database.close()
}

export function download(
  url: string,
  headers: Record<string, string>,
  file: string,
): Promise<void> {
  return new Promise((resolve, reject) => {
    get(url, { headers }, (answer) => {
      if (answer.statusCode !== 200) reject(new Error(`The export answered ${answer.statusCode}`))
      pipeline(answer, createWriteStream(file)).then(resolve, reject)
    }).on('error', reject)
  })
}

/** On the core of the server, into a file as well. */
function exportByShell(shell: string, database: string, file: string): void {
  const commands = ['-readonly', database, '.mode csv', '.headers on', `.once ${file}`, SELECT]
  execFileSync('taskset', ['-c', '0', shell, ...commands])
}

/** The longest pause since the last call, in milliseconds. */
export async function readDelay(server: Running, file: string): Promise<number> {
  rmSync(file, { force: true })
  server.process.kill('SIGUSR2')
  while (!existsSync(file) || readFileSync(file, 'utf8') === '') {
    await new Promise((resolve) => setTimeout(resolve, 5))
  }
  return Number(readFileSync(file, 'utf8'))
}

/** The lower quartile, because other load can only add to a time. */
async function quickest(work: () => Promise<unknown>): Promise<number> {
  const times: number[] = []
  for (let n = 0; n < PAGES * 2; n++) times.push(await timed(work))
  return times.slice(PAGES).sort((a, b) => a - b)[PAGES >> 2] ?? Number.NaN
}

export async function timed(work: () => Promise<unknown>): Promise<number> {
  const startedAt = performance.now()
  await work()
  return performance.now() - startedAt
}
