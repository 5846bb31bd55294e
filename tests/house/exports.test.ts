import { expect, test } from 'vitest'
import { CONTENTS, KINDS } from '#db/exports/contents.ts'
import { migrateToLatest } from '#db/sqlite/migrate.ts'
import { openSqlite } from '#db/sqlite/sqlite.ts'

/** The tables of the schema, and those with a column that refers to an account. */
async function readSchema() {
  const connection = openSqlite(':memory:', 0)
  await migrateToLatest(connection)
  const tables = connection
    .prepare<[], string>(
      `select name from sqlite_schema where type = 'table' and sql not like 'create virtual%'
        and name not like 'sqlite_%' and name not like '%\\_fts%' escape '\\'`,
    )
    .pluck()
    .all()
  const ofAccounts = tables
    .filter((table) =>
      connection
        .prepare<[string], string>('select "table" from pragma_foreign_key_list(?)')
        .pluck()
        .all(table)
        .includes('accounts'),
    )
    .filter((table) => !OF_THE_SEARCH.includes(table))
  connection.close()
  return { tables, ofAccounts }
}

/** Words of rows for the search of SQLite. */
const OF_THE_SEARCH = ['account_texts']

/** What is wrong with what an export has of each table. */
function problemsOf(tables: string[], contents: Record<string, unknown>): string[] {
  return tables.flatMap((table) => {
    const content = contents[table]
    if (content === undefined) return [`${table} is neither exported nor left out for a reason`]
    return typeof content === 'string' && content.length < 10 ? [`${table} has no reason`] : []
  })
}

test('an export has every table with a reference to an account, or says why not', async () => {
  const { tables, ofAccounts } = await readSchema()
  expect(ofAccounts.length).toBeGreaterThan(30)
  expect(problemsOf(ofAccounts, CONTENTS)).toEqual([])
  expect(tables).toEqual(expect.arrayContaining(Object.keys(CONTENTS)))
})

test('a new table with a reference to an account is found out', async () => {
  const { api_keys: _, ...without } = CONTENTS
  const { ofAccounts } = await readSchema()
  expect(problemsOf(ofAccounts, without)).toEqual([
    'api_keys is neither exported nor left out for a reason',
  ])
})

test('each file of an export has a name of its own', () => {
  const names = KINDS.map(({ file }) => file)
  expect(new Set(names).size).toBe(names.length)
})
