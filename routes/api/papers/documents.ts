import { uploadDocument } from '#actions/papers/uploads.ts'
import { toDocumentView, toOwnDocumentView } from '#actions/papers/view.ts'
import { countPoliceViews } from '#db/papers/document-views.ts'
import {
  changeDocument,
  deleteDocument,
  listDocuments,
  setAllVisibility,
} from '#db/papers/documents.ts'
import { requireQrId } from '#domain/codes/qr-id.ts'
import { uploadFrom } from '#routes/_http/bodies.ts'
import { loggedDeps } from '#routes/_http/context.ts'
import { removeFiles } from '#routes/_http/downloads.ts'
import { requireAccount } from '#routes/_http/guards.ts'
import { openPoliceView } from '#routes/_http/papers/documents.ts'
import { apiRouter } from '#routes/_http/schema.ts'
import { edit, list, police, remove, showAll, upload } from '#routes/api/papers/_document-schema.ts'

export const documents = apiRouter()
  .openapi(list, async (c) => {
    const account = requireAccount(c)
    const { db } = c.var.deps
    const qrId = requireQrId(c.req.valid('param').id)
    const found = await listDocuments(db, account, qrId)
    const police_views = await countPoliceViews(db, qrId)
    const views = found.map((each) => toOwnDocumentView(each, account))
    return c.json({ documents: views, police_views }, 200)
  })
  .openapi(upload, async (c) => {
    const account = requireAccount(c)
    const qrId = requireQrId(c.req.valid('param').qr_id)
    const place = { qrId, replaces: c.req.valid('query').replaces }
    const stored = await uploadDocument(loggedDeps(c), account, place, uploadFrom(c, account))
    return c.json(toOwnDocumentView(stored, account), 201)
  })
  .openapi(edit, async (c) => {
    const account = requireAccount(c)
    const { db, clock } = c.var.deps
    const { id } = c.req.valid('param')
    const document = await changeDocument(db, account, id, c.req.valid('json'), clock())
    return c.json(toOwnDocumentView(document, account), 200)
  })
  .openapi(showAll, async (c) => {
    const account = requireAccount(c)
    const qrId = requireQrId(c.req.valid('param').qr_id)
    const { db, clock } = c.var.deps
    const isPublic = c.req.valid('json').is_public
    const found = await setAllVisibility(db, account, qrId, { isPublic }, clock())
    return c.json(
      { documents: found.documents.map((each) => toOwnDocumentView(each, account)) },
      200,
    )
  })
  .openapi(remove, async (c) => {
    const { id } = c.req.valid('param')
    const { db, clock } = c.var.deps
    await removeFiles(c, await deleteDocument(db, requireAccount(c), id, clock()))
    return c.json({ message: 'Document deleted successfully!' }, 200)
  })
  .openapi(police, async (c) => {
    const view = await openPoliceView(c, c.req.valid('param').qr_id)
    const { owner_name, contact_phone, can_message } = view
    const documents = view.documents.map(toDocumentView)
    return c.json({ owner_name, contact_phone, can_message, documents }, 200)
  })
