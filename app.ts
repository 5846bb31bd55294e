import { serveStatic } from '@hono/node-server/serve-static'
import { OpenAPIHono } from '@hono/zod-openapi'
import { Hono } from 'hono'
import { matchedRoutes } from 'hono/route'
import { METHOD_NAME_ALL } from 'hono/router'
import { askAgain } from '#routes/_http/accounts/confirm.tsx'
import { limitBody } from '#routes/_http/bodies.ts'
import type { AppEnv, FinderContext } from '#routes/_http/context.ts'
import { shareWithOrigins } from '#routes/_http/cors.ts'
import type { Deps } from '#routes/_http/deps.ts'
import { onError } from '#routes/_http/errors.tsx'
import { requestLog, secureHeaders } from '#routes/_http/every-answer.ts'
import { setLocaleFirst } from '#routes/_http/language.ts'
import {
  endPermissions,
  limitAdminWrites,
  limitOwnersDomain,
  requireHost,
  setCaller,
} from '#routes/_http/middleware.ts'
import { forgetPopups } from '#routes/_http/scans/scans.ts'
import {
  noPages,
  notFound,
  refuseUnknownPaths,
  refuseWrongMethods,
} from '#routes/_http/unknown-paths.ts'
import { admin } from '#routes/admin/index.ts'
import { promoScreenForms } from '#routes/admin/promo-codes.ts'
import { adminDashboard } from '#routes/admin-dashboard/index.ts'
import { promoCodeForms } from '#routes/admin-dashboard/promo-codes.ts'
import { upgradeRequestForms } from '#routes/admin-dashboard/upgrade-requests.ts'
import { account } from '#routes/api/accounts/account.ts'
import { apiKeys } from '#routes/api/accounts/api-keys.ts'
import { auth } from '#routes/api/accounts/auth.ts'
import { adminApi } from '#routes/api/admin/admin.ts'
import { promoCodes } from '#routes/api/admin/promo-codes.ts'
import { redemptions } from '#routes/api/admin/redemptions.ts'
import { upgradeRequests } from '#routes/api/admin/upgrade-requests.ts'
import { notifications } from '#routes/api/alerts/notifications.ts'
import { branding } from '#routes/api/brands/branding.ts'
import { claimOffers } from '#routes/api/codes/claim-offers.ts'
import { qr } from '#routes/api/codes/qr.ts'
import { conversations } from '#routes/api/conversations/conversations.ts'
import { scanMessages } from '#routes/api/conversations/messages.ts'
import { pageReports } from '#routes/api/conversations/page-reports.ts'
import { reports } from '#routes/api/conversations/reports.ts'
import { apiDocs } from '#routes/api/docs.tsx'
import { client } from '#routes/api/families/client.ts'
import { openapi } from '#routes/api/openapi.ts'
import { calendars } from '#routes/api/papers/calendar.ts'
import { documents } from '#routes/api/papers/documents.ts'
import { dues } from '#routes/api/papers/due.ts'
import { files } from '#routes/api/papers/files.ts'
import { gallery } from '#routes/api/papers/gallery.ts'
import { popupImages } from '#routes/api/papers/popup-images.ts'
import { personInvitations } from '#routes/api/people/invitations.ts'
import { people, sharedWithMe } from '#routes/api/people/people.ts'
import { promo } from '#routes/api/plans/promo.ts'
import { subscription } from '#routes/api/plans/subscription.ts'
import { scanApi } from '#routes/api/scans/scan.ts'
import { tickets } from '#routes/api/tickets/tickets.ts'
import { transfers } from '#routes/api/transfers/transfers.ts'
import { appearance } from '#routes/appearance.ts'
import { conversationFiles } from '#routes/c/files.ts'
import { conversation } from '#routes/c/index.tsx'
import { calendar } from '#routes/calendar.ts'
import { childRegister } from '#routes/child-register.tsx'
import { claim } from '#routes/claim.tsx'
import { confirm } from '#routes/confirm.tsx'
import { dashboard } from '#routes/dashboard/index.ts'
import { upgradeForms } from '#routes/dashboard/plans/upgrade.ts'
import { grantAdmin } from '#routes/grant-admin.tsx'
import { index } from '#routes/index.tsx'
import { invite } from '#routes/invite/index.tsx'
import { login } from '#routes/login/index.tsx'
import { logout } from '#routes/logout.ts'
import { healthz, whileDatabaseAnswers } from '#routes/operations/healthz.ts'
import { operations } from '#routes/operations/index.ts'
import { internal } from '#routes/operations/internal.ts'
import { police } from '#routes/police.tsx'
import { privacy } from '#routes/privacy.tsx'
import { resetPassword } from '#routes/reset-password.tsx'
import { scan } from '#routes/scan/index.tsx'
import { message } from '#routes/scan/message.tsx'
import { report } from '#routes/scan/report.tsx'
import { settings } from '#routes/settings/index.tsx'
import { planPages } from '#routes/settings/plan.tsx'
import { shared } from '#routes/shared.ts'
import { take } from '#routes/take.tsx'
import { terms } from '#routes/terms.tsx'
import { transfer } from '#routes/transfer.tsx'
import { wayBack } from '#routes/way-back.tsx'
import { wellKnown } from '#routes/well-known.ts'

/** A middleware serves these, so they have no route of their own. */
const ASSETS = '/assets/*'

/** The areas whose changes share one limit per account. */
const STAFF_AREAS = [
  '/admin/*',
  '/admin-dashboard/*',
  '/api/admin/*',
  '/dashboard/reports/*',
  '/api/reports/*',
]

/** The pages for some accounts alone. */
const GUARDED_AREAS = ['/admin/*', '/admin-dashboard/*', '/settings/*']

/** The pages for people without an account. */
const TRANSLATED_AREAS = [
  '/scan/*',
  '/c/*',
  '/police/*',
  '/claim',
  '/child-register',
  '/reset-password',
  '/take/*',
  '/invite/*',
  '/transfer/*',
]

export type App = ReturnType<typeof createApp>

/** Makes the application: the order of middleware and the whole URL table. It does not listen. */
export function createApp(deps: Deps) {
  const app = new OpenAPIHono<AppEnv>({ strict: true })
  app.onError(onError)
  app.notFound(notFound(app))
  app.use(requestLog(deps, templateOf), secureHeaders(deps))
  // These answer without the database.
  app.route('/', operations)
  app.use(requireHost, limitOwnersDomain)

  app.use('/healthz', whileDatabaseAnswers)
  app.use(ASSETS, serveAssets(deps))
  app.route('/', wellKnown)
  app.route('/internal', internal)

  app.use('/api/*', shareWithOrigins(deps), refuseWrongMethods(app))
  for (const area of GUARDED_AREAS) app.use(area, refuseUnknownPaths(app))
  for (const area of TRANSLATED_AREAS) app.use(area, setLocaleFirst)
  app.use(forgetPopups, endPermissions, setCaller(app), limitBody, askAgain)
  for (const area of STAFF_AREAS) {
    app.use(area, limitAdminWrites)
  }

  app.route('/healthz', healthz)
  app.route('/', index)
  app.route('/login', login)
  app.route('/logout', logout)
  app.route('/dashboard', dashboard)
  app.route('/settings', settings)
  app.route('/confirm', confirm(app))
  app.route('/admin', admin)
  app.route('/admin-dashboard', adminDashboard)
  app.route('/grant-admin', grantAdmin)
  app.route('/appearance', appearance)
  app.route('/scan', scan)
  app.route('/scan', message)
  app.route('/scan', report)
  app.route('/c', conversation)
  app.route('/c', conversationFiles)
  app.route('/police', police)
  app.route('/claim', claim)
  app.route('/child-register', childRegister)
  app.route('/reset-password', resetPassword)
  app.route('/shared', shared)
  app.route('/calendar', calendar)
  app.route('/take', take)
  app.route('/invite', invite)
  app.route('/transfer', transfer)
  app.route('/way-back', wayBack)
  app.route('/terms', terms)
  app.route('/privacy', privacy)

  app.route('/api/auth', auth)
  app.route('/api/account', account)
  app.route('/api/client', client)
  app.route('/api/scan', scanApi)
  app.route('/api/scan', pageReports)
  app.route('/api/scan', scanMessages)
  app.route('/api/conversations', conversations)
  app.route('/api/support/tickets', tickets)
  app.route('/api/notifications', notifications)
  app.route('/api/qr', qr)
  app.route('/api/claims', claimOffers)
  app.route('/api/transfers', transfers)
  app.route('/api/people', people)
  app.route('/api/people/invitations', personInvitations)
  app.route('/api/shared', sharedWithMe)
  app.route('/api/documents', documents)
  app.route('/api/due', dues)
  app.route('/api/calendar', calendars)
  app.route('/api/gallery', gallery)
  app.route('/api/popup-images', popupImages)
  app.route('/api/files', files)
  app.route('/api/branding', branding)
  app.route('/api/reports', reports)
  app.route('/api/admin', adminApi)
  app.route('/api/api-keys', apiKeys)
  if (deps.config.plans) routePlans(app)
  app.route('/api/openapi.json', openapi(app))
  app.route('/api/docs', apiDocs(app))
  return app
}

/** Adds the pages and calls about plans to their areas, whose guards stand in the table before them. */
function routePlans(app: OpenAPIHono<AppEnv>): void {
  app.route('/dashboard/upgrade', upgradeForms)
  app.route('/settings/plan', planPages)
  app.route('/admin/promo-codes', promoScreenForms)
  app.route('/admin-dashboard/promo-codes', promoCodeForms)
  app.route('/admin-dashboard/upgrade-requests', upgradeRequestForms)
  app.route('/api/subscription', subscription)
  app.route('/api/promo', promo)
  app.route('/api/admin', redemptions)
  app.route('/api/admin/promo-codes', promoCodes)
  app.route('/api/admin/upgrade-requests', upgradeRequests)
}

export type WorkerApp = ReturnType<typeof createWorkerApp>

/** Makes the application of a worker, which reports its health and has no pages. */
export function createWorkerApp(deps: Deps) {
  const app = new Hono<AppEnv>({ strict: true })
  app.onError(onError)
  app.notFound(noPages)
  app.use(requestLog(deps, templateOf), secureHeaders(deps))
  app.route('/', operations)
  app.use('/healthz', whileDatabaseAnswers)
  app.route('/healthz', healthz)
  return app
}

function serveAssets(deps: Deps) {
  return serveStatic({
    root: deps.assets.dir,
    rewriteRequestPath: (path) => path.replace(/^\/assets/, ''),
    precompressed: true,
    onFound: (_path, c) => {
      c.header('Cache-Control', 'public, max-age=31536000, immutable')
    },
  })
}

/** Returns the route of a request in the URL table, also of a request that was refused before it. */
function templateOf(c: FinderContext): string {
  const route = matchedRoutes(c).findLast(
    ({ method, path }) => method !== METHOD_NAME_ALL || path === ASSETS,
  )
  return route?.path ?? 'unmatched'
}
