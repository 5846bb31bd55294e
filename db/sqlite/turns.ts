/** A thread that works beside the answers holds the database for a millisecond or two. */
const LONGEST_WAIT_MS = 5

const [FREE, TAKEN] = [0, 1]

export type Turns = ReturnType<typeof openTurns>

/**
 * Opens the turns of a server's threads at the database's write lock: SQLite only reports that it
 * is held. A scan sleeps until it is free, and leaves the processor to the holder. `shared` opens
 * the same turns in another thread.
 */
export function openTurns(shared = new SharedArrayBuffer(Int32Array.BYTES_PER_ELEMENT)) {
  const state = new Int32Array(shared)
  return {
    shared,
    /** Says that this thread, which works beside the answers, has the lock. */
    take: (): void => void Atomics.store(state, 0, TAKEN),
    release(): void {
      Atomics.store(state, 0, FREE)
      Atomics.notify(state, 0)
    },
    /** Sleeps while such a thread has the lock. Returns false if no thread had it, or if one has it still. */
    wait: (): boolean => Atomics.wait(state, 0, TAKEN, LONGEST_WAIT_MS) === 'ok',
  }
}
