import { createBatch } from '#actions/codes/making.ts'
import { resolveBrandOf, toQrViews } from '#actions/codes/view.ts'
import type { AppContext } from '#routes/_http/context.ts'
import { requireAccount } from '#routes/_http/guards.ts'
import { limitSuccesses } from '#routes/_http/rate-limits.ts'
import { apiRouter } from '#routes/_http/schema.ts'
import { ownerCalls } from '#routes/api/_call.ts'
import { answer, jsonBody } from '#routes/api/_payloads.ts'
import { activatedBatch, batch, bulkOrder, quantity } from '#routes/api/codes/_qr-schema.ts'

const call = ownerCalls('QR codes')

const bulkCreate = call('createUnclaimedCodes', 'Create unclaimed codes', {
  post: '/bulk-create',
  makes: true,
  secrets: ['activation_code'],
  body: jsonBody(bulkOrder, { quantity: 10, activation: true }),
  201: answer('The created codes', activatedBatch),
  problems: [402],
})
const childCreate = call('createChildCodes', 'Create child codes', {
  post: '/child-create',
  makes: true,
  body: jsonBody(quantity, { quantity: 10 }),
  201: answer('The created codes', batch),
  problems: [402],
})

export const qrBatches = apiRouter()
  .openapi(bulkCreate, async (c) => {
    const { quantity, activation } = c.req.valid('json')
    const batch = { kind: 'bulk', quantity, activation: activation === true } as const
    return c.json(await answerBatch(c, batch), 201)
  })
  .openapi(childCreate, async (c) => {
    const { quantity } = c.req.valid('json')
    return c.json(await answerBatch(c, { kind: 'child', quantity }), 201)
  })

async function answerBatch(c: AppContext, batch: Parameters<typeof createBatch>[2]) {
  const { deps } = c.var
  const { id } = requireAccount(c)
  const codes = await limitSuccesses(c, 'batch', () => createBatch(deps, id, batch))
  const branding = await resolveBrandOf(deps, id)
  return { created_count: codes.length, qr_codes: toQrViews(branding, codes) }
}
