import { Hono } from 'hono'
import type { Account } from '#db/schema.ts'
import { type ManagementTab, readManagementTab } from '#domain/admin/management.ts'
import type { AppContext, AppEnv } from '#routes/_http/context.ts'
import { orDashboard, requireAdmin } from '#routes/_http/guards.ts'
import { renderHierarchy } from '#routes/admin-dashboard/_hierarchy.tsx'
import { renderPermissions } from '#routes/admin-dashboard/_permissions.tsx'
import { renderPromoCodes } from '#routes/admin-dashboard/_promo-codes.tsx'
import { renderManagedReports } from '#routes/admin-dashboard/_reports.ts'
import { renderUpgradeRequests } from '#routes/admin-dashboard/_upgrade-requests.tsx'
import { renderUsers } from '#routes/admin-dashboard/_users.tsx'
import { invitationForms } from '#routes/admin-dashboard/invitations.tsx'
import { managedReportForms } from '#routes/admin-dashboard/reports.ts'
import { managedSupportForms, renderManagedSupport } from '#routes/admin-dashboard/support.ts'
import { permissionForms } from '#routes/admin-dashboard/users.ts'

type RenderTab = (c: AppContext, account: Account) => Promise<Response>

const TABS: Record<ManagementTab, RenderTab> = {
  users: (c, account) => renderUsers(c, account),
  permissions: (c, account) => renderPermissions(c, account),
  'promo-codes': renderPromoCodes,
  'upgrade-requests': renderUpgradeRequests,
  hierarchy: renderHierarchy,
  reports: (c, account) => renderManagedReports(c, account),
  support: (c, account) => renderManagedSupport(c, account),
}

/** The admin management page; each tab has its own URL. */
export const adminDashboard = new Hono<AppEnv>().use(orDashboard(requireAdmin))

adminDashboard.get('/', (c) => TABS[readManagementTab(c.req.query('tab'))](c, requireAdmin(c)))
adminDashboard.route('/reports', managedReportForms)
adminDashboard.route('/support', managedSupportForms)
adminDashboard.route('/users', permissionForms)
adminDashboard.route('/invitations', invitationForms)
