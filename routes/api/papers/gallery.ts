import { assertGallery } from '#actions/papers/sharing.ts'
import { toOwnDocumentView } from '#actions/papers/view.ts'
import { getOpenOwnDocument, listDocuments } from '#db/papers/documents.ts'
import { listShareLinks, revokeShareLink } from '#db/papers/share-links.ts'
import { requireQrId } from '#domain/codes/qr-id.ts'
import { requireAccount } from '#routes/_http/guards.ts'
import { shareForCaller } from '#routes/_http/papers/documents.ts'
import { apiRouter } from '#routes/_http/schema.ts'
import { create, list, listShares, revoke } from '#routes/api/papers/_gallery-schema.ts'

export const gallery = apiRouter()
  .openapi(listShares, async (c) => {
    const { db, clock } = c.var.deps
    return c.json({ shares: await listShareLinks(db, requireAccount(c).id, clock()) }, 200)
  })
  .openapi(revoke, async (c) => {
    await revokeShareLink(c.var.deps.db, requireAccount(c).id, c.req.valid('param').id)
    return c.json({ message: 'Link ended' }, 200)
  })
  .openapi(list, async (c) => {
    const account = requireAccount(c)
    const qrId = requireQrId(c.req.valid('param').qr_id)
    const found = await listDocuments(c.var.deps.db, account, qrId)
    assertGallery(account)
    return c.json({ documents: found.map((each) => toOwnDocumentView(each, account.id)) }, 200)
  })
  .openapi(create, async (c) => {
    const account = requireAccount(c)
    const { doc_id } = c.req.valid('param')
    await getOpenOwnDocument(c.var.deps.db, account.id, doc_id)
    assertGallery(account)
    return c.json(await shareForCaller(c, account, doc_id, c.req.valid('json')), 200)
  })
