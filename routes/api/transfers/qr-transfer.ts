import { z } from '@hono/zod-openapi'
import { cancelTransfer } from '#db/transfers/transfers.ts'
import { requireQrId } from '#domain/codes/qr-id.ts'
import { TRANSFER_TEXTS } from '#domain/transfers/transfer.ts'
import { requireAccount } from '#routes/_http/guards.ts'
import { apiRouter } from '#routes/_http/schema.ts'
import { beginForCaller, transferForm } from '#routes/_http/transfers/transfers.ts'
import { ownerCalls, sessionCalls } from '#routes/api/_call.ts'
import { answer, jsonBody } from '#routes/api/_payloads.ts'

const started = z.object({ transfer_id: z.string(), expires_at: z.iso.datetime() })

// No key may: it is asked again who hands the code over.
const start = sessionCalls('Transfers')('startTransfer', 'Hand a code over to somebody else', {
  post: '/{qr_id}/transfer',
  makes: true,
  body: jsonBody(transferForm, { email: 'meenakshi@example.in', include_documents: true }),
  201: answer('The recipient gets a mail with a link', started),
  problems: [409],
})
const cancel = ownerCalls('Transfers')('cancelTransfer', 'Cancel a transfer', {
  delete: '/{qr_id}/transfer',
  200: 'The link no longer works',
})

/** The transfer of a code, for its owner. */
export const qrTransfer = apiRouter()
  .openapi(start, async (c) => {
    const { id, expires_at } = await beginForCaller(
      c,
      c.req.valid('param').qr_id,
      c.req.valid('json'),
    )
    return c.json({ transfer_id: id, expires_at }, 201)
  })
  .openapi(cancel, async (c) => {
    const { db, clock } = c.var.deps
    const qrId = requireQrId(c.req.valid('param').qr_id)
    await cancelTransfer(db, requireAccount(c), qrId, clock())
    return c.json({ message: TRANSFER_TEXTS.cancelled }, 200)
  })
