import { DomainError } from '#domain/error.ts'

export const PLAN_IDS = ['free', 'premium', 'enterprise'] as const
export type PlanId = (typeof PLAN_IDS)[number]

export const PAID_PLANS = ['premium', 'enterprise'] as const
export type PaidPlan = (typeof PAID_PLANS)[number]

/** The `qr_limit` of a plan without limit. */
export const UNLIMITED = -1

/** `features` lists what the plan includes. */
export type Plan = { name: string; qr_limit: number; child_qr_limit: number; features: string[] }

export const PLANS: Record<PlanId, Plan> = {
  free: {
    name: 'Free',
    qr_limit: 1,
    child_qr_limit: 0,
    features: ['1 QR code', 'Digital Document Storage', 'Police Authority Access'],
  },
  premium: {
    name: 'Premium',
    qr_limit: 50,
    child_qr_limit: 50,
    features: [
      '50 QR codes',
      '50 child QR codes',
      'Loss & Found',
      'Custom branding',
      'Document gallery',
      'Email/WhatsApp sharing',
      'Analytics dashboard',
    ],
  },
  enterprise: {
    name: 'Enterprise',
    qr_limit: UNLIMITED,
    // Shown as unlimited. It is a number because the child quota counts down.
    child_qr_limit: 1000,
    features: [
      'Unlimited QR codes',
      'White-label',
      'Dedicated support',
      'Everything in Premium',
      'API access',
    ],
  },
}

/** Whether a plan ranks above another. */
export function isAbove(plan: PlanId, other: PlanId): boolean {
  return PLAN_IDS.indexOf(plan) > PLAN_IDS.indexOf(other)
}

export type PlanView = Plan & { id: PlanId; price: number }

/** The plans on offer, cheapest first. Prices are in whole rupees a month. */
export function planViews(prices: { premium: number; enterprise: number }): PlanView[] {
  return PLAN_IDS.map((id) => ({ id, price: id === 'free' ? 0 : prices[id], ...PLANS[id] }))
}

export function limitReached(count: number, limit: number): string {
  return `QR limit reached (${count}/${limit})`
}

/** Throws plan_limit when adding `adding` codes to the existing `count` would exceed the limit. */
export function assertQrQuota(quota: { count: number; limit: number; adding: number }): void {
  const { count, limit, adding } = quota
  if (limit === UNLIMITED || count + adding <= limit) return
  throw new DomainError('plan_limit', limitReached(count, limit), {
    planLimit: { current_count: count, limit },
  })
}

/**
 * Throws plan_limit when no child codes are left. A quantity above the number left is invalid
 * input instead: see `assertQuantity`.
 */
export function assertChildQuota({ count, left }: { count: number; left: number }): void {
  if (left > 0) return
  throw new DomainError('plan_limit', `Child QR limit reached (${count}/${count})`, {
    planLimit: { current_count: count, limit: count },
  })
}

export type CreationWays = { create: boolean; bulk: boolean; child: boolean }

/**
 * The ways to make codes that a dashboard offers. A child user sees only those that its plan has
 * room for. An owner sees all of them; using one can show the plan's limit.
 */
export function creationWays(
  account: {
    parent_id: string | null
    subscription_plan: PlanId
    qr_limit: number
    child_qr_quota: number
  },
  count: number,
): CreationWays {
  const { parent_id, subscription_plan, qr_limit, child_qr_quota } = account
  if (parent_id === null) return { create: true, bulk: true, child: true }
  const hasRoom = qr_limit === UNLIMITED || count < qr_limit
  const bulk = hasRoom && subscription_plan !== 'free'
  return { create: hasRoom, bulk, child: child_qr_quota > 0 }
}

export function canSeeAnalytics(plan: PlanId): boolean {
  return plan !== 'free'
}

export function canShare(plan: PlanId): boolean {
  return plan !== 'free'
}

export function canUseGallery(plan: PlanId): boolean {
  return plan !== 'free'
}

export function hasWebhooks(plan: PlanId): boolean {
  return plan === 'enterprise'
}

export function hasApiAccess(plan: PlanId): boolean {
  return plan === 'enterprise'
}

export function hasDedicatedSupport(plan: PlanId): boolean {
  return plan === 'enterprise'
}
