import { toInstant } from '#db/cast.ts'
import type { Db, DbOrTrx } from '#db/client.ts'
import type { RowOf } from '#db/schema.ts'
import { inTransaction } from '#db/transaction.ts'
import { DomainError } from '#domain/error.ts'

export type ListedSession = Pick<
  RowOf<'sessions'>,
  'id' | 'device' | 'browser' | 'created_at' | 'last_used_at'
>

/** Returns the sessions of an account that have not ended, last used first. `last_used_at` is to the hour. */
export async function listSessions(
  db: DbOrTrx,
  accountId: string,
  now: Date,
): Promise<ListedSession[]> {
  return db
    .selectFrom('sessions')
    .select(['id', 'device', 'browser', 'created_at', 'last_used_at'])
    .where('account_id', '=', accountId)
    .where('expires_at', '>', toInstant(now))
    .orderBy('last_used_at', 'desc')
    .orderBy('created_at', 'desc')
    .orderBy('id')
    .execute()
}

/** Ends a session of the account. Throws not_found. */
export async function endSession(db: Db, accountId: string, id: string): Promise<void> {
  await inTransaction(db, async (trx) => {
    const { numDeletedRows } = await trx
      .deleteFrom('sessions')
      .where('id', '=', id)
      .where('account_id', '=', accountId)
      .executeTakeFirstOrThrow()
    if (numDeletedRows === 0n) throw new DomainError('not_found.session')
  })
}

/** Ends every session of the account but one. Returns how many. */
export async function endOtherSessions(
  db: Db,
  accountId: string,
  keptSession: string,
): Promise<number> {
  return inTransaction(db, async (trx) => {
    const { numDeletedRows } = await trx
      .deleteFrom('sessions')
      .where('account_id', '=', accountId)
      .where('id', '!=', keptSession)
      .executeTakeFirstOrThrow()
    return Number(numDeletedRows)
  })
}

/** Notes that the user of a session has just proven their identity. */
export async function noteProven(db: Db, sessionId: string, now: Date): Promise<void> {
  await inTransaction(db, async (trx) => {
    const proven = { proven_at: toInstant(now) }
    await trx.updateTable('sessions').set(proven).where('id', '=', sessionId).execute()
  })
}
