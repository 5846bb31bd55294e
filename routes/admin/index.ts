import { Hono } from 'hono'
import type { Account } from '#db/schema.ts'
import { type AdminTab, readAdminTab } from '#domain/admin/admin.ts'
import type { AppContext, AppEnv } from '#routes/_http/context.ts'
import { orDashboard, requireSuperAdmin } from '#routes/_http/guards.ts'
import { renderAdminAnalytics } from '#routes/admin/_analytics.tsx'
import { renderOverview } from '#routes/admin/_overview.tsx'
import { renderPromoScreen } from '#routes/admin/_promo-codes.tsx'
import { renderQrCodes } from '#routes/admin/_qr-codes.tsx'
import { renderSystem } from '#routes/admin/_system.tsx'
import { renderAdminUsers } from '#routes/admin/_users.tsx'
import { messageForms } from '#routes/admin/messages.tsx'
import { renderSupport, supportForms } from '#routes/admin/support.ts'
import { systemForms } from '#routes/admin/system.ts'

type RenderTab = (c: AppContext, account: Account) => Promise<Response>

const TABS: Record<AdminTab, RenderTab> = {
  overview: renderOverview,
  users: renderAdminUsers,
  'qr-codes': renderQrCodes,
  'promo-codes': renderPromoScreen,
  support: (c, account) => renderSupport(c, account),
  analytics: renderAdminAnalytics,
  system: (c, account) => renderSystem(c, account),
}

/** The super admin's page; each tab has its own URL. */
export const admin = new Hono<AppEnv>().use(orDashboard(requireSuperAdmin))

admin.get('/', (c) => TABS[readAdminTab(c.req.query('tab'))](c, requireSuperAdmin(c)))
admin.route('/messages', messageForms)
admin.route('/support', supportForms)
admin.route('/system', systemForms)
