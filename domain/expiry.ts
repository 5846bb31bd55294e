import { DomainError } from '#domain/error.ts'
import { momentIn } from '#domain/time.ts'

/** When something is to end, as it is typed. Throws invalid for what names no moment to come. */
export function expiryOf(typed: string | null, timezone: string, now: Date): Date | null {
  if (typed === null) return null
  const end = momentIn(timezone, typed)
  if (!end) throw new DomainError('invalid', 'Expiry must be a date and a time')
  if (end <= now) throw new DomainError('invalid', 'Expiry must lie in the future')
  return end
}
