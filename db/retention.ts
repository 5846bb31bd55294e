import { setImmediate as nextTurn } from 'node:timers/promises'
import type { Expression, ExpressionBuilder, SqlBool } from 'kysely'
import { secondsAfter, toInstant } from '#db/cast.ts'
import type { Db, DbOrTrx } from '#db/client.ts'
import { forgetScanTimes } from '#db/scans/earlier-scans.ts'
import type { Instant, Tables } from '#db/schema.ts'
import type { Sweep, Sweeping } from '#db/sweep.ts'
import { inTransaction } from '#db/transaction.ts'
import { KEPT_DAYS } from '#domain/idempotency-key.ts'

/** Rows in one transaction: more would keep finders waiting. */
const ROWS_AT_ONCE = 500
/** They block the thread for about a millisecond. */
const CODES_AT_ONCE = 500

type Codes = ExpressionBuilder<Tables, 'qr_codes'>

/** Sweeps rows of more than some days, in small steps. What a stop leaves, the next sweep deletes. */
function olderThan(
  daysOf: (retention: Sweeping['retention']) => number,
  sweep: (db: Db, before: Instant, signal?: AbortSignal) => Promise<void>,
): Sweep {
  return async (db, { now, retention, signal }) => {
    const days = daysOf(retention)
    if (days > 0) await sweep(db, toInstant(secondsAfter(now, -days * 86_400)), signal)
  }
}

/** Deletes the times of old scans. Their number stays with their codes, and with periods in which these were lost. */
export const forgetOldScans = olderThan(
  ({ scans }) => scans,
  async (db, before, signal) => {
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
  },
)

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

/** Deletes old views of codes and documents by authorities. */
export const forgetOldViews = olderThan(
  ({ views }) => views,
  async (db, before, signal) => {
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
  },
)

function forgetViewsOf(db: Db, qrId: string, before: Instant): Promise<number> {
  return countDeleted(db, (trx) =>
    trx
      .deleteFrom('document_views')
      .where('id', 'in', ({ selectFrom }) =>
        selectFrom('document_views')
          .select('id')
          .where('qr_id', '=', qrId)
          .where('viewed_at', '<', before)
          .limit(ROWS_AT_ONCE),
      ),
  )
}

/** Deletes old entries of the audit log. */
export const forgetOldActs = olderThan(({ audit }) => audit, oldRows('audit_events', 'happened_at'))

/** Deletes the keys of repeated calls after the time for which their answers are kept. */
export const forgetOldKeys = olderThan(() => KEPT_DAYS, oldRows('idempotency_keys', 'created_at'))

/** Deletes the rows of a table that an instant with an index makes old, the oldest first. */
function oldRows<T extends 'audit_events' | 'idempotency_keys'>(
  table: T,
  instant: keyof Tables[T] & `${string}_at`,
) {
  // The types of a query on either table do not know its columns.
  const [own, at] = [table as 'audit_events', instant as 'happened_at']
  return (db: Db, before: Instant, signal?: AbortSignal) =>
    untilNone(
      () =>
        countDeleted(db, (trx) =>
          trx
            .deleteFrom(own)
            .where('id', 'in', ({ selectFrom }) =>
              selectFrom(own).select('id').where(at, '<', before).orderBy(at).limit(ROWS_AT_ONCE),
            ),
        ),
      signal,
    )
}

/** Twice the time in which the waits after wrong guesses grow to their longest. */
const GUESSES_DAYS = 180

/** Deletes old wrong guesses, of those that were counted first. */
export const forgetOldGuesses = olderThan(
  () => GUESSES_DAYS,
  (db, before, signal) =>
    untilNone(
      () =>
        countDeleted(db, (trx) =>
          trx
            .deleteFrom('wrong_guesses')
            .where('guessed_at', '<', before)
            // Without this bound each night would read the whole table.
            .where('n', 'in', ({ selectFrom }) =>
              selectFrom('wrong_guesses').select('n').orderBy('n').limit(ROWS_AT_ONCE),
            ),
        ),
      signal,
    ),
)

type Deleting = { executeTakeFirstOrThrow(): Promise<{ numDeletedRows: bigint }> }

async function countDeleted(db: Db, query: (trx: DbOrTrx) => Deleting): Promise<number> {
  const { numDeletedRows } = await inTransaction(db, (trx) => query(trx).executeTakeFirstOrThrow())
  return Number(numDeletedRows)
}

/**
 * Yields the codes for which something holds. The database checks some in each turn: as rows, 100,000 codes would
 * take 15 MB each time.
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
