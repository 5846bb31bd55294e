import { z } from '@hono/zod-openapi'
import { readStatistics } from '#db/admin/statistics.ts'
import { apiRouter } from '#routes/_http/schema.ts'
import { answer } from '#routes/api/_payloads.ts'
import { adminCall } from '#routes/api/admin/_admin-call.ts'

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

const readAll = adminCall('getStatistics', 'Get the whole installation in figures', {
  get: '/',
  200: answer('The whole installation in figures', statistics),
})

export const adminStatistics = apiRouter().openapi(readAll, async (c) => {
  const { db, clock } = c.var.deps
  return c.json(await readStatistics(db, clock()), 200)
})
