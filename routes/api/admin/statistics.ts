import { z } from '@hono/zod-openapi'
import { readStatistics } from '#db/admin/statistics.ts'
import { answer, apiRouter } from '#routes/_http/schema.ts'
import { apiCall } from '#routes/api/_call.ts'
import { asAdmin } from '#routes/api/admin/_as-admin.ts'

const statistics = z
  .object({
    totalUsers: z.int(),
    totalQRCodes: z.int(),
    totalScans: z.int(),
    activeDevices: z.int().openapi({ description: 'sessions used in the last 30 days' }),
    subscriptionBreakdown: z.object({ free: z.int(), premium: z.int(), enterprise: z.int() }),
    pendingRedemptions: z.int(),
  })
  .openapi('AdminStatistics')

const readAll = apiCall({
  operationId: 'getStatistics',
  summary: 'Get the whole installation in figures',
  ...asAdmin,
  method: 'get',
  path: '/',
  responses: {
    200: answer('The whole installation in figures', statistics),
  },
})

export const adminStatistics = apiRouter().openapi(readAll, async (c) => {
  const { db, clock } = c.var.deps
  return c.json(await readStatistics(db, clock()), 200)
})
