import { getAccountOf } from '#db/accounts/account-changes.ts'
import { getAccount } from '#db/accounts/accounts.ts'
import {
  changeForGood,
  notePermission,
  type Permitted,
  readEntitlements,
  setForGood,
  setForTime,
} from '#db/accounts/entitlements.ts'
import { actorOf, COMMAND_LINE } from '#db/admin/audit-events.ts'
import { fromFlag, toFlag } from '#db/cast.ts'
import type { Db, DbOrTrx, Trx } from '#db/client.ts'
import type { Account } from '#db/schema.ts'
import { inTransaction } from '#db/transaction.ts'
import { signInContact } from '#domain/accounts/contact.ts'
import { roleProblem, withRole, withType } from '#domain/accounts/permission.ts'
import { type Role, roleNow, rolesCountedAs } from '#domain/accounts/roles.ts'
import { CommandError, DomainError } from '#domain/error.ts'

type Grant = { contact: string; role: Role; until: Date | null }
/**
 * Gives an account a role, permanently or until a time. The earlier permission is stored in
 * temporary_permissions. A temporary role replaces an earlier temporary one. A permanent one also
 * applies after the end of a temporary role. Throws not_found, conflict for an address that a child user only
 * typed, and forbidden for blocked accounts and where `roleProblem` refuses.
 */
export async function grantRole(db: Db, { contact, role, until }: Grant, now: Date) {
  return inTransaction(db, async (trx): Promise<Permitted> => {
    const account = await getAccountOf(trx, contact)
    if (!fromFlag(account.is_active)) {
      throw new CommandError(`${signInContact(account)} is blocked and can be given no role`)
    }
    assertMayHave(account, role)
    const entitlements = await readEntitlements(trx, account)
    const { lasting, history } = entitlements
    const temporary = until && { ...lasting, ...withRole(lasting, role, history) }
    const after = temporary
      ? await setForTime(trx, entitlements, temporary, until)
      : await changeForGood(trx, entitlements, (each) => withRole(each, role, history))
    return notePermission(
      trx,
      entitlements,
      { action: 'role.granted', after, by: COMMAND_LINE },
      now,
    )
  })
}

/**
 * Makes an account a client again and ends its temporary permission. Throws not_found, and conflict for clients and
 * for an address that a child user only typed.
 */
export async function revokeRole(db: Db, contact: string, now: Date) {
  return inTransaction(db, async (trx): Promise<Permitted> => {
    const account = await getAccountOf(trx, contact)
    const entitlements = await readEntitlements(trx, account)
    const { lasting, temporary, history } = entitlements
    if (roleNow(account.role) === 'client' && !temporary) {
      throw new CommandError(`${signInContact(account)} has no role to revoke`)
    }
    const client = { ...lasting, ...withType(lasting, 'client', history) }
    const after = await setForGood(trx, entitlements, client)
    return notePermission(
      trx,
      entitlements,
      { action: 'role.revoked', after, by: COMMAND_LINE },
      now,
    )
  })
}

/**
 * Makes an account a super admin at its own request, which is allowed only outside production. One that is a super
 * admin for good stays as it is. Throws forbidden where `roleProblem` refuses.
 */
export async function grantSuperAdmin(db: Db, accountId: string, now: Date): Promise<Permitted> {
  return inTransaction(db, (trx) => grantToSelf(trx, accountId, now))
}

/** Makes the only account a super admin, as `grantSuperAdmin` does. Throws forbidden where there is another account. */
export async function grantFirstAdmin(db: Db, accountId: string, now: Date): Promise<Permitted> {
  return inTransaction(db, async (trx) => {
    if (!(await isOnlyAccount(trx, accountId))) throw new DomainError('forbidden.other_accounts')
    return grantToSelf(trx, accountId, now)
  })
}

async function grantToSelf(trx: Trx, accountId: string, now: Date): Promise<Permitted> {
  const account = await getAccount(trx, accountId)
  assertMayHave(account, 'super_admin')
  const entitlements = await readEntitlements(trx, account)
  const { lasting, temporary } = entitlements
  if (account.role === 'super_admin' && lasting.role === 'super_admin') {
    return { ...account, expires_at: temporary?.expires_at ?? null }
  }
  const after = await changeForGood(trx, entitlements, (each) => ({ ...each, role: 'super_admin' }))
  return notePermission(
    trx,
    entitlements,
    { action: 'role.granted', after, by: actorOf(account) },
    now,
  )
}

/** Returns whether nobody else has an account. */
export async function isOnlyAccount(db: DbOrTrx, accountId: string): Promise<boolean> {
  const other = db.selectFrom('accounts').select('id').where('id', '!=', accountId).limit(1)
  return (await other.executeTakeFirst()) === undefined
}

function assertMayHave(account: Account, role: Role): void {
  const problem = roleProblem(account, role)
  if (problem) throw new DomainError(problem)
}

/** Returns all accounts whose role is not client, oldest first. */
export async function listPermitted(db: Db): Promise<Permitted[]> {
  return db
    .selectFrom('accounts')
    .leftJoin('temporary_permissions', 'temporary_permissions.account_id', 'accounts.id')
    .selectAll('accounts')
    .select('temporary_permissions.expires_at')
    .where('accounts.role', 'not in', rolesCountedAs('client'))
    .orderBy('accounts.created_at')
    .orderBy('accounts.id')
    .execute()
}

/** Returns the default owner of new codes: the first super admin, else the first admin. */
export async function findFirstAdmin(db: DbOrTrx): Promise<Account | undefined> {
  return db
    .selectFrom('accounts')
    .selectAll()
    .where('role', 'in', ['super_admin', 'admin'])
    .where('is_active', '=', toFlag(true))
    .orderBy('role', 'desc')
    .orderBy('created_at')
    .limit(1)
    .executeTakeFirst()
}

/** Returns the verified addresses of all admins who are not blocked. */
export async function listAdminAddresses(db: DbOrTrx): Promise<string[]> {
  const rows = await db
    .selectFrom('accounts')
    .select('email')
    .where('role', 'in', ['super_admin', 'admin'])
    .where('is_active', '=', toFlag(true))
    .where('email_verified_at', 'is not', null)
    .orderBy('id')
    .execute()
  return rows.flatMap(({ email }) => email ?? [])
}
