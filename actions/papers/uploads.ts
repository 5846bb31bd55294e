import type { ActionDeps } from '#actions/deps.ts'
import { removeStoredFiles } from '#actions/papers/files.ts'
import { mayBeCommitted } from '#db/errors.ts'
import {
  assertMayReplace,
  assertMayUpload,
  insertDocument,
  type NewDocument,
  replaceDocument,
} from '#db/papers/document-uploads.ts'
import type { Document } from '#db/papers/documents.ts'
import { assertMayUploadImage, insertPopupImage, type PopupImage } from '#db/papers/popup-images.ts'
import { assertMayShowPayment, attachScreenshot } from '#db/plans/upgrade-requests.ts'
import type { Account } from '#db/schema.ts'
import { keyedId } from '#db/secrets.ts'
import { readDocumentFields } from '#domain/papers/document.ts'
import { DOCUMENT_FILES, IMAGE_FILES } from '#domain/papers/file-kind.ts'
import type { Acting } from '#domain/people/acting.ts'
import { asRefusal } from '#storage/files.ts'
import {
  findDocumentProblem,
  type KeptDocument,
  type KeptImage,
  keepDocument,
  keepImage,
} from '#storage/intake.ts'
import { type Sent, withUpload } from '#storage/uploads.ts'

/** Opens the request's body, after the account was checked. May throw to refuse it. */
export type OpenUpload = () => Sent

/** The code of an uploaded document, and the older document that it replaces. */
export type UploadPlace = { qrId: string; replaces?: string | undefined }

/** Stores an uploaded document: first the file, then its row. */
export async function uploadDocument(
  deps: ActionDeps,
  account: Account,
  place: UploadPlace,
  open: OpenUpload,
): Promise<Document> {
  const { qrId, replaces } = place
  // Checked before a long upload too, not only when the row is inserted.
  if (replaces) await assertMayReplace(deps.db, account, qrId, replaces)
  else await assertMayUpload(deps.db, account, qrId)
  return uploadDocumentTo(deps, account, () => place, open)
}

/** Returns the stored files of a document. */
export function filesOf({ stored_name, thumbnail_name }: KeptDocument): string[] {
  return [stored_name, thumbnail_name].filter((name) => name !== null)
}

/** Uploads a document by a form that contains the code's id. */
export async function uploadDocumentTo(
  deps: ActionDeps,
  account: Account,
  placeOf: (sent: Record<string, string>) => UploadPlace,
  open: OpenUpload,
): Promise<Document> {
  const { files } = deps
  return withUpload(files, DOCUMENT_FILES, open(), async (upload) => {
    const place = placeOf(upload.fields)
    const fields = readDocumentFields(upload.fields)
    // First, because a kept file is moved.
    const pdf_problem = await findDocumentProblem(upload)
    const kept = await keepDocument(files, upload)
    const document = { ...fields, ...kept, pdf_problem }
    const id = idOfForm(deps, upload.fields, [account.id, place.qrId], document)
    return orKeepEarlier(deps, filesOf(kept), () => storeRow(deps, account, place, document, id))
  })
}

/** Inserts the row of an uploaded document, and deletes the files of the older one that it replaces. */
async function storeRow(
  deps: ActionDeps,
  account: Account,
  { qrId, replaces }: UploadPlace,
  sent: NewDocument,
  id: string | undefined,
): Promise<Document> {
  const now = deps.clock()
  if (!replaces) return insertDocument(deps.db, account, qrId, sent, now, id)
  const place = { qrId, replaces }
  const { document, ...replaced } = await replaceDocument(deps.db, account, place, sent, now, id)
  await removeStoredFiles(deps, replaced)
  return document
}

/** The same for the same file and fields of one form, whose answer may be lost. A call has no form. */
function idOfForm(
  { secretKey }: ActionDeps,
  { form_key }: Record<string, string>,
  parts: string[],
  sent: NewDocument | KeptImage,
): string | undefined {
  if (!form_key) return undefined
  const said = { ...sent, stored_name: undefined, thumbnail_name: undefined }
  return keyedId(secretKey, 'upload', form_key, ...parts, JSON.stringify(said))
}

/** Stores an uploaded popup image. */
export async function uploadPopupImage(
  deps: ActionDeps,
  acting: Acting,
  open: OpenUpload,
): Promise<PopupImage> {
  const { db, clock } = deps
  await assertMayUploadImage(db, acting.ownerId)
  return uploadImage(deps, open, (kept, fields) => {
    const id = idOfForm(deps, fields, [acting.ownerId], kept)
    return orKeepEarlier(deps, [kept.stored_name], () =>
      insertPopupImage(db, acting, kept, clock(), id),
    )
  })
}

/** Stores a payment screenshot, replacing an earlier one. Returns its stored name. */
export async function uploadScreenshot(
  deps: ActionDeps,
  accountId: string,
  requestId: string,
  open: OpenUpload,
): Promise<string> {
  const { db } = deps
  await assertMayShowPayment(db, accountId, requestId)
  return uploadImage(deps, open, async ({ stored_name }) => {
    await removeStoredFiles(deps, await attachScreenshot(db, accountId, requestId, stored_name))
    return stored_name
  })
}

/** Stores an image under the rules of popup images, then inserts its row. */
async function uploadImage<T>(
  deps: ActionDeps,
  open: OpenUpload,
  insert: (kept: KeptImage, fields: Record<string, string>) => Promise<T>,
): Promise<T> {
  const { files } = deps
  return withUpload(files, IMAGE_FILES, open(), async (upload) => {
    const kept = await keepImage(files, upload)
    return orRemove(deps, [kept.stored_name], () => insert(kept, upload.fields))
  })
}

/** Removes the files when the row cannot be inserted, and when `insert` returns an earlier row with its own files. */
async function orKeepEarlier<Row extends { stored_name: string }>(
  deps: ActionDeps,
  stored_names: string[],
  insert: () => Promise<Row>,
): Promise<Row> {
  const row = await orRemove(deps, stored_names, insert)
  if (!stored_names.includes(row.stored_name)) await removeStoredFiles(deps, { stored_names })
  return row
}

/** Removes the files if the row cannot be inserted. If nobody knows that, a later start finds out. */
export async function orRemove<T>(
  deps: ActionDeps,
  stored_names: string[],
  insert: () => Promise<T>,
): Promise<T> {
  try {
    return await insert()
  } catch (error) {
    if (!mayBeCommitted(error)) await removeStoredFiles(deps, { stored_names })
    throw asRefusal(error)
  }
}
