import type { ExpressionBuilder } from 'kysely'
import { toInstant } from '#db/cast.ts'
import type { Db, DbOrTrx } from '#db/client.ts'
import { isOpenDocument } from '#db/papers/document-access.ts'
import { type Document, toDocument } from '#db/papers/documents.ts'
import type { Instant, Tables } from '#db/schema.ts'
import { randomId } from '#db/secrets.ts'
import { DomainError } from '#domain/error.ts'
import type { DocumentSide, DocumentType } from '#domain/papers/document.ts'

export type PoliceView = {
  qr_id: string
  owner_name: string | null
  contact_phone: string | null
  vehicle_registration: string | null
  owner_id: string
  child_account_id: string | null
  documents: Document[]
}

/**
 * What authorities see of a code: the name, the number, the plate and the documents that anybody
 * may open, newest first. Throws not_found for a code that is not in use.
 */
export async function getPoliceView(db: DbOrTrx, qrId: string): Promise<PoliceView> {
  const view = await db
    .selectFrom('qr_codes')
    .select(['qr_id', 'owner_name', 'contact_phone', 'vehicle_registration'])
    .select(['owner_id', 'child_account_id'])
    .where('qr_id', '=', qrId)
    .where('is_active', '=', 1)
    .where('is_claimed', '=', 1)
    .executeTakeFirst()
  if (!view) {
    throw new DomainError('not_found', 'QR code not found or no documents available')
  }
  return { ...view, documents: await listOpenDocuments(db, qrId) }
}

async function listOpenDocuments(db: DbOrTrx, qrId: string): Promise<Document[]> {
  const rows = await db
    .selectFrom('documents')
    .selectAll()
    .where('qr_id', '=', qrId)
    .where(isOpenDocument)
    .orderBy('uploaded_at', 'desc')
    .orderBy('id')
    .execute()
  return rows.map(toDocument)
}

/** What somebody looks at: a code's list of documents, or one of them. */
export type Looked = {
  qr_id: string
  document?: Pick<Document, 'id' | 'document_type' | 'document_side'>
}

/** Notes that somebody opened a code's list of documents, or one of them. */
export async function recordDocumentView(
  db: Db,
  { qr_id, document }: Looked,
  now: Date,
): Promise<void> {
  const row = {
    id: randomId(),
    qr_id,
    document_id: document?.id ?? null,
    document_type: document?.document_type ?? null,
    document_side: document?.document_side ?? null,
    viewed_at: toInstant(now),
  }
  await db.insertInto('document_views').values(row).execute()
}

export type ViewCount = { total: number; last_viewed_at: Instant | null }

/** What an issuer does not learn of a code that a claimer holds. */
function isNotHeld({ exists, selectFrom }: ExpressionBuilder<Tables, 'document_views'>) {
  return exists(
    selectFrom('qr_codes')
      .select('id')
      .whereRef('qr_codes.qr_id', '=', 'document_views.qr_id')
      .where('claimed_at', 'is', null),
  )
}

/** How often, and when last, somebody opened the documents page of a code. */
export async function countPoliceViews(db: DbOrTrx, qrId: string): Promise<ViewCount> {
  return db
    .selectFrom('document_views')
    .select(({ fn }) => [
      fn.countAll<number>().as('total'),
      fn.max<Instant | null>('viewed_at').as('last_viewed_at'),
    ])
    .where('qr_id', '=', qrId)
    .where('document_type', 'is', null)
    .where(isNotHeld)
    .executeTakeFirstOrThrow()
}

/** One look at the list of a code's documents, or at one of them, gone since or not. */
export type AuthorityView = {
  viewed_at: Instant
  /** null for the list itself */
  document: { type: DocumentType; side: DocumentSide | null } | null
}

/** The latest looks of authorities at a code, newest first. */
export async function listAuthorityViews(
  db: DbOrTrx,
  qrId: string,
  limit: number,
): Promise<AuthorityView[]> {
  const rows = await db
    .selectFrom('document_views')
    .select(['viewed_at', 'document_type', 'document_side as side'])
    .where('qr_id', '=', qrId)
    .where(isNotHeld)
    .orderBy('viewed_at', 'desc')
    .orderBy('id')
    .limit(limit)
    .execute()
  return rows.map(({ viewed_at, document_type, side }) => ({
    viewed_at,
    document: document_type === null ? null : { type: document_type as DocumentType, side },
  }))
}
