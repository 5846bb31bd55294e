import { PLAN_IDS, PLANS, type PlanId } from '#domain/plan.ts'
import type { Role } from '#domain/roles.ts'

/** What a permission changes of an account. `child_qr_quota` is what is left to create. */
export type Standing = {
  role: Role
  subscription_plan: PlanId
  qr_limit: number
  child_qr_quota: number
}

/**
 * The standing with a role added. `premium` gives the premium plan and its quotas, never less than
 * what is there: who already has a higher plan or a role of the staff keeps it. `childCodes` is how
 * many child codes the account has made, so that giving the plan twice does not refill its quota.
 */
export function withRole(standing: Standing, role: Role, childCodes: number): Standing {
  if (role !== 'premium') return { ...standing, role }
  const kept = standing.role === 'client' ? { ...standing, role } : standing
  if (PLAN_IDS.indexOf(kept.subscription_plan) >= PLAN_IDS.indexOf('premium')) return kept
  const { qr_limit, child_qr_limit } = PLANS.premium
  const left = Math.max(kept.child_qr_quota, child_qr_limit - childCodes)
  return { ...kept, subscription_plan: 'premium', qr_limit, child_qr_quota: left }
}

/** The standing of a client; a premium plan goes when it came with the role, not when it was bought. */
export function withoutRole(standing: Standing): Standing {
  const isPlanOfRole = standing.role === 'premium' && standing.subscription_plan === 'premium'
  if (!isPlanOfRole) return { ...standing, role: 'client' }
  const { qr_limit, child_qr_limit } = PLANS.free
  return { role: 'client', subscription_plan: 'free', qr_limit, child_qr_quota: child_qr_limit }
}

/** What was before a permission for a time; child codes made meanwhile do not come back. */
export function fallBack(current: Standing, before: Standing): Standing {
  return { ...before, child_qr_quota: Math.min(before.child_qr_quota, current.child_qr_quota) }
}
