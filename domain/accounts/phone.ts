import { DEFAULT_COUNTRY, homeCountry } from '#domain/accounts/country.ts'
import { isShortLine, type ParsedNumber, parseNumber } from '#domain/accounts/phone-library.ts'
import { asciiDigits } from '#domain/digits.ts'

/**
 * A number as it is dialled and shown. A `local` one is toll-free, of a service or short, and is dialled without its
 * country. A `typed` one is in no plan, and is dialled as its owner typed it.
 */
export type Phone = {
  kind: 'mobile' | 'landline' | 'local' | 'typed'
  e164: string | null
  country: string | null
  national: string
  international: string
}

/** Numbers pasted from an address book bring invisible direction marks and typographic dashes. */
const SEPARATORS = /[\s\p{Cf}\p{Pd}\u2212./()[\]]/gu
/** A number of North America as it is written there; its ten digits look like one of India. */
const NORTH_AMERICAN = /^\s*\(?(?<area>[2-9]\d\d)\)?[\s.-]*[2-9]\d\d[\s.-]\d{4}\s*$/

/** Returns the digits of a typed number, with `+` before a country; undefined for a text with anything else. */
export function digitsOf(typed: string): string | undefined {
  const compact = asciiDigits(typed)
    .replace(SEPARATORS, '')
    .replace('＋', '+')
    .replace(/^00(?=\d{4})/, '+')
  return /^\+?\d+$/.test(compact) ? compact : undefined
}

/**
 * Reads a typed number: with `+` or `00` that of its country, and otherwise one of `country` with its prefix. Returns
 * undefined for a number that is in no plan, and for one that may be from abroad.
 */
export function readPhone(typed: string, country: string = homeCountry()): Phone | undefined {
  const digits = digitsOf(typed)
  if (!digits) return undefined
  if (isShortLine(digits, country)) return shortLine(digits, country)
  const parsed = parseNumber(digits, country) ?? parseOwn(digits, country)
  return parsed && !mayBeForeign(typed, parsed) ? toPhone(parsed, country) : undefined
}

/** Reads a number of an earlier version, which took ten digits for one of India, with its prefix or without. */
export function readEarlierPhone(stored: string): Phone | undefined {
  const phone = readPhone(stored, DEFAULT_COUNTRY)
  if (phone || NORTH_AMERICAN.test(stored)) return phone
  const digits = digitsOf(stored)
  const parsed = digits && parseNumber(digits, DEFAULT_COUNTRY)
  return parsed ? toPhone(parsed, DEFAULT_COUNTRY) : undefined
}

/** Returns a number that is dialled as it is typed; undefined for a text without digits, or with more than those of a number. */
export function asTyped(typed: string): Phone | undefined {
  const digits = digitsOf(typed) ?? ''
  if (digits.length < 3 || digits.length > 20) return undefined
  const text = typed.trim()
  return { kind: 'typed', e164: null, country: null, national: text, international: text }
}

/** Reads a number of `country` with both its prefix and its country, such as `091 98765 43210`. */
function parseOwn(digits: string, country: string): ParsedNumber | undefined {
  const parsed = digits.startsWith('0') ? parseNumber(digits.replace('0', '+'), country) : undefined
  return parsed?.country === country ? parsed : undefined
}

function shortLine(digits: string, country: string): Phone {
  return { kind: 'local', e164: null, country, national: digits, international: digits }
}

/** Returns whether a number without its country may be one from abroad that happens to fit into this country's plan. */
function mayBeForeign(typed: string, { lacksPrefix, type }: ParsedNumber): boolean {
  if (!lacksPrefix || LOCAL.has(type)) return false
  return !MOBILE.has(type) || (typed.includes('(') && NORTH_AMERICAN.test(asciiDigits(typed)))
}

const MOBILE = new Set<string | null>(['MOBILE', 'FIXED_LINE_OR_MOBILE'])
/** Toll-free numbers and those of services, which other countries cannot dial. */
const LOCAL = new Set<string | null>(['TOLL_FREE', 'SHARED_COST', 'PREMIUM_RATE', 'UAN'])

function toPhone(
  { e164, type, national, international, ...parsed }: ParsedNumber,
  here: string,
): Phone {
  const { country } = parsed
  if (LOCAL.has(type) && country === here) {
    return { kind: 'local', e164, country, national, international: national }
  }
  return { kind: MOBILE.has(type) ? 'mobile' : 'landline', e164, country, national, international }
}

/** `unknown` is in no plan, `abroad` may lack the `+` of one from abroad: both may be used anyway. */
export type PhoneProblem = 'invalid' | 'unknown' | 'abroad'

/** Returns the problem of a typed number. With `anyway` it is taken as it is typed, unless it is no number in any country. */
export function phoneProblem(typed: string, anyway = false): PhoneProblem | undefined {
  if (readPhone(typed)) return undefined
  if (!isMobileAsTyped(typed)) return 'invalid'
  if (anyway) return undefined
  return isLong(typed) ? 'abroad' : 'unknown'
}

/** Returns whether a number may lack the `+` and country of one from abroad. */
function isLong(typed: string): boolean {
  return /^\d{11,12}$/.test(digitsOf(typed) ?? '')
}

/** Returns whether a text has the format that the specification requires in the child registration form. */
export function isMobileAsTyped(typed: string): boolean {
  const ascii = asciiDigits(typed)
    .replace(/[\s\p{Cf}./]/gu, '')
    .replace(/\p{Pd}/gu, '-')
  return /^[\d+\-()]{10,15}$/.test(ascii) && digitsOf(typed) !== undefined
}

/** Returns the number as a phone dials it. */
export function dialled({ kind, e164, national }: Phone): string {
  const isWithCountry = e164 && kind !== 'local'
  return isWithCountry ? e164 : (digitsOf(national) ?? '')
}

/** Returns whether a text is a number, of a plan or not. */
export function isNumber(typed: string): boolean {
  return readPhone(typed) !== undefined || isMobileAsTyped(typed)
}

/** Reads a stored number. Returns it as it was typed if it fits no numbering plan. */
export function toStoredPhone(text: string): Phone | undefined {
  return readPhone(text) ?? asTyped(text)
}

export function telHref(phone: Phone): string {
  return `tel:${dialled(phone)}`
}

/** Returns undefined for a text that is no number, so that typed text cannot choose the scheme. */
export function storedTelHref(text: string): string | undefined {
  const phone = toStoredPhone(text)
  return phone && telHref(phone)
}

/** Returns undefined for a number that gets no messages. */
export function smsHref({ kind, e164 }: Phone): string | undefined {
  return kind === 'mobile' ? `sms:${e164}` : undefined
}

/** Returns the link to a chat with the number, with the message filled in; undefined for one that has no chats. */
export function whatsappHref({ kind, e164 }: Phone, message: string): string | undefined {
  if (kind !== 'mobile' || !e164) return undefined
  // A lone surrogate cannot be encoded.
  return `https://wa.me/${e164.slice(1)}?text=${encodeURIComponent(message.replace(/\p{Cs}/gu, ''))}`
}

/** Returns the number as people in its country write it, and for those elsewhere with its country. */
export function shownPhone({ country, national, international }: Phone, region?: string): string {
  return region && region === country ? national : international
}

/** Formats a stored number with its country. Returns any other text unchanged. */
export function displayPhone(stored: string): string {
  const phone = readPhone(stored)
  return phone ? phone.international : stored
}
