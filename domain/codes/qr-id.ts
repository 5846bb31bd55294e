import { asciiDigits } from '#domain/digits.ts'
import { DomainError } from '#domain/error.ts'

/** Crockford's base 32: without I, L, O and U, which are easily misread. */
const ALPHABET = '0123456789ABCDEFGHJKMNPQRSTVWXYZ'
const RANDOM_LENGTH = 11
const WELL_FORMED = /^[0-9A-HJKMNP-TV-Z]{12}$/
export type RandomBytes = (length: number) => Uint8Array

/** Longer texts were not typed by a person and are not parsed. */
const LONGEST_TYPED = 100

/** The sample page behind See Demo. It is too short to be a real id. */
export const DEMO_QR_ID = 'DEMO'

/**
 * Returns a new id: 55 bits from `randomBytes`, which must be a cryptographic source, and a check
 * character. It is drawn again until the check is one of the 32 symbols.
 */
export function makeQrId(randomBytes: RandomBytes): string {
  for (;;) {
    const random = makeSymbols(randomBytes, RANDOM_LENGTH)
    const check = ALPHABET[checkOf(random)]
    if (check !== undefined) return random + check
  }
}

/**
 * The value of the characters mod 37, computed digit by digit because 55 bits do not fit a number.
 * 37 is prime and above 32, so every wrong character and every swap of neighbours changes it.
 */
function checkOf(characters: string): number {
  let rest = 0
  for (const character of characters) rest = (rest * 32 + ALPHABET.indexOf(character)) % 37
  return rest
}

/**
 * Reads a typed id, as `asTyped`. Undefined when the text is no id. A well-formed id need not exist
 * in the database.
 */
export function parseQrId(typed: string): string | undefined {
  if (typed.length > LONGEST_TYPED) return undefined
  const id = asTyped(typed)
  if (!WELL_FORMED.test(id)) return undefined
  return ALPHABET[checkOf(id.slice(0, RANDOM_LENGTH))] === id[RANDOM_LENGTH] ? id : undefined
}

/** Reads a typed text by Crockford's rules: any letter case, O for 0, I or L for 1, hyphens and spaces. */
export function asTyped(typed: string): string {
  return asciiDigits(typed)
    .replace(/[\s\p{Pd}]/gu, '')
    .replace(/[a-z]/g, (letter) => letter.toUpperCase())
    .replaceAll('O', '0')
    .replace(/[IL]/g, '1')
}

/** Returns random symbols. `randomBytes` must be a cryptographic source. */
export function makeSymbols(randomBytes: RandomBytes, length: number): string {
  // 256 is a multiple of 32, so five bits of a byte are evenly distributed.
  return Array.from(randomBytes(length), (byte) => ALPHABET[byte & 31]).join('')
}

/** Returns the id in groups of four: `7K3M-Q9WD-4XTP`. */
export function formatQrId(qrId: string): string {
  return qrId.replace(/(.{4})(?=.)/g, '$1-')
}

/** Returns the id as it is stored. Throws not_found for malformed ids, which saves a query. */
export function requireQrId(typed: string): string {
  const qrId = parseQrId(typed)
  if (!qrId) throw qrNotFound()
  return qrId
}

export function qrNotFound(): DomainError {
  return new DomainError('not_found.qr_code')
}
