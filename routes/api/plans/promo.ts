import { z } from '@hono/zod-openapi'
import { signedIn } from '#routes/_http/guards.ts'
import { redeem } from '#routes/_http/plans/redemptions.ts'
import {
  answer,
  apiRouter,
  jsonBody,
  notAnObject,
  problems,
  requires,
  sessionSecurity,
  text,
} from '#routes/_http/schema.ts'
import { apiCall } from '#routes/api/_call.ts'
import { redemption } from '#routes/api/plans/_upgrade-schema.ts'

const redeemPromo = apiCall({
  operationId: 'redeemPromoCode',
  summary: 'Redeem a promo code by the field promo_code',
  subject: 'Plans',
  middleware: signedIn,
  security: sessionSecurity,
  method: 'post',
  path: '/redeem',
  request: {
    body: jsonBody(
      requires(z.object({ promo_code: text('promo_code') }, notAnObject), { promo_code: 1 }),
      { promo_code: 'DIWALI' },
    ),
  },
  responses: {
    200: answer('Redeemed, or waiting for approval', redemption),
    ...problems(404, 409),
  },
})

export const promo = apiRouter().openapi(redeemPromo, async (c) => {
  return c.json(await redeem(c, c.req.valid('json').promo_code), 200)
})
