import {
  findAccountByContact,
  getAccount,
  insertAccount,
  type NewAccount,
} from '#db/accounts/accounts.ts'
import { detachAddress } from '#db/accounts/address-proof.ts'
import { isKeptForWayBack } from '#db/accounts/email-changes.ts'
import {
  changeForGood,
  type Entitlements,
  notePermission,
  type Permitted,
  readEntitlements,
  setForGood,
} from '#db/accounts/entitlements.ts'
import { type PasswordSet, setPassword } from '#db/accounts/passwords.ts'
import { forgetFactors } from '#db/accounts/second-factors.ts'
import { type Actor, COMMAND_LINE, recordAct } from '#db/admin/audit-events.ts'
import { fromFlag, toFlag, toInstant } from '#db/cast.ts'
import type { Db, DbOrTrx, Trx } from '#db/client.ts'
import { waitsForGuardian } from '#db/families/guardians.ts'
import type { Notify } from '#db/outbox.ts'
import { type Moment, planOf } from '#db/plans/benefits.ts'
import { clearTerm, setTerm } from '#db/plans/terms.ts'
import type { Account } from '#db/schema.ts'
import type { SecretKey } from '#db/secrets.ts'
import { inTransaction } from '#db/transaction.ts'
import { isEmail, parseContact } from '#domain/accounts/contact.ts'
import { isUnproven, onPlan } from '#domain/accounts/permission.ts'
import { CommandError } from '#domain/error.ts'
import { isAbove, type PaidPlan, type PlanId } from '#domain/plans/plan.ts'
import { assertMonths, nextTerm, type Term } from '#domain/plans/term.ts'
import { DEFAULT_TIMEZONE } from '#domain/time.ts'

type NewUser = NewAccount & { email: string }

/** Creates an account for the command line. Throws conflict when its e-mail or mobile is taken. */
export async function createAccount(
  db: Db,
  user: NewUser,
  actor: Actor,
  now: Date,
): Promise<Account> {
  const { email, mobile } = user
  return inTransaction(db, async (trx) => {
    if (mobile && (await findAccountByContact(trx, { kind: 'mobile', mobile }))) {
      throw new CommandError(`An account with the mobile number ${mobile} exists already`)
    }
    const account = await findAccountByContact(trx, { kind: 'email', email })
    if (account) throw new CommandError(takenBy(account))
    if (await isKeptForWayBack(trx, email, now)) {
      throw new CommandError(`An account can still take the address ${email} back`)
    }
    const made = await insertAccount(trx, user, now)
    const subject = { subject_type: 'account', subject_id: made.id }
    const act = { ...actor, ...subject, action: 'account.created', after: { email } }
    await recordAct(trx, act, now)
    if (made.email_verified_at) {
      await recordAct(trx, { ...actor, ...subject, action: 'account.email_verified' }, now)
    }
    return made
  })
}

function takenBy(account: Account): string {
  const taken = `An account with the address ${account.email} exists already`
  return account.parent_id !== null && isUnproven(account)
    ? `${taken}, unverified. To free the address: driveqr user free-email ${account.email}`
    : taken
}

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
    const entitlements = await readEntitlements(trx, account)
    if (fromFlag(entitlements.current.is_active) === !isBlocked) {
      const state = isBlocked ? 'blocked already' : 'not blocked'
      throw new CommandError(`${contact} is ${state}`)
    }
    const wanted = { ...entitlements.lasting, is_active: toFlag(!isBlocked) }
    const after = await setForGood(trx, entitlements, wanted)
    const action = isBlocked ? 'account.blocked' : 'account.unblocked'
    return notePermission(trx, entitlements, { action, after, by: COMMAND_LINE }, now)
  })
}

/** A plan without end, or until a time, or for a number of months after now or its present end. */
export type PlanSetting = {
  contact: string
  plan: PlanId
  end?: { months: number } | { until: Date } | undefined
}

/**
 * Sets an account's plan, for the command line. A lower plan keeps the codes. The plan that it has gets
 * another end: months are added to it. A lower plan without end stays beneath one with an end, and so
 * does a permission. Throws not_found, invalid for a free plan with an end and for months out of range,
 * and conflict when nothing would change.
 */
export async function setPlan(
  db: Db,
  { contact, plan, end }: PlanSetting,
  now: Date,
  timezone = DEFAULT_TIMEZONE,
): Promise<Permitted> {
  return inTransaction(db, async (trx) => {
    const account = await getAccountOf(trx, contact)
    const entitlements = await readEntitlements(trx, account)
    const { lasting, history } = entitlements
    if (end) {
      if (plan === 'free') throw new CommandError('The free plan has no end')
      await setPlanUntil(trx, entitlements, plan, endAt(account, { plan, end }, { now, timezone }))
    } else {
      const hasIt = account.subscription_plan === plan && lasting.subscription_plan === plan
      if (hasIt && !account.term_plan) {
        throw new CommandError(`${contact} is on the ${plan} plan already`)
      }
      await changeForGood(trx, entitlements, (each) => onPlan(each, plan, history))
      await clearTerm(trx, account.id)
    }
    const after = await getAccount(trx, account.id)
    const change = { before: planOf(account, now), after: planOf(after, now) }
    const subject = { subject_type: 'account', subject_id: account.id }
    await recordAct(
      trx,
      { ...COMMAND_LINE, ...subject, action: 'account.plan_set', ...change },
      now,
    )
    const { temporary } = await readEntitlements(trx, after)
    return { ...after, expires_at: temporary?.expires_at ?? null }
  })
}

type End = NonNullable<PlanSetting['end']>

function endAt(term: Term, { plan, end }: { plan: PaidPlan; end: End }, moment: Moment): Date {
  if ('until' in end) return end.until
  assertMonths(end.months)
  return nextTerm(term, { plan, months: end.months }, moment).until
}

/** Sets a plan with an end. It replaces a plan without end that is equal or higher, except one that a permission gives. */
async function setPlanUntil(
  trx: Trx,
  entitlements: Entitlements,
  plan: PaidPlan,
  until: Date,
): Promise<void> {
  const { lasting, history } = entitlements
  await setTerm(trx, entitlements, { plan, until })
  if (isAbove(plan, lasting.subscription_plan)) return
  await changeForGood(trx, entitlements, (each) =>
    onPlan(each, each.role === 'premium' ? 'premium' : 'free', history),
  )
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
    const account = await findTyped(trx, email)
    if (!account.email) throw new CommandError(`${email} has no email address`)
    if (account.parent_id) {
      throw new CommandError(
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
      throw new CommandError(`${account.email} is verified already`)
    }
    const subject = { subject_type: 'account', subject_id: account.id }
    await recordAct(trx, { ...COMMAND_LINE, ...subject, action: 'account.email_verified' }, now)
    return { ...account, email_verified_at }
  })
}

/**
 * Takes an address off an account that has not proven it, for the command line: the account goes on with its
 * mobile number or with a login id. Throws invalid for another contact than an address, not_found, and conflict for a
 * verified address.
 */
export async function freeEmail(db: Db, email: string, now: Date): Promise<Account> {
  if (!isEmail(email.trim())) throw new CommandError(`${email.trim()} is not an email address`)
  return inTransaction(db, async (trx) => {
    const account = await findTyped(trx, email)
    if (account.email_verified_at !== null && !(await waitsForGuardian(trx, account.id))) {
      throw new CommandError(`${account.email} is verified: only its holder changes it`)
    }
    const freed = await detachAddress(trx, account, now)
    const subject = { subject_type: 'account', subject_id: account.id }
    await recordAct(trx, { ...COMMAND_LINE, ...subject, action: 'account.email_freed' }, now)
    return freed
  })
}

/**
 * Takes every second factor off an account, for the command line. Throws not_found, and conflict when it has
 * none.
 */
export async function removeAllFactors(
  db: Db,
  contact: string,
  now: Date,
  notify: Notify<{ accountId: string }>,
): Promise<Account> {
  return inTransaction(db, async (trx) => {
    const account = await getAccountOf(trx, contact)
    const { id: accountId } = account
    if (!(await forgetFactors(trx, accountId))) {
      throw new CommandError(`${contact} has no second factor`)
    }
    await notify(trx, { accountId })
    const subject = { subject_type: 'account', subject_id: accountId }
    await recordAct(trx, { ...COMMAND_LINE, ...subject, action: 'account.factors_removed' }, now)
    return account
  })
}

/**
 * Returns the account of a contact that an operator typed. Throws not_found, and conflict for an address that a
 * child user typed and nobody proved: the operator means its owner, who may be somebody else.
 */
export async function getAccountOf(db: DbOrTrx, typed: string): Promise<Account> {
  const account = await findTyped(db, typed)
  const { email, parent_id } = account
  if (parent_id === null || !isUnproven(account) || !isEmail(typed.trim())) return account
  throw new CommandError(
    `Nobody has verified ${email}, which a child user typed. To free it: driveqr user free-email ${email}. The answer names the account, for other commands`,
  )
}

async function findTyped(db: DbOrTrx, typed: string): Promise<Account> {
  const account = await findAccountByContact(db, parseContact(typed))
  if (account) return account
  throw new CommandError(`No account signs in with ${typed.trim()}`)
}
