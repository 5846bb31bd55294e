import type { Expression, SqlBool } from 'kysely'
import type { DbOrTrx } from '#db/client.ts'
import { differencesOf, type SearchedTable } from '#db/engine.ts'

/** An index of trigrams knows nothing shorter. */
const SHORTEST = 3

/**
 * Whether what is indexed of a row has one of these texts in it, by the index; undefined for texts
 * that are too short for it or that too many rows have.
 */
export async function findByText(
  db: DbOrTrx,
  table: SearchedTable,
  ...texts: string[]
): Promise<Expression<SqlBool> | undefined> {
  if (!texts.every(isIndexed)) return undefined
  return differencesOf(db).findByText(db, table, texts)
}

/** For SQLite's index a text ends at a zero. */
function isIndexed(text: string): boolean {
  return [...text].length >= SHORTEST && !text.includes('\0')
}
