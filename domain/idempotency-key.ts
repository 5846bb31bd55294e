import { DomainError } from '#domain/error.ts'

/** For how long the answer of a call with an `Idempotency-Key` is given again. */
export const KEPT_DAYS = 1

/** Programs make UUIDs; draft 07 of the header has them in quotation marks, which are part of the key here. */
const KEY = /^[\x21-\x7e]{1,255}$/

/** Throws invalid unless the header has 1 to 255 visible ASCII characters. */
export function assertIdempotencyKey(key: string): void {
  if (!KEY.test(key)) throw new DomainError('invalid.idempotency_key')
}
