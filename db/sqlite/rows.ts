import type Sqlite from 'better-sqlite3'
import type { Row, SearchedTable } from '#db/engine.ts'

const ROWS_AT_ONCE = 2_000

/** The texts of rows that are searched, which triggers copy. */
export const SEARCHED_TEXTS: Record<SearchedTable, string> = {
  accounts: 'account_texts',
  qr_codes: 'qr_code_texts',
}

/** Returns the tables with DriveQR's data, without `SEARCHED_TEXTS`. */
export function listTables(connection: Sqlite.Database): string[] {
  const tables = connection.prepare(
    "select name from pragma_table_list where schema = 'main' and type = 'table' and name not like 'sqlite\\_%' escape '\\'",
  )
  const copied = Object.values(SEARCHED_TEXTS)
  return (tables.pluck().all() as string[]).filter((name) => !copied.includes(name))
}

export function countRows(connection: Sqlite.Database, table: string): number {
  return connection.prepare(`select count(*) from ${table}`).pluck().get() as number
}

/** Returns all rows of a table, some at a time. The connection does nothing else meanwhile. */
export function* readRows(connection: Sqlite.Database, table: string): Generator<Row[]> {
  let batch: Row[] = []
  for (const row of connection.prepare(`select * from ${table}`).iterate()) {
    batch.push(row as Row)
    if (batch.length < ROWS_AT_ONCE) continue
    yield batch
    batch = []
  }
  if (batch.length > 0) yield batch
}

/** Inserts rows that have the same columns, in one transaction. */
export function writeRows(connection: Sqlite.Database, table: string, rows: Row[]): void {
  const columns = Object.keys(rows[0] ?? {})
  const insert = connection.prepare(
    `insert into ${table} (${columns.join(', ')}) values (@${columns.join(', @')})`,
  )
  connection.transaction(() => {
    for (const row of rows) insert.run(row)
  })()
}
