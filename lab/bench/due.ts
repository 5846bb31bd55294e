import { randomBytes } from 'node:crypto'
import { mkdirSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { insertAccount } from '#db/accounts/accounts.ts'
import type { Db } from '#db/client.ts'
import { findLastRun, noteRun } from '#db/papers/digests.ts'
import type { DocumentRow } from '#db/papers/documents.ts'
import { randomId } from '#db/secrets.ts'
import { openDatabase } from '#db/sqlite/database.ts'
import { inTransaction } from '#db/transaction.ts'
import { addDays, lastRunDay } from '#domain/papers/due.ts'
import { DEFAULT_TIMEZONE } from '#domain/time.ts'
import { noteBackup } from '#lab/support/fresh-backup.ts'
import { insertCode } from '#tests/support/codes.ts'
import { readDelay } from './administration.ts'
import { startProduct } from './support/processes.ts'
import type { Row } from './support/report.ts'

const ACCOUNTS = 5_000
const CODES_EACH = 4
const TYPES = ['insurance', 'puc', 'road_tax', 'vehicle_permit', 'fitness_certificate'] as const
const DOCUMENTS = ACCOUNTS * CODES_EACH * TYPES.length
/** They end on the days of a year, from a month ago on. */
const [FIRST_DAY, DAYS] = [-30, 365]
/** After the start the server checks its database, and has the run of an empty one behind it. */
const SETTLED_MS = 6_000
/** The server looks for a run each minute. */
const LONGEST_WAIT_MS = 120_000
const LOOK_MS = 20
const READ_MS = 1_000

/** The run of 09:00 over documents with dates, by a server that answers nothing else. */
export async function benchDue(work: string): Promise<Row[]> {
  const dataDir = join(work, 'due')
  mkdirSync(dataDir)
  noteBackup(dataDir)
  const day = lastRunDay(new Date(), DEFAULT_TIMEZONE)
  const { db, close } = await openDatabase(dataDir)
  const path = await fill(db, day)
  await noteRun(db, day)
  const delayFile = join(work, 'due-loop-delay')
  const server = await startProduct(path, {
    DATA_DIR: dataDir,
    // Nobody answers there: the mails stay in the outbox, where they are counted.
    SMTP_URL: 'smtp://127.0.0.1:9',
    NODE_OPTIONS: `--import=${resolve('lab/bench/targets/loop-delay.mjs')}`,
    LOOP_DELAY_FILE: delayFile,
  })
  try {
    await sleep(SETTLED_MS)
    await noteRun(db, addDays(day, -1))
    let readAt = 0
    let startedAt = 0
    let begin = 0
    await until(async () => {
      const hasBegun = (await countDigests(db)) > 0
      startedAt = performance.now()
      // The run begins within a minute, and what the runtime tidies up before is not its pause.
      if (hasBegun || startedAt - readAt > READ_MS) {
        begin = await readDelay(server, delayFile)
        readAt = startedAt
      }
      return hasBegun
    })
    await until(async () => (await findLastRun(db)) === day)
    const seconds = (performance.now() - startedAt) / 1000
    const pause = Math.max(begin, await readDelay(server, delayFile))
    const digests = await countDigests(db)
    return [
      {
        what: `09:00 with ${DOCUMENTS} documents that end on the days of a year: ${digests} digests, s`,
        measured: `${seconds.toFixed(1)} s`,
        limit: '–',
        ratio: seconds,
        budget: { atMost: 5 },
      },
      {
        what: 'Meanwhile: longest pause of the loop, ms',
        measured: `${pause.toFixed(1)} ms`,
        limit: '–',
        ratio: pause,
        budget: { atMost: 10 },
      },
    ]
  } finally {
    await server.stop()
    await close()
  }
}

async function fill(db: Db, day: string): Promise<string> {
  const now = new Date()
  let path = ''
  let n = 0
  for (let account = 0; account < ACCOUNTS; account += 100) {
    await inTransaction(db, async (trx) => {
      const documents: DocumentRow[] = []
      for (let each = account; each < account + 100; each++) {
        const who = {
          name: `Owner ${each}`,
          email: `owner${each}@example.in`,
          email_verified_at: now.toISOString(),
          password_hash: null,
        }
        const { id } = await insertAccount(trx, who, now)
        for (let code = 0; code < CODES_EACH; code++) {
          const plate = `MH12QX${String(n % 10_000).padStart(4, '0')}`
          const { qr_id } = await insertCode(trx, id, { vehicle_registration: plate })
          path ||= `/scan/${qr_id}`
          for (const type of TYPES) {
            // A step without a common divisor, so that an account's dates are far apart.
            const ends = addDays(day, FIRST_DAY + ((n++ * 97) % DAYS))
            documents.push(documentOf({ qr_id, account_id: id }, type, ends))
          }
        }
      }
      await trx.insertInto('documents').values(documents).execute()
    })
  }
  return path
}

function documentOf(
  of: Pick<DocumentRow, 'qr_id' | 'account_id'>,
  document_type: string,
  expires_on: string,
): DocumentRow {
  return {
    ...of,
    id: randomId(),
    document_type,
    document_side: null,
    is_public: 1,
    is_locked: 0,
    file_name: 'paper.pdf',
    stored_name: `${randomBytes(13).toString('hex')}.pdf`,
    thumbnail_name: null,
    file_size: 1,
    content_type: 'application/pdf',
    uploaded_at: '2026-01-01T00:00:00.000Z',
    expires_on,
  }
}

async function countDigests(db: Db): Promise<number> {
  const { count } = await db
    .selectFrom('due_digests')
    .select(({ fn }) => fn.countAll<number>().as('count'))
    .executeTakeFirstOrThrow()
  return count
}

async function until(isSo: () => Promise<boolean>): Promise<void> {
  for (const begun = performance.now(); !(await isSo()); await sleep(LOOK_MS)) {
    if (performance.now() - begun > LONGEST_WAIT_MS) throw new Error('The run did not begin or end')
  }
}
