import { Hono } from 'hono'
import { makePromoCode } from '#actions/plans/promo-codes.ts'
import { actorOf } from '#db/admin/audit-events.ts'
import { togglePromoCode } from '#db/plans/promo-changes.ts'
import { managementHref } from '#domain/admin/management.ts'
import { DomainError } from '#domain/error.ts'
import { CHILD_PROMO, childPromoProblem } from '#domain/plans/promo.ts'
import type { AppContext, AppEnv } from '#routes/_http/context.ts'
import { type Form, perform, readForm, readSwitch, redirectBack } from '#routes/_http/forms.ts'
import { requireAdmin } from '#routes/_http/guards.ts'
import { newPromoCode } from '#routes/_http/plans/forms.ts'
import { parseForm } from '#routes/_http/schema.ts'
import { decideByForm } from '#routes/admin/_redemption-form.ts'
import { renderPromoCodes } from '#routes/admin-dashboard/_promo-codes.tsx'

/** The forms of the Promo Codes tab; they call the same actions as the API. */
export const promoCodeForms = new Hono<AppEnv>()

promoCodeForms.post('/', async (c) => {
  const { values } = await readForm(c)
  return perform(c, {
    act: () => make(c, values),
    done: ({ id }) =>
      redirectBack(c, managementHref('promo-codes'), { done: 'created', at: `promo-${id}` }),
    refused: (refusal) => renderPromoCodes(c, requireAdmin(c), { refusal, values }),
  })
})

async function make(c: AppContext, { code = '', child_qr_quantity = '', expiry_date = '' }: Form) {
  const problem = childPromoProblem(code, Number(child_qr_quantity))
  if (problem) throw new DomainError('invalid', problem)
  const said = { code, child_qr_quantity, expiry_date }
  return makePromoCode(
    c.var.deps,
    requireAdmin(c),
    parseForm(newPromoCode, { ...said, ...CHILD_PROMO }),
  )
}

promoCodeForms.post('/:id/toggle', async (c) => {
  const { db, clock } = c.var.deps
  const id = c.req.param('id')
  const to = await readSwitch(c, 'is_active')
  await togglePromoCode(db, id, actorOf(requireAdmin(c)), clock(), to)
  return redirectBack(c, managementHref('promo-codes'), { done: 'toggled', at: `promo-${id}` })
})

promoCodeForms.post('/redemptions/:id', (c) =>
  decideByForm(c, managementHref('promo-codes', { show: 'redemptions' }), renderPromoCodes),
)
