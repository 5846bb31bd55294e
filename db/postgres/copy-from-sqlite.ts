import type pg from 'pg'
import { continueCounters, dropReferences, listTables } from '#db/postgres/catalog.ts'
import { writeRows } from '#db/postgres/rows.ts'
import { countRows, readRows } from '#db/sqlite/rows.ts'
import { openToInspect } from '#db/sqlite/sqlite.ts'

/**
 * Copies the rows of a SQLite file into empty tables. Foreign keys are checked at the end, so the order of
 * the tables does not matter. `advance` receives the share of all rows that was just copied.
 */
export async function copyFromSqlite(
  client: pg.ClientBase,
  file: string,
  advance: (share: number) => void,
): Promise<void> {
  const source = openToInspect(file)
  try {
    const tables = await listTables(client)
    const total = tables.reduce((sum, table) => sum + countRows(source, table), 0)
    const references = await dropReferences(client)
    for (const table of tables) {
      await client.query(`alter table ${table} disable trigger user`)
      await writeRows(client, table, readRows(source, table), (rows) => advance(rows / total))
      await client.query(`alter table ${table} enable trigger user`)
    }
    for (const statement of references) await client.query(statement)
    await continueCounters(client)
    await client.query(`analyze ${tables.join(', ')}`)
  } finally {
    source.close()
  }
}
