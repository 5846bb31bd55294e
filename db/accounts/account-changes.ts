import type { Transaction } from 'kysely'
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
import type { Db } from '#db/client.ts'
import type { Notify } from '#db/outbox.ts'
import type { Account, Tables } from '#db/schema.ts'
import type { SecretKey } from '#db/secrets.ts'
import { inTransaction } from '#db/transaction.ts'
import { parseContact } from '#domain/accounts/contact.ts'
import { onPlan } from '#domain/accounts/permission.ts'
import { DomainError } from '#domain/error.ts'
import type { PlanId } from '#domain/plans/plan.ts'

/**
 * Blocks an account or lets it in again, by whoever has a shell. Blocking ends its sessions, and
 * either ends what it was for a time. Throws not_found, and conflict when it is so already.
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
 * Puts an account on a plan for good, a lower one too, by whoever has a shell. Its codes stay.
 * Throws not_found, and conflict when it is on that plan.
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
 * Gives an account a password, by whoever has a shell, and ends what the earlier one opened. Throws
 * not_found.
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
 * Takes an account's address for proven, on the word of whoever has a shell. Throws not_found,
 * conflict when it is proven, and forbidden for a child's account, which only a one-time code proves:
 * whoever holds its code could have typed the address.
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

async function getAccountOf(trx: Transaction<Tables>, typed: string): Promise<Account> {
  const account = await findAccountByContact(trx, parseContact(typed))
  if (account) return account
  throw new DomainError('not_found', `No account signs in with ${typed.trim()}`)
}
