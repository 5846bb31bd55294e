import type pg from 'pg'
import type { Row } from '#db/engine.ts'
import { insertJson } from '#db/postgres/load.ts'

const ROWS_AT_ONCE = 2_000
const BATCH_CHARACTERS = 200_000

/** Returns all rows of a table, some at a time, in the caller's transaction. */
export async function* readRows(client: pg.ClientBase, table: string): AsyncGenerator<Row[]> {
  await client.query(`declare copied no scroll cursor for select * from ${table}`)
  for (;;) {
    const { rows } = await client.query<Row>(`fetch ${ROWS_AT_ONCE} from copied`)
    if (rows.length === 0) break
    yield rows
  }
  await client.query('close copied')
}

/** Inserts rows that have the same columns. `advance` receives how many were just inserted. */
export async function writeRows(
  client: pg.ClientBase,
  table: string,
  batches: AsyncIterable<Row[]> | Iterable<Row[]>,
  advance: (rows: number) => void,
): Promise<void> {
  let columns: string[] = []
  let batch: string[] = []
  let characters = 0
  const send = async () => {
    if (batch.length > 0) await insertJson(client, table, columns, `[${batch.join()}]`)
    advance(batch.length)
    batch = []
    characters = 0
  }
  for await (const rows of batches) {
    columns = Object.keys(rows[0] ?? {})
    for (const row of rows) {
      const json = JSON.stringify(row, (_column, value) => storable(value))
      batch.push(json)
      characters += json.length
      if (characters > BATCH_CHARACTERS) await send()
    }
  }
  await send()
}

/** Returns a text as PostgreSQL takes it: without zero characters, which SQLite can store. */
export function storable(value: unknown): unknown {
  return typeof value === 'string' ? value.replaceAll('\0', '\ufffd') : value
}
