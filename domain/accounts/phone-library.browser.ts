import type { ParsedNumber } from '#domain/accounts/phone-library.ts'

/** Accepts every number that is long enough: the server, which has the numbering plans, decides. */
export function parseNumber(digits: string, country: string): ParsedNumber | undefined {
  if (digits.replace('+', '').length < 7) return undefined
  const same = { national: digits, international: digits }
  return { e164: digits, country, type: 'MOBILE', lacksPrefix: false, ...same }
}

/** Lines have three to six digits, and in some countries two, which begin as here. */
const SHORT_LINE = /^(?:0[1-3]|1[3-9]|9[0-4]|\d{3,6})$/

/** Accepts every number that is short enough. */
export function isShortLine(digits: string, _country: string): boolean {
  return SHORT_LINE.test(digits)
}
