import { getAccount } from '#db/accounts/accounts.ts'
import { endPendingResets } from '#db/accounts/address-proof.ts'
import { type Caller, inTransactionOf } from '#db/accounts/credentials.ts'
import type { Db } from '#db/client.ts'
import type { Making } from '#db/codes/qr-creation.ts'
import { forgetOpenLinks } from '#db/families/reset-decisions.ts'
import { openLockedDocuments } from '#db/families/reset-questions.ts'
import { findUsedCode, unregisterCode } from '#db/families/unregistering.ts'
import type { Notify } from '#db/outbox.ts'
import { DomainError } from '#domain/error.ts'

/** A child user who has left, for the owner of the code that is unregistered again. */
export type LeftFamily = { name: string; owner_id: string; qr_id: string }

/**
 * Has the caller's account leave its family: it stands alone, and its codes as a child user go back to their owner,
 * unregistered, without fields and documents. The conversations stay with the account. An account that stands alone
 * already changes nothing: the answer may have been lost. Returns the stored files without a row. Throws forbidden
 * for an account that has not proven its address, which its parent may have typed.
 */
export async function leaveFamily(
  db: Db,
  caller: Caller,
  making: Making,
  notify: Notify<LeftFamily>,
): Promise<{ stored_names: string[] }> {
  return inTransactionOf(db, caller, async (trx) => {
    const { id, name, parent_id, email_verified_at } = await getAccount(trx, caller.accountId)
    if (parent_id === null) return { stored_names: [] }
    if (email_verified_at === null) throw new DomainError('forbidden.leave_family')
    const files: (string | null)[] = []
    for (;;) {
      const code = await findUsedCode(trx, id)
      if (!code) break
      const documents = await trx
        .selectFrom('documents')
        .select(['stored_name', 'thumbnail_name'])
        .where('qr_id', '=', code.qr_id)
        .execute()
      files.push(...documents.flatMap((each) => [each.stored_name, each.thumbnail_name]))
      await unregisterCode(trx, code, making)
      await notify(trx, { name, owner_id: parent_id, qr_id: code.qr_id })
    }
    await endPendingResets(trx, id, making.now)
    await forgetOpenLinks(trx, id)
    await openLockedDocuments(trx, id)
    await trx.updateTable('accounts').set({ parent_id: null }).where('id', '=', id).execute()
    return { stored_names: files.filter((each) => each !== null) }
  })
}
