import { isAbove, PLANS, type PlanId } from '#domain/plan.ts'
import type { Role } from '#domain/roles.ts'

/** What a permission changes of an account. `child_qr_quota` is what is left to create. */
export type Standing = {
  role: Role
  subscription_plan: PlanId
  qr_limit: number
  child_qr_quota: number
}

/**
 * The standing with a role added. `premium` gives the premium plan and its quotas; who already has
 * a role of the staff keeps it. `childCodes` is as in `withPlan`.
 */
export function withRole(standing: Standing, role: Role, childCodes: number): Standing {
  if (role !== 'premium') return { ...standing, role }
  const kept = standing.role === 'client' ? { ...standing, role } : standing
  return withPlan(kept, 'premium', childCodes)
}

/**
 * The standing on a plan and with its quotas, never less than what is there. `childCodes` is how
 * many child codes of its plan the account has made, so that giving a plan twice does not refill
 * its quota; it is negative when promo codes gave more than was made.
 */
export function withPlan(standing: Standing, plan: PlanId, childCodes: number): Standing {
  if (!isAbove(plan, standing.subscription_plan)) return standing
  const { qr_limit, child_qr_limit } = PLANS[plan]
  const left = Math.max(standing.child_qr_quota, child_qr_limit - childCodes)
  return { ...standing, subscription_plan: plan, qr_limit, child_qr_quota: left }
}

/**
 * The standing of a client; a premium plan goes when it came with the role, not when it was
 * bought. What promo codes gave stays: `childCodes` is as in `withPlan`.
 */
export function withoutRole(standing: Standing, childCodes: number): Standing {
  const isPlanOfRole = standing.role === 'premium' && standing.subscription_plan === 'premium'
  if (!isPlanOfRole) return { ...standing, role: 'client' }
  const { qr_limit, child_qr_limit } = PLANS.free
  const left = Math.max(0, child_qr_limit - childCodes)
  return { role: 'client', subscription_plan: 'free', qr_limit, child_qr_quota: left }
}

/** What was before a permission for a time; child codes made meanwhile do not come back. */
export function fallBack(current: Standing, before: Standing): Standing {
  return { ...before, child_qr_quota: Math.min(before.child_qr_quota, current.child_qr_quota) }
}
