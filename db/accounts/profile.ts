import { findAccountByContact, getAccount } from '#db/accounts/accounts.ts'
import { type Caller, inTransactionOf } from '#db/accounts/credentials.ts'
import type { Db, DbOrTrx, Trx } from '#db/client.ts'
import { findResetQuestion } from '#db/families/reset-questions.ts'
import type { Notify } from '#db/outbox.ts'
import type { Account, Instant } from '#db/schema.ts'
import { DomainError } from '#domain/error.ts'

/** The fields that the account holder changes; undefined keeps a value, null removes the number. */
export type ProfileChange = { name?: string | undefined; mobile?: string | null | undefined }

/** Whether the browser of a request signed in to the account before a time. */
export type KnownSince = (before: Instant) => boolean

/**
 * Changes name and mobile number of the caller's account; `notify` is called for another number. Throws
 * conflict when the number is another account's, and invalid when the account could not sign in any more.
 */
export async function changeProfile(
  db: Db,
  caller: Caller,
  { name, mobile }: ProfileChange,
  isKnownSince: KnownSince,
  notify: Notify<Account>,
): Promise<Account> {
  const { accountId } = caller
  return inTransactionOf(db, caller, async (trx) => {
    const account = await getAccount(trx, accountId)
    const isOther = mobile !== undefined && mobile !== account.mobile
    if (isOther) await assertMayTake(trx, account, mobile, isKnownSince)
    const changed = {
      name: name ?? account.name,
      mobile: mobile === undefined ? account.mobile : mobile,
    }
    await trx.updateTable('accounts').set(changed).where('id', '=', accountId).execute()
    if (isOther) await notify(trx, account)
    return { ...account, ...changed }
  })
}

async function assertMayTake(
  trx: Trx,
  account: Account,
  mobile: string | null,
  isKnownSince: KnownSince,
): Promise<void> {
  await assertMayChangeContact(trx, account.id, isKnownSince)
  if (mobile === null) {
    if (account.email ?? account.login_id) return
    throw new DomainError('invalid.mobile_needed')
  }
  if (await findAccountByContact(trx, { kind: 'mobile', mobile })) {
    throw new DomainError('conflict.mobile_taken')
  }
}

/**
 * Throws forbidden when an intruder may be signed in: after a reset that the child of a code has
 * not confirmed, only a device from before it may change the contacts.
 */
export async function assertMayChangeContact(
  db: DbOrTrx,
  accountId: string,
  isKnownSince: KnownSince,
): Promise<void> {
  const question = await findResetQuestion(db, accountId)
  if (!question || isKnownSince(question.devices_before)) return
  throw new DomainError('forbidden.reset_unconfirmed')
}
