import Sqlite from 'better-sqlite3'
import { isBusy } from '#db/sqlite/sqlite.ts'

export type Release = () => void

/**
 * Locks a file, shared or exclusively, until it is released; undefined when that is not possible
 * within `patienceMs`, which blocks the thread. The lock is one of an empty SQLite database, and
 * nothing is written to it. The kernel releases it when the process dies. A file with a process id
 * would not work between containers.
 */
export function takeLock(
  file: string,
  mode: 'shared' | 'alone',
  patienceMs: number,
): Release | undefined {
  const connection = new Sqlite(file, { timeout: patienceMs })
  try {
    if (mode === 'alone') connection.exec('begin exclusive')
    else connection.exec('begin; select count(*) from sqlite_schema')
    return () => void connection.close()
  } catch (error) {
    connection.close()
    if (isBusy(error)) return undefined
    throw error
  }
}
