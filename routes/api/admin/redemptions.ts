import { z } from '@hono/zod-openapi'
import { decideRedemptionAs, toRedemptionView } from '#actions/plans/decisions.ts'
import { listRedemptions } from '#db/plans/redemption-decisions.ts'
import { REDEMPTION_DECIDED } from '#domain/plans/promo.ts'
import { requireAdmin } from '#routes/_http/guards.ts'
import { answer, apiRouter, message, problems } from '#routes/_http/schema.ts'
import { apiCall, idParams } from '#routes/api/_call.ts'
import { asAdmin } from '#routes/api/admin/_as-admin.ts'
import { decisionQuery, redemption } from '#routes/api/admin/_decision-schema.ts'

const decided = message.extend({ redemption })

const list = apiCall({
  ...asAdmin,
  operationId: 'listRedemptions',
  summary: 'List the redemptions',
  method: 'get',
  path: '/code-redemptions',
  request: { query: decisionQuery },
  responses: {
    200: answer(
      'The redemptions, pending ones first',
      z.object({ redemptions: z.array(redemption), total_count: z.int() }),
    ),
    ...problems(400),
  },
})

type Title = { operationId: string; summary: string }

function decision<P extends `/${string}`>(call: Title & { path: P }, description: string) {
  return apiCall({
    ...asAdmin,
    ...call,
    method: 'post',
    request: { params: idParams },
    responses: { 200: answer(description, decided), ...problems(404, 409) },
  })
}
const approve = decision(
  {
    operationId: 'approveRedemption',
    summary: 'Approve a redemption',
    path: '/approve-redemption/{id}',
  },
  'Approved, and mailed to the account',
)
const reject = decision(
  {
    operationId: 'rejectRedemption',
    summary: 'Reject a redemption',
    path: '/reject-redemption/{id}',
  },
  'Rejected; the use is no longer counted',
)

export const redemptions = apiRouter()
  .openapi(list, async (c) => {
    const { redemptions, total } = await listRedemptions(c.var.deps.db, c.req.valid('query'))
    return c.json({ redemptions: redemptions.map(toRedemptionView), total_count: total }, 200)
  })
  .openapi(approve, async (c) => {
    const { id } = c.req.valid('param')
    const redemption = toRedemptionView(
      await decideRedemptionAs(c.var.deps, requireAdmin(c), { id, action: 'approve' }),
    )
    return c.json({ message: REDEMPTION_DECIDED.approve, redemption }, 200)
  })
  .openapi(reject, async (c) => {
    const { id } = c.req.valid('param')
    const redemption = toRedemptionView(
      await decideRedemptionAs(c.var.deps, requireAdmin(c), { id, action: 'reject' }),
    )
    return c.json({ message: REDEMPTION_DECIDED.reject, redemption }, 200)
  })
