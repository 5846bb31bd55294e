import type { Db } from '#db/client.ts'
import type { KeySettings } from '#db/secret-key.ts'
import { type DatabaseFile, openDatabaseFile } from '#db/sqlite/database-file.ts'
import { queriesOn } from '#db/sqlite/queries.ts'
import { SERVER_BUSY_MS } from '#db/sqlite/sqlite.ts'

export type Database = DatabaseFile & { db: Db }

/** Opens the database file of a data folder for the verbs, as `openDatabaseFile` does. */
export async function openDatabase(
  dataDir: string,
  busyTimeoutMs: number = SERVER_BUSY_MS,
  secretKeyFile?: KeySettings['secretKeyFile'],
): Promise<Database> {
  const opened = await openDatabaseFile({ dataDir, secretKeyFile }, busyTimeoutMs)
  return { ...opened, db: queriesOn(opened.connection) }
}
