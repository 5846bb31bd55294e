import { ExpressionWrapper, type SqlBool, sql } from 'kysely'
import type { DbOrTrx } from '#db/client.ts'
import { inPages, PAGE_ROWS } from '#db/pages.ts'
import type { Kind, Query, Row, Subject } from '#db/tables/table.ts'

/** Reads the rows of a kind, in pages. */
export async function* rowsOf(db: DbOrTrx, kind: Kind, who: Subject): AsyncGenerator<Row[]> {
  const rows = kind.rows(db, who)
  yield* Symbol.asyncIterator in rows ? rows : pagesOf(rows)
}

/** Begins each page after the last row by the order of the query, so rows that come and go shift no others. */
async function* pagesOf(query: Query): AsyncGenerator<Row[]> {
  const { orderBy } = query.toOperationNode()
  const order = (orderBy?.items ?? []).map((each) => new ExpressionWrapper(each.orderBy))
  const keyed = query.select(order.map((key, n) => key.as(`key_${n}`)))
  const pages = inPages<Row>((last) =>
    keyed
      .$if(last !== undefined, (rest) => {
        const keys = order.map((_, n) => last?.[`key_${n}`])
        return rest.where(sql<SqlBool>`(${sql.join(order)}) > (${sql.join(keys)})`)
      })
      .limit(PAGE_ROWS)
      .execute(),
  )
  for await (const rows of pages) yield rows.map(withoutKeys)
}

function withoutKeys(row: Row): Row {
  return Object.fromEntries(Object.entries(row).filter(([column]) => !column.startsWith('key_')))
}
