import { DAY, HOUR, type LimitName, MINUTE, RATE_LIMITS } from '#domain/rate-limits.ts'
import { createTryCounter, type TooMany, type TryCounter } from '#domain/try-counter.ts'

export type RateLimits = ReturnType<typeof createRateLimits>

/**
 * A counter for each limit; switched off, they let everything through. All is kept in memory: what
 * a restart may not forget is a rule of its own in the database.
 */
export function createRateLimits({ rateLimits: on }: { rateLimits: boolean }) {
  const counters = Object.fromEntries(
    Object.entries(RATE_LIMITS).map(([name, limit]) => [name, createTryCounter(limit)]),
  ) as Record<LimitName, TryCounter>
  const within = (): TooMany | undefined => undefined
  return {
    /** Counts a try, unless it is one too many. */
    take: on
      ? (name: LimitName, key: string, now: Date) => counters[name].take(key, now.getTime())
      : within,
    /** Whether a try would be one too many. */
    check: on
      ? (name: LimitName, key: string, now: Date) => counters[name].check(key, now.getTime())
      : within,
    add: (name: LimitName, key: string, now: Date) => counters[name].add(key, now.getTime()),
  }
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
