import { z } from '@hono/zod-openapi'
import { cancelTransfer } from '#db/transfers/transfers.ts'
import { requireQrId } from '#domain/codes/qr-id.ts'
import { TRANSFER_TEXTS } from '#domain/transfers/transfer.ts'
import { requireAccount, signedIn } from '#routes/_http/guards.ts'
import {
  answer,
  apiRouter,
  jsonBody,
  message,
  ownerSecurity,
  problems,
} from '#routes/_http/schema.ts'
import { beginForCaller, transferForm } from '#routes/_http/transfers/transfers.ts'
import { apiCall, codeParams } from '#routes/api/_call.ts'

const asOwner = {
  subject: 'Transfers',
  middleware: signedIn,
  security: ownerSecurity,
  path: '/{qr_id}/transfer',
} as const

const started = z.object({ transfer_id: z.string(), expires_at: z.iso.datetime() })

const start = apiCall({
  ...asOwner,
  operationId: 'startTransfer',
  summary: 'Hand a code over to somebody else',
  method: 'post',
  request: {
    params: codeParams,
    body: jsonBody(transferForm, { email: 'meenakshi@example.in', include_documents: true }),
  },
  responses: {
    201: answer('The recipient gets a mail with a link', started),
    ...problems(404, 409, 503),
  },
})
const cancel = apiCall({
  ...asOwner,
  operationId: 'cancelTransfer',
  summary: 'Cancel a transfer',
  method: 'delete',
  request: { params: codeParams },
  responses: { 200: answer('The link no longer works', message), ...problems(404) },
})

/** What the owner of a code does about its transfer. */
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
