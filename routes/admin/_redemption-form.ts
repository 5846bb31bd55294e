import { decideRedemptionAs } from '#actions/plans/decisions.ts'
import { DECISION_ACTIONS } from '#domain/decision.ts'
import { DomainError } from '#domain/error.ts'
import { REDEMPTION_FAILED } from '#domain/plans/promo.ts'
import type { AppContext } from '#routes/_http/context.ts'
import { readForm } from '#routes/_http/forms.ts'
import { requireAdmin } from '#routes/_http/guards.ts'
import { refusalOf } from '#routes/_http/refusal.ts'

/** Decides the redemption that the address of an admin page's form names. */
export async function decideByForm(c: AppContext) {
  const { form } = await readForm(c)
  const action = DECISION_ACTIONS.find((each) => each === form.action)
  if (!action) throw new DomainError('invalid', `action must be ${DECISION_ACTIONS.join(' or ')}`)
  const id = c.req.param('id') ?? ''
  const deciding = decideRedemptionAs(c.var.deps, requireAdmin(c), { id, action })
  return {
    refusal: await refusalOf(deciding),
    failed: REDEMPTION_FAILED[action],
    outcome: { done: `redemption-${action}`, at: `redemption-${id}` },
  }
}
