import type { Flag, Instant } from '#db/schema.ts'

export function toFlag(value: boolean): Flag {
  return value ? 1 : 0
}

export function fromFlag(flag: Flag): boolean {
  return flag === 1
}

export function toInstant(date: Date): Instant {
  return date.toISOString()
}

export function secondsAfter(date: Date, seconds: number): Date {
  return new Date(date.getTime() + seconds * 1000)
}

/** Returns whole seconds from `now` until `instant`, rounded up, never negative. */
export function secondsUntil(instant: Instant, now: Date): number {
  return Math.max(0, Math.ceil((Date.parse(instant) - now.getTime()) / 1000))
}
