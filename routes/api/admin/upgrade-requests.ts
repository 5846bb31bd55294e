import { z } from '@hono/zod-openapi'
import { decideUpgradeAs, toUpgradeView } from '#actions/plans/decisions.ts'
import type { Decision } from '#db/plans/decisions.ts'
import { listUpgradeRequests } from '#db/plans/upgrade-decisions.ts'
import type { DecisionAction } from '#domain/decision.ts'
import { UPGRADE_DECIDED } from '#domain/plans/upgrade.ts'
import type { AppContext } from '#routes/_http/context.ts'
import { requireAdmin } from '#routes/_http/guards.ts'
import { upgradeDecision } from '#routes/_http/plans/forms.ts'
import { apiRouter } from '#routes/_http/schema.ts'
import { linkPages, pagedAnswer } from '#routes/api/_paging.ts'
import { answer, message, optionalBody } from '#routes/api/_payloads.ts'
import { adminCall } from '#routes/api/admin/_admin-call.ts'
import {
  assertSameDecision,
  decisionQuery,
  type SentDecision,
  upgradeRequest,
} from '#routes/api/admin/_decision-schema.ts'

const decided = message.extend({ upgrade_request: upgradeRequest })

const list = adminCall('listUpgradeRequests', 'List the upgrade requests', {
  get: '/',
  query: decisionQuery,
  200: pagedAnswer(
    'The upgrade requests, pending ones first',
    z.object({ upgrade_requests: z.array(upgradeRequest), total_count: z.int() }),
  ),
})
const approve = decision('approve', 'approveUpgrade', 'Approve an upgrade')
const reject = decision('reject', 'rejectUpgrade', 'Reject an upgrade')

function decision<A extends DecisionAction>(action: A, operationId: string, summary: string) {
  return adminCall(operationId, summary, {
    post: `/{id}/${action}`,
    body: optionalBody(upgradeDecision, {
      action,
      notes: 'Paid today',
      requested_plan: 'premium',
      months: 1,
      ...(action === 'approve' && { payment_seen: true }),
    }),
    200: answer('Decided, and mailed to the account', decided),
    problems: [409],
  })
}

export const upgradeRequests = apiRouter()
  .openapi(list, async (c) => {
    const query = c.req.valid('query')
    const { upgrade_requests, total } = await listUpgradeRequests(c.var.deps.db, query)
    linkPages(c, query, total)
    return c.json(
      { upgrade_requests: upgrade_requests.map(toUpgradeView), total_count: total },
      200,
    )
  })
  .openapi(approve, async (c) => {
    const decision = { id: c.req.valid('param').id, action: 'approve' } as const
    return c.json(await decide(c, decision, c.req.valid('json')), 200)
  })
  .openapi(reject, async (c) => {
    const decision = { id: c.req.valid('param').id, action: 'reject' } as const
    return c.json(await decide(c, decision, c.req.valid('json')), 200)
  })

async function decide(c: AppContext, decision: Decision, sent: SentDecision) {
  assertSameDecision(decision, sent)
  const { notes = null, requested_plan, amount, months = null, payment_seen } = sent
  const request = await decideUpgradeAs(c.var.deps, requireAdmin(c), {
    ...decision,
    notes,
    requested_plan,
    amount,
    months,
    payment_seen,
  })
  return { message: UPGRADE_DECIDED[decision.action], upgrade_request: toUpgradeView(request) }
}
