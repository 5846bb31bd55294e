import { KEPT_LIMITS, loginWait } from '#domain/rate-limits.ts'

/** Wrong guesses at a contact's password and one-time codes; times are in milliseconds. */
export type EarlierGuesses = {
  /** consecutive guesses of this kind from the same network or known device */
  inRow: { count: number; lastAt: number }
  /** in the last day from the same network; empty for a known device */
  fromNetwork: number[]
  /** in the last day from all networks; empty for a known device */
  fromAnywhere: number[]
}

/** `retryAfter` is in seconds; `limit` names the limit that was reached. */
export type GuessWait = { retryAfter: number; limit: 'login' | 'guess-network' | 'guess' }

/** Returns how long the next guess must wait; undefined when it may be made now. */
export function guessWait(earlier: EarlierGuesses, now: number): GuessWait | undefined {
  const { inRow, fromNetwork, fromAnywhere } = earlier
  const ends = [
    { limit: 'login', at: inRow.lastAt + loginWait(inRow.count) * 1000 },
    { limit: 'guess-network', at: dayEnd(fromNetwork, KEPT_LIMITS['guess-network']) },
    { limit: 'guess', at: dayEnd(fromAnywhere, KEPT_LIMITS.guess) },
  ] as const
  const last = ends.reduce((a, b) => (b.at > a.at ? b : a))
  return last.at > now
    ? { retryAfter: Math.ceil((last.at - now) / 1000), limit: last.limit }
    : undefined
}

/** Returns when the oldest of the newest `count` times leaves the window; -Infinity when there are fewer. */
function dayEnd(times: number[], { count, seconds }: { count: number; seconds: number }): number {
  const newest = [...times].sort((a, b) => b - a)
  return (newest[count - 1] ?? Number.NEGATIVE_INFINITY) + seconds * 1000
}
