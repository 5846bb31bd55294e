import { findAccountByContact, insertAccount } from '#db/accounts/accounts.ts'
import { recordConsent } from '#db/accounts/consents.ts'
import {
  noteUsedCode,
  type OneTimeCode,
  useOneTimeCode,
  wasCodeUsed,
} from '#db/accounts/one-time-codes.ts'
import { toInstant } from '#db/cast.ts'
import type { Db, DbOrTrx } from '#db/client.ts'
import { NO_ENDING, TAKEN } from '#db/codes/claims.ts'
import { canAnswer } from '#db/conversations/code-user.ts'
import type { Account } from '#db/schema.ts'
import { inTransaction } from '#db/transaction.ts'

export type NewRegistration = {
  name: string
  email: string
  password_hash: string
  /** the version of the privacy notice */
  notice: string
}

/**
 * Creates the account of an address that a one-time code verifies. The code is used up in any case.
 */
export async function registerAccount(
  db: Db,
  code: OneTimeCode,
  { notice, ...registration }: NewRegistration,
  now: Date,
): Promise<Account | 'void' | 'taken'> {
  return inTransaction(db, async (trx) => {
    if (!(await useOneTimeCode(trx, code, now))) {
      return (await wasCodeUsed(trx, code, now)) ? 'taken' : 'void'
    }
    const { email } = registration
    if (await findAccountByContact(trx, { kind: 'email', email })) return 'taken'
    const account = await insertAccount(
      trx,
      { ...registration, email_verified_at: toInstant(now) },
      now,
    )
    await recordConsent(trx, account.id, notice, now)
    await noteUsedCode(trx, code, now)
    await takeClaimedCodes(trx, { accountId: account.id, email }, now)
    return account
  })
}

/**
 * Moves codes that were claimed with an e-mail to the account that has verified it, unless nobody may sign in to
 * that: it may be about to go, and they with it.
 */
export async function takeClaimedCodes(
  db: DbOrTrx,
  { accountId, email }: { accountId: string; email: string },
  now: Date,
): Promise<void> {
  if (!(await canAnswer(db, accountId))) return
  await db
    .updateTable('qr_codes')
    .set({ owner_id: accountId, ...TAKEN, ...NO_ENDING, updated_at: toInstant(now) })
    .where('claim_email', '=', email)
    .execute()
}
