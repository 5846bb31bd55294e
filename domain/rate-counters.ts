import { DomainError, type LimitUse } from '#domain/error.ts'
import { createMailBudget } from '#domain/mail-budget.ts'
import type { Network } from '#domain/networks.ts'
import { type LimitName, MAIL_BUDGET, RATE_LIMITS, type RateLimit } from '#domain/rate-limits.ts'
import { createTryCounter, type TooMany, type TryCounter } from '#domain/try-counter.ts'
import type { Refusal } from '#locales/refusal.ts'

export type RateLimits = ReturnType<typeof createRateLimits>

/** The key by which a try is counted, or all networks of an address. */
export type CountedBy = string | readonly Network[]

/**
 * Creates one in-memory counter per limit; with `rateLimits` off, they let everything through. The
 * database keeps limits that must survive a restart (`KEPT_LIMITS`).
 */
export function createRateLimits({ rateLimits: on }: { rateLimits: boolean }) {
  const counters = Object.fromEntries(
    Object.entries(RATE_LIMITS).map(([name, limit]) => [name, createTryCounter(limit)]),
  ) as Record<LimitName, TryCounter>
  const mails = createMailBudget(MAIL_BUDGET)
  const keysOf = (by: CountedBy) =>
    typeof by === 'string' ? [by] : by.map((network) => network.name)
  const within = (): TooMany | undefined => undefined

  function check(name: LimitName, by: CountedBy, now: Date): TooMany | undefined {
    const counter = counters[name]
    if (typeof by === 'string') return counter.check(by, now.getTime())
    let worst: TooMany | undefined
    for (const network of by) {
      const refusal = counter.check(network.name, now.getTime(), network.times)
      if (refusal && refusal.retryAfter > (worst?.retryAfter ?? 0)) worst = refusal
    }
    return worst
  }

  return {
    /** The refusal when another try would exceed the limit. */
    check: on ? check : within,
    add(name: LimitName, by: CountedBy, now: Date): void {
      for (const key of keysOf(by)) counters[name].add(key, now.getTime())
    },
    /** The tries that are left, and the seconds until all are there again; undefined without limits. */
    left: (name: LimitName, by: string, now: Date) =>
      on ? counters[name].left(by, now.getTime()) : undefined,
    /** Takes a counted try back. */
    remove(name: LimitName, by: CountedBy, now: Date): void {
      for (const key of keysOf(by)) counters[name].remove(key, now.getTime())
    },
    /** The refusal when another mail would exceed the budget of all senders. */
    checkMail: on ? (sender: string, now: Date) => mails.check(sender, now.getTime()) : within,
    addMail: (sender: string, now: Date) => mails.add(sender, now.getTime()),
  }
}

/** Returns the error for a refused try, with the name of the limit if it has one; `wait` is in seconds. */
export function tooMany(
  wait: number,
  { count, refusal: code }: Partial<RateLimit> = {},
  limit?: LimitUse,
) {
  const refusal: Refusal =
    code && count ? { code, values: { count, wait } } : { code: 'too_many.tries', values: { wait } }
  return new DomainError(refusal, limit ? { limit } : {})
}
