import { type Expression, ExpressionWrapper, FunctionNode, type SqlBool, ValueNode } from 'kysely'
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

/** The function of both engines for `hasUnmarked`. */
export const HAS_UNMARKED = 'has_unmarked'

/** Returns whether a column contains a text in lower case, where its Latin letters have no marks. */
export function hasUnmarked(column: Expression<unknown>, text: string): Expression<SqlBool> {
  const parts = [column.toOperationNode(), ValueNode.create(text)]
  return new ExpressionWrapper(FunctionNode.create(HAS_UNMARKED, parts))
}

/** SQLite's index ends a text at a zero character. */
function isIndexed(text: string): boolean {
  return [...text].length >= SHORTEST && !text.includes('\0')
}
