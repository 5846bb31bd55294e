import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import Sqlite from 'better-sqlite3'
import { startPhones } from './phones/start-phones.ts'
import type { ToStreams } from './phones/stream-process.ts'
import { copyDatabase, readPaths } from './scan-page.ts'
import { onClientCore } from './support/load.ts'
import { residentMb, startProduct } from './support/processes.ts'
import type { Row } from './support/report.ts'
import { openScans, openUploader, percentile99, scanWhile, type Uploader } from './uploads.ts'

const STREAMS = 2_000
/** Opened at once: a server takes connections from its backlog a few hundred at a time. */
const AT_ONCE = 100
const MEASURE_MS = 10_000
/** So often somebody writes meanwhile, and all streams of the account are told. */
const WRITE_EVERY_MS = 2_000
/** Longer than a heartbeat of every stream takes. */
const SETTLE_MS = 16_000
/** The server has closed 2,000 connections then. */
const CLOSED_MS = 3_000

/** Open event streams, of an owner and of finders: their memory, and how they slow down scans. */
export function benchEventStreams(seeded: string, work: string): Promise<Row[]> {
  return onClientCore(() => measure(seeded, work))
}

async function measure(seeded: string, work: string): Promise<Row[]> {
  const paths = readPaths(seeded)
  const database = copyDatabase(seeded, work, 'event-streams')
  // Behind a proxy connections are not counted by address.
  const env = { DATA_DIR: join(database, '..'), RATE_LIMITS: 'off', TRUST_PROXY: '1' }
  const server = await startProduct(paths[0] ?? '', env)
  const finders = openScans(server, paths)
  const pages = startPhones(new URL('./phones/stream-process.ts', import.meta.url))
  try {
    const owner = await openUploader(server, 0)
    const tokens = await writeTo(owner, database, STREAMS / 2)
    const before = await scanWhile(finders, sleep(SETTLE_MS))
    const idleMb = residentMb(server.process)
    for (let n = 0; n < STREAMS; n += AT_ONCE) {
      const open = Array.from({ length: AT_ONCE }, (_, i) => {
        const path = i % 2 ? `/c/${tokens[(n + i) >> 1]}/events` : '/api/conversations/events'
        return { url: server.url, path, token: owner.token }
      })
      await pages.tell({ open } satisfies ToStreams)
    }
    await sleep(SETTLE_MS)
    const fullMb = residentMb(server.process)
    const written = await scanWhile(finders, writeWhile(owner, sleep(MEASURE_MS)))
    const told = Number(await pages.tell('count' satisfies ToStreams))
    if (told < STREAMS / 2) throw new Error(`${told} of ${STREAMS / 2} streams were told`)
    const meanwhile = [...written, ...(await scanWhile(finders, sleep(MEASURE_MS)))]
    await pages.stop()
    await sleep(CLOSED_MS)
    const alone = [...before, ...(await scanWhile(finders, sleep(MEASURE_MS)))]
    const [p99, limit] = [percentile99(meanwhile), percentile99(alone)]
    return [
      {
        what: `${STREAMS} open event streams: memory, MB`,
        measured: `${fullMb.toFixed(0)} MB`,
        limit: `${idleMb.toFixed(0)} MB idle`,
        ratio: fullMb - idleMb,
        budget: { atMost: 60 },
      },
      {
        what: `${STREAMS} open event streams: scan p99 ÷ alone`,
        measured: `${p99.toFixed(1)} ms`,
        limit: `${limit.toFixed(1)} ms`,
        ratio: p99 / limit,
        budget: { atMost: 1.3 },
      },
    ]
  } finally {
    await pages.stop()
    await finders.stop()
    await server.stop()
  }
}

/** Begins a conversation, copies it as often, and answers the tokens, whose hashes the rows have. */
async function writeTo(owner: Uploader, database: string, many: number): Promise<string[]> {
  await write(owner)
  const { hashToken, randomId, randomToken } = await import('#db/secrets.ts')
  const connection = new Sqlite(database)
  const row = connection
    .prepare('select * from conversations where qr_id = ?')
    .get(owner.qr_id) as Record<string, unknown>
  const names = Object.keys(row)
  const insert = connection.prepare(
    `insert into conversations (${names.join(', ')}) values (${names.map((name) => `@${name}`).join(', ')})`,
  )
  const tokens = Array.from({ length: many }, randomToken)
  connection.transaction(() => {
    for (const token of tokens) insert.run({ ...row, id: randomId(), token_hash: hashToken(token) })
  })()
  connection.close()
  return tokens
}

/** A finder writes to the owner, in the two seconds that writing must take. */
export async function write({ ask, qr_id }: Uploader): Promise<void> {
  const { page_token } = (await (await ask('GET', `/scan/${qr_id}/message`)).json()) as {
    page_token: string
  }
  await sleep(WRITE_EVERY_MS)
  await ask('POST', `/scan/${qr_id}/messages`, { page_token, reason: 'found' })
}

async function writeWhile(owner: Uploader, until: Promise<unknown>): Promise<void> {
  let isOver = false
  const over = until.then(() => {
    isOver = true
  })
  while (!isOver) await write(owner)
  await over
}
