import { getAccount } from '#db/accounts/accounts.ts'
import { type TakenFactor, takeFactor } from '#db/accounts/second-factors.ts'
import { secondsAfter, toInstant } from '#db/cast.ts'
import type { Db, DbOrTrx } from '#db/client.ts'
import type { Account } from '#db/schema.ts'
import { hashToken, randomToken, type SecretKey } from '#db/secrets.ts'
import { inTransaction } from '#db/transaction.ts'
import { TICKET_TRIES, WAIT_SECONDS } from '#domain/accounts/second-factor.ts'
import { SKEW_SECONDS } from '#domain/time.ts'

/** Creates the ticket for the second step of a sign-in, after the password was correct. Stores only its hash. */
export async function openTicket(db: Db, accountId: string, now: Date): Promise<string> {
  const ticket = randomToken()
  const at = toInstant(now)
  // A ticket a few seconds ahead belongs to a sign-in that began later but was stored first.
  const ahead = toInstant(secondsAfter(now, SKEW_SECONDS))
  await inTransaction(db, async (trx) => {
    await trx
      .deleteFrom('sign_in_tickets')
      .where(({ eb, or }) => or([eb('expires_at', '<=', at), eb('created_at', '>', ahead)]))
      .execute()
    await trx
      .insertInto('sign_in_tickets')
      .values({
        token_hash: hashToken(ticket),
        account_id: accountId,
        tries: 0,
        created_at: at,
        expires_at: toInstant(secondsAfter(now, WAIT_SECONDS)),
      })
      .execute()
  })
  return ticket
}

/** Returns the account of a ticket that can still be used. */
export async function findTicketAccount(
  db: DbOrTrx,
  ticket: string,
  now: Date,
): Promise<Account | undefined> {
  const row = await db
    .selectFrom('sign_in_tickets')
    .select('account_id')
    .where('token_hash', '=', hashToken(ticket))
    .where('tries', '<', TICKET_TRIES)
    .where('expires_at', '>', toInstant(now))
    .executeTakeFirst()
  return row && getAccount(db, row.account_id)
}

/**
 * Consumes a ticket by a second factor; of concurrent callers, one succeeds. Returns the account, `wrong` for a
 * wrong factor (five of them invalidate the ticket), or `dead` for an invalid ticket.
 */
export async function passTicket(
  db: Db,
  key: SecretKey,
  ticket: string,
  taken: TakenFactor,
  now: Date,
): Promise<Account | 'wrong' | 'dead'> {
  const token_hash = hashToken(ticket)
  return inTransaction(db, async (trx) => {
    const tried = await trx
      .updateTable('sign_in_tickets')
      .set(({ eb }) => ({ tries: eb('tries', '+', 1) }))
      .where('token_hash', '=', token_hash)
      .where('tries', '<', TICKET_TRIES)
      .where('expires_at', '>', toInstant(now))
      .returning('account_id')
      .executeTakeFirst()
    if (!tried) return 'dead'
    const { account_id } = tried
    if (!(await takeFactor(trx, key, account_id, taken, now))) return 'wrong'
    await trx.deleteFrom('sign_in_tickets').where('token_hash', '=', token_hash).execute()
    return getAccount(trx, account_id)
  })
}
