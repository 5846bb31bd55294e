import { DomainError } from '#domain/error.ts'

export const PLAN_IDS = ['free', 'premium', 'enterprise'] as const
export type PlanId = (typeof PLAN_IDS)[number]

export const PAID_PLANS = ['premium', 'enterprise'] as const
export type PaidPlan = (typeof PAID_PLANS)[number]

/** The `qr_limit` of a plan without limit. */
export const UNLIMITED = -1

/** A feature of a plan, and the page that has it. */
export type Feature = { text: string; href: string; icon: FeatureIcon }
type FeatureIcon = (typeof ICONS)[number]

/** `features` are the texts of its `links`. */
export type Plan = {
  name: string
  qr_limit: number
  child_qr_limit: number
  features: string[]
  links: Feature[]
}

const ICONS = [
  'qr',
  'doc',
  'shield',
  'users',
  'lost',
  'palette',
  'gallery',
  'share',
  'chart',
  'hide',
  'chat',
  'crown',
  'bolt',
] as const

const CODES = '/dashboard?tab=my-qrs'
const CHILD_CODES = '/dashboard?tab=my-qrs&child=1'
const DOCUMENTS = '/dashboard?tab=documents'
const GALLERY = '/dashboard?tab=gallery'
const BRANDING = '/settings/branding'

/** Marked as pure, so that scripts of pages which do not use them leave them out. */
export const PLANS: Record<PlanId, Plan> = {
  free: /* @__PURE__ */ plan('Free', { qr_limit: 1, child_qr_limit: 0 }, [
    ['1 QR code', CODES, 'qr'],
    ['Digital Document Storage', DOCUMENTS, 'doc'],
    ['Police Authority Access', DOCUMENTS, 'shield'],
  ]),
  premium: /* @__PURE__ */ plan('Premium', { qr_limit: 50, child_qr_limit: 50 }, [
    ['50 QR codes', CODES, 'qr'],
    ['50 child QR codes', CHILD_CODES, 'users'],
    ['Loss & Found', CODES, 'lost'],
    ['Custom branding', BRANDING, 'palette'],
    ['Document gallery', GALLERY, 'gallery'],
    ['Email/WhatsApp sharing', GALLERY, 'share'],
    ['Analytics dashboard', '/dashboard?tab=analytics', 'chart'],
  ]),
  // Its child codes are shown as unlimited. They are a number because the child quota counts down.
  enterprise: /* @__PURE__ */ plan('Enterprise', { qr_limit: UNLIMITED, child_qr_limit: 1000 }, [
    ['Unlimited QR codes', CODES, 'qr'],
    ['White-label', BRANDING, 'hide'],
    ['Dedicated support', '/settings/support', 'chat'],
    ['Everything in Premium', '/settings/plan', 'crown'],
    ['API access', '/settings/api-keys', 'bolt'],
  ]),
}

type Limits = Pick<Plan, 'qr_limit' | 'child_qr_limit'>

function plan(
  name: string,
  limits: Limits,
  listed: [text: string, href: string, icon: FeatureIcon][],
): Plan {
  const links = listed.map(([text, href, icon]) => ({ text, href, icon }))
  return { name, ...limits, features: links.map(({ text }) => text), links }
}

/** Returns whether a plan ranks above another. */
export function isAbove(plan: PlanId, other: PlanId): boolean {
  return PLAN_IDS.indexOf(plan) > PLAN_IDS.indexOf(other)
}

export type PlanView = Omit<Plan, 'links'> & { id: PlanId; price: number }

/** Returns the plans on offer, cheapest first. Prices are in whole rupees a month. */
export function planViews(prices: { premium: number; enterprise: number }): PlanView[] {
  return PLAN_IDS.map((id) => {
    const { links: _, ...about } = PLANS[id]
    return { id, price: id === 'free' ? 0 : prices[id], ...about }
  })
}

/** Throws plan_limit when adding `adding` codes to the existing `count` would exceed the limit. */
export function assertQrQuota(quota: { count: number; limit: number; adding: number }): void {
  const { count, limit, adding } = quota
  if (limit === UNLIMITED || count + adding <= limit) return
  throw new DomainError(
    { code: 'plan_limit.codes', values: { count, limit } },
    { planLimit: { current_count: count, limit } },
  )
}

/**
 * Throws plan_limit when no child codes are left. A quantity above the number left is invalid
 * input instead: see `assertQuantity`.
 */
export function assertChildQuota({ count, left }: { count: number; left: number }): void {
  if (left > 0) return
  throw new DomainError(
    { code: 'plan_limit.child_codes', values: { count, limit: count } },
    { planLimit: { current_count: count, limit: count } },
  )
}

export type CreationWays = { create: boolean; bulk: boolean; child: boolean }

/**
 * Returns the ways to make codes that a dashboard offers. A child user sees only those that its
 * plan has room for. An owner sees all of them; using one can show the plan's limit.
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
