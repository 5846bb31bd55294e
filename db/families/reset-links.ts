import { type PasswordSet, setPassword } from '#db/accounts/passwords.ts'
import { toInstant } from '#db/cast.ts'
import type { Db } from '#db/client.ts'
import { lockDocuments, openLockedDocuments } from '#db/families/reset-questions.ts'
import type { Notify } from '#db/outbox.ts'
import type { SecretKey } from '#db/secrets.ts'
import { inTransaction } from '#db/transaction.ts'

/**
 * Uses up a link, once, and sets the password of its account; false when it is not valid. A link
 * that was mailed to a verified address verifies it again. The code's owner saw any other link, so
 * the private documents are locked until the child confirms the reset.
 */
export async function resetPasswordByLink(
  db: Db,
  key: SecretKey,
  { tokenHash, passwordHash }: { tokenHash: string; passwordHash: string },
  now: Date,
  notify: Notify<PasswordSet>,
): Promise<boolean> {
  return inTransaction(db, async (trx) => {
    const link = await trx
      .updateTable('password_reset_tokens')
      .set({ used_at: toInstant(now) })
      .where('token_hash', '=', tokenHash)
      .where('used_at', 'is', null)
      .where('expires_at', '>', toInstant(now))
      .returning(['account_id', 'request_id'])
      .executeTakeFirst()
    if (!link) return false
    const { account_id: accountId, request_id: requestId } = link
    const { email_verified_at } = await trx
      .selectFrom('accounts')
      .select('email_verified_at')
      .where('id', '=', accountId)
      .executeTakeFirstOrThrow()
    if (email_verified_at) await openLockedDocuments(trx, accountId)
    else await lockDocuments(trx, { accountId, requestId }, now)
    await notify(trx, await setPassword(trx, key, { accountId, passwordHash }))
    return true
  })
}
