import { apiRouter } from '#routes/_http/schema.ts'
import { adminDashboardApi } from '#routes/api/admin/dashboard.ts'
import { adminInvitations } from '#routes/api/admin/invitations.ts'
import { adminMessages } from '#routes/api/admin/messages.ts'
import { adminQrCodes } from '#routes/api/admin/qr-codes.ts'
import { adminQrExport } from '#routes/api/admin/qr-export.ts'
import { adminStatistics } from '#routes/api/admin/statistics.ts'
import { superAdminGrant } from '#routes/api/admin/super-admin.ts'
import { adminTickets } from '#routes/api/admin/tickets.ts'
import { adminUsers } from '#routes/api/admin/users.ts'

/** The calls for admins. Each has the guard `adminsOnly`, except `grant-super-admin`. */
export const adminApi = apiRouter()

adminApi.route('/', adminDashboardApi)
adminApi.route('/users', adminUsers)
adminApi.route('/grant-super-admin', superAdminGrant)
adminApi.route('/invitations', adminInvitations)
adminApi.route('/messages', adminMessages)
adminApi.route('/qr-codes', adminQrCodes)
adminApi.route('/qr-codes/export', adminQrExport)
adminApi.route('/statistics', adminStatistics)
adminApi.route('/support/tickets', adminTickets)
