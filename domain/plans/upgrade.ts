import { PRODUCT } from '#domain/brands/brand.ts'
import { DomainError } from '#domain/error.ts'
import { isAbove, PAID_PLANS, type PaidPlan, PLANS, type PlanId } from '#domain/plans/plan.ts'
import type { PermittedPlan, PlanState } from '#domain/plans/term.ts'

export const UPGRADE_PROMISE = 'Your account is upgraded within 24 hours.'

/** Shown to the admin after a decision. */
export const UPGRADE_DECIDED = {
  approve: 'Upgrade request approved successfully',
  reject: 'Upgrade request rejected successfully',
} as const

export const PAYMENT_METHODS = { upi: 'UPI', bank: 'Bank transfer' } as const

/** Returns the label of a known payment method, which the API takes in any form. Other texts stay as sent. */
export function paymentMethodLabel(sent: string | null): string | null {
  const known = Object.entries(PAYMENT_METHODS).find(([id]) => id === sent?.toLowerCase())
  return known ? known[1] : sent
}

/**
 * Returns whether an admin must have seen the money: an amount is due, and the account names no payment by which the
 * operator finds it.
 */
export function needsSeenPayment(request: {
  amount: number
  payment_reference: string | null
}): boolean {
  return request.amount > 0 && request.payment_reference === null
}

/** An account's information about its payment. Undefined fields stay unchanged. */
export type PaymentNote = {
  payment_method?: string | null
  payment_reference?: string | null
  notes?: string | null
}

/** The plans that an account can still be upgraded to. */
function plansAbove(plan: PlanId): PaidPlan[] {
  return PAID_PLANS.filter((paid) => isAbove(paid, plan))
}

type Held = Pick<
  PlanState,
  'subscription_plan' | 'lasting_plan' | 'subscription_ends_at' | 'subscription_ended'
> & {
  /** the plan, if a permission gives it until a time */
  permitted?: PermittedPlan | undefined
}

/**
 * Returns the plans that an account can request. It can request a plan with an end again, and a
 * plan that a permission gives until then, but not a plan that runs on beneath it without end.
 */
export function plansOnOffer(held: Held): PaidPlan[] {
  const { subscription_plan: plan, lasting_plan, subscription_ends_at, permitted } = held
  if (subscription_ends_at !== null) {
    return PAID_PLANS.filter((paid) => paid === plan || permitted || isAbove(paid, lasting_plan))
  }
  return permitted ? PAID_PLANS.filter((paid) => !isAbove(plan, paid)) : plansAbove(plan)
}

/** Returns the plan on offer that an account most likely wants: the one that it has or had, else the next. */
export function likelyPlan(account: Held): PaidPlan | undefined {
  const { subscription_plan, subscription_ends_at, subscription_ended, permitted } = account
  const offers = plansOnOffer(account)
  const hasEnd = subscription_ends_at !== null || permitted !== undefined
  const held = hasEnd ? subscription_plan : subscription_ended?.plan
  return offers.find((plan) => plan === held) ?? offers[0]
}

/**
 * Returns the plan of an upgrade request: the requested one, else that of the earlier request, else
 * the likely one. Throws invalid when the account has that plan or a higher one without end.
 */
export function planToRequest(
  account: Held,
  requested: PaidPlan | undefined,
  before: PaidPlan | undefined,
): PaidPlan {
  const offers = plansOnOffer(account)
  const plan = requested ?? offers.find((paid) => paid === before) ?? likelyPlan(account)
  if (plan && offers.includes(plan)) return plan
  const { name } = PLANS[account.lasting_plan]
  throw new DomainError({ code: 'invalid.same_plan', values: { plan: name } })
}

/** Asked for by those who do not say for how many months. */
export const DEFAULT_MONTHS = 1

/** Returns a price in whole rupees; `discount` is in percent. */
export function discountedPrice(price: number, discount: number): number {
  return Math.round((price * (100 - discount)) / 100)
}

/** Short enough for a bank statement. The request shows the same prefix. */
const NOTE_LENGTH = 8

/** Returns the note on the bank statement, by which an admin finds the request. */
export function paymentNote(requestId: string, prefix: string = PRODUCT): string {
  return `${prefix} ${requestId.slice(0, NOTE_LENGTH)}`
}

type Payee = { upiId: string; name: string }

/** Opens a UPI app with everything filled in. */
export function upiUrl({ upiId, name }: Payee, amount: number, note: string): string {
  // UPI apps do not decode the id, and do not read a plus as a space.
  const id = encodeURIComponent(upiId).replaceAll('%40', '@')
  const text = (value: string) => encodeURIComponent(value)
  return `upi://pay?pa=${id}&pn=${text(name)}&am=${amount}&cu=INR&tn=${text(note)}`
}
