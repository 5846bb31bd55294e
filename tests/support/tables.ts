import type { Db } from '#db/client.ts'
import type { Tables } from '#db/schema.ts'

/** Reads every row of every table, except the notes that each request makes of its caller. */
export async function readTables(db: Db): Promise<[string, string[]][]> {
  const tables = await db.introspection.getTables()
  const read = tables.map(async ({ name }): Promise<[string, string[]]> => {
    const rows = await db
      .selectFrom(name as keyof Tables)
      .selectAll()
      .execute()
    // PostgreSQL keeps no order.
    return [
      name,
      rowsOf(rows)
        .map((row) => JSON.stringify(row))
        .sort(),
    ]
  })
  return Promise.all(read)
}

/** Columns that record requests may change. */
function rowsOf(rows: unknown[]) {
  return (rows as Record<string, unknown>[]).map(({ last_used_at: _, ...row }) => row)
}
