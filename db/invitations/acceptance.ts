import { insertAccount } from '#db/accounts/accounts.ts'
import { freeAddress } from '#db/accounts/address-proof.ts'
import { recordConsent } from '#db/accounts/consents.ts'
import { fromFlag, toInstant } from '#db/cast.ts'
import type { Db, Trx } from '#db/client.ts'
import { admitNew } from '#db/invitations/admission.ts'
import { findInvitation, type Invitation } from '#db/invitations/invitations.ts'
import type { Account } from '#db/schema.ts'
import { inTransaction } from '#db/transaction.ts'
import type { RegistrationRule } from '#domain/accounts/admission.ts'
import { DomainError } from '#domain/error.ts'

export type Accepting = {
  token: string
  name: string
  password_hash: string
  /** the version of the privacy notice */
  notice: string
  rule: RegistrationRule
}

/**
 * Creates the account of an invitation, once. A mailed link verifies the address, which an account that only typed it
 * loses. Throws not_found for a link that does not work, conflict for a taken address, and forbidden where the
 * operator's rule refuses.
 */
export async function acceptInvitation(
  db: Db,
  { token, name, password_hash, notice, rule }: Accepting,
  now: Date,
): Promise<Account> {
  return inTransaction(db, async (trx) => {
    const invitation = await findInvitation(trx, token, now)
    if (!invitation) throw new DomainError('not_found.dead_link')
    const account = await insertInvited(trx, invitation, { name, password_hash, notice }, now)
    const admission = { rule, takeToken: undefined, inviteToken: token }
    await admitNew(trx, admission, { id: account.id, email: invitation.email }, now)
    return account
  })
}

/**
 * Inserts the account of an invited address, which a mailed link verifies. Throws conflict for a taken address.
 */
export async function insertInvited(
  trx: Trx,
  { email, was_mailed }: Pick<Invitation, 'email' | 'was_mailed'>,
  { name, password_hash, notice }: Omit<Accepting, 'token' | 'rule'>,
  now: Date,
): Promise<Account> {
  const isProven = fromFlag(was_mailed)
  if (isProven && (await freeAddress(trx, email, now)))
    throw new DomainError('conflict.email_taken')
  const email_verified_at = isProven ? toInstant(now) : null
  const account = await insertAccount(trx, { name, email, email_verified_at, password_hash }, now)
  await recordConsent(trx, account.id, notice, now)
  return account
}
