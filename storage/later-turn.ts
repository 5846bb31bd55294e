/** Below this number, callers are honest people at once and do not wait. */
const MANY = 8
/** A gigabit line. */
const BYTES_PER_MS = 128_000
/** Timers are no finer, and may be late by as much again. */
const SHORTEST_REST_MS = 2

let movedUntil = 0

/** Counts bytes that were passed to the kernel. */
export function handedOver(bytes: number): void {
  const earliest = performance.now() - 2 * SHORTEST_REST_MS
  movedUntil = Math.max(movedUntil, earliest) + bytes / BYTES_PER_MS
}

/**
 * Calls `work` in another turn of the event loop, so that scans come between. Where many wait, the kernel
 * and a proxy on the same cores first get the time to move the bytes that were handed over.
 */
export function inLaterTurn(work: () => void, waiting: number): void {
  const rest = waiting < MANY ? 0 : movedUntil - performance.now()
  if (rest > SHORTEST_REST_MS) setTimeout(work, rest)
  else setImmediate(work)
}
