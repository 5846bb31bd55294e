import type { Transaction } from 'kysely'
import { findAccountByContact } from '#db/accounts.ts'
import { COMMAND_LINE, recordAct } from '#db/audit-events.ts'
import { fromFlag, toFlag } from '#db/cast.ts'
import type { Db } from '#db/client.ts'
import { setPassword } from '#db/passwords.ts'
import type { Account, Tables } from '#db/schema.ts'
import type { SecretKey } from '#db/secrets.ts'
import {
  changeForGood,
  notePermission,
  type Permitted,
  readStandings,
  setForGood,
} from '#db/standings.ts'
import { parseContact } from '#domain/contact.ts'
import { DomainError } from '#domain/error.ts'
import { onPlan } from '#domain/permission.ts'
import type { PlanId } from '#domain/plan.ts'

/**
 * Blocks an account or lets it in again, by whoever has a shell. Blocking ends its sessions, and
 * either ends what it was for a time. Throws not_found, and conflict when it is so already.
 */
export async function setBlocked(
  db: Db,
  { contact, isBlocked }: { contact: string; isBlocked: boolean },
  now: Date,
): Promise<Permitted> {
  return db.transaction().execute(async (trx) => {
    const account = await getAccountOf(trx, contact)
    if (fromFlag(account.is_active) === !isBlocked) {
      const state = isBlocked ? 'blocked already' : 'not blocked'
      throw new DomainError('conflict', `${contact} is ${state}`)
    }
    const standings = await readStandings(trx, account)
    const wanted = { ...standings.lasting, is_active: toFlag(!isBlocked) }
    const after = await setForGood(trx, standings, wanted)
    const action = isBlocked ? 'account.blocked' : 'account.unblocked'
    return notePermission(trx, standings, { action, after, by: COMMAND_LINE }, now)
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
  return db.transaction().execute(async (trx) => {
    const account = await getAccountOf(trx, contact)
    const standings = await readStandings(trx, account)
    const { lasting, history } = standings
    if (account.subscription_plan === plan && lasting.subscription_plan === plan) {
      throw new DomainError('conflict', `${contact} is on the ${plan} plan already`)
    }
    const after = await changeForGood(trx, standings, (each) => onPlan(each, plan, history))
    return notePermission(
      trx,
      standings,
      { action: 'account.plan_set', after, by: COMMAND_LINE },
      now,
    )
  })
}

/** Gives an account a password, by whoever has a shell, and ends its sessions. Throws not_found. */
export async function giveNewPassword(
  db: Db,
  key: SecretKey,
  { contact, passwordHash }: { contact: string; passwordHash: string },
  now: Date,
): Promise<Account> {
  return db.transaction().execute(async (trx) => {
    const account = await getAccountOf(trx, contact)
    await setPassword(trx, key, { accountId: account.id, passwordHash })
    const subject = { subject_type: 'account', subject_id: account.id }
    await recordAct(trx, { ...COMMAND_LINE, ...subject, action: 'account.password_set' }, now)
    return account
  })
}

async function getAccountOf(trx: Transaction<Tables>, typed: string): Promise<Account> {
  const account = await findAccountByContact(trx, parseContact(typed))
  if (account) return account
  throw new DomainError('not_found', `No account signs in with ${typed.trim()}`)
}
