/** Fewer than these are honest people at once, and are not made to wait. */
const MANY = 8

/**
 * Goes on in another turn of the event loop, so that finders come between. Where many wait, a
 * millisecond passes as well: what was handed over is still to be moved by the kernel, and by a
 * proxy on the same cores.
 */
export function inLaterTurn(work: () => void, waiting: number): void {
  if (waiting < MANY) setImmediate(work)
  else setTimeout(work, 1)
}
