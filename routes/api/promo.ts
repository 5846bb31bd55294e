import { createRoute, z } from '@hono/zod-openapi'
import { signedIn } from '#routes/_http/guards.ts'
import { redeem } from '#routes/_http/plans/redemptions.ts'
import {
  answer,
  apiRouter,
  jsonBody,
  notAnObject,
  problems,
  sessionSecurity,
  text,
} from '#routes/_http/schema.ts'
import { redemption } from '#routes/api/_upgrade-schema.ts'

const redeemPromo = createRoute({
  middleware: signedIn,
  security: sessionSecurity,
  method: 'post',
  path: '/redeem',
  request: { body: jsonBody(z.object({ promo_code: text('promo_code') }, notAnObject)) },
  responses: {
    200: answer('Redeemed, or waiting for approval', redemption),
    ...problems(400, 401, 404, 409),
  },
})

export const promo = apiRouter().openapi(redeemPromo, async (c) => {
  return c.json(await redeem(c, c.req.valid('json').promo_code), 200)
})
