import { makePromoCode } from '#actions/plans/promo-codes.ts'
import { actorOf } from '#db/admin/audit-events.ts'
import { togglePromoCode } from '#db/plans/promo-changes.ts'
import { managementHref } from '#domain/admin/management.ts'
import { DomainError } from '#domain/error.ts'
import { toNumber } from '#domain/number.ts'
import { CHILD_PROMO, childPromoProblem } from '#domain/plans/promo.ts'
import { promoForms } from '#routes/_admin/promo-forms.ts'
import type { AppContext } from '#routes/_http/context.ts'
import { type Form, readSwitch, redirectBack } from '#routes/_http/forms.ts'
import { requireAdmin } from '#routes/_http/guards.ts'
import { newPromoCode } from '#routes/_http/plans/forms.ts'
import { parseForm } from '#routes/_http/schema.ts'
import { renderPromoCodes } from '#routes/admin-dashboard/_promo-codes.tsx'

/** The forms of the Promo Codes tab; they call the same actions as the API. */
export const promoCodeForms = promoForms({
  href: (rest) => managementHref('promo-codes', rest),
  make,
  render: renderPromoCodes,
})

async function make(c: AppContext, { code = '', child_qr_quantity = '', expiry_date = '' }: Form) {
  const problem = childPromoProblem(code, toNumber(child_qr_quantity))
  if (problem) throw new DomainError(problem)
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
