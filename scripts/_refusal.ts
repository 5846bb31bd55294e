import { existsSync } from 'node:fs'
import { dirname } from 'node:path'

/** What the system and SQLite call by a code; `it` is the path, where one is known. */
const IN_WORDS: Record<string, (it: string) => string> = {
  ENOENT: (it) => `There is no ${existsSync(dirname(it)) ? it : `folder ${dirname(it)}`}`,
  EEXIST: (it) => `${it} already exists`,
  EISDIR: (it) => `${it} is a folder, not a file`,
  ENOTDIR: (it) => `${it} is not in a folder, or is no folder`,
  EACCES: (it) => `${it} is closed to this user`,
  EPERM: (it) => `${it} is closed to this user`,
  EROFS: (it) => `${it} is on a disk that is read-only`,
  ENOSPC: () => 'The disk is full',
  EDQUOT: () => 'The disk is full for this user',
  SQLITE_FULL: () => 'The disk is full',
  SQLITE_CANTOPEN: () => 'The data folder cannot be opened: does it belong to this user?',
  SQLITE_BUSY: () => 'The database is being written to for long: try again',
}

/** Why something was refused, in one line for a person. */
export function reasonOf(error: unknown): string {
  if (!(error instanceof Error)) return String(error)
  const { code = '', path = 'This' } = error as NodeJS.ErrnoException
  const words = Object.hasOwn(IN_WORDS, code) ? IN_WORDS[code] : undefined
  return words?.(path) ?? error.message.split('\n', 1)[0] ?? ''
}
