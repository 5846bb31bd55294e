/** Fewer than these are honest people at once, and are not made to wait. */
const MANY = 8
/** A gigabit line. */
const BYTES_PER_MS = 128_000

/** Timers are no finer, and come late by as much again, which is made up for. */
const SHORTEST_REST_MS = 2

let movedUntil = 0

/** Says that so much was handed to the kernel. */
export function handedOver(bytes: number): void {
  const earliest = performance.now() - 2 * SHORTEST_REST_MS
  movedUntil = Math.max(movedUntil, earliest) + bytes / BYTES_PER_MS
}

/**
 * Goes on in another turn of the event loop, so that finders come between. Where many wait, what
 * was handed over gets the time to be moved first: the kernel, and a proxy on the same cores, have
 * as much to do with it again.
 */
export function inLaterTurn(work: () => void, waiting: number): void {
  const rest = waiting < MANY ? 0 : movedUntil - performance.now()
  if (rest > SHORTEST_REST_MS) setTimeout(work, rest)
  else setImmediate(work)
}
