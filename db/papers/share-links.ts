import { type Caller, inTransactionOf } from '#db/accounts/credentials.ts'
import { secondsAfter, toFlag, toInstant } from '#db/cast.ts'
import type { Db, DbOrTrx } from '#db/client.ts'
import type { Notify } from '#db/outbox.ts'
import { type Document, getOpenOwnDocument, toDocument } from '#db/papers/documents.ts'
import type { Instant, RowOf } from '#db/schema.ts'
import { hashToken, randomToken } from '#db/secrets.ts'
import { inTransaction } from '#db/transaction.ts'
import { DomainError } from '#domain/error.ts'
import type { DocumentType } from '#domain/papers/document.ts'
import { SHARE_DAYS, type ShareMethod } from '#domain/papers/share.ts'

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

/**
 * Creates a link to a document of the account. Only this answer contains its token. Throws
 * not_found, and unauthenticated when the caller's session or key has ended.
 */
export async function createShareLink(
  db: Db,
  caller: Caller,
  documentId: string,
  { share_method, recipient }: { share_method: ShareMethod; recipient: string | null },
  now: Date,
  notify: Notify<NewShareLink>,
): Promise<NewShareLink> {
  const { accountId } = caller
  const token = randomToken()
  const id = hashToken(token)
  const expires_at = toInstant(secondsAfter(now, SHARE_DAYS * 86_400))
  return inTransactionOf(db, caller, async (trx) => {
    const document = await getOpenOwnDocument(trx, accountId, documentId)
    await trx.deleteFrom('share_links').where('expires_at', '<=', toInstant(now)).execute()
    const row: Row = {
      token_hash: id,
      document_id: documentId,
      account_id: accountId,
      share_method,
      recipient,
      created_at: toInstant(now),
      expires_at,
    }
    await trx.insertInto('share_links').values(row).execute()
    const link = { token, expires_at, document }
    await notify(trx, link)
    return link
  })
}

/** Returns the valid links of the account, newest first. */
export async function listShareLinks(
  db: DbOrTrx,
  accountId: string,
  now: Date,
): Promise<ShareLink[]> {
  const rows = await db
    .selectFrom('share_links')
    .innerJoin('documents', 'documents.id', 'share_links.document_id')
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
    .where('share_links.account_id', '=', accountId)
    .where('share_links.expires_at', '>', toInstant(now))
    .orderBy('share_links.created_at', 'desc')
    .orderBy('share_links.token_hash')
    .execute()
  return rows.map((row) => ({ ...row, document_type: row.document_type as DocumentType }))
}

/** Revokes a link of the account. Throws not_found. */
export async function revokeShareLink(db: Db, accountId: string, id: string): Promise<void> {
  await inTransaction(db, async (trx) => {
    const { numDeletedRows } = await trx
      .deleteFrom('share_links')
      .where('token_hash', '=', id)
      .where('account_id', '=', accountId)
      .executeTakeFirst()
    if (numDeletedRows === 0n) throw new DomainError('not_found.link')
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

/** Returns the document of a link, and how it was shared; undefined when the link is not valid. */
export async function findSharedDocument(
  db: DbOrTrx,
  token: string,
  now: Date,
): Promise<{ document: Document; share_method: ShareMethod } | undefined> {
  const row = await db
    .selectFrom('share_links')
    .innerJoin('documents', 'documents.id', 'share_links.document_id')
    .innerJoin('accounts', 'accounts.id', 'share_links.account_id')
    .selectAll('documents')
    .select('share_links.share_method')
    .where('share_links.token_hash', '=', hashToken(token))
    .where('accounts.is_active', '=', toFlag(true))
    .where('documents.is_locked', '=', toFlag(false))
    .where('share_links.expires_at', '>', toInstant(now))
    .executeTakeFirst()
  if (!row) return undefined
  const { share_method, ...document } = row
  return { document: toDocument(document), share_method }
}
