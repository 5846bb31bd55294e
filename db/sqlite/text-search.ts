import { type Expression, type RawBuilder, type SqlBool, sql } from 'kysely'
import type { DbOrTrx } from '#db/client.ts'
import type { SearchedTable } from '#db/engine.ts'

type Hits = RawBuilder<unknown>
type TextIndex = {
  /**
   * above this number of matches, reading the list from its beginning finds a page faster than
   * sorting
   */
  few: number
  hits(expression: string): Hits
  isAmong(hits: Hits): Expression<SqlBool>
}

const INDEXES: Record<SearchedTable, TextIndex> = {
  accounts: {
    few: 2_000,
    hits: (expression) =>
      sql`select rowid from account_search where account_search match ${expression}`,
    isAmong: (hits) =>
      sql`accounts.id in (select account_id from account_texts where n in (${hits}))`,
  },
  qr_codes: {
    few: 10_000,
    hits: (expression) =>
      sql`select rowid from qr_code_search where qr_code_search match ${expression}`,
    isAmong: (hits) =>
      sql`qr_codes.id in (select qr_code_id from qr_code_texts where n in (${hits}))`,
  },
}

/** Uses the index of trigrams; undefined for texts that too many rows contain. */
export async function findByText(
  db: DbOrTrx,
  table: SearchedTable,
  texts: string[],
): Promise<Expression<SqlBool> | undefined> {
  const { few, hits, isAmong } = INDEXES[table]
  const found = hits(texts.map(phrase).join(' OR '))
  const { rows } = await sql<{ count: number }>`
    select count(*) as count from (${found} limit ${few + 1})`.execute(db)
  return (rows[0]?.count ?? 0) > few ? undefined : isAmong(found)
}

/** Quoted, because the user typed a text and not an expression of FTS5. */
function phrase(text: string): string {
  return `"${text.replaceAll('"', '""')}"`
}
