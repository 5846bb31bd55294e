import { chmodSync, lstatSync, type Stats, statSync } from 'node:fs'
import { join } from 'node:path'
import { PRIVATE_NAMES } from '#db/data-folder.ts'

/** The bits of a file's mode that let other users of the machine in. */
const OTHERS_BITS = 0o077

export function isOpenToOthers(path: string): boolean {
  return (statSync(path).mode & OTHERS_BITS) !== 0
}

/**
 * Takes the rights of other users off a data folder and off what is kept in it: the folder may
 * have existed before, and let everybody in. What belongs to another user, or lies on a disk
 * without modes, stays as it is: `isOpenToOthers` finds it, and the start warns.
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
    // A disk without modes, or a log of the database that was removed meanwhile.
    if (!['EPERM', 'ENOTSUP', 'ENOENT'].includes(code)) throw error
  }
}
