import { existsSync } from 'node:fs'
import { dirname } from 'node:path'

/** Messages for error codes of the system and SQLite; `it` is the path, if known. */
const IN_WORDS: Record<string, (it: string) => string> = {
  ENOENT: (it) => `There is no ${existsSync(dirname(it)) ? it : `folder ${dirname(it)}`}`,
  EEXIST: (it) => `${it} already exists`,
  EISDIR: (it) => `${it} is a folder, not a file`,
  ENOTDIR: (it) => `${it} is not in a folder, or is no folder`,
  EACCES: (it) => `${it} cannot be accessed by this user`,
  EPERM: (it) => `${it} cannot be accessed by this user`,
  EROFS: (it) => `${it} is on a read-only disk`,
  ENOSPC: () => 'The disk is full',
  EDQUOT: () => 'The disk quota of this user is used up',
  SQLITE_FULL: () => 'The disk is full',
  // The first thing that SQLite writes is an index of its log, of a size that it needs at once.
  SQLITE_IOERR_SHMSIZE: () => 'The disk is full',
  SQLITE_CANTOPEN: () =>
    `The data folder cannot be opened: if another user made it, ${giveToThisUser()}`,
  SQLITE_BUSY: () => 'The database is busy: try again',
}

/** Returns the remedy for a folder that another user made, as root does where a container mounts one. */
export function giveToThisUser(): string {
  return `run chown -R ${process.geteuid?.()}:${process.getegid?.()} on it, as root`
}

/** Returns the error as a one-line message. */
export function reasonOf(error: unknown): string {
  if (!(error instanceof Error)) return String(error)
  const { code = '', path = 'This' } = error as NodeJS.ErrnoException
  const words = Object.hasOwn(IN_WORDS, code) ? IN_WORDS[code] : undefined
  return words?.(path) ?? error.message.split('\n', 1)[0] ?? ''
}
