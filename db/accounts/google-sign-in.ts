import { getAccount, insertAccount } from '#db/accounts/accounts.ts'
import { freeAddress } from '#db/accounts/address-proof.ts'
import { recordConsent } from '#db/accounts/consents.ts'
import { fromFlag, secondsAfter, toInstant } from '#db/cast.ts'
import type { Db, DbOrTrx, Trx } from '#db/client.ts'
import { isBeingDeleted } from '#db/deletions/leaving.ts'
import { type Admission, admitNew } from '#db/invitations/admission.ts'
import type { Account } from '#db/schema.ts'
import { inTransaction } from '#db/transaction.ts'

/** The time in which the browser must exchange its code for a session. */
const CODE_SECONDS = 60

/** An identity whose e-mail the provider has verified, in lower case. */
export type VerifiedIdentity = { issuer: string; subject: string; email: string; name: string }
/** Hashes of the code in the URL and of the secret in the browser's cookie. */
export type SignInCode = { code_hash: string; browser_hash: string }
type Making = { now: Date; notice: string; admission: Admission }

/**
 * Finds the account of an identity, links the identity to the account with its e-mail, or creates
 * an account, which was shown that version of the notice. Then stores the sign-in code. An account that only typed
 * the e-mail loses it: it may be somebody else's. Without a code the result is `blocked` or `deleting`. Throws
 * forbidden for a new account that the operator's rule refuses.
 */
export async function admitIdentity(
  db: Db,
  identity: VerifiedIdentity,
  code: SignInCode,
  { now, notice, admission }: Making,
): Promise<'admitted' | 'blocked' | 'deleting'> {
  return inTransaction(db, async (trx) => {
    const known = await findJoined(trx, identity)
    const account = known ?? (await freeAddress(trx, identity.email, now))
    if (account && !fromFlag(account.is_active)) {
      return (await isBeingDeleted(trx, account.id)) ? 'deleting' : 'blocked'
    }
    const { id } = account ?? (await makeAccount(trx, identity, { now, notice, admission }))
    if (!known) await join(trx, identity, id, now)
    await trx.deleteFrom('sign_in_codes').where('expires_at', '<=', toInstant(now)).execute()
    const expires_at = toInstant(secondsAfter(now, CODE_SECONDS))
    await trx
      .insertInto('sign_in_codes')
      .values({ ...code, account_id: id, expires_at })
      .execute()
    return 'admitted'
  })
}

async function findJoined(
  trx: DbOrTrx,
  { issuer, subject }: VerifiedIdentity,
): Promise<Account | undefined> {
  return trx
    .selectFrom('google_identities')
    .innerJoin('accounts', 'accounts.id', 'google_identities.account_id')
    .selectAll('accounts')
    .where('issuer', '=', issuer)
    .where('subject', '=', subject)
    .where(({ not, exists, selectFrom }) =>
      not(
        exists(
          selectFrom('guardian_waits')
            .select('guardian_waits.account_id')
            .whereRef('guardian_waits.account_id', '=', 'accounts.id'),
        ),
      ),
    )
    .executeTakeFirst()
}

async function makeAccount(
  trx: Trx,
  { name, email }: VerifiedIdentity,
  { now, notice, admission }: Making,
): Promise<Account> {
  const person = { name, email, email_verified_at: toInstant(now), password_hash: null }
  const account = await insertAccount(trx, person, now)
  await admitNew(trx, admission, { id: account.id, email }, now)
  await recordConsent(trx, account.id, notice, now)
  return account
}

async function join(
  trx: DbOrTrx,
  { issuer, subject }: VerifiedIdentity,
  account_id: string,
  now: Date,
): Promise<void> {
  const row = { issuer, subject, account_id, created_at: toInstant(now) }
  await trx
    .insertInto('google_identities')
    .values(row)
    .onConflict((conflict) => conflict.columns(['issuer', 'subject']).doUpdateSet({ account_id }))
    .execute()
}

/** Uses up a code in the browser that it belongs to; undefined when it is not valid. */
export async function redeemSignInCode(
  db: Db,
  { code_hash, browser_hash }: SignInCode,
  now: Date,
): Promise<Account | undefined> {
  return inTransaction(db, async (trx) => {
    const used = await trx
      .deleteFrom('sign_in_codes')
      .where('code_hash', '=', code_hash)
      .where('browser_hash', '=', browser_hash)
      .where('expires_at', '>', toInstant(now))
      .returning('account_id')
      .executeTakeFirst()
    if (!used) return undefined
    return getAccount(trx, used.account_id)
  })
}
