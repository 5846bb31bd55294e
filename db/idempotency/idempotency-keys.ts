import { secondsAfter, toInstant } from '#db/cast.ts'
import type { Db } from '#db/client.ts'
import type { Instant, RowOf } from '#db/schema.ts'
import { inTransaction } from '#db/transaction.ts'
import { KEPT_DAYS } from '#domain/idempotency-key.ts'

type KeyRow = RowOf<'idempotency_keys'>

/** Keys that were made before this instant are free again, even if no sweep has deleted them. */
function freeBefore(now: Date): Instant {
  return toInstant(secondsAfter(now, -KEPT_DAYS * 86_400))
}

/** Returns the call that was made with a key, running or answered. */
export async function findKeyedCall(db: Db, id: string, now: Date): Promise<KeyRow | undefined> {
  return db
    .selectFrom('idempotency_keys')
    .selectAll()
    .where('id', '=', id)
    .where('created_at', '>', freeBefore(now))
    .executeTakeFirst()
}

/** Reserves a key for a call. Returns false if another call has it. */
export async function reserveKey(
  db: Db,
  call: Pick<KeyRow, 'id' | 'account_id' | 'body_hash'>,
  now: Date,
): Promise<boolean> {
  const row = { ...call, created_at: toInstant(now), answer: null, answered_at: null }
  const { numInsertedOrUpdatedRows } = await inTransaction(db, (trx) =>
    trx
      .insertInto('idempotency_keys')
      .values(row)
      .onConflict((same) =>
        same
          .column('id')
          .doUpdateSet(row)
          .where('idempotency_keys.created_at', '<=', freeBefore(now)),
      )
      .executeTakeFirstOrThrow(),
  )
  return Boolean(numInsertedOrUpdatedRows)
}

/** Keeps the sealed answer of a call; null for one that is not given again. */
export async function keepAnswer(
  db: Db,
  id: string,
  answer: string | null,
  now: Date,
): Promise<void> {
  await inTransaction(db, (trx) =>
    trx
      .updateTable('idempotency_keys')
      .set({ answer, answered_at: toInstant(now) })
      .where('id', '=', id)
      .execute(),
  )
}

/** Frees the key of a call that did nothing. */
export async function freeKey(db: Db, id: string): Promise<void> {
  await inTransaction(db, (trx) =>
    trx
      .deleteFrom('idempotency_keys')
      .where('id', '=', id)
      .where('answered_at', 'is', null)
      .execute(),
  )
}
