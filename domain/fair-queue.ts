import { DomainError } from '#domain/error.ts'
import type { Refusal } from '#locales/refusal.ts'

/** `refusal` is for a caller who finds the queue full, or has waited too long. */
type Options = { atOnce: number; longest: number; patienceMs: number; refusal: Refusal }
type Waiting = { keys: readonly string[]; start: () => void; refuse: () => void }

const LONGEST_RETRY_SECONDS = 5

/**
 * Runs work that takes whole cores, `atOnce` pieces at a time. The next turn goes to the first key
 * with the fewest turns, then to the second key with the fewest, then to the oldest request. So one
 * account or address cannot delay others by more than one of its turns. Throws unavailable after
 * `patienceMs`.
 */
export function createFairQueue({ atOnce, longest, patienceMs, refusal }: Options) {
  const waiting = new Set<Waiting>()
  const turns = new Map<string, number>()
  let running = 0

  async function inTurn<T>(keys: readonly string[], work: () => Promise<T>): Promise<T> {
    if (running >= atOnce) await waitForTurn(keys)
    else begin(keys)
    try {
      return await work()
    } finally {
      running--
      startNext()
    }
  }

  function begin(keys: readonly string[]): void {
    running++
    // Turns only matter while requests wait together.
    if (turns.size > 4 * longest) turns.clear()
    for (const key of keys) turns.set(key, (turns.get(key) ?? 0) + 1)
  }

  function waitForTurn(keys: readonly string[]): Promise<void> {
    return new Promise((resolve, reject) => {
      const refuse = () => {
        clearTimeout(timer)
        waiting.delete(waiter)
        reject(tooBusy(refusal))
      }
      const start = () => {
        clearTimeout(timer)
        waiting.delete(waiter)
        begin(keys)
        resolve()
      }
      const waiter: Waiting = { keys, start, refuse }
      const timer = setTimeout(refuse, patienceMs)
      waiting.add(waiter)
      if (waiting.size > longest) [...waiting].reduce(laterOf).refuse()
    })
  }

  function startNext(): void {
    if (waiting.size > 0) [...waiting].reduce(earlierOf).start()
    else if (running === 0) turns.clear()
  }

  const earlierOf = (a: Waiting, b: Waiting) => (isBefore(b, a) ? b : a)
  const laterOf = (a: Waiting, b: Waiting) => (isBefore(b, a) ? a : b)

  /** False for equal ones, which keep their order. */
  function isBefore(a: Waiting, b: Waiting): boolean {
    for (const [n, key] of a.keys.entries()) {
      const difference = (turns.get(key) ?? 0) - (turns.get(b.keys[n] ?? '') ?? 0)
      if (difference !== 0) return difference < 0
    }
    return false
  }

  return { inTurn, size: () => waiting.size }
}

/** A random time, so that not all return together. */
function tooBusy(refusal: Refusal): DomainError {
  const retryAfter = 1 + Math.floor(Math.random() * LONGEST_RETRY_SECONDS)
  return new DomainError(refusal, { retryAfter })
}
