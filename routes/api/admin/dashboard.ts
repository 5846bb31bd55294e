import { z } from '@hono/zod-openapi'
import { readDashboardStats } from '#db/admin/dashboard-stats.ts'
import { answer, apiRouter } from '#routes/_http/schema.ts'
import { apiCall } from '#routes/api/_call.ts'
import { asAdmin } from '#routes/api/admin/_as-admin.ts'

const stats = apiCall({
  operationId: 'getDashboardStats',
  summary: 'Get the figures of the admin dashboard',
  ...asAdmin,
  method: 'get',
  path: '/dashboard-stats',
  responses: {
    200: answer(
      'The figures; today is the day in TIMEZONE',
      z.object({
        users: z.object({ total: z.int(), active: z.int(), admins: z.int() }),
        qr_codes: z.object({ total: z.int() }),
        activity: z.object({ today_scans: z.int() }),
      }),
    ),
  },
})

export const adminDashboardApi = apiRouter().openapi(stats, async (c) => {
  const { db, clock, config } = c.var.deps
  return c.json(await readDashboardStats(db, clock(), config.timezone), 200)
})
