import { insertAccount } from '#db/accounts/accounts.ts'
import { freeAddress } from '#db/accounts/address-proof.ts'
import { recordConsent } from '#db/accounts/consents.ts'
import {
  noteUsedCode,
  type OneTimeCode,
  useOneTimeCode,
  wasCodeUsed,
} from '#db/accounts/one-time-codes.ts'
import { toInstant } from '#db/cast.ts'
import type { Db } from '#db/client.ts'
import { type Admission, admitNew } from '#db/invitations/admission.ts'
import type { Account } from '#db/schema.ts'
import { inTransaction } from '#db/transaction.ts'

export type NewRegistration = {
  name: string
  email: string
  password_hash: string
  /** the version of the privacy notice */
  notice: string
  admission: Admission
}

/**
 * Creates the account of an address that a one-time code verifies, which an account that only typed it loses. The
 * code is used up, unless the operator's rule refuses: throws forbidden then.
 */
export async function registerAccount(
  db: Db,
  code: OneTimeCode,
  { notice, admission, ...registration }: NewRegistration,
  now: Date,
): Promise<Account | 'void' | 'taken'> {
  return inTransaction(db, async (trx) => {
    if (!(await useOneTimeCode(trx, code, now))) {
      return (await wasCodeUsed(trx, code, now)) ? 'taken' : 'void'
    }
    const { email } = registration
    if (await freeAddress(trx, email, now)) return 'taken'
    const account = await insertAccount(
      trx,
      { ...registration, email_verified_at: toInstant(now) },
      now,
    )
    await admitNew(trx, admission, { id: account.id, email }, now)
    await recordConsent(trx, account.id, notice, now)
    await noteUsedCode(trx, code, now)
    return account
  })
}
