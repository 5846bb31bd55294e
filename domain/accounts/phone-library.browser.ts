import type { ParsedNumber } from '#domain/accounts/phone-library.ts'

/** Accepts every number that is long enough: the server, which has the numbering plans, decides. */
export function parseNumber(digits: string, country: string): ParsedNumber | undefined {
  if (digits.replace('+', '').length < 7) return undefined
  const same = { national: digits, international: digits }
  return { e164: digits, country, type: 'MOBILE', lacksPrefix: false, ...same }
}
