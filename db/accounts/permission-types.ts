import { getAccount } from '#db/accounts/accounts.ts'
import {
  type Entitlements,
  notePermission,
  type Permitted,
  readEntitlements,
  setForGood,
  setForTime,
  type Timed,
} from '#db/accounts/entitlements.ts'
import { actorOf, COMMAND_LINE, EXPIRY } from '#db/admin/audit-events.ts'
import { fromFlag, toFlag, toInstant } from '#db/cast.ts'
import type { Db, Trx } from '#db/client.ts'
import type { Account } from '#db/schema.ts'
import { inTransaction } from '#db/transaction.ts'
import {
  type PermissionType,
  permissionProblem,
  roleProblem,
  withType,
} from '#domain/accounts/permission.ts'
import { roleNow } from '#domain/accounts/roles.ts'
import { DomainError } from '#domain/error.ts'

type Setting = { actorId: string; accountId: string; type: PermissionType; until: Date | null }

/**
 * Sets an account's permission, permanently or until a time. Blocking ends its sessions. Throws
 * not_found, and forbidden when the actor's role no longer allows it.
 */
export async function setPermission(
  db: Db,
  { actorId, accountId, type, until }: Setting,
  now: Date,
): Promise<Permitted> {
  return inTransaction(db, async (trx) => {
    // Read again, because the actor's role may have changed since the request began.
    const actor = await getAccount(trx, actorId)
    const entitlements = await readEntitlements(trx, await getAccount(trx, accountId))
    assertMaySet(actor, entitlements, type)
    const after = await setType(trx, entitlements, type, until)
    const change = { action: 'permission.changed', after, by: actorOf(actor) }
    return notePermission(trx, entitlements, change, now)
  })
}

async function setType(
  trx: Trx,
  entitlements: Entitlements,
  type: PermissionType,
  until: Date | null,
): Promise<Timed> {
  const { account, current, temporary, lasting, history } = entitlements
  const is_active = toFlag(type !== 'blocked')
  const isClient = account.role === 'premium' && roleNow(account.role) === type
  // Without plans nobody sees the end of a role that only gives one, and saving the form must not bring it forward.
  if (isClient && !until && current.is_active === is_active) {
    return { ...current, expires_at: temporary?.expires_at ?? null }
  }
  const wanted = { ...withType(lasting, type, history), is_active }
  return until
    ? setForTime(trx, entitlements, wanted, until)
    : setForGood(trx, entitlements, wanted)
}

/**
 * Blocks an account for good, as a step of a transaction; without an actor the command line does it.
 * Throws not_found, and forbidden as `setPermission`.
 */
export async function blockAccount(
  trx: Trx,
  actor: Account | undefined,
  accountId: string,
  now: Date,
): Promise<Permitted> {
  const entitlements = await readEntitlements(trx, await getAccount(trx, accountId))
  if (actor) assertMaySet(actor, entitlements, 'blocked')
  const wanted = { ...entitlements.lasting, is_active: toFlag(false) }
  const after = await setForGood(trx, entitlements, wanted)
  const by = actor ? actorOf(actor) : COMMAND_LINE
  return notePermission(trx, entitlements, { action: 'account.blocked', after, by }, now)
}

function assertMaySet(
  actor: Account,
  { account, lasting }: Entitlements,
  type: PermissionType,
): void {
  const subject = { id: account.id, roles: [account.role, lasting.role] }
  const problem = fromFlag(actor.is_active)
    ? (permissionProblem({ actor, subject, type }) ?? roleProblem(account, type))
    : 'forbidden.admins_only'
  if (problem) throw new DomainError(problem)
}

/** Ends temporary permissions whose time has passed, with that time as the time of the change. */
export async function endDuePermissions(db: Db, now: Date): Promise<void> {
  const due = await db
    .selectFrom('temporary_permissions')
    .select('account_id')
    .where('expires_at', '<=', toInstant(now))
    .execute()
  if (due.length === 0) return
  await inTransaction(db, async (trx) => {
    for (const { account_id } of due) await endPermission(trx, account_id, now)
  })
}

async function endPermission(trx: Trx, accountId: string, now: Date) {
  const entitlements = await readEntitlements(trx, await getAccount(trx, accountId))
  const { temporary, lasting } = entitlements
  // Another transaction may have ended or extended it meanwhile.
  if (!temporary || temporary.expires_at > toInstant(now)) return
  const after = await setForGood(trx, entitlements, lasting)
  const change = { action: 'permission.ended', after, by: EXPIRY }
  await notePermission(trx, entitlements, change, new Date(temporary.expires_at))
}
