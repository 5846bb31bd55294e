import { DomainError } from '#domain/error.ts'
import { isAbove, PAID_PLANS, type PaidPlan, PLANS, type PlanId } from '#domain/plans/plan.ts'

export const UPGRADE_PROMISE = 'Your account is upgraded within 24 hours.'

/** What an admin is told who decided a request. */
export const UPGRADE_DECIDED = {
  approve: 'Upgrade request approved successfully',
  reject: 'Upgrade request rejected successfully',
} as const

export const PAYMENT_METHODS = { upi: 'UPI', bank: 'Bank transfer' } as const

/** What an account tells about its payment; what is undefined stays as it was told before. */
export type PaymentNote = {
  payment_method?: string | null
  payment_reference?: string | null
  notes?: string | null
}

/** The plans that an account can still be upgraded to. */
export function plansAbove(plan: PlanId): PaidPlan[] {
  return PAID_PLANS.filter((paid) => isAbove(paid, plan))
}

/**
 * The plan that a request is for: the one that is asked for, else the one asked for before, else
 * the next one. Throws invalid when the account has as much already.
 */
export function planToRequest(
  current: PlanId,
  asked: PaidPlan | undefined,
  before: PaidPlan | undefined,
): PaidPlan {
  const above = plansAbove(current)
  const plan = asked ?? above.find((paid) => paid === before) ?? above[0]
  if (plan && above.includes(plan)) return plan
  throw new DomainError('invalid', `You already have the ${PLANS[current].name} plan`)
}

/** Whole rupees; `discount` is percent. */
export function discountedPrice(price: number, discount: number): number {
  return Math.round((price * (100 - discount)) / 100)
}

/** Short enough for a bank statement, and on the request too. */
const NOTE_LENGTH = 8

/** What a payment link writes into the statement, so that the request is found by it. */
export function paymentNote(requestId: string): string {
  return `DriveQR ${requestId.slice(0, NOTE_LENGTH)}`
}

type Payee = { upiId: string; name: string }

/** Opens a UPI app with everything filled in; the note lets whoever is paid find the request. */
export function upiUrl({ upiId, name }: Payee, amount: number, note: string): string {
  // Apps read the id as it is, and take a plus for a plus.
  const id = encodeURIComponent(upiId).replaceAll('%40', '@')
  const text = (value: string) => encodeURIComponent(value)
  return `upi://pay?pa=${id}&pn=${text(name)}&am=${amount}&cu=INR&tn=${text(note)}`
}
