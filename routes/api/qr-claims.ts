import { createRoute, z } from '@hono/zod-openapi'
import { childForm, claimForm, forgotForm } from '#routes/_claim-forms.ts'
import { claimCode, registerChildUser, requestReset } from '#routes/_claims.ts'
import { answer, apiRouter, jsonBody, problems } from '#routes/_schema.ts'

const success = z.object({ success: z.literal(true) })

const claim = createRoute({
  method: 'post',
  path: '/claim',
  request: { body: jsonBody(claimForm) },
  responses: {
    200: answer('Claimed', success.extend({ qr_id: z.string() })),
    ...problems(400, 404, 409),
  },
})

const childRegister = createRoute({
  method: 'post',
  path: '/child-register',
  request: { body: jsonBody(childForm) },
  responses: {
    201: answer('The child user has an account', success),
    ...problems(400, 404, 409, 503),
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
    const qr_id = await claimCode(c, c.req.valid('json'))
    return c.json({ success: true as const, qr_id }, 200)
  })
  .openapi(childRegister, async (c) => {
    await registerChildUser(c, c.req.valid('json'))
    return c.json({ success: true as const }, 201)
  })
  .openapi(forgotPassword, async (c) => {
    await requestReset(c, c.req.valid('json'))
    return c.json({ success: true as const }, 200)
  })
