import { closeSync, fdatasync, openSync } from 'node:fs'
import { promisify } from 'node:util'

const flushToDisk = promisify(fdatasync)

export type FlushedLog = ReturnType<typeof openLog>

/**
 * Opens the write-ahead log of a database, for a connection with `synchronous = NORMAL`: its commits are written
 * and not flushed. The flush runs on another thread, and while it runs no lock is held. A commit followed by
 * a flush is as durable as one of `FULL`.
 */
export function openLog(file: string) {
  const log = openSync(`${file}-wal`, 'r')
  return {
    /** Resolves when all that was committed before is on the disk. */
    flush: (): Promise<void> => flushToDisk(log),
    close: (): void => closeSync(log),
  }
}
