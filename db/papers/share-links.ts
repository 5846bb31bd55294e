import { type Caller, inTransactionOf } from '#db/accounts/credentials.ts'
import { secondsAfter, toFlag, toInstant } from '#db/cast.ts'
import type { Db, DbOrTrx } from '#db/client.ts'
import type { Viewer } from '#db/codes/seen-by.ts'
import type { Notify } from '#db/outbox.ts'
import { isHandledAs } from '#db/papers/document-access.ts'
import {
  type Document,
  getHandledDocument,
  getUnlockedDocument,
  helpWith,
  toDocument,
} from '#db/papers/documents.ts'
import { listHeldShares } from '#db/people/held-shares.ts'
import { recordHelp } from '#db/people/help.ts'
import type { Instant, RowOf } from '#db/schema.ts'
import { hashToken, randomToken } from '#db/secrets.ts'
import { inTransaction } from '#db/transaction.ts'
import { DomainError } from '#domain/error.ts'
import type { DocumentType } from '#domain/papers/document.ts'
import { SHARE_DAYS, type ShareMethod } from '#domain/papers/share.ts'
import { sharesFor } from '#domain/people/share.ts'

type Row = RowOf<'share_links'>

/** A valid link: its document, its channel, its recipient and its end. */
export type ShareLink = Pick<Row, 'share_method' | 'recipient' | 'created_at' | 'expires_at'> & {
  /** the hash of its token, which does not work as a link */
  id: string
  document_id: string
  qr_id: string
  document_type: DocumentType
  document_side: 'front' | 'back' | null
  file_name: string
}

export type NewShareLink = { token: string; expires_at: Instant; document: Document }

/** Somebody who shares a document, and its session or API key. */
export type Sharer = { viewer: Viewer; caller: Caller }

/**
 * Creates a link to a document that the viewer handles. Only this answer contains its token. Throws the errors of
 * `getUnlockedDocument`, and unauthenticated when the caller's session or key has ended.
 */
export async function createShareLink(
  db: Db,
  { viewer, caller }: Sharer,
  documentId: string,
  { share_method, recipient }: { share_method: ShareMethod; recipient: string | null },
  now: Date,
  notify: Notify<NewShareLink>,
): Promise<NewShareLink> {
  const token = randomToken()
  const id = hashToken(token)
  const expires_at = toInstant(secondsAfter(now, SHARE_DAYS * 86_400))
  return inTransactionOf(db, caller, async (trx) => {
    const document = await getUnlockedDocument(trx, viewer, documentId)
    await recordHelp(trx, viewer, helpWith('shared', document), now)
    await trx.deleteFrom('share_links').where('expires_at', '<=', toInstant(now)).execute()
    const row: Row = {
      token_hash: id,
      document_id: documentId,
      account_id: document.account_id,
      share_method,
      recipient,
      created_at: toInstant(now),
      expires_at,
      share_id: viewer.shares?.find(({ owner_id }) => owner_id === document.account_id)?.id ?? null,
    }
    await trx.insertInto('share_links').values(row).execute()
    const link = { token, expires_at, document }
    await notify(trx, link)
    return link
  })
}

/** Returns the valid links to the documents that the viewer handles, newest first. */
export async function listShareLinks(db: DbOrTrx, viewer: Viewer, now: Date): Promise<ShareLink[]> {
  const rows = await linksOf(db, viewer)
    .select([
      'share_links.token_hash as id',
      'share_links.document_id',
      'share_links.share_method',
      'share_links.recipient',
      'share_links.created_at',
      'share_links.expires_at',
      'documents.qr_id',
      'documents.document_type',
      'documents.document_side',
      'documents.file_name',
    ])
    .where('share_links.expires_at', '>', toInstant(now))
    .orderBy('share_links.created_at', 'desc')
    .orderBy('share_links.token_hash')
    .execute()
  return rows.map((row) => ({ ...row, document_type: row.document_type as DocumentType }))
}

function linksOf(db: DbOrTrx, viewer: Viewer) {
  const owners = sharesFor(viewer, 'papers').map(({ owner_id }) => owner_id)
  return db
    .selectFrom('share_links')
    .innerJoin('documents', 'documents.id', 'share_links.document_id')
    .where('share_links.account_id', 'in', [viewer.id, ...owners])
    .where(isHandledAs(viewer, 'documents'))
}

/** Revokes a link to a document that the viewer handles. Throws not_found. */
export async function revokeShareLink(
  db: Db,
  viewer: Viewer,
  id: string,
  now: Date,
): Promise<void> {
  await inTransaction(db, async (trx) => {
    const link = await linksOf(trx, viewer)
      .select('document_id')
      .where('token_hash', '=', id)
      .executeTakeFirst()
    if (!link) throw new DomainError('not_found.link')
    const document = await getHandledDocument(trx, viewer, link.document_id)
    const { numDeletedRows } = await trx
      .deleteFrom('share_links')
      .where('token_hash', '=', id)
      .executeTakeFirst()
    if (numDeletedRows === 0n) throw new DomainError('not_found.link')
    await recordHelp(trx, viewer, helpWith('unshared', document), now)
  })
}

/** Ends all shared links of an account, and returns how many there were. */
export async function endShareLinks(db: DbOrTrx, accountId: string): Promise<number> {
  const { numDeletedRows } = await db
    .deleteFrom('share_links')
    .where('account_id', '=', accountId)
    .executeTakeFirstOrThrow()
  return Number(numDeletedRows)
}

/**
 * Returns the document of a link, and how it was shared; undefined when the link is not valid. That of a person works
 * while the person handles the document by the share.
 */
export async function findSharedDocument(
  db: DbOrTrx,
  token: string,
  now: Date,
): Promise<{ document: Document; share_method: ShareMethod } | undefined> {
  const row = await db
    .selectFrom('share_links')
    .innerJoin('documents', 'documents.id', 'share_links.document_id')
    .innerJoin('accounts', 'accounts.id', 'share_links.account_id')
    .leftJoin('shares', 'shares.id', 'share_links.share_id')
    .selectAll('documents')
    .select(['share_links.share_method', 'share_links.share_id', 'shares.person_id'])
    .where('share_links.token_hash', '=', hashToken(token))
    .where('accounts.is_active', '=', toFlag(true))
    .where('documents.is_locked', '=', toFlag(false))
    .where('share_links.expires_at', '>', toInstant(now))
    .executeTakeFirst()
  if (!row) return undefined
  const { share_method, share_id, person_id, ...document } = row
  if (share_id && !(await isHandledBy(db, person_id, document.id, now))) return undefined
  return { document: toDocument(document), share_method }
}

/** Returns whether a person, null after the end of its share, handles a document now. */
async function isHandledBy(
  db: DbOrTrx,
  personId: string | null,
  documentId: string,
  now: Date,
): Promise<boolean> {
  if (!personId) return false
  const person = { id: personId, parent_id: null, shares: await listHeldShares(db, personId, now) }
  const row = await db
    .selectFrom('documents')
    .select('id')
    .where('id', '=', documentId)
    .where(isHandledAs(person, 'documents'))
    .executeTakeFirst()
  return row !== undefined
}
