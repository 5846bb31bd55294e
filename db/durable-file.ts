import { closeSync, fsyncSync, openSync, writeSync } from 'node:fs'

/** Writes a small file that is on the disk, and readable by this user alone, when it returns. */
export function writeDurably(file: string, content: string | Uint8Array): void {
  const handle = openSync(file, 'wx', 0o600)
  try {
    writeSync(handle, typeof content === 'string' ? Buffer.from(content) : content)
    fsyncSync(handle)
  } finally {
    closeSync(handle)
  }
}

/** Makes sure that what was made, renamed or removed in a folder stays so after a power cut. */
export function flushFolder(folder: string): void {
  const handle = openSync(folder, 'r')
  try {
    fsyncSync(handle)
  } finally {
    closeSync(handle)
  }
}
