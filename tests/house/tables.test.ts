import { expect, test } from 'vitest'
import { migrateToLatest } from '#db/sqlite/migrate.ts'
import { listTables, SEARCHED_TEXTS } from '#db/sqlite/rows.ts'
import { openSqlite } from '#db/sqlite/sqlite.ts'
import { KINDS, REMOVAL_ORDER, TABLES } from '#db/tables/registry.ts'

/** The tables of the schema, and those of them that a move copies. */
async function readTables() {
  const connection = openSqlite(':memory:', 0)
  await migrateToLatest(connection)
  const tables = connection
    .prepare<[], string>(
      `select name from sqlite_schema where type = 'table' and sql not like 'create virtual%'
        and name not like 'sqlite_%' and name not like '%\\_search\\_%' escape '\\'`,
    )
    .pluck()
    .all()
  const moved = listTables(connection)
  connection.close()
  const all = tables.filter((table) => !Object.values(SEARCHED_TEXTS).includes(table))
  return { tables: all.sort(), moved: moved.sort() }
}

test('every table of the schema has an entry for its export, removal and retention', async () => {
  const { tables } = await readTables()
  expect(tables.length).toBeGreaterThan(60)
  expect(Object.keys(TABLES).sort()).toEqual(tables)
})

test('a move copies every table with data', async () => {
  const { tables, moved } = await readTables()
  expect(moved).toEqual(tables)
})

test('each table that is not exported, removed or deleted has a reason', () => {
  const reasons = Object.entries(TABLES).flatMap(([table, entry]) =>
    Object.values(entry).flatMap((rule) => (typeof rule === 'string' ? [[table, rule]] : [])),
  )
  expect(reasons.length).toBeGreaterThan(60)
  expect(reasons.filter(([, reason = '']) => reason.length < 10)).toEqual([])
})

test('the removal of an account has every step, in an order', () => {
  const withStep = Object.entries(TABLES).flatMap(([table, { removed }]) =>
    typeof removed === 'string' ? [] : [table],
  )
  expect([...REMOVAL_ORDER].sort()).toEqual(withStep.sort())
})

test('each file of an export has a name of its own', () => {
  const names = KINDS.map(({ file }) => file)
  expect(new Set(names).size).toBe(names.length)
})
