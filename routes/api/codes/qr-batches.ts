import { createBatch } from '#actions/codes/making.ts'
import { resolveAddresses, toQrViews } from '#actions/codes/view.ts'
import { actFor } from '#domain/people/acting.ts'
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
  problems: [402, 404],
})
const childCreate = call('createChildCodes', 'Create child codes', {
  post: '/child-create',
  makes: true,
  body: jsonBody(quantity, { quantity: 10 }),
  201: answer('The created codes', batch),
  problems: [402, 404],
})

export const qrBatches = apiRouter()
  .openapi(bulkCreate, async (c) => {
    const { quantity, activation, owner_id } = c.req.valid('json')
    const batch = { kind: 'bulk', quantity, activation: activation === true } as const
    return c.json(await answerBatch(c, owner_id, batch), 201)
  })
  .openapi(childCreate, async (c) => {
    const { quantity, owner_id } = c.req.valid('json')
    return c.json(await answerBatch(c, owner_id, { kind: 'child', quantity }), 201)
  })

async function answerBatch(
  c: AppContext,
  owner_id: string | undefined,
  batch: Parameters<typeof createBatch>[2],
) {
  const { deps } = c.var
  const acting = actFor(requireAccount(c), owner_id, 'create')
  const codes = await limitSuccesses(c, 'batch', () => createBatch(deps, acting, batch))
  const addressOf = await resolveAddresses(deps, requireAccount(c))
  return { created_count: codes.length, qr_codes: toQrViews(addressOf, codes) }
}
