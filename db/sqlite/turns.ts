/** A thread that works beside the answers holds the database for a millisecond or two. */
const LONGEST_WAIT_MS = 5

const [FREE, TAKEN] = [0, 1]

export type Turns = ReturnType<typeof openTurns>

/**
 * Which of a server's threads has the database's write lock: SQLite only says that somebody has it. So a scan
 * sleeps until it is free, and leaves the processor to the one that has it meanwhile. `shared` is what another
 * thread opens the same turns with.
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
    /** Sleeps while such a thread has the lock. False if none has had it, or it has it still. */
    wait: (): boolean => Atomics.wait(state, 0, TAKEN, LONGEST_WAIT_MS) === 'ok',
  }
}
