const MINUTE = 60
const HOUR = 60 * MINUTE
const WAITS = [20, MINUTE, 5 * MINUTE, 15 * MINUTE, 30 * MINUTE, HOUR]
const LONGEST = 24 * HOUR

/** Returns the seconds for which a channel rests after failures in a row: at least `retryAfter`, at most a day. */
export function waitAfterFailures(failures: number, retryAfter = 0): number {
  const wait = WAITS[Math.min(failures, WAITS.length) - 1] ?? HOUR
  return Math.min(Math.max(wait, retryAfter), LONGEST)
}
