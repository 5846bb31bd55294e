import { apiRouter } from '#routes/_schema.ts'
import { adminDashboardApi } from '#routes/api/admin/dashboard.ts'
import { adminQrCodes } from '#routes/api/admin/qr-codes.ts'
import { adminStatistics } from '#routes/api/admin/statistics.ts'

/** What admins may do; each of its calls is behind `adminsOnly`. */
export const adminApi = apiRouter()

adminApi.route('/', adminDashboardApi)
adminApi.route('/qr-codes', adminQrCodes)
adminApi.route('/statistics', adminStatistics)
