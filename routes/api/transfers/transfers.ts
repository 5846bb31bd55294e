import { z } from '@hono/zod-openapi'
import { toQrView, wornBy } from '#actions/codes/view.ts'
import { TRANSFER_TEXTS } from '#domain/transfers/transfer.ts'
import { newQrCode } from '#routes/_http/codes/fields.ts'
import { requireAccount } from '#routes/_http/guards.ts'
import {
  answer,
  apiRouter,
  jsonBody,
  message,
  problems,
  sessionSecurity,
} from '#routes/_http/schema.ts'
import {
  acceptForCaller,
  declineForCaller,
  readOffered,
  recipientsOnly,
  viewOffered,
} from '#routes/_http/transfers/transfers.ts'
import { apiCall } from '#routes/api/_call.ts'
import { qrCode } from '#routes/api/codes/_qr-schema.ts'

const nullable = z.string().nullable()

const offered = z.object({
  transfer_id: z.string(),
  expires_at: z.iso.datetime(),
  include_documents: z.boolean(),
  from_name: z.string().openapi({ description: 'the first name of the owner' }),
  qr_id: z.string(),
  vehicle_registration: nullable,
  vehicle_make_model: nullable,
  document_count: z.int().openapi({ description: 'how many documents come along' }),
  scan_count: z.int().openapi({ description: 'in all; their times do not come along' }),
})

const asRecipient = {
  subject: 'Transfers',
  middleware: recipientsOnly,
  security: sessionSecurity,
  request: { params: z.object({ token: z.string() }) },
} as const

const look = apiCall({
  ...asRecipient,
  operationId: 'getTransfer',
  summary: 'Look at a transfer to you',
  method: 'get',
  path: '/{token}',
  responses: { 200: answer('What comes to you', offered), ...problems(404) },
})
const accept = apiCall({
  ...asRecipient,
  operationId: 'acceptTransfer',
  summary: 'Accept a transfer, with your details for the code',
  method: 'post',
  path: '/{token}/accept',
  request: {
    ...asRecipient.request,
    body: jsonBody(newQrCode, { owner_name: 'Asha Patil', contact_phone: '98765 43210' }),
  },
  responses: { 200: answer('The code, which is yours now', qrCode), ...problems(402, 404, 409) },
})
const decline = apiCall({
  ...asRecipient,
  operationId: 'declineTransfer',
  summary: 'Decline a transfer',
  method: 'post',
  path: '/{token}/decline',
  responses: { 200: answer('It stays with its owner', message), ...problems(404) },
})

/** What the recipient of a code does with the link that was mailed to them. */
export const transfers = apiRouter()
  .openapi(look, async (c) => c.json(await viewOffered(c, await readOffered(c)), 200))
  .openapi(accept, async (c) => {
    const code = await acceptForCaller(c, c.req.valid('json'))
    return c.json(toQrView(await wornBy(c.var.deps, requireAccount(c).id), code), 200)
  })
  .openapi(decline, async (c) => {
    await declineForCaller(c)
    return c.json({ message: TRANSFER_TEXTS.declined }, 200)
  })
