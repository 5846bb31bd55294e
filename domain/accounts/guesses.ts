import { KEPT_LIMITS, loginWait } from '#domain/rate-limits.ts'

/** Wrong guesses at a contact's password and one-time codes; times are in milliseconds. */
export type EarlierGuesses = {
  /** of this kind, from the same network or known device, one after another */
  inRow: { count: number; lastAt: number }
  /** of the last day from the same network; none for a known device */
  fromNetwork: number[]
  /** of the last day from all networks; none for a known device */
  fromAnywhere: number[]
}

/** In seconds; `limit` says which one it is. */
export type GuessWait = { retryAfter: number; limit: 'login' | 'guess-network' | 'guess' }

/** How long the next guess has to wait; undefined when it need not. */
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

/** When the oldest of the newest `count` is a window old; long ago when there are fewer. */
function dayEnd(times: number[], { count, seconds }: { count: number; seconds: number }): number {
  const newest = [...times].sort((a, b) => b - a)
  return (newest[count - 1] ?? Number.NEGATIVE_INFINITY) + seconds * 1000
}
