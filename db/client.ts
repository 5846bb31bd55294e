import type { Kysely, Transaction } from 'kysely'
import type { Tables } from '#db/schema.ts'
import { type DatabaseFile, openDatabaseFile } from '#db/sqlite/database-file.ts'
import { queriesOn } from '#db/sqlite/queries.ts'
import { SERVER_BUSY_MS } from '#db/sqlite/sqlite.ts'

export type Db = Kysely<Tables>
/** What a verb takes when it may also be a step of another verb's transaction. */
export type DbOrTrx = Db | Transaction<Tables>

export type Database = DatabaseFile & { db: Db }

/** Opens the database of a data folder, as `openDatabaseFile` does, to be asked by the verbs. */
export async function openDatabase(
  dataDir: string,
  busyTimeoutMs: number = SERVER_BUSY_MS,
): Promise<Database> {
  const opened = await openDatabaseFile(dataDir, busyTimeoutMs)
  return { ...opened, db: queriesOn(opened.connection) }
}

/** True when the database still answers a question. */
export async function isAnswering(db: Db): Promise<boolean> {
  return db
    .selectFrom('meta')
    .select('key')
    .limit(1)
    .execute()
    .then(
      () => true,
      () => false,
    )
}
