import type { Expression, ExpressionBuilder, SqlBool } from 'kysely'
import { fromFlag } from '#db/cast.ts'
import type { DbOrTrx } from '#db/client.ts'
import { isBehind, listedTexts, matchesListed } from '#db/codes/qr-search.ts'
import { inPages, PAGE_ROWS, type Page, pageOf } from '#db/pages.ts'
import type { QrCode, Tables } from '#db/schema.ts'
import { findByText } from '#db/text-search.ts'

const SHOWN = [
  'id',
  'qr_id',
  'owner_name',
  'contact_phone',
  'contact_number',
  'vehicle_registration',
  'created_at',
  'is_active',
] as const

type Row = Pick<QrCode, (typeof SHOWN)[number]>

/** A code in an admin's list, of any owner, with its number as it is dialled. */
export type ListedCode = Omit<Row, 'is_active'> & {
  is_active: boolean
}

type Search = { search?: string | null }

/** Returns a page of all codes, newest first, and how many match. */
export async function listCodes(
  db: DbOrTrx,
  { search, ...page }: Search & Page,
): Promise<{ qr_codes: ListedCode[]; total_count: number }> {
  const indexed = search ? await findByText(db, 'qr_codes', ...listedTexts(search)) : undefined
  const { rows, total } = await pageOf(newestFirst(db, search, indexed), page)
  return { qr_codes: rows.map(toListed), total_count: total }
}

/** Returns all matching codes, newest first, in pages. */
export async function* eachCode(db: DbOrTrx, { search }: Search): AsyncGenerator<ListedCode[]> {
  const pages = inPages<Row>((last) =>
    newestFirst(db, search)
      .$if(last !== undefined, (query) => query.where(isBehind(last as Row)))
      .limit(PAGE_ROWS)
      .execute(),
  )
  for await (const rows of pages) yield rows.map(toListed)
}

type Indexed = Expression<SqlBool> | undefined

function matching(search: Search['search'], indexed: Indexed) {
  return (eb: ExpressionBuilder<Tables, 'qr_codes'>) =>
    eb.and([...(indexed ? [indexed] : []), ...(search ? [matchesListed(eb, search)] : [])])
}

function newestFirst(db: DbOrTrx, search: Search['search'], indexed?: Indexed) {
  return db
    .selectFrom('qr_codes')
    .select(SHOWN)
    .where(matching(search, indexed))
    .orderBy('created_at', 'desc')
    .orderBy('id', 'desc')
}

function toListed(row: Row): ListedCode {
  return { ...row, is_active: fromFlag(row.is_active) }
}
