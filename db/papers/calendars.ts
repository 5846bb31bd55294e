import { type Caller, inTransactionOf } from '#db/accounts/credentials.ts'
import { toInstant } from '#db/cast.ts'
import type { Db, DbOrTrx } from '#db/client.ts'
import type { Viewer } from '#db/codes/seen-by.ts'
import { listHeldShares } from '#db/people/held-shares.ts'
import type { Instant } from '#db/schema.ts'
import { hashToken, randomToken, type SecretKey, seal, unseal } from '#db/secrets.ts'

/**
 * Makes the calendar of an account, or gives it a new address: the earlier one stops working. Returns the
 * token of the address. Throws unauthenticated when the caller's session has ended.
 */
export async function makeCalendar(
  db: Db,
  key: SecretKey,
  caller: Caller,
  now: Date,
): Promise<string> {
  const { accountId } = caller
  const token = randomToken()
  const row = {
    token_hash: hashToken(token),
    token: seal(key, nameOf(accountId), token),
    created_at: toInstant(now),
  }
  await inTransactionOf(db, caller, async (trx) => {
    await trx
      .insertInto('calendars')
      .values({ ...row, account_id: accountId })
      .onConflict((each) => each.column('account_id').doUpdateSet(row))
      .execute()
  })
  return token
}

/** Ends the address of an account's calendar, if it has one. Returns whether it had. */
export async function removeCalendar(db: DbOrTrx, accountId: string): Promise<boolean> {
  const { numDeletedRows } = await db
    .deleteFrom('calendars')
    .where('account_id', '=', accountId)
    .executeTakeFirst()
  return numDeletedRows > 0
}

/** Returns the calendar of an account. The token is null if it was sealed with another key. */
export async function findCalendar(
  db: DbOrTrx,
  key: SecretKey,
  accountId: string,
): Promise<{ token: string | null } | undefined> {
  const row = await db
    .selectFrom('calendars')
    .select('token')
    .where('account_id', '=', accountId)
    .executeTakeFirst()
  return row && { token: unseal(key, nameOf(accountId), row.token) ?? null }
}

/** Returns the account whose calendar has this address, unless it is blocked, and since when it has. */
export async function findReader(
  db: DbOrTrx,
  token: string,
  now: Date,
): Promise<(Viewer & { created_at: Instant }) | undefined> {
  const reader = await db
    .selectFrom('calendars')
    .innerJoin('accounts', 'accounts.id', 'calendars.account_id')
    .select(['accounts.id', 'accounts.parent_id', 'calendars.created_at'])
    .where('token_hash', '=', hashToken(token))
    .where('is_active', '=', 1)
    .executeTakeFirst()
  return reader && { ...reader, shares: await listHeldShares(db, reader.id, now) }
}

function nameOf(accountId: string): string {
  return `calendar ${accountId}`
}
