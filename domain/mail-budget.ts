import { createTryCounter, type TooMany } from '#domain/try-counter.ts'

/** The part that only senders may use who had no mail within `seconds`. */
const KEPT_FOR_QUIET = 1 / 4

/**
 * So many mails in `seconds`, for all senders together. What was used comes back evenly, so that
 * nobody waits for the end of a window. Times are in milliseconds.
 */
export function createMailBudget({ count, seconds }: { count: number; seconds: number }) {
  /** After so long a mail is forgotten. */
  const cost = (seconds * 1000) / count
  const recent = createTryCounter({ count: 1, seconds })
  /** What all mails that are not forgotten cost. */
  let spent = 0
  let countedAt = Number.NEGATIVE_INFINITY
  let refusedAt = Number.NEGATIVE_INFINITY

  function forget(now: number): void {
    spent = Math.max(0, spent - Math.max(0, now - countedAt))
    countedAt = now
  }

  return {
    /** Whether a mail would be one too many. */
    check(sender: string, now: number): TooMany | undefined {
      forget(now)
      const kept = recent.check(sender, now) ? KEPT_FOR_QUIET : 0
      const over = spent + cost - count * cost * (1 - kept)
      if (over <= 0) return undefined
      const isFirst = Math.abs(now - refusedAt) >= seconds * 1000
      if (isFirst) refusedAt = now
      return { retryAfter: Math.ceil(over / 1000), isFirst }
    },
    /** Counts a mail that is sent. */
    add(sender: string, now: number): void {
      forget(now)
      spent += cost
      recent.add(sender, now)
    },
  }
}
