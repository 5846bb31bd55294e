import { randomBytes } from 'node:crypto'
import { findAccountByContact, getAccount } from '#db/accounts/accounts.ts'
import { type OneTimeCode, useOneTimeCode } from '#db/accounts/one-time-codes.ts'
import { type PasswordSet, setPassword } from '#db/accounts/passwords.ts'
import { forgetFactors } from '#db/accounts/second-factors.ts'
import { fromFlag, toInstant } from '#db/cast.ts'
import type { Db, DbOrTrx, Trx } from '#db/client.ts'
import { isBeingDeleted } from '#db/deletions/leaving.ts'
import { assertNoWait, waitsForGuardian } from '#db/families/guardians.ts'
import { openLockedDocuments } from '#db/families/reset-questions.ts'
import type { Notify } from '#db/outbox.ts'
import type { Account } from '#db/schema.ts'
import type { SecretKey } from '#db/secrets.ts'
import { inTransaction } from '#db/transaction.ts'
import { toLoginId } from '#domain/accounts/contact.ts'
import { makeQrId } from '#domain/codes/qr-id.ts'
import { DomainError } from '#domain/error.ts'

type Proof = {
  accountId: string
  email: string
  passwordHash?: string
  keptSession?: string
}

/**
 * Uses up a login code, which verifies the account's address. Returns the account afterwards, or
 * undefined when the code is no longer valid. `notify` is called when the account lost its
 * password. Throws forbidden for an account that may not sign in, and leaves the code.
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
    return getAccount(trx, accountId)
  })
}

/**
 * Sets a password by a one-time code. Returns false when the code is no longer valid. Throws forbidden for an
 * account that may not sign in, and leaves the code.
 */
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
 * Verifies the address of an account after a one-time code. The first verification makes that
 * person the only owner: it ends the password and the second factors of the person who registered
 * the account, everything that the password opened, and the right of a code's owner to reset it.
 * Returns the access that a replaced password ended. Throws forbidden for an account that may not sign in. The
 * holder of the mailbox of one that waits for its guardian may be another person than the one that registered it.
 */
export async function proveAddress(
  trx: Trx,
  key: SecretKey,
  { accountId, email, passwordHash, keptSession }: Proof,
  now: Date,
): Promise<PasswordSet | undefined> {
  await assertMaySignIn(trx, await getAccount(trx, accountId))
  const { numUpdatedRows } = await trx
    .updateTable('accounts')
    .set({ email_verified_at: toInstant(now) })
    .where('id', '=', accountId)
    .where('email', '=', email)
    .where('email_verified_at', 'is', null)
    .executeTakeFirstOrThrow()
  const isFirst = numUpdatedRows > 0n
  if (isFirst) {
    await endPendingResets(trx, accountId, now)
    await forgetFactors(trx, accountId)
  }
  await openLockedDocuments(trx, accountId)
  if (!isFirst && passwordHash === undefined) return undefined
  return setPassword(trx, key, { accountId, passwordHash: passwordHash ?? null, keptSession })
}

/** Throws forbidden for an account that is blocked or being deleted, or that waits for its guardian. */
export async function assertMaySignIn(
  db: DbOrTrx,
  { id, is_active }: Pick<Account, 'id' | 'is_active'>,
): Promise<void> {
  if (!fromFlag(is_active)) {
    if (await isBeingDeleted(db, id)) throw new DomainError('forbidden.account_leaving')
    throw new DomainError('forbidden.account_blocked')
  }
  await assertNoWait(db, id)
}

/** Rejects the open requests for a reset of a child user, who can sign in without. `decided_by` is null. */
export async function endPendingResets(trx: Trx, accountId: string, now: Date): Promise<void> {
  await trx
    .updateTable('password_reset_requests')
    .set({ status: 'rejected', processed_at: toInstant(now) })
    .where('child_account_id', '=', accountId)
    .where('status', '=', 'pending')
    .execute()
}

/**
 * Returns the account whose holder has proven an address. An address that was only typed says nothing about its
 * account, nor does one of an account that waits for its guardian: nobody can sign in to that.
 */
export async function findProvenAccount(db: DbOrTrx, email: string): Promise<Account | undefined> {
  const account = await findAccountByContact(db, { kind: 'email', email })
  return account && (await isProven(db, account)) ? account : undefined
}

async function isProven(db: DbOrTrx, { id, email_verified_at }: Account): Promise<boolean> {
  return email_verified_at !== null && !(await waitsForGuardian(db, id))
}

/** Returns whether an account that can be signed in to has an address that nobody has proven. */
export async function isTypedAddress(db: DbOrTrx, email: string): Promise<boolean> {
  const account = await findAccountByContact(db, { kind: 'email', email })
  if (!account || account.email_verified_at !== null) return false
  return !(await waitsForGuardian(db, account.id))
}

/**
 * Takes an address off the account that holds it unproven, as a step of the proof by somebody else. That account
 * goes on with its mobile number, or with a random login id. Returns the account whose holder has proven the
 * address, which keeps it.
 */
export async function freeAddress(
  trx: Trx,
  email: string,
  now: Date,
): Promise<Account | undefined> {
  const account = await findAccountByContact(trx, { kind: 'email', email })
  if (!account || (await isProven(trx, account))) return account
  await detachAddress(trx, account, now)
  return undefined
}

/** Takes an address off the account that has it, proven or not. Returns that account afterwards, if there is one. */
export async function detachHolder(
  trx: Trx,
  email: string,
  now: Date,
): Promise<Account | undefined> {
  const holder = await findAccountByContact(trx, { kind: 'email', email })
  return holder && detachAddress(trx, holder, now)
}

/** Takes its address off an account, with the sign-ins that it opened. Returns the account afterwards. */
export async function detachAddress(
  trx: Trx,
  { id, email, mobile }: Pick<Account, 'id' | 'email' | 'mobile'>,
  now: Date,
): Promise<Account> {
  await trx.deleteFrom('google_identities').where('account_id', '=', id).execute()
  await trx.deleteFrom('sign_in_codes').where('account_id', '=', id).execute()
  return trx
    .updateTable('accounts')
    .set({
      email: null,
      email_verified_at: null,
      login_id: mobile === null ? newLoginId() : null,
      email_lost_at: toInstant(now),
      lost_email: email,
    })
    .where('id', '=', id)
    .returningAll()
    .executeTakeFirstOrThrow()
}

/** Returns a random contact for an account without an address and a mobile number. */
export function newLoginId(): string {
  return toLoginId(makeQrId(randomBytes))
}

/** Finds the newest account that lost this address and signs in with a login id, which its user may not know yet. */
export async function findAccountByLostEmail(
  db: DbOrTrx,
  email: string,
): Promise<Account | undefined> {
  return db
    .selectFrom('accounts')
    .selectAll()
    .where('lost_email', '=', email)
    .where('login_id', 'is not', null)
    .orderBy('created_at', 'desc')
    .limit(1)
    .executeTakeFirst()
}

/** Forgets that an account lost its address, which it has read. A later loss is told again. */
export async function forgetLostAddress(db: Db, accountId: string, until: string): Promise<void> {
  await inTransaction(db, async (trx) => {
    await trx
      .updateTable('accounts')
      .set({ email_lost_at: null, lost_email: null })
      .where('id', '=', accountId)
      .where('email_lost_at', '<=', until)
      .execute()
  })
}
