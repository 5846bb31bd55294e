import { z } from '@hono/zod-openapi'
import { makePromoCode } from '#actions/plans/promo-codes.ts'
import { actorOf } from '#db/admin/audit-events.ts'
import { deletePromoCode, togglePromoCode } from '#db/plans/promo-changes.ts'
import { listPromoCodes } from '#db/plans/promo-codes.ts'
import { PROMO_DONE, PROMO_STATES, toPromoCodeView } from '#domain/plans/promo.ts'
import { requireAdmin } from '#routes/_http/guards.ts'
import { newPromoCode } from '#routes/_http/plans/forms.ts'
import { apiRouter, choice } from '#routes/_http/schema.ts'
import { countedAnswer, linkPages, pageFields, toPage } from '#routes/api/_paging.ts'
import { answer, jsonBody } from '#routes/api/_payloads.ts'
import { adminCall } from '#routes/api/admin/_admin-call.ts'
import { promoCode } from '#routes/api/admin/_promo-schema.ts'

const list = adminCall('listPromoCodes', 'List the promo codes', {
  get: '/',
  query: z
    .object({
      ...pageFields,
      state: choice(PROMO_STATES, 'state'),
    })
    .transform(toPage),
  200: countedAnswer('Every promo code, newest first', z.array(promoCode)),
})
const create = adminCall('createPromoCode', 'Create a promo code', {
  post: '/',
  makes: true,
  body: jsonBody(newPromoCode, {
    code: 'DIWALI',
    subscription_plan: 'premium',
    usage_limit: 100,
  }),
  201: answer('Created', promoCode),
  problems: [409],
})
const toggle = adminCall('togglePromoCode', 'Switch a promo code on or off', {
  put: '/{id}/toggle',
  200: answer('The whole code', promoCode),
})
const remove = adminCall('deletePromoCode', 'Delete a promo code', {
  delete: '/{id}',
  200: 'Deleted; earlier redemptions stay',
})

export const promoCodes = apiRouter()
  .openapi(list, async (c) => {
    const { db, clock } = c.var.deps
    const now = clock()
    const query = c.req.valid('query')
    const { promo_codes, total } = await listPromoCodes(db, now, query)
    c.header('X-Total-Count', String(total))
    linkPages(c, query, total)
    return c.json(
      promo_codes.map((promo) => toPromoCodeView(promo, now)),
      200,
    )
  })
  .openapi(create, async (c) =>
    c.json(await makePromoCode(c.var.deps, requireAdmin(c), c.req.valid('json')), 201),
  )
  .openapi(toggle, async (c) => {
    const { db, clock } = c.var.deps
    const { id } = c.req.valid('param')
    const promo = await togglePromoCode(db, id, actorOf(requireAdmin(c)), clock())
    return c.json(toPromoCodeView(promo, clock()), 200)
  })
  .openapi(remove, async (c) => {
    const { db, clock } = c.var.deps
    await deletePromoCode(db, c.req.valid('param').id, actorOf(requireAdmin(c)), clock())
    return c.json({ message: PROMO_DONE.deleted }, 200)
  })
