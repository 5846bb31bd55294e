import { z } from '@hono/zod-openapi'
import { toQrView, wornBy } from '#actions/codes/view.ts'
import { renewActivationCode } from '#db/codes/activation.ts'
import { requireQrId } from '#domain/codes/qr-id.ts'
import { replaceForCaller } from '#routes/_http/codes/replacing.ts'
import { requireAccount, signedIn } from '#routes/_http/guards.ts'
import { answer, apiRouter, ownerSecurity, problems } from '#routes/_http/schema.ts'
import { apiCall, codeParams } from '#routes/api/_call.ts'
import { activationCode, qrCode } from '#routes/api/codes/_qr-schema.ts'

const replace = apiCall({
  operationId: 'replaceQrCode',
  summary: 'Give a code a new id, when its tag is lost for good',
  subject: 'QR codes',
  middleware: signedIn,
  security: ownerSecurity,
  method: 'post',
  path: '/{qr_id}/replace',
  request: { params: codeParams },
  responses: { 200: answer('The whole code, with its new id', qrCode), ...problems(404, 409) },
})

const renew = apiCall({
  operationId: 'renewActivationCode',
  summary: 'Make a new activation code for an unclaimed code',
  subject: 'Claims and child users',
  middleware: signedIn,
  security: ownerSecurity,
  method: 'post',
  path: '/{qr_id}/activation',
  request: { params: codeParams },
  responses: {
    200: answer(
      'An earlier one no longer works',
      z.object({ qr_id: z.string(), activation_code: activationCode }),
    ),
    ...problems(404, 409),
  },
})

/** What happens to the printed tags of codes. */
export const qrTags = apiRouter()
  .openapi(replace, async (c) => {
    const qrId = requireQrId(c.req.valid('param').qr_id)
    const code = await replaceForCaller(c, qrId)
    return c.json(toQrView(await wornBy(c.var.deps, requireAccount(c).id), code), 200)
  })
  .openapi(renew, async (c) => {
    const { db, secretKey, clock } = c.var.deps
    const qrId = requireQrId(c.req.valid('param').qr_id)
    const by = { secretKey, now: clock() }
    return c.json(await renewActivationCode(db, requireAccount(c), qrId, by), 200)
  })
