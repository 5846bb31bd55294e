import type { Expression, SqlBool } from 'kysely'
import type { DbOrTrx } from '#db/client.ts'
import {
  type Builder,
  type OwnQrCode,
  selectCounted,
  selectOpenDocuments,
  toOwnQrCode,
} from '#db/codes/qr-codes.ts'
import { matchesSearch } from '#db/codes/qr-search.ts'
import { seenBy, type Viewer } from '#db/codes/seen-by.ts'
import { isNamed } from '#db/papers/document-search.ts'
import type { Whose } from '#domain/people/share.ts'

/** The contents that a tab shows for each code: the documents that the account may open, or the scans. */
export type Contents = 'documents' | 'scans'

type ContentsPage = {
  search: string | null
  whose?: Whose | null
  limit: number
  offset: number
}

/**
 * Returns the account's codes for a tab about their contents: first those that have some, then the newest.
 * Unclaimed codes without contents are only counted. A search finds them too, and codes by their documents.
 */
export async function listQrCodesByContents(
  db: DbOrTrx,
  viewer: Viewer,
  contents: Contents,
  { search, whose, limit, offset }: ContentsPage,
): Promise<{ qr_codes: OwnQrCode[]; total: number; blank: number }> {
  const has = hasContents(viewer, contents)
  const isListed = (eb: Builder) =>
    search ? isAbout(eb, viewer, { contents, search }) : eb.or([eb('is_claimed', '=', 1), has(eb)])
  const { total, all } = await db
    .selectFrom('qr_codes')
    .select(({ fn }) => [
      fn.countAll<number>().filterWhere(isListed).as('total'),
      fn.countAll<number>().as('all'),
    ])
    .where(seenBy(viewer, whose))
    .executeTakeFirstOrThrow()
  // Counts are computed only for the codes of the page.
  const page = db
    .selectFrom('qr_codes')
    .select('id')
    .where(seenBy(viewer, whose))
    .where(isListed)
    .orderBy(has, 'desc')
    .orderBy('created_at', 'desc')
    .orderBy('id', 'desc')
    .limit(limit)
    .offset(offset)
  const rows = await selectCounted(db, viewer)
    .where('id', 'in', page)
    .orderBy(has, 'desc')
    .orderBy('created_at', 'desc')
    .orderBy('id', 'desc')
    .execute()
  return {
    qr_codes: rows.map((row) => toOwnQrCode(row, viewer)),
    total,
    blank: search ? 0 : all - total,
  }
}

type Sought = { contents: Contents; search: string }

function isAbout(eb: Builder, viewer: Viewer, { contents, search }: Sought) {
  if (contents === 'scans') return matchesSearch(eb, viewer, search)
  const papers = selectOpenDocuments(eb, viewer).select('documents.id').where(isNamed(search))
  return eb.or([matchesSearch(eb, viewer, search), eb.exists(papers)])
}

function hasContents(viewer: Viewer, contents: Contents) {
  return (eb: Builder): Expression<SqlBool> =>
    contents === 'scans'
      ? eb.and([
          // None of a code that a claimer holds: see `shownScans`.
          eb('claimed_at', 'is', null),
          eb.or([
            eb('earlier_scans', '>', 0),
            eb.exists(
              eb
                .selectFrom('scans')
                .select('scans.qr_id')
                .whereRef('scans.qr_id', '=', 'qr_codes.qr_id'),
            ),
          ]),
        ])
      : eb.exists(selectOpenDocuments(eb, viewer).select('documents.id'))
}
