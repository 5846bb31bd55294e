import type Sqlite from 'better-sqlite3'
import { CompiledQuery, type DatabaseConnection, Kysely, SqliteDialect, SqliteDriver } from 'kysely'
import type { Tables } from '#db/schema.ts'

/** Makes each transaction of a verb a savepoint of a surrounding transaction. */
class SavepointDriver extends SqliteDriver {
  override async beginTransaction(connection: DatabaseConnection): Promise<void> {
    await connection.executeQuery(CompiledQuery.raw('savepoint verb'))
  }

  override async commitTransaction(connection: DatabaseConnection): Promise<void> {
    await connection.executeQuery(CompiledQuery.raw('release verb'))
  }

  override async rollbackTransaction(connection: DatabaseConnection): Promise<void> {
    await connection.executeQuery(CompiledQuery.raw('rollback to verb'))
    await this.commitTransaction(connection)
  }
}

class SavepointDialect extends SqliteDialect {
  readonly #connection: Sqlite.Database

  constructor(connection: Sqlite.Database) {
    super({ database: connection })
    this.#connection = connection
  }

  override createDriver(): SqliteDriver {
    return new SavepointDriver({ database: this.#connection })
  }
}

/**
 * Runs any number of verbs as one transaction, on a connection that nothing else uses meanwhile.
 * Other writers wait until it ends.
 */
export async function inOneTransaction<T>(
  connection: Sqlite.Database,
  work: (db: Kysely<Tables>) => Promise<T>,
): Promise<T> {
  connection.exec('begin immediate')
  try {
    const done = await work(new Kysely({ dialect: new SavepointDialect(connection) }))
    connection.exec('commit')
    return done
  } catch (error) {
    if (connection.inTransaction) connection.exec('rollback')
    throw error
  }
}
