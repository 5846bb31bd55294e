import { type Expression, ExpressionWrapper, FunctionNode, type SqlBool } from 'kysely'
import type { DbOrTrx } from '#db/client.ts'
import { differencesOf, type SearchedTable } from '#db/engine.ts'

/** An index of trigrams cannot find shorter texts. */
const SHORTEST = 3

/**
 * Returns whether the indexed text of a row contains one of these texts, by the index; undefined for texts
 * that are too short for it or that too many rows contain.
 */
export async function findByText(
  db: DbOrTrx,
  table: SearchedTable,
  ...texts: string[]
): Promise<Expression<SqlBool> | undefined> {
  if (!texts.every(isIndexed)) return undefined
  return differencesOf(db).findByText(db, table, texts)
}

/** The function of both engines for `unmarked`. */
export const UNMARKED = 'unmarked'

/** Returns a column's text in lower case, without the marks of its Latin letters. */
export function unmarked(column: Expression<unknown>): Expression<string> {
  return new ExpressionWrapper(FunctionNode.create(UNMARKED, [column.toOperationNode()]))
}

/** SQLite's index ends a text at a zero character. */
function isIndexed(text: string): boolean {
  return [...text].length >= SHORTEST && !text.includes('\0')
}
