import { z } from '@hono/zod-openapi'
import { resolveBrandOf, toQrView } from '#actions/codes/view.ts'
import { TRANSFER_TEXTS } from '#domain/transfers/transfer.ts'
import { newQrCode } from '#routes/_http/codes/forms.ts'
import { requireAccount } from '#routes/_http/guards.ts'
import { apiRouter } from '#routes/_http/schema.ts'
import {
  acceptForCaller,
  declineForCaller,
  readOffered,
  recipientsOnly,
  viewOffered,
} from '#routes/_http/transfers/transfers.ts'
import { sessionCalls } from '#routes/api/_call.ts'
import { answer, jsonBody } from '#routes/api/_payloads.ts'
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

const call = sessionCalls('Transfers', recipientsOnly)

const look = call('getTransfer', 'Look at a transfer to you', {
  get: '/{token}',
  200: answer('What comes to you', offered),
})
const accept = call('acceptTransfer', 'Accept a transfer, with your details for the code', {
  post: '/{token}/accept',
  body: jsonBody(newQrCode, { owner_name: 'Asha Patil', contact_phone: '98765 43210' }),
  200: answer('The code, which is yours now', qrCode),
  problems: [402, 409],
})
const decline = call('declineTransfer', 'Decline a transfer', {
  post: '/{token}/decline',
  200: 'It stays with its owner',
})

/** The transfer of a code, for the recipient of the mailed link. */
export const transfers = apiRouter()
  .openapi(look, async (c) => c.json(await viewOffered(c, await readOffered(c)), 200))
  .openapi(accept, async (c) => {
    const code = await acceptForCaller(c, c.req.valid('json'))
    return c.json(toQrView(await resolveBrandOf(c.var.deps, requireAccount(c).id), code), 200)
  })
  .openapi(decline, async (c) => {
    await declineForCaller(c)
    return c.json({ message: TRANSFER_TEXTS.declined }, 200)
  })
