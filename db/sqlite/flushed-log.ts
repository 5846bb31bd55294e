import { closeSync, fdatasync, fdatasyncSync, openSync } from 'node:fs'
import { promisify } from 'node:util'

const flushToDisk = promisify(fdatasync)

/** A flush that takes less is over before another thread would have begun it, and holds up nobody. */
const QUICK_MS = 5

export type FlushedLog = ReturnType<typeof openLog>

/**
 * The write-ahead log of a database, for a connection with `synchronous = NORMAL`: its commits are written
 * and not flushed. The flush runs on this thread while the disk is quick, otherwise on another one, and while
 * it runs no lock is held. A commit followed by a flush is as durable as one of `FULL`.
 */
export function openLog(file: string) {
  const log = openSync(`${file}-wal`, 'r')
  let isQuick = false
  return {
    /** All that was committed before is on the disk, when it has returned or resolves. */
    async flush(): Promise<void> {
      const startedAt = performance.now()
      if (isQuick) fdatasyncSync(log)
      else await flushToDisk(log)
      isQuick = performance.now() - startedAt < QUICK_MS
    },
    close: (): void => closeSync(log),
  }
}
