import type { DecisionStatus } from '#domain/decision.ts'
import { DomainError } from '#domain/error.ts'
import { isAbove, PAID_PLANS, type PaidPlan, PLANS, type PlanId } from '#domain/plans/plan.ts'
import { lengthProblem } from '#domain/text.ts'

/** What a promo code gives; `discount_value` is percent off the next upgrade. */
export type PromoBenefit = {
  subscription_plan: PaidPlan | null
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

/** What an admin is told who did something with a code. */
export const PROMO_DONE = {
  created: 'Promo code created successfully',
  toggled: 'Promo code status updated',
  deleted: 'Promo code deleted',
} as const

/** What the management page gives with the child codes that are asked for. */
export const CHILD_PROMO = {
  description: 'Client QR Creation',
  discount_type: 'percentage',
  discount_value: 10,
  max_uses: 1000,
} as const

/** Why the management page makes no such code; the call itself takes one that only lowers a price. */
export function childPromoProblem(code: string, slots: number): string | undefined {
  if (Number.isInteger(slots) && slots >= 1) return promoInputProblem(code)
  return promoInputProblem(code) ?? 'Child QR quantity must be at least 1'
}

export const PROMO_USAGE_LIMIT = 100
export const PROMO_CODE_LENGTH = 40
export const MOST_CHILD_CODES = 1000

/** The form in which a code is stored and compared. */
export function normalizePromoCode(typed: string): string {
  return typed.trim().toUpperCase()
}

/** Why what somebody typed cannot be redeemed, before anybody is asked. */
export function promoInputProblem(typed: string): string | undefined {
  return typed.trim() ? undefined : 'Please enter a promo code'
}

/** Why a code cannot be made so, in a sentence for the admin who makes it. */
export function newPromoCodeProblem(promo: NewPromoCode): string | undefined {
  const { code, subscription_plan: plan, child_qr_quantity, discount_value, usage_limit } = promo
  const typed = promoInputProblem(code) ?? lengthProblem('Promo code', code, PROMO_CODE_LENGTH)
  if (typed) return typed
  if (/[\s\p{C}]/u.test(code)) return 'A promo code has no spaces'
  if (plan !== null && !PAID_PLANS.includes(plan)) return 'Plan must be premium or enterprise'
  if (!isCount(usage_limit) || usage_limit < 1) return 'Usage limit must be at least 1'
  if (!isCount(child_qr_quantity) || child_qr_quantity > MOST_CHILD_CODES) {
    return `Child QR quantity must be between 0 and ${MOST_CHILD_CODES}`
  }
  if (!isCount(discount_value) || discount_value > 100) return 'Discount must be between 0 and 100'
  if (plan || child_qr_quantity > 0 || discount_value > 0) return undefined
  return 'A promo code must give a plan, child QR codes or a discount'
}

function isCount(value: number): boolean {
  return Number.isSafeInteger(value) && value >= 0
}

export const PROMO_STATES = ['active', 'inactive', 'expired'] as const
export type PromoState = (typeof PROMO_STATES)[number]

/** What the list of codes can be narrowed to. */
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

/** Throws invalid for a code that is switched off or too old; its limit is the table's to keep. */
export function assertRedeemable(promo: PromoCode, now: Date): void {
  if (!promo.is_active) throw new DomainError('invalid', 'This promo code is not active')
  if (isExpired(promo, now)) throw new DomainError('invalid', 'This promo code has expired')
}

/** A code as it is listed, in the words of both of the screens that list it. */
export function toPromoCodeView(promo: PromoCode, now: Date) {
  const { usage_limit, usage_count, expires_at } = promo
  return {
    ...promo,
    max_uses: usage_limit,
    used_count: usage_count,
    usage_percentage: Math.round((usage_count / usage_limit) * 1000) / 10,
    expiry_date: expires_at,
    is_expired: isExpired(promo, now),
  }
}

/** `Premium plan and 3 extra child QR codes`. */
export function benefitText(benefit: PromoBenefit): string {
  const { subscription_plan, child_qr_quantity: slots, discount_value } = benefit
  return [
    subscription_plan && `${PLANS[subscription_plan].name} plan`,
    slots > 0 && `${slots} extra child QR code${slots === 1 ? '' : 's'}`,
    discount_value > 0 && `${discount_value}% off the next upgrade`,
  ]
    .filter(Boolean)
    .join(' and ')
}

/** The plan of an account once a code has done its work: it never takes one away. */
export function planAfter(plan: PlanId, benefit: PromoBenefit): PlanId {
  const given = benefit.subscription_plan
  return given && isAbove(given, plan) ? given : plan
}

/** What somebody is told about a redemption, by its status. */
export const REDEMPTION_TEXTS: Record<DecisionStatus, string> = {
  approved: 'Promo code redeemed successfully!',
  pending: 'Your promo code waits for approval, about 24-48 hours.',
  rejected: 'Your promo code was not approved.',
}

/** What an admin is told who decided a redemption. */
export const REDEMPTION_FAILED = {
  approve: 'Failed to approve redemption',
  reject: 'Failed to reject redemption',
} as const

export const REDEMPTION_DECIDED = {
  approve: 'Redemption approved successfully!',
  reject: 'Redemption rejected',
} as const
