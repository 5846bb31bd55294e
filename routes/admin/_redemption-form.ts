import { decideRedemptionAs } from '#actions/plans/decisions.ts'
import type { Account } from '#db/schema.ts'
import { DECISION_ACTIONS } from '#domain/decision.ts'
import { DomainError } from '#domain/error.ts'
import { REDEMPTION_FAILED } from '#domain/plans/promo.ts'
import type { AppContext } from '#routes/_http/context.ts'
import { perform, readForm, redirectBack } from '#routes/_http/forms.ts'
import { requireAdmin } from '#routes/_http/guards.ts'
import type { Refused } from '#routes/admin/_promo-screens.tsx'

type Render = (c: AppContext, account: Account, refused: Refused) => Promise<Response>

/** Decides the redemption that the path of an admin page's form names. */
export async function decideByForm(c: AppContext, href: string, render: Render): Promise<Response> {
  const { form } = await readForm(c)
  const action = DECISION_ACTIONS.find((each) => each === form.action)
  if (!action)
    throw new DomainError({
      code: 'invalid.decision',
      values: { actions: DECISION_ACTIONS.join(' or ') },
    })
  const admin = requireAdmin(c)
  const id = c.req.param('id') ?? ''
  return perform(c, {
    act: () => decideRedemptionAs(c.var.deps, admin, { id, action }),
    done: () => redirectBack(c, href, { done: `redemption-${action}`, at: `redemption-${id}` }),
    refused: (refusal) => render(c, admin, { refusal, failed: REDEMPTION_FAILED[action] }),
  })
}
