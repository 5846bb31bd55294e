import { closeSync, fsyncSync, openSync, writeSync } from 'node:fs'

/** Writes a small file, readable by this user only, and flushes it to the disk. */
export function writeDurably(file: string, content: string | Uint8Array): void {
  const handle = openSync(file, 'wx', 0o600)
  try {
    writeSync(handle, typeof content === 'string' ? Buffer.from(content) : content)
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
