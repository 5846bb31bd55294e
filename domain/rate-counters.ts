import { DomainError } from '#domain/error.ts'
import { createMailBudget } from '#domain/mail-budget.ts'
import type { Network } from '#domain/networks.ts'
import { DAY, HOUR, type LimitName, MAIL_BUDGET, MINUTE, RATE_LIMITS } from '#domain/rate-limits.ts'
import { createTryCounter, type TooMany, type TryCounter } from '#domain/try-counter.ts'

export type RateLimits = ReturnType<typeof createRateLimits>

/** What a try is counted by: one key, or all the networks that an address is in. */
export type CountedBy = string | readonly Network[]

/**
 * A counter for each limit; switched off, they let everything through. All is kept in memory: what
 * a restart may not forget is a rule of its own in the database.
 */
export function createRateLimits({ rateLimits: on }: { rateLimits: boolean }) {
  const counters = Object.fromEntries(
    Object.entries(RATE_LIMITS).map(([name, limit]) => [name, createTryCounter(limit)]),
  ) as Record<LimitName, TryCounter>
  const mails = createMailBudget(MAIL_BUDGET)
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
    /** Whether a try would be one too many. */
    check: on ? check : within,
    add(name: LimitName, by: CountedBy, now: Date): void {
      const keys = typeof by === 'string' ? [by] : by.map((network) => network.name)
      for (const key of keys) counters[name].add(key, now.getTime())
    },
    /** Whether a mail would be one too many for all together. */
    checkMail: on ? (sender: string, now: Date) => mails.check(sender, now.getTime()) : within,
    addMail: (sender: string, now: Date) => mails.add(sender, now.getTime()),
  }
}

/** What a try is refused with for so many seconds. */
export function tooMany(retryAfter: number, refusal?: string): DomainError {
  return new DomainError('too_many', tooManyTries(retryAfter, refusal), { retryAfter })
}

/** What somebody is told who tried too often. */
export function tooManyTries(seconds: number, refusal = 'Too many tries'): string {
  return `${refusal}. Try again in ${spokenTime(seconds)}.`
}

function spokenTime(seconds: number): string {
  if (seconds < 2 * MINUTE) return `${seconds} seconds`
  if (seconds < 2 * HOUR) return `${Math.ceil(seconds / MINUTE)} minutes`
  if (seconds < 2 * DAY) return `${Math.ceil(seconds / HOUR)} hours`
  return `${Math.ceil(seconds / DAY)} days`
}
