import type { Transaction } from 'kysely'
import { findAccountByContact } from '#db/accounts.ts'
import { COMMAND_LINE, recordAct } from '#db/audit-events.ts'
import { countChildCodesOfPlan } from '#db/benefits.ts'
import { fromFlag, toFlag, toInstant } from '#db/cast.ts'
import type { Db } from '#db/client.ts'
import type { Account, Instant, Tables } from '#db/schema.ts'
import { normalizeEmail } from '#domain/contact.ts'
import { DomainError } from '#domain/error.ts'
import { fallBack, type Standing, withoutRole, withRole } from '#domain/permission.ts'
import type { Role } from '#domain/roles.ts'

/** An account with the time at which its permission ends, null when it does not. */
export type Permitted = Account & { expires_at: Instant | null }

type Grant = { email: string; role: Role; until: Date | null }
type Trx = Transaction<Tables>

/**
 * Gives an account a role, until a time if one is given: what it was then stands in
 * temporary_permissions. A role for a time replaces an earlier one for a time; a lasting one also
 * lasts beyond the end of a role for a time. Throws not_found, and forbidden for blocked accounts.
 */
export async function grantRole(db: Db, { email, role, until }: Grant, now: Date) {
  return db.transaction().execute(async (trx): Promise<Permitted> => {
    const account = await getAccount(trx, email)
    if (!fromFlag(account.is_active)) {
      throw new DomainError('forbidden', `${account.email} is blocked and can be given no role`)
    }
    const childCodes = await countChildCodesOfPlan(trx, account.id)
    const lent = await findLent(trx, account.id)
    const current = standingOf(account)
    const before = lent && standingOf(lent)
    if (until) {
      const lasting = before ? fallBack(current, before) : current
      const expires_at = toInstant(until)
      const after = withRole(lasting, role, childCodes)
      await setStanding(trx, account.id, after)
      await lend(trx, account, lasting, expires_at)
      return note(trx, 'role.granted', account, { ...after, expires_at }, now)
    }
    const after = withRole(current, role, childCodes)
    await setStanding(trx, account.id, after)
    const expires_at = before
      ? await outlast(trx, account, after, withRole(before, role, childCodes))
      : null
    return note(trx, 'role.granted', account, { ...after, expires_at }, now)
  })
}

/** Makes an account a client again and ends what it had for a time. Throws conflict for clients. */
export async function revokeRole(db: Db, email: string, now: Date) {
  return db.transaction().execute(async (trx): Promise<Permitted> => {
    const account = await getAccount(trx, email)
    const lent = await findLent(trx, account.id)
    if (account.role === 'client' && !lent) {
      throw new DomainError('conflict', `${account.email} has no role to revoke`)
    }
    const current = standingOf(account)
    const lasting = lent ? fallBack(current, standingOf(lent)) : current
    const after = withoutRole(lasting, await countChildCodesOfPlan(trx, account.id))
    await setStanding(trx, account.id, after)
    await trx.deleteFrom('temporary_permissions').where('account_id', '=', account.id).execute()
    return note(trx, 'role.revoked', account, { ...after, expires_at: null }, now)
  })
}

/** Every account that is more than a client, oldest first. */
export async function listPermitted(db: Db): Promise<Permitted[]> {
  return db
    .selectFrom('accounts')
    .leftJoin('temporary_permissions', 'temporary_permissions.account_id', 'accounts.id')
    .selectAll('accounts')
    .select('temporary_permissions.expires_at')
    .where('accounts.role', '!=', 'client')
    .orderBy('accounts.created_at')
    .execute()
}

/** Who owns what nobody is named for: the first super_admin, else the first admin. */
export async function findFirstAdmin(db: Db): Promise<Account | undefined> {
  return db
    .selectFrom('accounts')
    .selectAll()
    .where('role', 'in', ['super_admin', 'admin'])
    .where('is_active', '=', toFlag(true))
    .orderBy('role', 'desc')
    .orderBy('created_at')
    .executeTakeFirst()
}

async function getAccount(trx: Trx, email: string): Promise<Account> {
  const address = normalizeEmail(email)
  const account = await findAccountByContact(trx, { kind: 'email', email: address })
  if (!account) throw new DomainError('not_found', `No account has the address ${address}`)
  return account
}

async function findLent(trx: Trx, accountId: string) {
  return trx
    .selectFrom('temporary_permissions')
    .selectAll()
    .where('account_id', '=', accountId)
    .executeTakeFirst()
}

function standingOf({ role, subscription_plan, qr_limit, child_qr_quota }: Standing): Standing {
  return { role, subscription_plan, qr_limit, child_qr_quota }
}

async function setStanding(trx: Trx, accountId: string, standing: Standing): Promise<void> {
  await trx.updateTable('accounts').set(standing).where('id', '=', accountId).execute()
}

async function lend(trx: Trx, account: Account, lasting: Standing, expires_at: Instant) {
  const row = { ...lasting, is_active: account.is_active, expires_at }
  await trx
    .insertInto('temporary_permissions')
    .values({ account_id: account.id, ...row })
    .onConflict((conflict) => conflict.column('account_id').doUpdateSet(row))
    .execute()
}

/** Keeps what is still lent beside a lasting role; nothing is left to lend when both are the same. */
async function outlast(trx: Trx, { id }: Account, now: Standing, later: Standing) {
  const lent = trx.updateTable('temporary_permissions').where('account_id', '=', id)
  if (JSON.stringify(fallBack(now, later)) !== JSON.stringify(now)) {
    const { expires_at } = await lent.set(later).returning('expires_at').executeTakeFirstOrThrow()
    return expires_at
  }
  await trx.deleteFrom('temporary_permissions').where('account_id', '=', id).execute()
  return null
}

async function note(
  trx: Trx,
  action: string,
  account: Account,
  after: Standing & { expires_at: Instant | null },
  now: Date,
): Promise<Permitted> {
  const subject = { subject_type: 'account', subject_id: account.id }
  const act = { ...COMMAND_LINE, ...subject, action, before: standingOf(account), after }
  await recordAct(trx, act, now)
  return { ...account, ...after }
}
