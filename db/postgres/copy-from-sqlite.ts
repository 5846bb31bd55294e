import type pg from 'pg'
import { continueCounters, dropReferences, listTables } from '#db/postgres/catalog.ts'
import { insertJson } from '#db/postgres/load.ts'
import { openToInspect } from '#db/sqlite/sqlite.ts'

type Source = ReturnType<typeof openToInspect>

const BATCH_CHARACTERS = 200_000

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
      await copyTable(client, source, table, (rows) => advance(rows / total))
      await client.query(`alter table ${table} enable trigger user`)
    }
    for (const statement of references) await client.query(statement)
    await continueCounters(client)
    await client.query(`analyze ${tables.join(', ')}`)
  } finally {
    source.close()
  }
}

function countRows(source: Source, table: string): number {
  return source.prepare(`select count(*) from ${table}`).pluck().get() as number
}

async function copyTable(
  client: pg.ClientBase,
  source: Source,
  table: string,
  advance: (rows: number) => void,
): Promise<void> {
  const select = source.prepare(`select * from ${table}`)
  const columns = select.columns().map(({ name }) => name)
  let batch: string[] = []
  let characters = 0
  const send = async () => {
    await insertJson(client, table, columns, `[${batch.join()}]`)
    advance(batch.length)
    batch = []
    characters = 0
  }
  for (const row of select.iterate()) {
    const json = JSON.stringify(row, storable)
    batch.push(json)
    characters += json.length
    if (characters > BATCH_CHARACTERS) await send()
  }
  if (batch.length > 0) await send()
}

/** PostgreSQL cannot store a zero character in a text, as SQLite can. */
function storable(_column: string, value: unknown): unknown {
  return typeof value === 'string' ? value.replaceAll('\0', '\ufffd') : value
}
