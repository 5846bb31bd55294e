import { toFlag } from '#db/cast.ts'
import type { Db, DbOrTrx, Trx } from '#db/client.ts'
import { inTransaction } from '#db/transaction.ts'
import { NotSignedIn } from '#domain/error.ts'

/** The session or API key of a request; both end when a password is set. */
export type Credential = { kind: 'session' | 'api key'; id: string }
/** The account of a request, and its session or API key. */
export type Caller = { accountId: string; credential: Credential }

/**
 * Checks again that a session or key is valid and its account not blocked, before a change that
 * outlives the request, whose body may take minutes to arrive. Throws unauthenticated.
 */
export async function assertLiveCaller(
  trx: DbOrTrx,
  { accountId, credential: { kind, id } }: Caller,
): Promise<void> {
  const live = await trx
    .selectFrom(kind === 'session' ? 'sessions' : 'api_keys')
    .select('id')
    .where('id', '=', id)
    .where('account_id', '=', accountId)
    .executeTakeFirst()
  const active = await trx
    .selectFrom('accounts')
    .select('id')
    .where('id', '=', accountId)
    .where('is_active', '=', toFlag(true))
    .executeTakeFirst()
  if (!live || !active) throw new NotSignedIn()
}

/** Runs a closure as `inTransaction`, after `assertLiveCaller`. */
export function inTransactionOf<Result>(
  db: Db,
  caller: Caller,
  closure: (trx: Trx) => Promise<Result>,
): Promise<Result> {
  return inTransaction(db, async (trx) => {
    await assertLiveCaller(trx, caller)
    return closure(trx)
  })
}
