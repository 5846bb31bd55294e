import type { Db, DbOrTrx } from '#db/client.ts'
import { type OneTimeCode, useOneTimeCode } from '#db/one-time-codes.ts'
import { takeClaimedCodes } from '#db/registrations.ts'

/** Changes an account's password and ends all of its sessions. */
export async function setPassword(
  db: DbOrTrx,
  accountId: string,
  passwordHash: string,
): Promise<void> {
  await db
    .updateTable('accounts')
    .set({ password_hash: passwordHash })
    .where('id', '=', accountId)
    .execute()
  await db.deleteFrom('sessions').where('account_id', '=', accountId).execute()
}

/** Sets the password that an OTP allows to set; false when the code is no longer live. */
export async function resetPassword(
  db: Db,
  code: OneTimeCode,
  { accountId, passwordHash }: { accountId: string; passwordHash: string },
  now: Date,
): Promise<boolean> {
  return db.transaction().execute(async (trx) => {
    if (!(await useOneTimeCode(trx, code, now))) return false
    await setPassword(trx, accountId, passwordHash)
    await takeClaimedCodes(trx, { accountId, email: code.contact }, now)
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
