import { Hono } from 'hono'
import { decideRedemptionAs } from '#actions/plans/decisions.ts'
import type { Account } from '#db/schema.ts'
import { DECISION_ACTIONS } from '#domain/decision.ts'
import { DomainError } from '#domain/error.ts'
import { REDEMPTION_FAILED } from '#domain/plans/promo.ts'
import type { Refused } from '#routes/_admin/promo-list.tsx'
import type { AppContext, AppEnv } from '#routes/_http/context.ts'
import { type Form, perform, readForm, redirectBack } from '#routes/_http/forms.ts'
import { requireAdmin } from '#routes/_http/guards.ts'

type Screen = {
  href: (rest?: { show: 'redemptions' }) => string
  make: (c: AppContext, form: Form) => Promise<{ id: string }>
  render: (c: AppContext, account: Account, refused: Refused) => Promise<Response>
}

/** Makes the forms that both pages of promo codes have: create a code, and decide a redemption. */
export function promoForms({ href, make, render }: Screen) {
  return new Hono<AppEnv>()
    .post('/', async (c) => {
      const { values } = await readForm(c)
      return perform(c, {
        act: () => make(c, values),
        done: ({ id }) => redirectBack(c, href(), { done: 'created', at: `promo-${id}` }),
        refused: (refusal) => render(c, requireAdmin(c), { refusal, values }),
      })
    })
    .post('/redemptions/:id', async (c) => {
      const { form } = await readForm(c)
      const action = DECISION_ACTIONS.find((each) => each === form.action)
      if (!action) {
        const values = { actions: DECISION_ACTIONS.join(' or ') }
        throw new DomainError({ code: 'invalid.decision', values })
      }
      const admin = requireAdmin(c)
      const id = c.req.param('id')
      const outcome = { done: `redemption-${action}`, at: `redemption-${id}` }
      return perform(c, {
        act: () => decideRedemptionAs(c.var.deps, admin, { id, action }),
        done: () => redirectBack(c, href({ show: 'redemptions' }), outcome, id),
        refused: (refusal) => render(c, admin, { refusal, failed: REDEMPTION_FAILED[action] }),
      })
    })
}
