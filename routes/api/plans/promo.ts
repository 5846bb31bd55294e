import { redeem } from '#actions/plans/promo-codes.ts'
import { requireAccount } from '#routes/_http/guards.ts'
import { limitRefusals, REDEMPTION_LIMITS } from '#routes/_http/rate-limits.ts'
import { apiRouter, payload, requires, text } from '#routes/_http/schema.ts'
import { sessionCalls } from '#routes/api/_call.ts'
import { answer, jsonBody } from '#routes/api/_payloads.ts'
import { redemption } from '#routes/api/plans/_upgrade-schema.ts'

const call = sessionCalls('Plans')

const redeemPromo = call('redeemPromoCode', 'Redeem a promo code by the field promo_code', {
  post: '/redeem',
  body: jsonBody(requires(payload({ promo_code: text('promo_code') }), { promo_code: 1 }), {
    promo_code: 'DIWALI',
  }),
  200: answer('Redeemed, or waiting for approval', redemption),
  problems: [404, 409],
})

export const promo = apiRouter().openapi(redeemPromo, async (c) => {
  const redeemed = await limitRefusals(c, REDEMPTION_LIMITS, () =>
    redeem(c.var.deps, requireAccount(c).id, c.req.valid('json').promo_code),
  )
  return c.json(redeemed, 200)
})
