import { toQrViews, wornBy } from '#actions/codes/view.ts'
import type { OwnQrCode } from '#db/codes/qr-codes.ts'
import { createBatch } from '#routes/_http/codes/batches.ts'
import type { AppContext } from '#routes/_http/deps.ts'
import { requireAccount, signedIn } from '#routes/_http/guards.ts'
import { answer, apiRouter, jsonBody, ownerSecurity, problems } from '#routes/_http/schema.ts'
import { apiCall } from '#routes/api/_call.ts'
import { batch, quantity } from '#routes/api/codes/_qr-schema.ts'

const creation = {
  subject: 'QR codes',
  method: 'post',
  middleware: signedIn,
  security: ownerSecurity,
  request: { body: jsonBody(quantity, { quantity: 10 }) },
  responses: { 201: answer('The created codes', batch), ...problems(402) },
} as const

const bulkCreate = apiCall({
  ...creation,
  operationId: 'createUnclaimedCodes',
  summary: 'Create unclaimed codes',
  path: '/bulk-create',
})
const childCreate = apiCall({
  ...creation,
  operationId: 'createChildCodes',
  summary: 'Create child codes',
  path: '/child-create',
})

export const qrBatches = apiRouter()
  .openapi(bulkCreate, async (c) => {
    const codes = await createBatch(c, 'bulk', c.req.valid('json').quantity)
    return c.json(await toBatch(c, codes), 201)
  })
  .openapi(childCreate, async (c) => {
    const codes = await createBatch(c, 'child', c.req.valid('json').quantity)
    return c.json(await toBatch(c, codes), 201)
  })

async function toBatch(c: AppContext, codes: OwnQrCode[]) {
  const worn = await wornBy(c.var.deps, requireAccount(c).id)
  return { created_count: codes.length, qr_codes: toQrViews(worn, codes) }
}
