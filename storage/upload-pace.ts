import { DomainError } from '#domain/error.ts'

/** Enough for phones on slow lines side by side: a piece of each is all that is in memory. */
const AT_ONCE = 8
const LONGEST_QUEUE = 16
const BYTES_PER_MS = 16_000
const BURST_MS = 1_000
const SHORTEST_WAIT_MS = 4

const waiting: (() => void)[] = []
let running = 0

/** Resolves when an upload may begin; `giveTurn` ends it. Throws unavailable when too many wait. */
export async function takeTurn(): Promise<void> {
  if (running < AT_ONCE) {
    running++
    return
  }
  if (waiting.length >= LONGEST_QUEUE) {
    throw new DomainError('unavailable', 'Too many uploads at once. Try again in a moment.')
  }
  await new Promise<void>((resolve) => waiting.push(resolve))
}

export function giveTurn(): void {
  const next = waiting.shift()
  if (next) next()
  else running--
}

let paidUntil = 0

/**
 * Resolves when so many bytes more may be taken in. All uploads together get 16 MB a second, after
 * a second's worth at once: on a fast line they would keep the thread busy that finders wait for.
 */
export async function inPace(bytes: number): Promise<void> {
  const now = performance.now()
  paidUntil = Math.max(now - BURST_MS, paidUntil) + bytes / BYTES_PER_MS
  const wait = paidUntil - now
  if (wait > SHORTEST_WAIT_MS) await new Promise((resolve) => setTimeout(resolve, wait))
}
