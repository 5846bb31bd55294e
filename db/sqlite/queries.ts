/** Kysely over SQLite. A start does not wait for it: strangers' scans have statements of their own. */
import type Sqlite from 'better-sqlite3'
import {
  CompiledQuery,
  type DatabaseConnection,
  Kysely,
  SqliteDialect,
  SqliteDriver,
  sql,
} from 'kysely'
import type { Tables } from '#db/schema.ts'
import { isBusy } from '#db/sqlite/sqlite.ts'

/** Gives back the memory in which a connection keeps pages of the file. */
export async function dropPageCache(db: Kysely<Tables>): Promise<void> {
  await sql`pragma shrink_memory`.execute(db)
}

/** A write that is refused for this long, asynchronously, is given up. */
const BUSY_GIVE_UP_MS = 10_000

/**
 * Kysely's plain `begin` starts as a reader and dies with SQLITE_BUSY_SNAPSHOT at its first write
 * when the command line wrote in between; `begin immediate` waits for its turn instead. The wait
 * is asynchronous, so that a long write of the command line does not freeze the server.
 */
class ImmediateDriver extends SqliteDriver {
  readonly #connection: Sqlite.Database

  constructor(connection: Sqlite.Database) {
    super({ database: connection })
    this.#connection = connection
  }

  override async beginTransaction(connection: DatabaseConnection): Promise<void> {
    const giveUpAt = performance.now() + BUSY_GIVE_UP_MS
    for (;;) {
      try {
        await connection.executeQuery(CompiledQuery.raw('begin immediate'))
        return
      } catch (error) {
        if (!isBusy(error) || performance.now() > giveUpAt) throw error
        await new Promise((resolve) => setTimeout(resolve, 10 + Math.random() * 40))
      }
    }
  }

  /** A full or broken disk ends a transaction by itself; its error is the one to hear about. */
  override async rollbackTransaction(connection: DatabaseConnection): Promise<void> {
    if (this.#connection.inTransaction) await super.rollbackTransaction(connection)
  }
}

class ImmediateDialect extends SqliteDialect {
  readonly #connection: Sqlite.Database

  constructor(connection: Sqlite.Database) {
    super({ database: connection })
    this.#connection = connection
  }

  override createDriver(): SqliteDriver {
    return new ImmediateDriver(this.#connection)
  }
}

/** The verbs of this folder on a connection that somebody else closes. */
export function queriesOn(connection: Sqlite.Database): Kysely<Tables> {
  return new Kysely<Tables>({ dialect: new ImmediateDialect(connection) })
}
