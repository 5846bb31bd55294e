import { toInstant } from '#db/cast.ts'
import type { Db, DbOrTrx } from '#db/client.ts'
import { inTransaction } from '#db/transaction.ts'

/** Records that an account was shown a version of the notice, as a step of its consent. The first time counts. */
export async function recordConsent(
  trx: DbOrTrx,
  accountId: string,
  version: string,
  now: Date,
): Promise<void> {
  await trx
    .insertInto('consents')
    .values({ account_id: accountId, version, given_at: toInstant(now) })
    .onConflict((conflict) => conflict.doNothing())
    .execute()
}

export async function hasConsent(
  db: DbOrTrx,
  accountId: string,
  version: string,
): Promise<boolean> {
  const row = await db
    .selectFrom('consents')
    .select('version')
    .where('account_id', '=', accountId)
    .where('version', '=', version)
    .executeTakeFirst()
  return row !== undefined
}

/** Records that an account read a changed notice. */
export async function giveConsent(
  db: Db,
  accountId: string,
  version: string,
  now: Date,
): Promise<void> {
  await inTransaction(db, (trx) => recordConsent(trx, accountId, version, now))
}
