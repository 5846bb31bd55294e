import { Hono } from 'hono'
import { actorOf } from '#db/audit-events.ts'
import { deletePromoCode } from '#db/promo-changes.ts'
import { adminHref } from '#domain/admin.ts'
import { judgeRedemption, readVerdict } from '#routes/_decisions.ts'
import type { AppContext, AppEnv } from '#routes/_deps.ts'
import { readForm } from '#routes/_forms.ts'
import { requireSuperAdmin } from '#routes/_guards.ts'
import { makePromoCode } from '#routes/_promo-codes.ts'
import { refusalOf } from '#routes/_refusal.ts'
import { parseForm } from '#routes/_schema.ts'
import { renderPromoScreen } from '#routes/admin/_promo-codes.tsx'
import { newPromoCode } from '#routes/api/admin/_promo-schema.ts'

/** What the screen does for whoever has no script, by the verbs that the API calls. */
export const promoScreenForms = new Hono<AppEnv>()

promoScreenForms.post('/', async (c) => {
  const { values } = await readForm(c)
  const make = async () => makePromoCode(c, parseForm(newPromoCode, values))
  const refusal = await refusalOf(make())
  if (refusal) return renderPromoScreen(c, requireSuperAdmin(c), { refusal, values })
  return back(c, { done: 'created' })
})

promoScreenForms.post('/:id/delete', async (c) => {
  const { db, clock } = c.var.deps
  await deletePromoCode(db, c.req.param('id'), actorOf(requireSuperAdmin(c)), clock())
  return back(c, { done: 'deleted' })
})

promoScreenForms.post('/redemptions/:id', async (c) => {
  const verdict = await readVerdict(c)
  const refusal = await refusalOf(judgeRedemption(c, verdict))
  if (refusal) return renderPromoScreen(c, requireSuperAdmin(c), { refusal })
  return back(c, { show: 'redemptions', done: `redemption-${verdict.action}` })
})

function back(c: AppContext, said: Record<string, string>): Response {
  return c.redirect(adminHref('promo-codes', said), 303)
}
