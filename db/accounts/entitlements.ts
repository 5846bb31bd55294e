import { type Actor, recordAct } from '#db/admin/audit-events.ts'
import { withdrawFromBlocked } from '#db/alerts/alerting.ts'
import { endDomain } from '#db/brands/domain-proofs.ts'
import { fromFlag, toFlag, toInstant } from '#db/cast.ts'
import type { DbOrTrx, Trx } from '#db/client.ts'
import { countChildCodesOfPlan } from '#db/codes/child-slots.ts'
import { withdrawFromCustomer, withdrawFromSupport } from '#db/conversations/notices.ts'
import { endApprovedLinks } from '#db/families/reset-decisions.ts'
import { endShareLinks } from '#db/papers/share-links.ts'
import { endShares } from '#db/people/people.ts'
import type { Account, Flag, Instant } from '#db/schema.ts'
import { type Entitlement, fallBack, type History } from '#domain/accounts/permission.ts'
import { isAdmin } from '#domain/accounts/roles.ts'
import { isAbove, type PlanId } from '#domain/plans/plan.ts'

/** The permission of an account: role, plan, quotas and whether it is active. */
export type Permission = Entitlement & { is_active: Flag }

/** A permission and when it ends; null for a permanent one. */
export type Timed = Permission & { expires_at: Instant | null }

/** An account with the time at which its permission ends; null for a permanent one. */
export type Permitted = Account & Timed

/** The permission of an account. A temporary one has its end, and the permanent one after it. */
export type Entitlements = {
  account: Account
  current: Permission
  /** the permanent permission, which applies when no temporary one does */
  lasting: Permission
  temporary: { before: Permission; expires_at: Instant; lent_quota: number } | undefined
  history: History
}

export async function readEntitlements(trx: Trx, account: Account): Promise<Entitlements> {
  const row = await trx
    .selectFrom('temporary_permissions')
    .selectAll()
    .where('account_id', '=', account.id)
    .executeTakeFirst()
  const ending = await findEnding(trx, account.id)
  const current = { ...permissionOf(account), ...ending }
  const before = row && permissionOf(row)
  return {
    account,
    current,
    lasting: before ? fallBack(current, before, row.lent_quota) : current,
    temporary: before && { before, expires_at: row.expires_at, lent_quota: row.lent_quota },
    history: await readHistory(trx, account.id),
  }
}

/** Finds whether an account that is being deleted would be active otherwise. */
function findEnding(
  trx: Trx,
  accountId: string,
): Promise<Pick<Permission, 'is_active'> | undefined> {
  return trx
    .selectFrom('account_deletions')
    .select('is_active')
    .where('account_id', '=', accountId)
    .executeTakeFirst()
}

function permissionOf(row: Permission): Permission {
  const { role, subscription_plan, qr_limit, child_qr_quota, is_active } = row
  return { role, subscription_plan, qr_limit, child_qr_quota, is_active }
}

/** Gives the account a permission until a time. After that its permanent one applies again. */
export async function setForTime(
  trx: Trx,
  { account, lasting }: Entitlements,
  after: Permission,
  until: Date,
): Promise<Timed> {
  const account_id = account.id
  const expires_at = toInstant(until)
  const row = { ...lasting, expires_at, lent_quota: after.child_qr_quota }
  await put(trx, account_id, after)
  await trx
    .insertInto('temporary_permissions')
    .values({ account_id, ...row })
    .onConflict((conflict) => conflict.column('account_id').doUpdateSet(row))
    .execute()
  return { ...after, expires_at }
}

/** Gives the account a permanent permission, and ends a temporary one. */
export async function setForGood(
  trx: Trx,
  { account }: Entitlements,
  after: Permission,
): Promise<Timed> {
  await put(trx, account.id, after)
  await trx.deleteFrom('temporary_permissions').where('account_id', '=', account.id).execute()
  return { ...after, expires_at: null }
}

/**
 * Changes the permission and, if that is temporary, also the permanent one. When both become equal,
 * the temporary one ends.
 */
export async function changeForGood(
  trx: Trx,
  entitlements: Entitlements,
  change: (entitlement: Entitlement) => Entitlement,
): Promise<Timed> {
  const { account, current, temporary } = entitlements
  const after = { ...change(current), is_active: current.is_active }
  if (!temporary) return setForGood(trx, entitlements, after)
  const before = { ...change(temporary.before), is_active: temporary.before.is_active }
  const lent_quota = temporary.lent_quota + after.child_qr_quota - current.child_qr_quota
  const later = fallBack(after, before, lent_quota)
  if (JSON.stringify(later) === JSON.stringify(after)) return setForGood(trx, entitlements, after)
  await put(trx, account.id, after)
  await trx
    .updateTable('temporary_permissions')
    .set({ ...before, lent_quota })
    .where('account_id', '=', account.id)
    .execute()
  return { ...after, expires_at: temporary.expires_at }
}

/** Returns the account's role when no temporary permission applies. */
export async function findLastingRole(db: DbOrTrx, account: Pick<Account, 'id' | 'role'>) {
  const temporary = await db
    .selectFrom('temporary_permissions')
    .select('role')
    .where('account_id', '=', account.id)
    .executeTakeFirst()
  return temporary?.role ?? account.role
}

type Change = { action: string; after: Timed; by: Actor }

/** Records a change of an account's permission, and returns the account. */
export async function notePermission(
  trx: Trx,
  { account, current, temporary }: Entitlements,
  { action, after, by }: Change,
  now: Date,
): Promise<Permitted> {
  const subject = { subject_type: 'account', subject_id: account.id }
  const before = { ...current, expires_at: temporary?.expires_at ?? null }
  await recordAct(trx, { ...by, ...subject, action, before, after }, now)
  return { ...account, ...after }
}

/**
 * Stores the permission. An account that is being deleted stays inactive, and gets the permission
 * if the deletion is taken back.
 */
async function put(trx: Trx, accountId: string, permission: Permission): Promise<void> {
  const { is_active } = permission
  const { numUpdatedRows } = await trx
    .updateTable('account_deletions')
    .set({ is_active })
    .where('account_id', '=', accountId)
    .executeTakeFirstOrThrow()
  const isSilent = numUpdatedRows > 0n || !fromFlag(is_active)
  await trx
    .updateTable('accounts')
    .set({ ...permission, is_active: toFlag(!isSilent) })
    .where('id', '=', accountId)
    .execute()
  if (isSilent) await silence(trx, accountId)
  if (!fromFlag(is_active)) await endDomain(trx, accountId)
  if (!isSilent && !isAdmin(permission.role)) await withdrawFromSupport(trx, accountId)
}

/**
 * Ends the sessions, shared links and waiting alerts of an account that is not active any more, its help for owners,
 * and the reset links that it approved.
 */
export async function silence(trx: Trx, accountId: string): Promise<void> {
  await trx.deleteFrom('sessions').where('account_id', '=', accountId).execute()
  await endShareLinks(trx, accountId)
  await endShares(trx, { person_id: accountId })
  await endApprovedLinks(trx, accountId)
  await withdrawFromBlocked(trx, accountId)
  await withdrawFromCustomer(trx, accountId)
  await withdrawFromSupport(trx, accountId)
}

async function readHistory(trx: Trx, accountId: string): Promise<History> {
  const redeemed = await trx
    .selectFrom('promo_redemptions')
    .select(['subscription_plan as plan', 'plan_months'])
    .where('account_id', '=', accountId)
    .where('status', '=', 'approved')
    .execute()
  const paid = await trx
    .selectFrom('upgrade_requests')
    .select('requested_plan as plan')
    .where('account_id', '=', accountId)
    .where('status', '=', 'approved')
    .where('months', 'is', null)
    .execute()
  const endless = redeemed.filter(({ plan_months }) => plan_months === null)
  const plans = [...endless, ...paid].map(({ plan }) => (plan ?? 'free') as PlanId)
  return {
    childCodes: await countChildCodesOfPlan(trx, accountId),
    bought: plans.reduce((best, plan) => (isAbove(plan, best) ? plan : best), 'free'),
  }
}
