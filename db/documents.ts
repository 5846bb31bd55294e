import type { Selectable } from 'kysely'
import { fromFlag, toFlag } from '#db/cast.ts'
import type { Db, DbOrTrx } from '#db/client.ts'
import { notFound as noCode, seenBy, type Viewer } from '#db/qr-codes.ts'
import type { DocumentsTable } from '#db/schema.ts'
import type { DocumentFields, DocumentType } from '#domain/document.ts'
import { DomainError } from '#domain/error.ts'

export type DocumentRow = Selectable<DocumentsTable>

export type Document = Omit<DocumentRow, 'is_public' | 'is_locked' | 'document_type'> &
  DocumentFields & { is_locked: boolean }

/**
 * The documents of a code that the viewer may open: their own, and the public ones of the others
 * whose code it is. Newest first. Throws not_found.
 */
export async function listDocuments(
  db: DbOrTrx,
  viewer: Viewer,
  qrId: string,
): Promise<Document[]> {
  const holders = await listHolders(db, viewer, qrId)
  const rows = await db
    .selectFrom('documents')
    .selectAll()
    .where('qr_id', '=', qrId)
    .where((eb) =>
      eb.or([
        eb('account_id', '=', viewer.id),
        eb.and([eb('is_public', '=', 1), eb('account_id', 'in', holders)]),
      ]),
    )
    .orderBy('uploaded_at', 'desc')
    .orderBy('id')
    .execute()
  return rows.map(toDocument)
}

/** Shows or hides one document of the account that is not locked. Throws not_found. */
export async function setDocumentVisibility(
  db: Db,
  accountId: string,
  id: string,
  isPublic: boolean,
): Promise<Document> {
  const row = await db
    .updateTable('documents')
    .set({ is_public: toFlag(isPublic) })
    .where('id', '=', id)
    .where('account_id', '=', accountId)
    .where('is_locked', '=', toFlag(false))
    .returningAll()
    .executeTakeFirst()
  if (!row) throw noDocument()
  return toDocument(row)
}

/**
 * Shows or hides all documents of the viewer on one code that are not locked, and lists all.
 * Throws not_found.
 */
export async function setAllVisibility(
  db: Db,
  viewer: Viewer,
  qrId: string,
  isPublic: boolean,
): Promise<Document[]> {
  return db.transaction().execute(async (trx) => {
    await trx
      .updateTable('documents')
      .set({ is_public: toFlag(isPublic) })
      .where('qr_id', '=', qrId)
      .where('account_id', '=', viewer.id)
      .where('is_locked', '=', toFlag(false))
      .execute()
    return listDocuments(trx, viewer, qrId)
  })
}

/** One document of the account. Throws not_found. */
export async function getOwnDocument(
  db: DbOrTrx,
  accountId: string,
  id: string,
): Promise<Document> {
  const row = await db
    .selectFrom('documents')
    .selectAll()
    .where('id', '=', id)
    .where('account_id', '=', accountId)
    .executeTakeFirst()
  if (!row) throw noDocument()
  return toDocument(row)
}

/** As `getOwnDocument`, and not for a locked one. */
export async function getOpenOwnDocument(
  db: DbOrTrx,
  accountId: string,
  id: string,
): Promise<Document> {
  const document = await getOwnDocument(db, accountId, id)
  if (document.is_locked) throw noDocument()
  return document
}

/** Removes a document of the account with its links, and names its files. Throws not_found. */
export async function deleteDocument(
  db: Db,
  accountId: string,
  id: string,
): Promise<{ stored_names: string[] }> {
  const row = await db
    .deleteFrom('documents')
    .where('id', '=', id)
    .where('account_id', '=', accountId)
    .returning(['stored_name', 'thumbnail_name'])
    .executeTakeFirst()
  if (!row) throw noDocument()
  const { stored_name, thumbnail_name } = row
  return { stored_names: thumbnail_name ? [stored_name, thumbnail_name] : [stored_name] }
}

/** Whose documents belong to a code: a former issuer's do not, wherever they were uploaded. */
async function listHolders(db: DbOrTrx, viewer: Viewer, qrId: string): Promise<string[]> {
  const code = await db
    .selectFrom('qr_codes')
    .select(['owner_id', 'child_account_id'])
    .where('qr_id', '=', qrId)
    .where(seenBy(viewer))
    .executeTakeFirst()
  if (!code) throw noCode()
  return [code.owner_id, code.child_account_id].filter((id) => id !== null)
}

export function toDocument({ is_public, is_locked, ...row }: DocumentRow): Document {
  return {
    ...row,
    document_type: row.document_type as DocumentType,
    is_public: fromFlag(is_public),
    is_locked: fromFlag(is_locked),
  }
}

function noDocument(): DomainError {
  return new DomainError('not_found', 'Document not found')
}
