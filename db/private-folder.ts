import { chmodSync, lstatSync, type Stats, statSync } from 'node:fs'
import { join } from 'node:path'
import { PRIVATE_NAMES } from '#db/data-folder.ts'

/** The mode bits for other users of the machine. */
const OTHERS_BITS = 0o077

export function isOpenToOthers(path: string): boolean {
  return (statSync(path).mode & OTHERS_BITS) !== 0
}

/**
 * Removes the rights of other users from a data folder and its own files directly in it, because
 * the folder may have existed with such rights. Files of another user, or on a disk without modes,
 * stay as they are: the start warns when `isOpenToOthers` finds them.
 */
export function closeToOthers(dataDir: string): void {
  close(dataDir, statSync(dataDir))
  for (const name of PRIVATE_NAMES) {
    const path = join(dataDir, name)
    const found = lstatSync(path, { throwIfNoEntry: false })
    if (found && !found.isSymbolicLink()) close(path, found)
  }
}

function close(path: string, { mode, uid }: Stats): void {
  if ((mode & OTHERS_BITS) === 0 || uid !== process.getuid?.()) return
  try {
    chmodSync(path, mode & 0o700)
  } catch (error) {
    const { code = '' } = error as NodeJS.ErrnoException
    // A disk without modes, or the database's log, which was removed meanwhile.
    if (!['EPERM', 'ENOTSUP', 'ENOENT'].includes(code)) throw error
  }
}
