import { createRoute, z } from '@hono/zod-openapi'
import { toQrView } from '#actions/codes/view.ts'
import { requireQrId } from '#domain/codes/qr-id.ts'
import { childForm, claimForm, forgotForm } from '#routes/_http/codes/claim-forms.ts'
import { claimForCaller, undoClaimForIssuer } from '#routes/_http/codes/claims.ts'
import { registerChildByForm, requestChildReset } from '#routes/_http/families/child-users.ts'
import { requireAccount, signedIn } from '#routes/_http/guards.ts'
import { answer, apiRouter, jsonBody, ownerSecurity, problems } from '#routes/_http/schema.ts'
import { params, qrCode } from '#routes/api/_qr-schema.ts'

const success = z.object({ success: z.literal(true) })

const claimed = success.extend({
  qr_id: z.string(),
  take_url: z
    .string()
    .nullable()
    .openapi({ description: 'takes the code into an account later, once; null if one has it' }),
})

const claim = createRoute({
  method: 'post',
  path: '/claim',
  request: { body: jsonBody(claimForm) },
  responses: {
    200: answer('Claimed', claimed),
    ...problems(400, 404, 409),
  },
})

const undo = createRoute({
  method: 'post',
  path: '/{qr_id}/undo-claim',
  middleware: signedIn,
  security: ownerSecurity,
  request: { params },
  responses: { 200: answer('The code, unclaimed again', qrCode), ...problems(401, 404, 409) },
})

const childRegister = createRoute({
  method: 'post',
  path: '/child-register',
  request: { body: jsonBody(childForm) },
  responses: {
    201: answer('The child user has an account', success),
    ...problems(400, 404, 409, 429, 503),
  },
})

const forgotPassword = createRoute({
  method: 'post',
  path: '/forgot-password',
  request: { body: jsonBody(forgotForm) },
  responses: { 200: answer('The same for every contact', success), ...problems(400) },
})

/** What people do with codes that others have made for them. */
export const qrClaims = apiRouter()
  .openapi(claim, async (c) => {
    const made = await claimForCaller(c, c.req.valid('json'))
    return c.json({ success: true as const, ...made }, 200)
  })
  .openapi(undo, async (c) => {
    const qrId = requireQrId(c.req.valid('param').qr_id)
    return c.json(
      toQrView(c.var.deps.config, await undoClaimForIssuer(c, requireAccount(c), qrId)),
      200,
    )
  })
  .openapi(childRegister, async (c) => {
    await registerChildByForm(c, c.req.valid('json'))
    return c.json({ success: true as const }, 201)
  })
  .openapi(forgotPassword, async (c) => {
    await requestChildReset(c, c.req.valid('json'))
    return c.json({ success: true as const }, 200)
  })
