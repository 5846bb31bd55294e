import { getAccount } from '#db/accounts/accounts.ts'
import { detachHolder, freeAddress, proveAddress } from '#db/accounts/address-proof.ts'
import { type Caller, inTransactionOf } from '#db/accounts/credentials.ts'
import { type CodeUse, type OneTimeCode, useOneTimeCode } from '#db/accounts/one-time-codes.ts'
import { type PasswordSet, setPassword } from '#db/accounts/passwords.ts'
import { assertMayChangeContact, type KnownSince } from '#db/accounts/profile.ts'
import { forgetNewFactors } from '#db/accounts/second-factors.ts'
import { secondsAfter, toInstant } from '#db/cast.ts'
import type { Db, DbOrTrx, Trx } from '#db/client.ts'
import { moveTicketMails } from '#db/conversations/notices.ts'
import { endDeletion } from '#db/deletions/deletions.ts'
import type { Notify } from '#db/outbox.ts'
import type { Account } from '#db/schema.ts'
import type { SecretKey } from '#db/secrets.ts'
import { inTransaction } from '#db/transaction.ts'
import { OTP_VALID_SECONDS } from '#domain/accounts/registration.ts'
import { DomainError } from '#domain/error.ts'

/** For so long the earlier address can take a change back. */
export const WAY_BACK_HOURS = 72

/** Returns the use of a code for a new address: it is bound to the address and the account. */
export function emailCodeUse(accountId: string, email: string, browser_hash: string): CodeUse {
  return { purpose: 'email', contact: `${email} ${accountId}`, browser_hash }
}

/** Notes the address that the caller's account changes to. Throws forbidden after an unconfirmed reset. */
export async function noteNewEmail(
  db: Db,
  caller: Caller,
  email: string,
  isKnownSince: KnownSince,
  now: Date,
): Promise<void> {
  const { accountId } = caller
  await inTransactionOf(db, caller, async (trx) => {
    await assertMayChangeContact(trx, accountId, isKnownSince)
    const change = { email, asked_at: toInstant(now) }
    await trx
      .insertInto('new_emails')
      .values({ account_id: accountId, ...change })
      .onConflict((conflict) => conflict.column('account_id').doUpdateSet(change))
      .execute()
  })
}

/** Returns the address that an account changes to, while a code for it can be valid. */
export async function findNewEmail(
  db: DbOrTrx,
  accountId: string,
  now: Date,
): Promise<string | undefined> {
  const row = await db
    .selectFrom('new_emails')
    .select('email')
    .where('account_id', '=', accountId)
    .where('asked_at', '>', toInstant(secondsAfter(now, -OTP_VALID_SECONDS)))
    .executeTakeFirst()
  return row?.email
}

type NewEmail = { email: string; wayBackHash: string }

/** `before` is the account before the change; `ended` is the access that the first verified address has ended. */
export type EmailChanged = { before: Account; email: string; ended: PasswordSet | undefined }

/**
 * Changes the address of the caller's account by a code. An earlier verified address can take it back. The
 * first verified address makes its holder the only owner, as a login code does, but keeps the caller's
 * session. Returns undefined when the code is no longer valid. Throws conflict when another account has it.
 */
export async function acceptNewEmail(
  db: Db,
  key: SecretKey,
  caller: Caller,
  code: OneTimeCode,
  { email, wayBackHash }: NewEmail,
  now: Date,
  notify: Notify<EmailChanged>,
): Promise<Account | undefined> {
  const { accountId, credential } = caller
  return inTransactionOf(db, caller, async (trx) => {
    if (!(await useOneTimeCode(trx, code, now))) return undefined
    const before = await getAccount(trx, accountId)
    if (before.email !== email && (await freeAddress(trx, email, now))) {
      throw new DomainError('conflict.other_has_email')
    }
    await moveAddress(trx, before, email)
    const keptSession = credential.id
    const ended = await proveAddress(trx, key, { accountId, email, keptSession }, now)
    if (before.email && before.email_verified_at) {
      await openWayBack(trx, { accountId, email: before.email, wayBackHash }, now)
    }
    await notify(trx, { before, email, ended })
    return getAccount(trx, accountId)
  })
}

/**
 * Gives an account an address that its holder proves, and that no other account has. Ends everything that belonged
 * to the earlier address alone: its codes, and sign-ins with Google, including begun ones.
 */
async function moveAddress(trx: Trx, account: Account, email: string): Promise<void> {
  const { id } = account
  const moved = { email, login_id: null, email_lost_at: null, lost_email: null }
  await trx.updateTable('accounts').set(moved).where('id', '=', id).execute()
  await trx.deleteFrom('new_emails').where('account_id', '=', id).execute()
  if (account.email === null || account.email === email) return
  await moveWaitingAlerts(trx, id, email)
  // Mails to an address that was only typed are those of its owner, such as the support.
  if (account.email_verified_at) await moveTicketMails(trx, account.email, email)
  await trx.deleteFrom('google_identities').where('account_id', '=', id).execute()
  await trx.deleteFrom('sign_in_codes').where('account_id', '=', id).execute()
  await trx
    .deleteFrom('one_time_codes')
    .where('contact', '=', account.email)
    .where('purpose', 'in', ['login', 'reset'])
    .execute()
}

/**
 * Moves waiting alerts to the new address. Finders' messages can wait for the end of quiet hours.
 * Alerts about the account's security also go to its earlier address.
 */
async function moveWaitingAlerts(trx: Trx, accountId: string, recipient: string): Promise<void> {
  await trx
    .updateTable('outbox')
    .set({ recipient })
    .where('account_id', '=', accountId)
    .where('kind', '=', 'email')
    .where('event', '!=', 'security')
    .execute()
}

type WayBack = { accountId: string; email: string; wayBackHash: string }

async function openWayBack(
  trx: Trx,
  { accountId, email, wayBackHash }: WayBack,
  now: Date,
): Promise<void> {
  const at = toInstant(now)
  await trx.deleteFrom('email_ways_back').where('expires_at', '<=', at).execute()
  await trx
    .insertInto('email_ways_back')
    .values({
      token_hash: wayBackHash,
      account_id: accountId,
      email,
      changed_at: at,
      expires_at: toInstant(secondsAfter(now, WAY_BACK_HOURS * 3600)),
    })
    .execute()
}

/** Returns the earlier address that a link gives back, while it can, and the account that gets it. */
export async function findWayBack(
  db: DbOrTrx,
  tokenHash: string,
  now: Date,
): Promise<{ email: string; account: Pick<Account, 'id' | 'parent_id'> } | undefined> {
  const row = await db
    .selectFrom('email_ways_back')
    .innerJoin('accounts', 'accounts.id', 'email_ways_back.account_id')
    .select(['email_ways_back.email', 'accounts.id', 'accounts.parent_id'])
    .where('token_hash', '=', tokenHash)
    .where('expires_at', '>', toInstant(now))
    .executeTakeFirst()
  if (!row) return undefined
  const { email, ...account } = row
  return { email, account }
}

/** An address that was taken back. `login_id` signs in to the account that had it meanwhile, if that has no number. */
export type TakenBack = PasswordSet & { login_id: string | null }

/**
 * Gives an account its earlier address back, once, and ends its password with everything that it
 * opened, because an intruder may have it. Factors that were added since are deleted too, and so is
 * a deletion, which was announced only to the later address. Later changes cannot be taken back any
 * more, earlier ones can. An account that got the address meanwhile loses it, proven or not: the link was mailed to
 * the same mailbox. Returns undefined when the link is no longer valid.
 */
export async function takeEmailBack(
  db: Db,
  key: SecretKey,
  tokenHash: string,
  now: Date,
  notify: Notify<TakenBack>,
): Promise<string | undefined> {
  return inTransaction(db, async (trx) => {
    const used = await trx
      .deleteFrom('email_ways_back')
      .where('token_hash', '=', tokenHash)
      .where('expires_at', '>', toInstant(now))
      .returningAll()
      .executeTakeFirst()
    if (!used) return undefined
    const { account_id: accountId, email, changed_at } = used
    await trx
      .deleteFrom('email_ways_back')
      .where('account_id', '=', accountId)
      .where('changed_at', '>=', changed_at)
      .execute()
    const account = await getAccount(trx, accountId)
    const loser = account.email === email ? undefined : await detachHolder(trx, email, now)
    await moveAddress(trx, account, email)
    await forgetNewFactors(trx, accountId, changed_at)
    await endDeletion(trx, { account_id: accountId }, now)
    const set = await setPassword(trx, key, { accountId, passwordHash: null })
    await notify(trx, { ...set, login_id: loser?.login_id ?? null })
    return email
  })
}

/** Returns whether an account can still take an address back, which until then nobody gets by typing it. */
export async function isKeptForWayBack(db: DbOrTrx, email: string, now: Date): Promise<boolean> {
  const row = await db
    .selectFrom('email_ways_back')
    .select('token_hash')
    .where('email', '=', email)
    .where('expires_at', '>', toInstant(now))
    .limit(1)
    .executeTakeFirst()
  return row !== undefined
}
