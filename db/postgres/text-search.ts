import {
  type Expression,
  ExpressionWrapper,
  type OperationNode,
  type RawBuilder,
  type SqlBool,
  sql,
} from 'kysely'
import type { DbOrTrx } from '#db/client.ts'
import type { SearchedTable } from '#db/engine.ts'

/** Exactly the expressions that the migration of version 29 indexes. Otherwise the index is not used. */
const TEXTS: Record<SearchedTable, RawBuilder<string>> = {
  accounts: sql`(accounts.name || chr(10)
    || coalesce(accounts.email, '') || chr(10) || coalesce(accounts.mobile, ''))`,
  qr_codes: sql`(qr_codes.qr_id || chr(10)
    || coalesce(qr_codes.owner_name, '') || chr(10)
    || coalesce(replace(replace(replace(replace(qr_codes.contact_phone, ' ', ''), '-', ''), '(', ''), ')', ''), '') || chr(10)
    || coalesce(qr_codes.vehicle_registration, ''))`,
}

/** Returns a text in lower case, without the marks of its Latin letters, as the index has it. */
export function unmarked(text: OperationNode): RawBuilder<string> {
  const part = new ExpressionWrapper<never, never, string>(text)
  return sql`lower(normalize(regexp_replace(normalize(${part}, nfd), '([A-Za-z])[\\u0300-\\u036f]+', '\\1', 'g'), nfc) collate "und-x-icu")`
}

/**
 * Returns a condition for which PostgreSQL can use the index of trigrams, if that is faster than a
 * scan. It matches any letter for a sigma, because the small one depends on the next letter.
 */
export async function findByText(
  _db: DbOrTrx,
  table: SearchedTable,
  texts: string[],
): Promise<Expression<SqlBool>> {
  const each = texts.map((text) => {
    const pattern = `%${text.replace(/[\\%_]/g, '\\$&').replace(/[Σσς]/g, '_')}%`
    return sql`${unmarked(TEXTS[table].toOperationNode())} ilike ${pattern}`
  })
  return sql<SqlBool>`(${sql.join(each, sql` or `)})`
}
