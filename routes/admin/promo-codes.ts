import { Hono } from 'hono'
import { makePromoCode } from '#actions/plans/promo-codes.ts'
import { actorOf } from '#db/admin/audit-events.ts'
import { deletePromoCode } from '#db/plans/promo-changes.ts'
import { adminHref } from '#domain/admin/admin.ts'
import type { AppEnv } from '#routes/_http/context.ts'
import { perform, readForm, redirectBack } from '#routes/_http/forms.ts'
import { requireSuperAdmin } from '#routes/_http/guards.ts'
import { newPromoCode } from '#routes/_http/plans/forms.ts'
import { parseForm } from '#routes/_http/schema.ts'
import { renderPromoScreen } from '#routes/admin/_promo-codes.tsx'
import { decideByForm } from '#routes/admin/_redemption-form.ts'

/** The forms of the Promo Codes tab; they call the same actions as the API. */
export const promoScreenForms = new Hono<AppEnv>()

promoScreenForms.post('/', async (c) => {
  const { values } = await readForm(c)
  const account = requireSuperAdmin(c)
  return perform(c, {
    act: () => makePromoCode(c.var.deps, account, parseForm(newPromoCode, values)),
    done: ({ id }) =>
      redirectBack(c, adminHref('promo-codes'), { done: 'created', at: `promo-${id}` }),
    refused: (refusal) => renderPromoScreen(c, account, { refusal, values }),
  })
})

promoScreenForms.post('/:id/delete', async (c) => {
  const { db, clock } = c.var.deps
  await deletePromoCode(db, c.req.param('id'), actorOf(requireSuperAdmin(c)), clock())
  return redirectBack(c, adminHref('promo-codes'), { done: 'deleted' })
})

promoScreenForms.post('/redemptions/:id', (c) =>
  decideByForm(c, adminHref('promo-codes', { show: 'redemptions' }), renderPromoScreen),
)
