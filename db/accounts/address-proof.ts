import type { Transaction } from 'kysely'
import { type OneTimeCode, useOneTimeCode } from '#db/accounts/one-time-codes.ts'
import { type PasswordSet, setPassword } from '#db/accounts/passwords.ts'
import { takeClaimedCodes } from '#db/accounts/registrations.ts'
import { toInstant } from '#db/cast.ts'
import type { Db } from '#db/client.ts'
import { openLockedDocuments } from '#db/families/reset-questions.ts'
import type { Notify } from '#db/outbox.ts'
import type { Account, Tables } from '#db/schema.ts'
import type { SecretKey } from '#db/secrets.ts'
import { inTransaction } from '#db/transaction.ts'

type Proof = { accountId: string; email: string; passwordHash?: string }

/**
 * Uses up a login code, which proves the account's address, and answers the account as it is then;
 * undefined when the code is no longer live. `notify` is called when the account has lost its password.
 */
export async function acceptLoginCode(
  db: Db,
  key: SecretKey,
  code: OneTimeCode,
  accountId: string,
  now: Date,
  notify: Notify<PasswordSet>,
): Promise<Account | undefined> {
  return inTransaction(db, async (trx) => {
    if (!(await useOneTimeCode(trx, code, now))) return undefined
    const set = await proveAddress(trx, key, { accountId, email: code.contact }, now)
    if (set) await notify(trx, set)
    return trx
      .selectFrom('accounts')
      .selectAll()
      .where('id', '=', accountId)
      .executeTakeFirstOrThrow()
  })
}

/** Sets the password that an OTP allows to set; false when the code is no longer live. */
export async function resetPassword(
  db: Db,
  key: SecretKey,
  code: OneTimeCode,
  password: { accountId: string; passwordHash: string },
  now: Date,
  notify: Notify<PasswordSet>,
): Promise<boolean> {
  return inTransaction(db, async (trx) => {
    if (!(await useOneTimeCode(trx, code, now))) return false
    const set = await proveAddress(trx, key, { ...password, email: code.contact }, now)
    if (set) await notify(trx, set)
    return true
  })
}

/**
 * What follows when a one-time code proved an account's address. The first proof makes the prover
 * the account's only holder: the password of whoever registered it ends, with all that it opened,
 * and so does the power of a code's owner to reset it. Answers what the new password ended, if
 * there is one.
 */
async function proveAddress(
  trx: Transaction<Tables>,
  key: SecretKey,
  { accountId, email, passwordHash }: Proof,
  now: Date,
): Promise<PasswordSet | undefined> {
  const { numUpdatedRows } = await trx
    .updateTable('accounts')
    .set({ email_verified_at: toInstant(now) })
    .where('id', '=', accountId)
    .where('email', '=', email)
    .where('email_verified_at', 'is', null)
    .executeTakeFirstOrThrow()
  const isFirst = numUpdatedRows > 0n
  if (isFirst) await endPendingResets(trx, accountId, now)
  await openLockedDocuments(trx, accountId)
  await takeClaimedCodes(trx, { accountId, email }, now)
  if (!isFirst && passwordHash === undefined) return undefined
  return setPassword(trx, key, { accountId, passwordHash: passwordHash ?? null })
}

/** Rejected by nobody: the child has a way in of its own now. */
async function endPendingResets(
  trx: Transaction<Tables>,
  accountId: string,
  now: Date,
): Promise<void> {
  await trx
    .updateTable('password_reset_requests')
    .set({ status: 'rejected', processed_at: toInstant(now) })
    .where('child_account_id', '=', accountId)
    .where('status', '=', 'pending')
    .execute()
}
