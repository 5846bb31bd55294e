import { z } from '@hono/zod-openapi'
import { readDashboardStats } from '#db/admin/dashboard-stats.ts'
import { apiRouter } from '#routes/_http/schema.ts'
import { answer } from '#routes/api/_payloads.ts'
import { adminCall } from '#routes/api/admin/_admin-call.ts'

const stats = adminCall('getDashboardStats', 'Get the figures of the admin dashboard', {
  get: '/dashboard-stats',
  200: answer(
    'The figures; today is the day in TIMEZONE',
    z.object({
      users: z.object({ total: z.int(), active: z.int(), admins: z.int() }),
      qr_codes: z.object({ total: z.int() }),
      activity: z.object({ today_scans: z.int() }),
    }),
  ),
})

export const adminDashboardApi = apiRouter().openapi(stats, async (c) => {
  const { db, clock, config } = c.var.deps
  return c.json(await readDashboardStats(db, clock(), config.timezone), 200)
})
