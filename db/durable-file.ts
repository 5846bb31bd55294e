import { closeSync, existsSync, fsyncSync, openSync, readFileSync, writeFileSync } from 'node:fs'

/** For how often and how long a reader waits for a process that is writing. */
const MOST_WAITS = 100
const WAIT_MS = 10

/** Writes a small file, readable by this user only, and flushes it to the disk. */
export function writeDurably(file: string, content: string | Uint8Array): void {
  const handle = openSync(file, 'wx', 0o600)
  try {
    writeFileSync(handle, content)
    fsyncSync(handle)
  } finally {
    closeSync(handle)
  }
}

/** Flushes a folder, so that created, renamed and removed names survive a power cut. */
export function flushFolder(folder: string): void {
  const handle = openSync(folder, 'r')
  try {
    fsyncSync(handle)
  } finally {
    closeSync(handle)
  }
}

/**
 * Returns the content of a small file that is written once: by the first of the processes that call
 * this at the same time, and all of them get that one's. A file that is shorter than `content` is
 * incomplete: then it waits for a second at most, blocking the thread.
 */
export function writeOnce(file: string, content: Uint8Array): Buffer {
  if (!existsSync(file)) writeUnlessThere(file, content)
  for (let waits = 0; ; waits++) {
    const found = readFileSync(file)
    if (found.length >= content.length || waits === MOST_WAITS) return found
    Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, WAIT_MS)
  }
}

function writeUnlessThere(file: string, content: Uint8Array): void {
  try {
    writeDurably(file, content)
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error
  }
}
