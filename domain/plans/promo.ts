import { DomainError } from '#domain/error.ts'
import { counted } from '#domain/number.ts'
import { isAbove, PAID_PLANS, type PaidPlan, PLANS, type PlanId } from '#domain/plans/plan.ts'
import { monthsProblem, monthsText } from '#domain/plans/term.ts'
import { lengthProblem } from '#domain/text.ts'
import type { Refusal } from '#locales/refusal.ts'

/** The benefit of a promo code. `discount_value` is in percent off the next upgrade. */
export type PromoBenefit = {
  subscription_plan: PaidPlan | null
  /** for how many months it gives the plan; null or missing without end */
  plan_months?: number | null
  child_qr_quantity: number
  discount_value: number
}

export type NewPromoCode = PromoBenefit & {
  code: string
  description: string | null
  usage_limit: number
  expires_at: string | null
  requires_approval: boolean
}

export type PromoCode = NewPromoCode & {
  id: string
  discount_type: 'percentage' | null
  usage_count: number
  is_active: boolean
  created_at: string
}

/** Shown to the admin after a change. */
export const PROMO_DONE = {
  created: 'Promo code created successfully',
  toggled: 'Promo code status updated',
  deleted: 'Promo code deleted',
} as const

/** The fixed values of a code made on the management page, which asks only for child codes. */
export const CHILD_PROMO = {
  description: 'Client QR Creation',
  discount_type: 'percentage',
  discount_value: 10,
  max_uses: 1000,
} as const

/**
 * Returns the problem of a promo code for child codes. The management page requires child codes;
 * the API also accepts a code that only discounts.
 */
export function childPromoProblem(code: string, slots: number): Refusal | undefined {
  if (Number.isInteger(slots) && slots >= 1) return promoInputProblem(code)
  return promoInputProblem(code) ?? atLeastOne('Child QR quantity')
}

export const PROMO_USAGE_LIMIT = 100
export const PROMO_CODE_LENGTH = 40
export const MOST_CHILD_CODES = 1000

/** Returns the form in which a code is stored and compared. */
export function normalizePromoCode(typed: string): string {
  return typed.trim().toUpperCase()
}

/** Checks a typed code before it is looked up. */
export function promoInputProblem(typed: string): Refusal | undefined {
  return typed.trim() ? undefined : 'invalid.promo_missing'
}

/** Returns why a promo code cannot be created. */
export function newPromoCodeProblem(promo: NewPromoCode): Refusal | undefined {
  const { code, subscription_plan: plan, child_qr_quantity, discount_value, usage_limit } = promo
  const { plan_months = null } = promo
  const typed = promoInputProblem(code) ?? lengthProblem('Promo code', code, PROMO_CODE_LENGTH)
  if (typed) return typed
  if (/[\s\p{C}]/u.test(code)) return 'invalid.promo_spaces'
  if (plan !== null && !PAID_PLANS.includes(plan)) return 'invalid.promo_plan'
  const wrongMonths = monthsProblem(plan_months, 'plan_months')
  if (wrongMonths) return wrongMonths
  if (plan === null && plan_months !== null) return 'invalid.promo_months'
  if (!isCount(usage_limit) || usage_limit < 1) return atLeastOne('Usage limit')
  if (!isCount(child_qr_quantity) || child_qr_quantity > MOST_CHILD_CODES) {
    return upTo(MOST_CHILD_CODES, 'Child QR quantity')
  }
  if (!isCount(discount_value) || discount_value > 100) return upTo(100, 'Discount')
  if (plan || child_qr_quantity > 0 || discount_value > 0) return undefined
  return 'invalid.promo_empty'
}

function atLeastOne(field: string): Refusal {
  return { code: 'invalid.at_least', values: { field, least: 1 } }
}

function upTo(most: number, field: string): Refusal {
  return { code: 'invalid.range', values: { field, least: 0, most } }
}

function isCount(value: number): boolean {
  return Number.isSafeInteger(value) && value >= 0
}

export const PROMO_STATES = ['active', 'inactive', 'expired'] as const
export type PromoState = (typeof PROMO_STATES)[number]

/** The filters of the list of codes. */
export const PROMO_FILTERS = [
  { id: '', label: 'All' },
  { id: 'active', label: 'Active' },
  { id: 'inactive', label: 'Inactive' },
  { id: 'expired', label: 'Expired' },
] as const

export function findPromoState(sent: string | undefined): PromoState | undefined {
  return PROMO_STATES.find((state) => state === sent)
}

export function isExpired({ expires_at }: Pick<PromoCode, 'expires_at'>, now: Date): boolean {
  return expires_at !== null && Date.parse(expires_at) <= now.getTime()
}

/** Throws invalid for an inactive or expired code. The database enforces the usage limit. */
export function assertRedeemable(promo: PromoCode, now: Date): void {
  if (!promo.is_active) throw new DomainError('invalid.promo_inactive')
  if (isExpired(promo, now)) throw new DomainError('invalid.promo_expired')
}

/** Returns a listed code, with the field names of both calls that list codes. */
export function toPromoCodeView(promo: PromoCode, now: Date) {
  const { usage_limit, usage_count, expires_at } = promo
  return {
    ...promo,
    plan_months: promo.plan_months ?? null,
    max_uses: usage_limit,
    used_count: usage_count,
    usage_percentage: Math.round((usage_count / usage_limit) * 1000) / 10,
    expiry_date: expires_at,
    is_expired: isExpired(promo, now),
  }
}

/** Returns `Premium plan and 3 extra child QR codes`. */
export function benefitText(benefit: PromoBenefit): string {
  const { subscription_plan, plan_months, child_qr_quantity: slots, discount_value } = benefit
  return [
    subscription_plan && planText(subscription_plan, plan_months),
    slots > 0 && counted(slots, 'extra child QR code'),
    discount_value > 0 && `${discount_value}% off the next upgrade`,
  ]
    .filter(Boolean)
    .join(' and ')
}

function planText(plan: PaidPlan, months: number | null = null): string {
  const text = `${PLANS[plan].name} plan`
  return months === null ? text : `${text} for ${monthsText(months)}`
}

/** Returns the plan after a redemption, which never lowers it. */
export function planAfter(plan: PlanId, benefit: Pick<PromoBenefit, 'subscription_plan'>): PlanId {
  const given = benefit.subscription_plan
  return given && isAbove(given, plan) ? given : plan
}

/** Shown to the admin who decides a redemption. */
export const REDEMPTION_FAILED = {
  approve: 'Failed to approve redemption',
  reject: 'Failed to reject redemption',
} as const

export const REDEMPTION_DECIDED = {
  approve: 'Redemption approved successfully!',
  reject: 'Redemption rejected',
} as const
