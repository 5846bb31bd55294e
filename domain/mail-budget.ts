import { createTryCounter, type TooMany } from '#domain/try-counter.ts'

/** The share reserved for senders that sent no mail within `seconds`. */
const RESERVED_SHARE = 1 / 4

/**
 * Allows `count` mails in `seconds` for all senders together. The budget refills continuously, so
 * there is no window to wait for. Times are in milliseconds.
 */
export function createMailBudget({ count, seconds }: { count: number; seconds: number }) {
  /** Milliseconds in which the budget for one mail refills. */
  const cost = (seconds * 1000) / count
  const recent = createTryCounter({ count: 1, seconds })
  /** The part of the budget that is used. */
  let spent = 0
  let countedAt = Number.NEGATIVE_INFINITY
  let refusedAt = Number.NEGATIVE_INFINITY

  function refill(now: number): void {
    spent = Math.max(0, spent - Math.max(0, now - countedAt))
    countedAt = now
  }

  return {
    /** The refusal when another mail would exceed the budget. */
    check(sender: string, now: number): TooMany | undefined {
      refill(now)
      const reserved = recent.check(sender, now) ? RESERVED_SHARE : 0
      const over = spent + cost - count * cost * (1 - reserved)
      if (over <= 0) return undefined
      const isFirst = Math.abs(now - refusedAt) >= seconds * 1000
      if (isFirst) refusedAt = now
      return { retryAfter: Math.ceil(over / 1000), isFirst }
    },
    /** Counts a sent mail. */
    add(sender: string, now: number): void {
      refill(now)
      spent += cost
      recent.add(sender, now)
    },
  }
}
