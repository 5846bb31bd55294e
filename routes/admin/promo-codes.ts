import { makePromoCode } from '#actions/plans/promo-codes.ts'
import { actorOf } from '#db/admin/audit-events.ts'
import { deletePromoCode } from '#db/plans/promo-changes.ts'
import { adminHref } from '#domain/admin/admin.ts'
import { promoForms } from '#routes/_admin/promo-forms.ts'
import { redirectBack } from '#routes/_http/forms.ts'
import { requireSuperAdmin } from '#routes/_http/guards.ts'
import { newPromoCode } from '#routes/_http/plans/forms.ts'
import { parseForm } from '#routes/_http/schema.ts'
import { renderPromoScreen } from '#routes/admin/_promo-codes.tsx'

/** The forms of the Promo Codes tab; they call the same actions as the API. */
export const promoScreenForms = promoForms({
  href: (rest) => adminHref('promo-codes', rest),
  make: async (c, form) =>
    makePromoCode(c.var.deps, requireSuperAdmin(c), parseForm(newPromoCode, form)),
  render: renderPromoScreen,
})

promoScreenForms.post('/:id/delete', async (c) => {
  const { db, clock } = c.var.deps
  await deletePromoCode(db, c.req.param('id'), actorOf(requireSuperAdmin(c)), clock())
  return redirectBack(c, adminHref('promo-codes'), { done: 'deleted' })
})
