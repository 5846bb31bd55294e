import { z } from '@hono/zod-openapi'
import { makePromoCode } from '#actions/plans/promo-codes.ts'
import { actorOf } from '#db/admin/audit-events.ts'
import { deletePromoCode, togglePromoCode } from '#db/plans/promo-changes.ts'
import { listPromoCodes } from '#db/plans/promo-codes.ts'
import { PROMO_DONE, PROMO_STATES, toPromoCodeView } from '#domain/plans/promo.ts'
import { requireAdmin } from '#routes/_http/guards.ts'
import { newPromoCode } from '#routes/_http/plans/forms.ts'
import { answer, apiRouter, choice, jsonBody, message, problems } from '#routes/_http/schema.ts'
import { apiCall, idParams } from '#routes/api/_call.ts'
import { pageFields, toPage } from '#routes/api/_paging.ts'
import { asAdmin } from '#routes/api/admin/_as-admin.ts'
import { promoCode } from '#routes/api/admin/_promo-schema.ts'

const total = z.object({ 'X-Total-Count': z.int() })

const list = apiCall({
  ...asAdmin,
  operationId: 'listPromoCodes',
  summary: 'List the promo codes',
  method: 'get',
  path: '/',
  request: {
    query: z
      .object({
        ...pageFields,
        state: choice(PROMO_STATES, 'state must be active, inactive or expired'),
      })
      .transform(toPage),
  },
  responses: {
    200: { ...answer('Every promo code, newest first', z.array(promoCode)), headers: total },
    ...problems(400),
  },
})
const create = apiCall({
  ...asAdmin,
  operationId: 'createPromoCode',
  summary: 'Create a promo code',
  method: 'post',
  path: '/',
  request: {
    body: jsonBody(newPromoCode, {
      code: 'DIWALI',
      subscription_plan: 'premium',
      usage_limit: 100,
    }),
  },
  responses: { 201: answer('Created', promoCode), ...problems(409) },
})
const toggle = apiCall({
  ...asAdmin,
  operationId: 'togglePromoCode',
  summary: 'Switch a promo code on or off',
  method: 'put',
  path: '/{id}/toggle',
  request: { params: idParams },
  responses: { 200: answer('The whole code', promoCode), ...problems(404) },
})
const remove = apiCall({
  ...asAdmin,
  operationId: 'deletePromoCode',
  summary: 'Delete a promo code',
  method: 'delete',
  path: '/{id}',
  request: { params: idParams },
  responses: { 200: answer('Deleted; earlier redemptions stay', message), ...problems(404) },
})

export const promoCodes = apiRouter()
  .openapi(list, async (c) => {
    const { db, clock } = c.var.deps
    const now = clock()
    const { promo_codes, total } = await listPromoCodes(db, now, c.req.valid('query'))
    c.header('X-Total-Count', String(total))
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
