import { type Migration, migrations } from '#db/migrations/index.ts'
import { migrateToLatest as migratePostgres } from '#db/postgres/migrate.ts'
import { openPool } from '#db/postgres/pool.ts'
import { migrateToLatest as migrateSqlite } from '#db/sqlite/migrate.ts'
import { openSqlite } from '#db/sqlite/sqlite.ts'
import { ask, isOnPostgres, makeEmptyDatabase, run } from '#tests/support/postgres.ts'

type Rows = Record<string, unknown>[]

/**
 * What the queries answer after a database from before a migration, with rows of its time, was migrated.
 * Of numbers only those of `numbers` are the same on both engines.
 */
export async function migrateOver(
  migration: Migration,
  { rows, queries, numbers }: { rows: string[]; queries: string[]; numbers: string[] },
): Promise<Rows[]> {
  const older = migrations.slice(0, migrations.indexOf(migration))
  const answers = isOnPostgres()
    ? await onPostgres(older, rows, queries)
    : await onSqlite(older, rows, queries)
  return answers.map((answer) =>
    answer.map((row) =>
      Object.fromEntries(
        Object.entries(row).map(([name, value]) => {
          const isNumber = numbers.includes(name) && value !== null
          return [name, isNumber ? Number(value) : value]
        }),
      ),
    ),
  )
}

async function onSqlite(older: Migration[], rows: string[], queries: string[]): Promise<Rows[]> {
  const connection = openSqlite(':memory:', 0)
  await migrateSqlite(connection, older)
  for (const row of rows) connection.exec(row)
  await migrateSqlite(connection)
  const answers = queries.map((query) => connection.prepare(query).all() as Rows)
  connection.close()
  return answers
}

async function onPostgres(older: Migration[], rows: string[], queries: string[]): Promise<Rows[]> {
  const url = await makeEmptyDatabase()
  const pool = openPool(url, 1)
  await migratePostgres(pool, older)
  for (const row of rows) await run(url, row)
  await migratePostgres(pool)
  await pool.end()
  const answers: Rows[] = []
  for (const query of queries) answers.push((await ask(url, query)) as Rows)
  return answers
}
