import { Hono } from 'hono'
import { createMiddleware } from 'hono/factory'
import type { Account } from '#db/schema.ts'
import { type AdminTab, readAdminTab } from '#domain/admin.ts'
import type { AppContext, AppEnv } from '#routes/_deps.ts'
import { requireAccount } from '#routes/_guards.ts'
import { renderOverview } from '#routes/admin/_overview.tsx'

type RenderTab = (c: AppContext, account: Account) => Promise<Response>

const TABS: Record<AdminTab, RenderTab> = {
  overview: renderOverview,
}

/** Whoever is somebody else is led to the own dashboard, and from there to the login. */
const superAdminsOnly = createMiddleware<AppEnv>(async function superAdminsOnly(c, next) {
  if (requireAccount(c).role !== 'super_admin') return c.redirect('/dashboard', 303)
  await next()
})

/** The super admin's page; each tab has an address of its own. */
export const admin = new Hono<AppEnv>().use(superAdminsOnly)

admin.get('/', (c) => TABS[readAdminTab(c.req.query('tab'))](c, requireAccount(c)))
