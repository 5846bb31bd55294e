import { Hono } from 'hono'
import type { Account } from '#db/schema.ts'
import { type ManagementTab, readManagementTab } from '#domain/management.ts'
import type { AppContext, AppEnv } from '#routes/_deps.ts'
import { orDashboard, requireAdmin } from '#routes/_guards.ts'
import { renderUsers } from '#routes/admin-dashboard/_users.tsx'

type RenderTab = (c: AppContext, account: Account) => Promise<Response>

const TABS: Record<ManagementTab, RenderTab> = {
  users: renderUsers,
}

/** The admin management page; each tab has an address of its own. */
export const adminDashboard = new Hono<AppEnv>().use(orDashboard(requireAdmin))

adminDashboard.get('/', (c) => TABS[readManagementTab(c.req.query('tab'))](c, requireAdmin(c)))
