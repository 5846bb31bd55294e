import { setImmediate as nextTurn } from 'node:timers/promises'

let last: Promise<void> = Promise.resolve()

/**
 * Resolves in a turn of the event loop that no other caller gets, so that finders wait for one drawing,
 * however many run at once.
 */
export function turnToDraw(): Promise<void> {
  last = last.then(() => nextTurn())
  return last
}
