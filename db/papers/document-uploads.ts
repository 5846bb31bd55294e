import { toFlag, toInstant } from '#db/cast.ts'
import type { Db, DbOrTrx, Trx } from '#db/client.ts'
import { getOwnRow } from '#db/codes/qr-codes.ts'
import type { Viewer } from '#db/codes/seen-by.ts'
import { countRows } from '#db/pages.ts'
import {
  type Document,
  type DocumentRow,
  deleteRow,
  findOwnDocument,
  getUnlockedDocument,
  helpWith,
  toDocument,
} from '#db/papers/documents.ts'
import { recordHelp } from '#db/people/help.ts'
import { randomId } from '#db/secrets.ts'
import { inTransaction } from '#db/transaction.ts'
import { assertNotHeld } from '#domain/codes/claim.ts'
import { DomainError } from '#domain/error.ts'
import type { DocumentFields } from '#domain/papers/document.ts'
import { assertFileQuota } from '#domain/papers/file-quota.ts'
import { actsFor } from '#domain/people/share.ts'

type FileColumns =
  | 'file_name'
  | 'stored_name'
  | 'thumbnail_name'
  | 'file_size'
  | 'content_type'
  | 'pdf_problem'
export type NewDocument = DocumentFields & Pick<DocumentRow, FileColumns>

/**
 * Throws not_found, forbidden, conflict for a held code, and plan_limit when the code has too many documents of the
 * account that the viewer handles.
 */
export async function assertMayUpload(db: DbOrTrx, viewer: Viewer, qrId: string): Promise<void> {
  await assertRoom(db, viewer, await getOwnRow(db, viewer, qrId, 'papers'))
}

async function assertRoom(
  db: DbOrTrx,
  viewer: Viewer,
  code: Awaited<ReturnType<typeof getOwnRow>>,
): Promise<void> {
  assertNotHeld(code)
  const account_id = actsFor(viewer, code)
  const count = await countRows(
    db.selectFrom('documents').where('qr_id', '=', code.qr_id).where('account_id', '=', account_id),
  )
  assertFileQuota('Document', count)
}

/**
 * Throws not_found when the viewer handles no such document on the code, or it is locked, forbidden, and conflict for a
 * held code.
 */
export async function assertMayReplace(
  db: DbOrTrx,
  viewer: Viewer,
  qrId: string,
  id: string,
): Promise<void> {
  assertNotHeld(await getOwnRow(db, viewer, qrId, 'papers'))
  const { qr_id } = await getUnlockedDocument(db, viewer, id)
  if (qr_id !== qrId) throw new DomainError('not_found.document')
}

/**
 * Inserts the row of a stored file, or answers the row with this `id`: the same form, sent again because its
 * answer was lost, has stored it with another file. Throws the errors of `assertMayUpload`.
 */
export async function insertDocument(
  db: Db,
  viewer: Viewer,
  qrId: string,
  document: NewDocument,
  now: Date,
  id = randomId(),
): Promise<Document> {
  return inTransaction(db, async (trx) => {
    const code = await getOwnRow(trx, viewer, qrId, 'papers')
    const key = { id, qr_id: qrId, account_id: actsFor(viewer, code) }
    const earlier = await findOwnDocument(trx, key.account_id, id)
    if (earlier) return earlier
    await assertRoom(trx, viewer, code)
    await recordHelp(trx, viewer, helpWith('uploaded', key), now)
    return insertRow(trx, key, document, now)
  })
}

/**
 * Inserts a row like `insertDocument` in place of another document, which is deleted with its links. Names the files
 * of that one. Throws the errors of `assertMayReplace`.
 */
export async function replaceDocument(
  db: Db,
  viewer: Viewer,
  { qrId, replaces }: { qrId: string; replaces: string },
  document: NewDocument,
  now: Date,
  id = randomId(),
): Promise<{ document: Document; stored_names: string[] }> {
  return inTransaction(db, async (trx) => {
    const code = await getOwnRow(trx, viewer, qrId, 'papers')
    const key = { id, qr_id: qrId, account_id: actsFor(viewer, code) }
    const earlier = await findOwnDocument(trx, key.account_id, id)
    if (earlier) return { document: earlier, stored_names: [] }
    await assertMayReplace(trx, viewer, qrId, replaces)
    await recordHelp(trx, viewer, helpWith('replaced', key), now)
    const stored_names = await deleteRow(trx, key.account_id, replaces)
    return { document: await insertRow(trx, key, document, now), stored_names }
  })
}

type Key = Pick<DocumentRow, 'id' | 'qr_id' | 'account_id'>

async function insertRow(
  trx: Trx,
  key: Key,
  { is_public, ...document }: NewDocument,
  now: Date,
): Promise<Document> {
  const row: DocumentRow = {
    ...key,
    is_public: toFlag(is_public),
    is_locked: toFlag(false),
    uploaded_at: toInstant(now),
    ...document,
  }
  await trx.insertInto('documents').values(row).execute()
  return toDocument(row)
}
