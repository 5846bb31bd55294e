import { Hono } from 'hono'
import { decideUpgradeAs } from '#actions/plans/decisions.ts'
import { managementHref } from '#domain/admin/management.ts'
import { DECISION_ACTIONS } from '#domain/decision.ts'
import { DomainError } from '#domain/error.ts'
import type { AppEnv } from '#routes/_http/context.ts'
import { perform, readForm, redirectBack } from '#routes/_http/forms.ts'
import { requireAdmin } from '#routes/_http/guards.ts'
import { upgradeDecision } from '#routes/_http/plans/forms.ts'
import { parseForm } from '#routes/_http/schema.ts'
import { renderUpgradeRequests } from '#routes/admin-dashboard/_upgrade-requests.tsx'

/** The decision form; it calls the same action as the API. */
export const upgradeRequestForms = new Hono<AppEnv>().post('/:id', async (c) => {
  const { form, values } = await readForm(c)
  const { action, ...sent } = parseForm(upgradeDecision, form)
  if (!action)
    throw new DomainError({
      code: 'invalid.decision',
      values: { actions: DECISION_ACTIONS.join(' or ') },
    })
  const admin = requireAdmin(c)
  const id = c.req.param('id')
  return perform(c, {
    act: () => decideUpgradeAs(c.var.deps, admin, { id, action, ...sent }),
    done: () => {
      const outcome = { done: `upgrade-${action}`, at: `request-${id}` }
      return redirectBack(c, managementHref('upgrade-requests'), outcome, id)
    },
    refused: (refusal) => renderUpgradeRequests(c, admin, { refusal, id, values }),
  })
})
