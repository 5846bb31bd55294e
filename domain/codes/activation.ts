import { asTyped, makeSymbols, parseQrId, type RandomBytes } from '#domain/codes/qr-id.ts'
import { DomainError } from '#domain/error.ts'

const LENGTH = 6
const WELL_FORMED = /^[0-9A-HJKMNP-TV-Z]{6}$/
/** Room for the spaces and hyphens that people type. */
export const ACTIVATION_TYPED_MAX = 20

/**
 * Texts that a spreadsheet reads as a number or a date, such as `001234`, `12E345` and `5MAR24`,
 * and changes when it opens the list for printing labels.
 */
const CHANGED_BY_SPREADSHEETS = /^\d+(?:E\d+)?$|^\d+[A-Z]{3}\d+$/

/** Makes the code that the buyer of a printed code tears off and types to claim it: 30 bits, so tries are counted. */
export function makeActivationCode(randomBytes: RandomBytes): string {
  for (;;) {
    const code = makeSymbols(randomBytes, LENGTH)
    if (!CHANGED_BY_SPREADSHEETS.test(code)) return code
  }
}

/** Reads a typed activation code, as forgiving as ids are. Undefined when it cannot be one. */
export function parseActivationCode(typed: string): string | undefined {
  if (typed.length > ACTIVATION_TYPED_MAX) return undefined
  const code = asTyped(typed)
  return WELL_FORMED.test(code) ? code : undefined
}

/** A code and the activation code on its label. */
export type Activated = { qr_id: string; activation_code: string }

/** Returns the codes as one field of a form, because the page keeps values that are shown only once. */
export function writeActivated(codes: readonly Activated[]): string {
  return codes.map(({ qr_id, activation_code }) => `${qr_id}:${activation_code}`).join()
}

/** Reads what `writeActivated` wrote. Throws invalid. */
export function readActivated(field: string): Activated[] {
  return field.split(',').map((pair) => {
    const [id = '', code = ''] = pair.split(':')
    const [qr_id, activation_code] = [parseQrId(id), parseActivationCode(code)]
    if (qr_id && activation_code) return { qr_id, activation_code }
    throw new DomainError('invalid.activation_codes')
  })
}
