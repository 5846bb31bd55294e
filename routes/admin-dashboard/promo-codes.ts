import { Hono } from 'hono'
import { actorOf } from '#db/audit-events.ts'
import { togglePromoCode } from '#db/promo-changes.ts'
import { DomainError } from '#domain/error.ts'
import { managementHref } from '#domain/management.ts'
import { CHILD_PROMO, childPromoProblem } from '#domain/promo.ts'
import { judgeRedemption, readVerdict } from '#routes/_decisions.ts'
import type { AppContext, AppEnv } from '#routes/_deps.ts'
import { type Form, readForm } from '#routes/_forms.ts'
import { requireAdmin } from '#routes/_guards.ts'
import { makePromoCode } from '#routes/_promo-codes.ts'
import { refusalOf } from '#routes/_refusal.ts'
import { parseForm } from '#routes/_schema.ts'
import { renderPromoCodes } from '#routes/admin-dashboard/_promo-codes.tsx'
import { newPromoCode } from '#routes/api/admin/_promo-schema.ts'

/** What the tab does for whoever has no script, by the verbs that the API calls. */
export const promoCodeForms = new Hono<AppEnv>()

promoCodeForms.post('/', async (c) => {
  const { values } = await readForm(c)
  const refusal = await refusalOf(make(c, values))
  if (refusal) return renderPromoCodes(c, requireAdmin(c), { refusal, values })
  return c.redirect(managementHref('promo-codes', { done: 'created' }), 303)
})

async function make(c: AppContext, { code = '', child_qr_quantity = '', expiry_date = '' }: Form) {
  const problem = childPromoProblem(code, Number(child_qr_quantity))
  if (problem) throw new DomainError('invalid', problem)
  const said = { code, child_qr_quantity, expiry_date }
  return makePromoCode(c, parseForm(newPromoCode, { ...said, ...CHILD_PROMO }))
}

promoCodeForms.post('/:id/toggle', async (c) => {
  const { db, clock } = c.var.deps
  await togglePromoCode(db, c.req.param('id'), actorOf(requireAdmin(c)), clock())
  return c.redirect(managementHref('promo-codes', { done: 'toggled' }), 303)
})

promoCodeForms.post('/redemptions/:id', async (c) => {
  const verdict = await readVerdict(c)
  const refusal = await refusalOf(judgeRedemption(c, verdict))
  if (refusal) return renderPromoCodes(c, requireAdmin(c), { refusal })
  const said = { show: 'redemptions', done: `redemption-${verdict.action}` }
  return c.redirect(managementHref('promo-codes', said), 303)
})
