import { z } from '@hono/zod-openapi'
import { redeem } from '#routes/_http/plans/redemptions.ts'
import { apiRouter, notAnObject, requires, text } from '#routes/_http/schema.ts'
import { sessionCalls } from '#routes/api/_call.ts'
import { answer, jsonBody } from '#routes/api/_payloads.ts'
import { redemption } from '#routes/api/plans/_upgrade-schema.ts'

const call = sessionCalls('Plans')

const redeemPromo = call('redeemPromoCode', 'Redeem a promo code by the field promo_code', {
  post: '/redeem',
  body: jsonBody(
    requires(z.object({ promo_code: text('promo_code') }, notAnObject), { promo_code: 1 }),
    { promo_code: 'DIWALI' },
  ),
  200: answer('Redeemed, or waiting for approval', redemption),
  problems: [404, 409],
})

export const promo = apiRouter().openapi(redeemPromo, async (c) => {
  return c.json(await redeem(c, c.req.valid('json').promo_code), 200)
})
