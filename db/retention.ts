import { setImmediate as nextTurn } from 'node:timers/promises'
import type { Expression, ExpressionBuilder, SqlBool } from 'kysely'
import type { Db } from '#db/client.ts'
import { forgetScanTimes } from '#db/scans/earlier-scans.ts'
import type { Instant, Tables } from '#db/schema.ts'
import { inTransaction } from '#db/transaction.ts'

/** Rows that go in one transaction: more would keep finders waiting. */
const ROWS_AT_ONCE = 500
/** They block the thread for about a millisecond. */
const CODES_AT_ONCE = 500

type Codes = ExpressionBuilder<Tables, 'qr_codes'>

/**
 * Deletes the times of scans from before an instant. How many they were stays with their codes, and with the
 * periods in which those were lost. A stop ends it in the middle, and the next call goes on.
 */
export async function forgetOldScans(db: Db, before: Instant, signal?: AbortSignal): Promise<void> {
  const isOld = ({ exists, selectFrom }: Codes) =>
    exists(
      selectFrom('scans')
        .select('scans.qr_id')
        .whereRef('scans.qr_id', '=', 'qr_codes.qr_id')
        .where('scanned_at', '<', before),
    )
  for await (const qrId of codesWith(db, isOld, signal)) {
    await untilNone(() => forgetScansOf(db, qrId, before), signal)
  }
}

async function forgetScansOf(db: Db, qrId: string, before: Instant): Promise<number> {
  return inTransaction(db, async (trx) => {
    const code = await trx
      .selectFrom('qr_codes')
      .select(['qr_id', 'owner_id', 'earlier_scans'])
      .where('qr_id', '=', qrId)
      .executeTakeFirst()
    if (!code) return 0
    const old = trx.selectFrom('scans').where('qr_id', '=', qrId).where('scanned_at', '<', before)
    const last = await old
      .select('scanned_at')
      .orderBy('scanned_at')
      .limit(ROWS_AT_ONCE)
      .execute()
      .then((rows) => rows.at(-1))
    if (!last) return 0
    const until = last.scanned_at
    await trx
      .updateTable('lost_periods')
      .set(({ eb, selectFrom }) => ({
        earlier_scans: eb(
          'earlier_scans',
          '+',
          selectFrom('scans')
            .select(({ fn }) => fn.countAll<number>().as('count'))
            .where('scans.qr_id', '=', qrId)
            .where('scanned_at', '<=', until)
            .whereRef('scanned_at', '>=', 'lost_periods.since')
            .where((each) =>
              each.or([
                each('lost_periods.until', 'is', null),
                each('scanned_at', '<', each.ref('lost_periods.until')),
              ]),
            ),
        ),
      }))
      .where('qr_id', '=', qrId)
      .where('since', '<=', until)
      .execute()
    const scans = await forgetScanTimes(trx, code, until)
    await trx
      .updateTable('qr_codes')
      .set({ earlier_scans: code.earlier_scans + scans })
      .where('qr_id', '=', qrId)
      .execute()
    return scans
  })
}

/** Deletes when authorities looked at codes and documents, from before an instant. As `forgetOldScans`. */
export async function forgetOldViews(db: Db, before: Instant, signal?: AbortSignal): Promise<void> {
  const isOld = ({ exists, selectFrom }: Codes) =>
    exists(
      selectFrom('document_views')
        .select('document_views.id')
        .whereRef('document_views.qr_id', '=', 'qr_codes.qr_id')
        .where('viewed_at', '<', before),
    )
  for await (const qrId of codesWith(db, isOld, signal)) {
    await untilNone(() => forgetViewsOf(db, qrId, before), signal)
  }
}

async function forgetViewsOf(db: Db, qrId: string, before: Instant): Promise<number> {
  const { numDeletedRows } = await inTransaction(db, (trx) =>
    trx
      .deleteFrom('document_views')
      .where('id', 'in', ({ selectFrom }) =>
        selectFrom('document_views')
          .select('id')
          .where('qr_id', '=', qrId)
          .where('viewed_at', '<', before)
          .limit(ROWS_AT_ONCE),
      )
      .executeTakeFirstOrThrow(),
  )
  return Number(numDeletedRows)
}

/** Deletes what administrators did before an instant. As `forgetOldScans`. */
export async function forgetOldActs(db: Db, before: Instant, signal?: AbortSignal): Promise<void> {
  await untilNone(async () => {
    const { numDeletedRows } = await inTransaction(db, (trx) =>
      trx
        .deleteFrom('audit_events')
        .where('id', 'in', ({ selectFrom }) =>
          selectFrom('audit_events')
            .select('id')
            .where('happened_at', '<', before)
            .orderBy('happened_at')
            .limit(ROWS_AT_ONCE),
        )
        .executeTakeFirstOrThrow(),
    )
    return Number(numDeletedRows)
  }, signal)
}

/**
 * Deletes wrong guesses from before an instant, of those that were counted first. As `forgetOldScans`.
 */
export async function forgetOldGuesses(
  db: Db,
  before: Instant,
  signal?: AbortSignal,
): Promise<void> {
  await untilNone(async () => {
    const { numDeletedRows } = await inTransaction(db, (trx) =>
      trx
        .deleteFrom('wrong_guesses')
        .where('guessed_at', '<', before)
        // Without this bound each night would read the whole table.
        .where('n', 'in', ({ selectFrom }) =>
          selectFrom('wrong_guesses').select('n').orderBy('n').limit(ROWS_AT_ONCE),
        )
        .executeTakeFirstOrThrow(),
    )
    return Number(numDeletedRows)
  }, signal)
}

/**
 * The codes for which something holds. So many are looked at in one turn, by the database: as rows they would
 * cost a server with 100,000 codes 15 MB each time.
 */
async function* codesWith(
  db: Db,
  holds: (eb: Codes) => Expression<SqlBool>,
  signal: AbortSignal | undefined,
): AsyncGenerator<string> {
  for (let after = ''; !signal?.aborted; await nextTurn()) {
    const last = await db
      .selectFrom('qr_codes')
      .select('qr_id')
      .where('qr_id', '>', after)
      .orderBy('qr_id')
      .limit(1)
      .offset(CODES_AT_ONCE - 1)
      .executeTakeFirst()
    const found = await db
      .selectFrom('qr_codes')
      .select('qr_id')
      .where('qr_id', '>', after)
      .$if(last !== undefined, (query) => query.where('qr_id', '<=', last?.qr_id ?? ''))
      .where(holds)
      .orderBy('qr_id')
      .execute()
    for (const { qr_id } of found) yield qr_id
    if (!last) return
    after = last.qr_id
  }
}

/** Repeats a step, with other requests in between, until it has nothing left to do. */
async function untilNone(step: () => Promise<number>, signal?: AbortSignal): Promise<void> {
  while (!signal?.aborted && (await step()) > 0) await nextTurn()
}
