import { z } from '@hono/zod-openapi'
import { decideRedemptionAs, toRedemptionView } from '#actions/plans/decisions.ts'
import { listRedemptions } from '#db/plans/redemption-decisions.ts'
import { REDEMPTION_DECIDED } from '#domain/plans/promo.ts'
import { requireAdmin } from '#routes/_http/guards.ts'
import { apiRouter } from '#routes/_http/schema.ts'
import { linkPages, pagedAnswer } from '#routes/api/_paging.ts'
import { answer, message } from '#routes/api/_payloads.ts'
import { adminCall } from '#routes/api/admin/_admin-call.ts'
import { decisionQuery, redemption } from '#routes/api/admin/_decision-schema.ts'

const decided = message.extend({ redemption })

const list = adminCall('listRedemptions', 'List the redemptions', {
  get: '/code-redemptions',
  query: decisionQuery,
  200: pagedAnswer(
    'The redemptions, pending ones first',
    z.object({ redemptions: z.array(redemption), total_count: z.int() }),
  ),
})

const approve = adminCall('approveRedemption', 'Approve a redemption', {
  post: '/approve-redemption/{id}',
  200: answer('Approved, and mailed to the account', decided),
  problems: [409],
})
const reject = adminCall('rejectRedemption', 'Reject a redemption', {
  post: '/reject-redemption/{id}',
  200: answer('Rejected; the use is no longer counted', decided),
  problems: [409],
})

export const redemptions = apiRouter()
  .openapi(list, async (c) => {
    const query = c.req.valid('query')
    const { redemptions, total } = await listRedemptions(c.var.deps.db, query)
    linkPages(c, query, total)
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
