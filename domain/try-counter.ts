type Window = { endsAt: number; tries: number }

/** `isFirst` marks the first refusal in a window. `retryAfter` is in seconds. */
export type TooMany = { retryAfter: number; isFirst: boolean }
export type TryCounter = ReturnType<typeof createTryCounter>

/** A counter remembers at least this many keys and at most twice as many. */
export const REMEMBERED_KEYS = 4096

/**
 * Counts tries by key in windows of `seconds` that begin with a key's first try. Memory is bounded:
 * with too many keys it drops the least recently used. Times are in milliseconds.
 */
export function createTryCounter(
  { count, seconds }: { count: number; seconds: number },
  keys = REMEMBERED_KEYS,
) {
  const length = seconds * 1000
  let young = new Map<string, Window>()
  let old = new Map<string, Window>()

  function remember(key: string, window: Window): Window {
    if (young.size >= keys) {
      old = young
      young = new Map()
    }
    young.set(key, window)
    return window
  }

  /** Only counted keys are remembered, or checks of others would make it forget them. */
  function find(key: string, now: number): Window | undefined {
    const known = young.get(key) ?? old.get(key)
    if (!known) return undefined
    const window = young.has(key) ? known : remember(key, known)
    // If the clock was set back, the wait must not exceed the window.
    if (now >= window.endsAt || window.endsAt - now > length) {
      window.endsAt = now + length
      window.tries = 0
    }
    return window
  }

  return {
    /** The refusal when another try would exceed the limit. A shared key may have `times` as many. */
    check(key: string, now: number, times = 1): TooMany | undefined {
      const window = find(key, now)
      if (!window || window.tries < count * times) return undefined
      const isFirst = window.tries++ === count * times
      return { retryAfter: Math.ceil((window.endsAt - now) / 1000), isFirst }
    },
    /** The tries that are left, and the seconds until all are there again. */
    left(key: string, now: number): { tries: number; seconds: number } {
      const { tries, endsAt } = find(key, now) ?? { tries: 0, endsAt: now + length }
      return { tries: Math.max(0, count - tries), seconds: Math.ceil((endsAt - now) / 1000) }
    },
    add(key: string, now: number): void {
      const window = find(key, now) ?? remember(key, { endsAt: now + length, tries: 0 })
      window.tries++
    },
    /** Takes a counted try back. */
    remove(key: string, now: number): void {
      const window = find(key, now)
      if (window && window.tries > 0) window.tries--
    },
    size: () => young.size + old.size,
  }
}
