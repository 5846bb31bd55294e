import { redeemForCaller } from '#routes/_http/plans/redeeming.ts'
import { apiRouter, payload, requires, text } from '#routes/_http/schema.ts'
import { sessionCalls } from '#routes/api/_call.ts'
import { answer, jsonBody } from '#routes/api/_payloads.ts'
import { redemption } from '#routes/api/plans/_upgrade-schema.ts'

const call = sessionCalls('Plans')

const redeemPromo = call('redeemPromoCode', 'Redeem a promo code by the field promo_code', {
  post: '/redeem',
  makes: true,
  body: jsonBody(requires(payload({ promo_code: text('promo_code') }), { promo_code: 1 }), {
    promo_code: 'DIWALI',
  }),
  200: answer('Redeemed, or waiting for approval', redemption),
  problems: [404, 409],
})

export const promo = apiRouter().openapi(redeemPromo, async (c) => {
  return c.json(await redeemForCaller(c, c.req.valid('json').promo_code), 200)
})
