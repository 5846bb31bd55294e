import type { ExpressionBuilder } from 'kysely'
import { fromFlag, toFlag } from '#db/cast.ts'
import type { Db, DbOrTrx, Trx } from '#db/client.ts'
import { getOwnRow } from '#db/codes/qr-codes.ts'
import { seenBy, type Viewer } from '#db/codes/seen-by.ts'
import { canOpen, isHandledAs, isOnHeldCode } from '#db/papers/document-access.ts'
import { recordHelp } from '#db/people/help.ts'
import type { RowOf, Tables } from '#db/schema.ts'
import { inTransaction } from '#db/transaction.ts'
import { assertNotHeld } from '#domain/codes/claim.ts'
import { DomainError } from '#domain/error.ts'
import { type DocumentFields, type DocumentType, readEnd } from '#domain/papers/document.ts'
import { actsFor } from '#domain/people/share.ts'

export type DocumentRow = RowOf<'documents'>

export type Document = Omit<DocumentRow, 'is_public' | 'is_locked' | 'document_type'> &
  DocumentFields & { is_locked: boolean }

/**
 * Returns the documents of a code that the viewer may open: their own and public ones, newest first. Throws
 * not_found.
 */
export async function listDocuments(
  db: DbOrTrx,
  viewer: Viewer,
  qrId: string,
): Promise<Document[]> {
  await getOwnRow(db, viewer, qrId, 'look')
  return listDocumentsOf(db, viewer, [qrId])
}

/** Lists documents like `listDocuments`, for the viewer's codes among these. */
export async function listDocumentsOf(
  db: DbOrTrx,
  viewer: Viewer,
  qrIds: string[],
): Promise<Document[]> {
  if (qrIds.length === 0) return []
  const rows = await db
    .selectFrom('documents')
    .selectAll()
    .where('qr_id', 'in', qrIds)
    .where(isOnSeenCode(viewer))
    .where(canOpen(viewer))
    .orderBy('uploaded_at', 'desc')
    .orderBy('id')
    .execute()
  return rows.map(toDocument)
}

/** Asked for each document: as a list of codes, SQLite would read all that the viewer has. */
function isOnSeenCode(viewer: Viewer) {
  return ({ exists, selectFrom }: ExpressionBuilder<Tables, 'documents'>) =>
    exists(
      selectFrom('qr_codes')
        .select('id')
        .whereRef('qr_codes.qr_id', '=', 'documents.qr_id')
        .where(seenBy(viewer)),
    )
}

/** The changes of a document, at least one of both. */
export type DocumentChange = {
  is_public?: boolean | undefined
  /** as it was sent; null for none, and ignored for a type without an end */
  expires_on?: string | null | undefined
}

/**
 * Makes an unlocked document that the viewer handles public or private, or changes when it ends. Throws invalid
 * for a day that does not exist, the errors of `getHandledDocument`, and conflict on a held code.
 */
export async function changeDocument(
  db: Db,
  viewer: Viewer,
  id: string,
  { is_public, expires_on }: DocumentChange,
  now: Date,
): Promise<Document> {
  return inTransaction(db, async (trx) => {
    const { document_type, account_id } = await getHandledDocument(trx, viewer, id)
    const row = await trx
      .updateTable('documents')
      .set({
        ...(is_public !== undefined && { is_public: toFlag(is_public) }),
        ...(expires_on !== undefined && { expires_on: readEnd(document_type, expires_on) }),
      })
      .where('id', '=', id)
      .where('account_id', '=', account_id)
      .where('is_locked', '=', toFlag(false))
      .where((eb) => eb.not(isOnHeldCode(eb)))
      .returningAll()
      .executeTakeFirst()
    if (!row) throw await refusalOf(trx, account_id, id)
    await recordHelp(trx, viewer, helpWith('changed', row), now)
    return toDocument(row)
  })
}

/**
 * Makes all unlocked documents that the viewer handles on one code public or private, or those `among` them. Returns
 * all documents of the code, and the ids of the changed ones. Throws not_found, forbidden, and conflict for a held
 * code.
 */
export async function setAllVisibility(
  db: Db,
  viewer: Viewer,
  qrId: string,
  { isPublic, among }: { isPublic: boolean; among?: string[] | undefined },
  now: Date,
): Promise<{ documents: Document[]; changed: string[] }> {
  return inTransaction(db, async (trx) => {
    const code = await getOwnRow(trx, viewer, qrId, 'papers')
    assertNotHeld(code)
    const account_id = actsFor(viewer, code)
    const before = await listDocuments(trx, viewer, qrId)
    const wanted = before.map(({ id }) => id).filter((id) => among?.includes(id) ?? true)
    if (wanted.length === 0) return { documents: before, changed: [] }
    const changed = await trx
      .updateTable('documents')
      .set({ is_public: toFlag(isPublic) })
      .where('id', 'in', wanted)
      .where('account_id', '=', account_id)
      .where('is_locked', '=', toFlag(false))
      .where('is_public', '=', toFlag(!isPublic))
      .returning(['id', 'account_id'])
      .execute()
    for (const each of changed) await recordHelp(trx, viewer, helpWith('changed', each), now)
    const documents = await listDocuments(trx, viewer, qrId)
    return { documents, changed: changed.map(({ id }) => id) }
  })
}

/**
 * Returns a document that the viewer handles: its own, or one of an owner who shares its papers. Throws not_found, and
 * forbidden for one that the viewer may only open, because its role does not handle papers.
 */
export async function getHandledDocument(
  db: DbOrTrx,
  viewer: Viewer,
  id: string,
): Promise<Document> {
  const own = await findOwnDocument(db, viewer.id, id)
  if (own) return own
  const seen = viewer.shares?.length ? await findSeenDocument(db, viewer, id) : undefined
  if (!seen) throw noDocument()
  await getOwnRow(db, viewer, seen.qr_id, 'papers')
  if (!seen.is_handled) throw noDocument()
  return toDocument(seen)
}

function findSeenDocument(db: DbOrTrx, viewer: Viewer, id: string) {
  return db
    .selectFrom('documents')
    .selectAll()
    .select(isHandledAs(viewer, 'documents').as('is_handled'))
    .where('id', '=', id)
    .where(isOnSeenCode(viewer))
    .where(canOpen(viewer))
    .executeTakeFirst()
}

/** Returns the entry of the audit log about a document that somebody handles for its owner. */
export function helpWith(
  act: 'uploaded' | 'replaced' | 'changed' | 'deleted' | 'shared' | 'unshared',
  { id, account_id }: Pick<DocumentRow, 'id' | 'account_id'>,
) {
  const subject = { subject_type: 'document', subject_id: id } as const
  return { owner_id: account_id, action: `document.${act}`, ...subject }
}

/** Returns one document of the account; undefined when it has none with this id. */
export async function findOwnDocument(
  db: DbOrTrx,
  accountId: string,
  id: string,
): Promise<Document | undefined> {
  const row = await db
    .selectFrom('documents')
    .selectAll()
    .where('id', '=', id)
    .where('account_id', '=', accountId)
    .executeTakeFirst()
  return row && toDocument(row)
}

/** Returns a document like `getHandledDocument`, unless it is locked. */
export async function getUnlockedDocument(
  db: DbOrTrx,
  viewer: Viewer,
  id: string,
): Promise<Document> {
  const document = await getHandledDocument(db, viewer, id)
  if (document.is_locked) throw noDocument()
  return document
}

/**
 * Deletes a document that the viewer handles with its links, and returns its files. Throws the errors of
 * `getHandledDocument`, and conflict on a held code.
 */
export async function deleteDocument(
  db: Db,
  viewer: Viewer,
  id: string,
  now: Date,
): Promise<{ stored_names: string[] }> {
  return inTransaction(db, async (trx) => {
    const document = await getHandledDocument(trx, viewer, id)
    await recordHelp(trx, viewer, helpWith('deleted', document), now)
    return { stored_names: await deleteRow(trx, document.account_id, id) }
  })
}

/** Deletes a document like `deleteDocument`. A step of a transaction. */
export async function deleteRow(trx: Trx, accountId: string, id: string): Promise<string[]> {
  const row = await trx
    .deleteFrom('documents')
    .where('id', '=', id)
    .where('account_id', '=', accountId)
    .where((eb) => eb.not(isOnHeldCode(eb)))
    .returning(['stored_name', 'thumbnail_name'])
    .executeTakeFirst()
  if (!row) throw await refusalOf(trx, accountId, id)
  const { stored_name, thumbnail_name } = row
  return thumbnail_name ? [stored_name, thumbnail_name] : [stored_name]
}

async function refusalOf(db: DbOrTrx, accountId: string, id: string): Promise<DomainError> {
  const document = await findOwnDocument(db, accountId, id)
  return !document || document.is_locked ? noDocument() : new DomainError('conflict.claimed')
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
  return new DomainError('not_found.document')
}
