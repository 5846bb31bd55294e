import Sqlite from 'better-sqlite3'
import { isBusy } from '#db/sqlite/sqlite.ts'

export type Release = () => void

/**
 * Locks a file together with others, or alone; undefined when that cannot be had for
 * `patienceMs`, in a blocked thread. Nothing is ever written to it: the locks are those of an empty
 * SQLite database, which the kernel takes back when a process dies, in a container too. A file
 * with a process id in it would have to be believed or not.
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
