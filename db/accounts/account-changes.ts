import { findAccountByContact } from '#db/accounts/accounts.ts'
import {
  changeForGood,
  notePermission,
  type Permitted,
  readEntitlements,
  setForGood,
} from '#db/accounts/entitlements.ts'
import { type PasswordSet, setPassword } from '#db/accounts/passwords.ts'
import { COMMAND_LINE, recordAct } from '#db/admin/audit-events.ts'
import { fromFlag, toFlag, toInstant } from '#db/cast.ts'
import type { Db, DbOrTrx } from '#db/client.ts'
import type { Notify } from '#db/outbox.ts'
import type { Account } from '#db/schema.ts'
import type { SecretKey } from '#db/secrets.ts'
import { inTransaction } from '#db/transaction.ts'
import { parseContact } from '#domain/accounts/contact.ts'
import { onPlan } from '#domain/accounts/permission.ts'
import { DomainError } from '#domain/error.ts'
import type { PlanId } from '#domain/plans/plan.ts'

/**
 * Blocks or unblocks an account, for the command line. Both end its temporary permission, and
 * blocking ends its sessions. Throws not_found, and conflict when nothing would change.
 */
export async function setBlocked(
  db: Db,
  { contact, isBlocked }: { contact: string; isBlocked: boolean },
  now: Date,
): Promise<Permitted> {
  return inTransaction(db, async (trx) => {
    const account = await getAccountOf(trx, contact)
    if (fromFlag(account.is_active) === !isBlocked) {
      const state = isBlocked ? 'blocked already' : 'not blocked'
      throw new DomainError('conflict', `${contact} is ${state}`)
    }
    const entitlements = await readEntitlements(trx, account)
    const wanted = { ...entitlements.lasting, is_active: toFlag(!isBlocked) }
    const after = await setForGood(trx, entitlements, wanted)
    const action = isBlocked ? 'account.blocked' : 'account.unblocked'
    return notePermission(trx, entitlements, { action, after, by: COMMAND_LINE }, now)
  })
}

/**
 * Sets an account's plan permanently, for the command line. A lower plan keeps the codes. Throws
 * not_found, and conflict when the account already has the plan.
 */
export async function setPlan(
  db: Db,
  { contact, plan }: { contact: string; plan: PlanId },
  now: Date,
): Promise<Permitted> {
  return inTransaction(db, async (trx) => {
    const account = await getAccountOf(trx, contact)
    const entitlements = await readEntitlements(trx, account)
    const { lasting, history } = entitlements
    if (account.subscription_plan === plan && lasting.subscription_plan === plan) {
      throw new DomainError('conflict', `${contact} is on the ${plan} plan already`)
    }
    const after = await changeForGood(trx, entitlements, (each) => onPlan(each, plan, history))
    return notePermission(
      trx,
      entitlements,
      { action: 'account.plan_set', after, by: COMMAND_LINE },
      now,
    )
  })
}

/**
 * Sets an account's password, for the command line, and ends what the earlier password opened.
 * Throws not_found.
 */
export async function giveNewPassword(
  db: Db,
  key: SecretKey,
  { contact, passwordHash }: { contact: string; passwordHash: string },
  now: Date,
  notify: Notify<PasswordSet>,
): Promise<Account> {
  return inTransaction(db, async (trx) => {
    const account = await getAccountOf(trx, contact)
    await notify(trx, await setPassword(trx, key, { accountId: account.id, passwordHash }))
    const subject = { subject_type: 'account', subject_id: account.id }
    await recordAct(trx, { ...COMMAND_LINE, ...subject, action: 'account.password_set' }, now)
    return account
  })
}

/**
 * Marks an account's e-mail as verified, for the command line. Throws not_found, conflict when it
 * is already verified, and forbidden for a child user, because the owner of the code could have
 * typed the address. A child's address is only verified by a one-time code.
 */
export async function verifyEmail(db: Db, email: string, now: Date): Promise<Account> {
  return inTransaction(db, async (trx) => {
    const account = await getAccountOf(trx, email)
    if (!account.email) throw new DomainError('invalid', `${email} has no email address`)
    if (account.parent_id) {
      throw new DomainError(
        'forbidden',
        `${account.email} is a child user: only a login with a one-time code verifies its address`,
      )
    }
    const email_verified_at = toInstant(now)
    const { numUpdatedRows } = await trx
      .updateTable('accounts')
      .set({ email_verified_at })
      .where('id', '=', account.id)
      .where('email_verified_at', 'is', null)
      .executeTakeFirstOrThrow()
    if (numUpdatedRows === 0n) {
      throw new DomainError('conflict', `${account.email} is verified already`)
    }
    const subject = { subject_type: 'account', subject_id: account.id }
    await recordAct(trx, { ...COMMAND_LINE, ...subject, action: 'account.email_verified' }, now)
    return { ...account, email_verified_at }
  })
}

/** The account that signs in with a typed contact. Throws not_found. */
export async function getAccountOf(db: DbOrTrx, typed: string): Promise<Account> {
  const account = await findAccountByContact(db, parseContact(typed))
  if (account) return account
  throw new DomainError('not_found', `No account signs in with ${typed.trim()}`)
}
