import { createRequire } from 'node:module'
import type { CountryCode } from 'libphonenumber-js/max'

export { isShortLine } from '#domain/accounts/short-lines.ts'

/** A number of a country's plan, as the library reads it. */
export type ParsedNumber = {
  e164: string
  country: string | null
  type: string | null
  /** whether it is written without the prefix that its country writes, such as 0 */
  lacksPrefix: boolean
  national: string
  international: string
}

type Library = typeof import('libphonenumber-js/max')

/** The numbering plans of all countries take 16 MB and 60 ms, so the first number that somebody types loads them. */
let library: Library | undefined

function load(): Library {
  library ??= createRequire(import.meta.url)('libphonenumber-js/max') as Library
  return library
}

/** Returns the digits that the numbers of a country begin with after `+`. */
export function callingCode(country: string): string {
  return load().getCountryCallingCode(country as CountryCode)
}

/**
 * Reads a number of ASCII digits: with `+` and its country, or as `country` writes it. Returns undefined for a number
 * that its country does not have. Browsers get `phone-library.browser.ts` in place of this module.
 */
export function parseNumber(digits: string, country: string): ParsedNumber | undefined {
  const defaultCountry = country as CountryCode
  const number = load().parsePhoneNumberFromString(digits, { defaultCountry, extract: false })
  if (!number?.isValid()) return undefined
  const national = number.formatNational()
  return {
    e164: number.number,
    country: number.country ?? null,
    type: number.getType() ?? null,
    // A country without a prefix, such as 0, formats a number with the same digits.
    lacksPrefix: digits === number.nationalNumber && national.replace(/\D/g, '') !== digits,
    national,
    international: number.formatInternational(),
  }
}
