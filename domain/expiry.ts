import { DomainError } from '#domain/error.ts'
import { momentIn } from '#domain/time.ts'

/** Reads a typed expiry time. Throws invalid unless it is a time in the future. */
export function expiryOf(typed: string | null, timezone: string, now: Date): Date | null {
  if (typed === null) return null
  const end = momentIn(timezone, typed)
  if (!end) throw new DomainError('invalid.expiry')
  if (end <= now) throw new DomainError('invalid.expiry_past')
  return end
}
