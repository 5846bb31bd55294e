import { toInstant } from '#db/cast.ts'
import type { Db, DbOrTrx } from '#db/client.ts'
import { type OneTimeCode, useOneTimeCode } from '#db/one-time-codes.ts'
import type { Tell } from '#db/outbox.ts'
import { takeClaimedCodes } from '#db/registrations.ts'
import { forgetOpenLinks } from '#db/reset-decisions.ts'
import type { Account } from '#db/schema.ts'
import type { SecretKey } from '#db/secrets.ts'
import { forgetGuesses } from '#db/wrong-guesses.ts'

export type NewPassword = { accountId: string; passwordHash: string }

/**
 * Changes an account's password, ends all of its sessions, closes its open reset links and forgets
 * what was guessed at the old one.
 */
export async function setPassword(
  db: DbOrTrx,
  key: SecretKey,
  { accountId, passwordHash }: NewPassword,
): Promise<void> {
  await db
    .updateTable('accounts')
    .set({ password_hash: passwordHash })
    .where('id', '=', accountId)
    .execute()
  await db.deleteFrom('sessions').where('account_id', '=', accountId).execute()
  await forgetOpenLinks(db, accountId)
  await forgetGuesses(db, key, accountId)
}

/** Sets the password that an OTP allows to set; false when the code is no longer live. */
export async function resetPassword(
  db: Db,
  key: SecretKey,
  code: OneTimeCode,
  password: NewPassword,
  now: Date,
): Promise<boolean> {
  return db.transaction().execute(async (trx) => {
    if (!(await useOneTimeCode(trx, code, now))) return false
    await setPassword(trx, key, password)
    const { accountId } = password
    await takeClaimedCodes(trx, { accountId, email: code.contact }, now)
    return true
  })
}

/** Whether a link that an owner's approval made can still be used. */
export async function isLiveResetLink(db: Db, tokenHash: string, now: Date): Promise<boolean> {
  const link = await db
    .selectFrom('password_reset_tokens')
    .select('account_id')
    .where('token_hash', '=', tokenHash)
    .where('used_at', 'is', null)
    .where('expires_at', '>', toInstant(now))
    .executeTakeFirst()
  return link !== undefined
}

/** Uses a link up, once, and sets the password of its account; false when it is not live. */
export async function resetPasswordByLink(
  db: Db,
  key: SecretKey,
  { tokenHash, passwordHash }: { tokenHash: string; passwordHash: string },
  now: Date,
  tell: Tell<Account>,
): Promise<boolean> {
  return db.transaction().execute(async (trx) => {
    const link = await trx
      .updateTable('password_reset_tokens')
      .set({ used_at: toInstant(now) })
      .where('token_hash', '=', tokenHash)
      .where('used_at', 'is', null)
      .where('expires_at', '>', toInstant(now))
      .returning('account_id')
      .executeTakeFirst()
    if (!link) return false
    await setPassword(trx, key, { accountId: link.account_id, passwordHash })
    const account = await trx
      .selectFrom('accounts')
      .selectAll()
      .where('id', '=', link.account_id)
      .executeTakeFirstOrThrow()
    await tell(trx, account)
    return true
  })
}

/** Whether the password that somebody signed in with still is the account's. */
export async function isCurrentPassword(
  db: Db,
  accountId: string,
  passwordHash: string | null,
): Promise<boolean> {
  const { password_hash } = await db
    .selectFrom('accounts')
    .select('password_hash')
    .where('id', '=', accountId)
    .executeTakeFirstOrThrow()
  return password_hash === passwordHash
}
