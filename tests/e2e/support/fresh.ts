let people = 0

/** An address that no other test of this worker's server has. */
export function freshEmail(name = 'asha'): string {
  return `${name}${++people}@example.in`
}

/** The same for a mobile number: its ten digits. */
export function freshMobile(): string {
  return String(9_814_010_000 + ++people)
}

/** The same for a promo code. */
export function freshPromoCode(): string {
  return `MONSOON${++people}`
}
