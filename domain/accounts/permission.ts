import { isAdmin, isOfStaff, type Role, roleNow } from '#domain/accounts/roles.ts'
import { hasPlans, onOffer } from '#domain/plans/offer.ts'
import { isAbove, PLANS, type PlanId } from '#domain/plans/plan.ts'
import type { Refusal } from '#locales/refusal.ts'

/** The permissions that an admin can set: a role, or `blocked`, which forbids signing in. */
export const PERMISSION_TYPES = ['client', 'premium', 'moderator', 'admin', 'blocked'] as const
export type PermissionType = (typeof PERMISSION_TYPES)[number]

/** Shown to the admin after setting a permission. */
export const PERMITTED = 'User permissions updated successfully'

/** Returns the account's current permission type. A super admin counts as `admin`. */
export function typeOf({ role, is_active }: { role: Role; is_active: boolean }): PermissionType {
  if (!is_active) return 'blocked'
  return role === 'super_admin' ? 'admin' : roleNow(role)
}

/** The parts of an account that a permission changes. `child_qr_quota` is the number left to create. */
export type Entitlement = {
  role: Role
  subscription_plan: PlanId
  qr_limit: number
  child_qr_quota: number
}

/**
 * The history that plans and quotas depend on. `childCodes` is how many child codes of its plan the
 * account has made, so that granting a plan twice does not refill its quota; it is negative when
 * promo codes gave more than were made. `bought` is the highest plan that was paid for or redeemed
 * without end.
 */
export type History = { childCodes: number; bought: PlanId }

/**
 * The actor and the subject of a change. `subject.roles` holds the subject's current role and, if
 * that one is temporary, the role it falls back to.
 */
export type Change = {
  actor: { id: string; role: Role }
  subject: { id: string; roles: Role[] }
  type?: PermissionType
}

/**
 * Returns the reason why a permission may not be set. Only a super admin makes and changes admins:
 * otherwise a temporary admin could appoint a permanent one.
 */
export function permissionProblem({ actor, subject, type }: Change): Refusal | undefined {
  if (!isAdmin(actor.role)) return 'forbidden.admins_only'
  if (type && !onOffer([type]).includes(type)) return notOffered('permission_type')
  if (subject.id === actor.id) return 'forbidden.own_permissions'
  if (subject.roles.includes('super_admin')) return 'forbidden.super_admin_fixed'
  const isAboutAdmins = type === 'admin' || subject.roles.some(isAdmin)
  if (!isAboutAdmins || actor.role === 'super_admin') return undefined
  return 'forbidden.admin_changes'
}

function notOffered(field: string): Refusal {
  const what = new Intl.ListFormat('en-GB', { type: 'disjunction' }).format(
    onOffer(PERMISSION_TYPES),
  )
  return { code: 'invalid.must_be', values: { field, what } }
}

/** Returns whether the account has an e-mail address that was never verified. */
export function isUnproven(account: {
  email: string | null
  email_verified_at: string | null
}): boolean {
  return account.email !== null && account.email_verified_at === null
}

type Candidate = { parent_id: string | null; email_verified_at: string | null }

/**
 * Returns the reason why an account may not be given a role. The owner of a child code can reset
 * the child's password, and an unverified address may belong to anybody.
 */
export function roleProblem(account: Candidate, role: Role | 'blocked'): Refusal | undefined {
  if (!isOfStaff(role)) return undefined
  if (account.parent_id !== null) return 'forbidden.role_of_child'
  if (account.email_verified_at === null) return 'forbidden.role_unverified'
}

/** Returns the entitlement under a permission type. Blocking leaves it unchanged. */
export function withType(
  entitlement: Entitlement,
  type: PermissionType,
  history: History,
): Entitlement {
  if (type === 'blocked') return entitlement
  if (!hasPlans()) return withRoleAlone(entitlement, type)
  const client = withoutRole(entitlement, history)
  return type === 'client' ? client : withRole(client, type, history)
}

/** Returns the entitlement with a role, and with the plan that is there again once there are plans. */
function withRoleAlone(entitlement: Entitlement, role: Role): Entitlement {
  return roleNow(entitlement.role) === role ? entitlement : { ...entitlement, role }
}

/**
 * Returns the entitlement with a role added. `premium` gives the premium plan and its quotas, and
 * leaves a staff role in place.
 */
export function withRole(entitlement: Entitlement, role: Role, history: History): Entitlement {
  if (role !== 'premium') return { ...entitlement, role }
  const kept = entitlement.role === 'client' ? { ...entitlement, role } : entitlement
  return withPlan(kept, 'premium', history)
}

/** Returns the entitlement raised to a plan and its quotas. It never lowers anything. */
export function withPlan(
  entitlement: Entitlement,
  plan: PlanId,
  { childCodes }: Pick<History, 'childCodes'>,
): Entitlement {
  if (!isAbove(plan, entitlement.subscription_plan)) return entitlement
  const { qr_limit, child_qr_limit } = PLANS[plan]
  const left = Math.max(entitlement.child_qr_quota, child_qr_limit - childCodes)
  return { ...entitlement, subscription_plan: plan, qr_limit, child_qr_quota: left }
}

/** Returns the entitlement on exactly this plan. A lower plan lowers the quotas too. */
export function onPlan(
  entitlement: Entitlement,
  plan: PlanId,
  history: Pick<History, 'childCodes'>,
): Entitlement {
  if (isAbove(plan, entitlement.subscription_plan)) return withPlan(entitlement, plan, history)
  if (plan === entitlement.subscription_plan) return entitlement
  const { qr_limit, child_qr_limit } = PLANS[plan]
  const left = Math.max(0, child_qr_limit - history.childCodes)
  return { ...entitlement, subscription_plan: plan, qr_limit, child_qr_quota: left }
}

/**
 * Returns the entitlement of a client. A premium plan that came with the role ends; a bought one
 * stays, and so do the benefits of promo codes.
 */
export function withoutRole(
  entitlement: Entitlement,
  { childCodes, bought }: History,
): Entitlement {
  const isOnPremium = entitlement.role === 'premium' && entitlement.subscription_plan === 'premium'
  if (!isOnPremium || bought !== 'free') return { ...entitlement, role: 'client' }
  return { ...onPlan(entitlement, 'free', { childCodes }), role: 'client' }
}

/**
 * Returns the entitlement that applies again after a temporary permission ends. `temporaryQuota` is
 * the child quota at its start; child codes made from it are not refunded.
 */
export function fallBack<S extends Entitlement>(
  current: Entitlement,
  before: S,
  temporaryQuota: number,
): S {
  const made = Math.max(0, temporaryQuota - current.child_qr_quota)
  return { ...before, child_qr_quota: Math.max(0, before.child_qr_quota - made) }
}
