import { mkdtempSync, statfsSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

const IN_MEMORY = '/dev/shm'
/** A server leaves 200 MB free; containers give that folder less. */
const ROOM_BYTES = 1024 ** 3

/** Where a flush takes no time, if there is such a place: for tests that are not about durability. */
function quickPlace(): string {
  try {
    const { bavail, bsize } = statfsSync(IN_MEMORY)
    if (bavail * bsize >= ROOM_BYTES) return IN_MEMORY
  } catch {
    // Only Linux has it.
  }
  return tmpdir()
}

/** A new folder that the test removes. */
export function makeQuickFolder(): string {
  return mkdtempSync(join(quickPlace(), 'driveqr-test-'))
}
