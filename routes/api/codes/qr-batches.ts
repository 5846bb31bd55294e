import { resolveBrandOf, toQrViews } from '#actions/codes/view.ts'
import type { MadeQrCode } from '#db/codes/qr-creation.ts'
import { createBatch } from '#routes/_http/codes/batches.ts'
import type { AppContext } from '#routes/_http/context.ts'
import { requireAccount } from '#routes/_http/guards.ts'
import { apiRouter } from '#routes/_http/schema.ts'
import { ownerCalls } from '#routes/api/_call.ts'
import { answer, jsonBody } from '#routes/api/_payloads.ts'
import { activatedBatch, batch, bulkOrder, quantity } from '#routes/api/codes/_qr-schema.ts'

const call = ownerCalls('QR codes')

const bulkCreate = call('createUnclaimedCodes', 'Create unclaimed codes', {
  post: '/bulk-create',
  body: jsonBody(bulkOrder, { quantity: 10, activation: true }),
  201: answer('The created codes', activatedBatch),
  problems: [402],
})
const childCreate = call('createChildCodes', 'Create child codes', {
  post: '/child-create',
  body: jsonBody(quantity, { quantity: 10 }),
  201: answer('The created codes', batch),
  problems: [402],
})

export const qrBatches = apiRouter()
  .openapi(bulkCreate, async (c) => {
    const { quantity, activation } = c.req.valid('json')
    const codes = await createBatch(c, { kind: 'bulk', quantity, activation: activation === true })
    return c.json(await toBatch(c, codes), 201)
  })
  .openapi(childCreate, async (c) => {
    const { quantity } = c.req.valid('json')
    const codes = await createBatch(c, { kind: 'child', quantity })
    return c.json(await toBatch(c, codes), 201)
  })

async function toBatch(c: AppContext, codes: MadeQrCode[]) {
  const branding = await resolveBrandOf(c.var.deps, requireAccount(c).id)
  return { created_count: codes.length, qr_codes: toQrViews(branding, codes) }
}
