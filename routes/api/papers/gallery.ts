import { assertGallery } from '#actions/papers/sharing.ts'
import { toOwnDocumentView } from '#actions/papers/view.ts'
import { getOwnRow } from '#db/codes/qr-codes.ts'
import { getUnlockedDocument, listDocumentsOf } from '#db/papers/documents.ts'
import { listShareLinks, revokeShareLink } from '#db/papers/share-links.ts'
import { requireQrId } from '#domain/codes/qr-id.ts'
import { actsFor } from '#domain/people/share.ts'
import { requireAccount } from '#routes/_http/guards.ts'
import { shareForCaller } from '#routes/_http/papers/documents.ts'
import { apiRouter } from '#routes/_http/schema.ts'
import { create, list, listShares, revoke } from '#routes/api/papers/_gallery-schema.ts'

export const gallery = apiRouter()
  .openapi(listShares, async (c) => {
    const { db, clock } = c.var.deps
    return c.json({ shares: await listShareLinks(db, requireAccount(c), clock()) }, 200)
  })
  .openapi(revoke, async (c) => {
    const { db, clock } = c.var.deps
    await revokeShareLink(db, requireAccount(c), c.req.valid('param').id, clock())
    return c.json({ message: 'Link ended' }, 200)
  })
  .openapi(list, async (c) => {
    const account = requireAccount(c)
    const qrId = requireQrId(c.req.valid('param').qr_id)
    const { db } = c.var.deps
    const code = await getOwnRow(db, account, qrId, 'look')
    assertGallery(account, actsFor(account, code))
    const found = await listDocumentsOf(db, account, [qrId])
    return c.json({ documents: found.map((each) => toOwnDocumentView(each, account)) }, 200)
  })
  .openapi(create, async (c) => {
    const account = requireAccount(c)
    const { doc_id } = c.req.valid('param')
    const document = await getUnlockedDocument(c.var.deps.db, account, doc_id)
    assertGallery(account, document.account_id)
    return c.json(await shareForCaller(c, account, document, c.req.valid('json')), 200)
  })
