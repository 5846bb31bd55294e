import type { PaidPlan } from '#domain/plans/plan.ts'

const DIGITS = 6

/** Returns `R-2026-000123`. */
export function receiptNumber(year: number, n: number): string {
  return `R-${year}-${String(n).padStart(DIGITS, '0')}`
}

/** Returns the tax that an amount contains, in whole paise; `rate` is in percent of the amount without tax. */
export function containedTax(rupees: number, rate: number): number {
  return Math.round((rupees * 100 * rate) / (100 + rate))
}

/** A receipt as the API lists it; amounts in whole rupees. */
export type ReceiptView = {
  number: string
  issued_at: string
  plan: PaidPlan
  from: string
  /** null: no end */
  until: string | null
  amount: number
  discount: number
  payment_reference: string | null
}
