let people = 0

/** An address that no other test on this worker's server uses. */
export function freshEmail(name = 'asha'): string {
  return `${name}${++people}@example.in`
}

/** A mobile number, ten digits, that no other test on this worker's server uses. */
export function freshMobile(): string {
  return String(9_814_010_000 + ++people)
}

/** A promo code that no other test on this worker's server uses. */
export function freshPromoCode(): string {
  return `MONSOON${++people}`
}
