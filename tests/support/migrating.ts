import { type Migration, migrations } from '#db/migrations/index.ts'
import { migrateToLatest as migratePostgres } from '#db/postgres/migrate.ts'
import { openPool } from '#db/postgres/pool.ts'
import { migrateToLatest as migrateSqlite } from '#db/sqlite/migrate.ts'
import { openSqlite } from '#db/sqlite/sqlite.ts'
import { ask, isOnPostgres, makeEmptyDatabase, run } from '#tests/support/postgres.ts'

type Older = {
  /** how many migrations the database had */
  version: number
  /** the statements that filled it */
  filled: string[]
}

/** What `query` finds in an older database after the other migrations. */
export function askMigrated({ version, filled }: Older, query: string): Promise<unknown[]> {
  const older = migrations.slice(0, version)
  return isOnPostgres() ? onPostgres(older, filled, query) : onSqlite(older, filled, query)
}

async function onSqlite(older: readonly Migration[], filled: string[], query: string) {
  const connection = openSqlite(':memory:', 0)
  await migrateSqlite(connection, older)
  for (const statement of filled) connection.exec(statement)
  await migrateSqlite(connection)
  const rows = connection.prepare(query).all()
  connection.close()
  return rows
}

async function onPostgres(older: readonly Migration[], filled: string[], query: string) {
  const url = await makeEmptyDatabase()
  const pool = openPool(url, 1)
  await migratePostgres(pool, older)
  await run(url, ...filled)
  await migratePostgres(pool)
  await pool.end()
  return ask(url, query)
}
