/** Queries for exports that several tables share. */
import { type SqlBool, sql } from 'kysely'
import type { DbOrTrx } from '#db/client.ts'
import { inPages, PAGE_ROWS } from '#db/pages.ts'
import type { Scan } from '#db/schema.ts'
import type { Row, Subject } from '#db/tables/table.ts'

/** The codes that the account sees as its own: not those that a claimer holds. */
export const ownCodes = (db: DbOrTrx, { id }: Subject) =>
  db
    .selectFrom('qr_codes')
    .select('qr_codes.qr_id')
    .where(({ eb, or, and }) =>
      or([
        and([eb('owner_id', '=', id), eb('claimed_at', 'is', null)]),
        eb('child_account_id', '=', id),
      ]),
    )

export const ownConversations = (db: DbOrTrx, { id, closed }: Subject) =>
  db
    .selectFrom('conversations')
    .where('conversations.account_id', '=', id)
    .where('conversations.created_at', '>', closed)
    .where(sql<SqlBool>`conversations.is_deleted = 0`)

export const ownMessages = (db: DbOrTrx, who: Subject) =>
  db
    .selectFrom('conversation_messages')
    .where('conversation_id', 'in', ownConversations(db, who).select('conversations.id'))

/** Reads scans code by code: there can be a million, so each page begins after the last row of the one before. */
export async function* pagesOfScans(db: DbOrTrx, who: Subject): AsyncGenerator<Row[]> {
  const codes = await ownCodes(db, who).orderBy('qr_codes.qr_id').execute()
  for (const { qr_id } of codes) {
    const pages = inPages<Scan>((last) =>
      db
        .selectFrom('scans')
        .selectAll()
        .where('qr_id', '=', qr_id)
        .$if(last !== undefined, (query) =>
          query.where(({ eb, refTuple, tuple }) =>
            eb(refTuple('scanned_at', 'n'), '>', tuple(last?.scanned_at ?? '', last?.n ?? 0)),
          ),
        )
        .orderBy('scanned_at')
        .orderBy('n')
        .limit(PAGE_ROWS)
        .execute(),
    )
    for await (const scans of pages) yield scans.map(({ n: _, ...scan }) => scan)
  }
}
