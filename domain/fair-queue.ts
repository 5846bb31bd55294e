import { DomainError } from '#domain/error.ts'
import type { Refusal } from '#locales/refusal.ts'

/** `maxWaiting` is the length of the queue. `refusal` is for a full queue and for a wait of more than `maxWaitMs`. */
type Options = { concurrency: number; maxWaiting: number; maxWaitMs: number; refusal: Refusal }
type Waiting = { keys: readonly string[]; start: () => void; refuse: () => void }

const MAX_RETRY_SECONDS = 5

/**
 * Creates a queue for work that takes whole cores, `concurrency` pieces at a time. The next turn goes to the request
 * with the fewest earlier turns of its first key, then of its second key, then to the oldest. So one account or
 * address cannot delay others by more than one of its turns. `inTurn` throws `refusal`.
 */
export function createFairQueue({ concurrency, maxWaiting, maxWaitMs, refusal }: Options) {
  const waiting = new Set<Waiting>()
  const turns = new Map<string, number>()
  let running = 0

  async function inTurn<T>(keys: readonly string[], work: () => Promise<T>): Promise<T> {
    if (running >= concurrency) await waitForTurn(keys)
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
    if (turns.size > 4 * maxWaiting) turns.clear()
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
      const timer = setTimeout(refuse, maxWaitMs)
      waiting.add(waiter)
      if (waiting.size > maxWaiting) [...waiting].reduce(laterOf).refuse()
    })
  }

  function startNext(): void {
    if (waiting.size > 0) [...waiting].reduce(earlierOf).start()
    else if (running === 0) turns.clear()
  }

  const earlierOf = (a: Waiting, b: Waiting) => (isBefore(b, a) ? b : a)
  const laterOf = (a: Waiting, b: Waiting) => (isBefore(b, a) ? a : b)

  /** Returns whether `a` gets the next turn rather than `b`. Equal requests keep their order. */
  function isBefore(a: Waiting, b: Waiting): boolean {
    for (const [n, key] of a.keys.entries()) {
      const difference = (turns.get(key) ?? 0) - (turns.get(b.keys[n] ?? '') ?? 0)
      if (difference !== 0) return difference < 0
    }
    return false
  }

  return { inTurn, size: () => waiting.size }
}

/** Sets a random time for the retry, so that not all callers return together. */
function tooBusy(refusal: Refusal): DomainError {
  const retryAfter = 1 + Math.floor(Math.random() * MAX_RETRY_SECONDS)
  return new DomainError(refusal, { retryAfter })
}
