import { type Expression, type SqlBool, sql } from 'kysely'
import type { DbOrTrx } from '#db/client.ts'

/** An index of trigrams knows nothing shorter. */
const SHORTEST = 3
/** Beyond so many, reading the list from its beginning finds a page sooner than sorting them all. */
const FEW = 2_000

/**
 * Whether an account's name, e-mail or mobile number has a text in it, by an index; undefined for
 * a text that is too short for it or that too many have.
 */
export async function findByText(
  db: DbOrTrx,
  text: string,
): Promise<Expression<SqlBool> | undefined> {
  if ([...text].length < SHORTEST) return undefined
  const hits = sql`select rowid from account_search where account_search match ${phrase(text)}`
  const { rows } = await sql<{ count: number }>`
    select count(*) as count from (${hits} limit ${FEW + 1})`.execute(db)
  if ((rows[0]?.count ?? 0) > FEW) return undefined
  return sql<SqlBool>`accounts.id in (select account_id from account_texts where n in (${hits}))`
}

/** What somebody typed is a text to find, never an expression. */
function phrase(text: string): string {
  return `"${text.replaceAll('"', '""')}"`
}
