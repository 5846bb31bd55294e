import type { HttpBindings } from '@hono/node-server'
import { assertMayUpload, insertDocument } from '#db/papers/document-uploads.ts'
import type { Document } from '#db/papers/documents.ts'
import { assertMayUploadImage, insertPopupImage, type PopupImage } from '#db/papers/popup-images.ts'
import { assertMayShowPayment, attachScreenshot } from '#db/plans/upgrade-requests.ts'
import type { Account } from '#db/schema.ts'
import { readDocumentFields } from '#domain/papers/document.ts'
import { DOCUMENT_FILES, IMAGE_FILES } from '#domain/papers/file-kind.ts'
import type { AppContext } from '#routes/_http/deps.ts'
import { assertMayTry, limit } from '#routes/_http/rate-limits.ts'
import { removeFiles } from '#routes/_http/stored-files.ts'
import { asRefusal } from '#storage/files.ts'
import { type KeptImage, keepDocument, keepImage } from '#storage/intake.ts'
import { type Sent, withUpload } from '#storage/uploads.ts'

/** Takes in the form of a document upload: the file, then its row. */
export async function uploadDocument(
  c: AppContext,
  account: Account,
  qrId: string,
): Promise<Document> {
  // Asked before a long upload too, not only when its row is made.
  await assertMayUpload(c.var.deps.db, account, qrId)
  return uploadDocumentTo(c, account, () => qrId)
}

/** As `uploadDocument`, for a form that itself says which code it is for. */
export async function uploadDocumentTo(
  c: AppContext,
  account: Account,
  codeOf: (sent: Record<string, string>) => string,
): Promise<Document> {
  const { db, files, clock } = c.var.deps
  return withUpload(files, DOCUMENT_FILES, sentBy(c, account.id), async (upload) => {
    const qrId = codeOf(upload.fields)
    const fields = readDocumentFields(upload.fields)
    const kept = await keepDocument(files, upload)
    const stored_names = [kept.stored_name, kept.thumbnail_name].filter((name) => name !== null)
    return orRemove(c, stored_names, () =>
      insertDocument(db, account, qrId, { ...fields, ...kept }, clock()),
    )
  })
}

/** Takes in the form of a popup image upload. */
export async function uploadPopupImage(c: AppContext, accountId: string): Promise<PopupImage> {
  const { db, clock } = c.var.deps
  await assertMayUploadImage(db, accountId)
  return uploadImage(c, accountId, (kept) => insertPopupImage(db, accountId, kept, clock()))
}

/** Takes in the picture of a payment, in place of one that was sent before. Answers its name. */
export async function uploadScreenshot(
  c: AppContext,
  accountId: string,
  requestId: string,
): Promise<string> {
  const { db } = c.var.deps
  await assertMayShowPayment(db, accountId, requestId)
  return uploadImage(c, accountId, async ({ stored_name }) => {
    await removeFiles(c, await attachScreenshot(db, accountId, requestId, stored_name))
    return stored_name
  })
}

/** Takes in a picture, under the rules of popup images, for the row that `insert` makes. */
export async function uploadImage<T>(
  c: AppContext,
  accountId: string,
  insert: (kept: KeptImage) => Promise<T>,
): Promise<T> {
  const { files } = c.var.deps
  return withUpload(files, IMAGE_FILES, sentBy(c, accountId), async (upload) => {
    const kept = await keepImage(files, upload)
    return orRemove(c, [kept.stored_name], () => insert(kept))
  })
}

/**
 * What was sent, and who sent it. Only what begins is counted: a refused try uses up nothing of
 * the account's hour.
 */
function sentBy(c: AppContext, account: string): Sent {
  assertMayTry(c, 'upload')
  const begin = () => limit(c, 'upload')
  return { headers: c.req.raw.headers, body: bodyOf(c), account, begin }
}

/**
 * Node's own request where there is one: as a web stream, every piece of the body is copied, which
 * takes longer than all else that is done with it.
 */
function bodyOf(c: AppContext): Sent['body'] {
  const { incoming } = (c.env ?? {}) as Partial<HttpBindings>
  if (incoming) return incoming.iterator({ destroyOnReturn: false })
  const stream = c.req.raw.body ?? new Blob().stream()
  return stream.values({ preventCancel: true })
}

/** Files that got no row go at once. */
async function orRemove<T>(c: AppContext, stored_names: string[], insert: () => Promise<T>) {
  try {
    return await insert()
  } catch (error) {
    await removeFiles(c, { stored_names })
    throw asRefusal(error)
  }
}
