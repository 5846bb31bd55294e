import { Hono } from 'hono'
import type { Account } from '#db/schema.ts'
import { type DashboardTab, readTab } from '#domain/dashboard.ts'
import { takePath } from '#routes/_http/codes/take-offer.ts'
import { clearTakeCookie, readTakeCookie } from '#routes/_http/cookies.ts'
import type { AppContext, AppEnv } from '#routes/_http/deps.ts'
import { requireAccount } from '#routes/_http/guards.ts'
import { renderAnalytics } from '#routes/dashboard/_analytics.tsx'
import { renderDocuments } from '#routes/dashboard/_documents.tsx'
import { renderGallery } from '#routes/dashboard/_gallery.tsx'
import { renderMyQrs } from '#routes/dashboard/_my-qrs.tsx'
import { renderPopupImages } from '#routes/dashboard/_popup-images.tsx'
import { renderResetRequests } from '#routes/dashboard/_reset-requests.tsx'
import { apiKeyForms } from '#routes/dashboard/api-keys.ts'
import { documentForms } from '#routes/dashboard/documents.ts'
import { galleryForms } from '#routes/dashboard/gallery.ts'
import { resetRequestForms } from '#routes/dashboard/password-requests.tsx'
import { resetQuestionForm } from '#routes/dashboard/password-reset.ts'
import { popupImageForms } from '#routes/dashboard/popup-images.ts'
import { qrForms } from '#routes/dashboard/qr.ts'
import { upgradeForms } from '#routes/dashboard/upgrade.ts'

type RenderTab = (c: AppContext, account: Account) => Promise<Response>

const TABS: Record<DashboardTab, RenderTab> = {
  'my-qrs': renderMyQrs,
  'popup-images': (c, account) => renderPopupImages(c, account),
  documents: renderDocuments,
  gallery: renderGallery,
  'password-requests': renderResetRequests,
  analytics: renderAnalytics,
}

/** The owner's dashboard; each tab has an address of its own. */
export const dashboard = new Hono<AppEnv>()

dashboard.get('/', async (c) => {
  const account = requireAccount(c)
  const token = readTakeCookie(c)
  if (!token) return TABS[readTab(c.req.query('tab'))](c, account)
  clearTakeCookie(c)
  return c.redirect(takePath(token), 303)
})
dashboard.route('/qr', qrForms)
dashboard.route('/popup-images', popupImageForms)
dashboard.route('/documents', documentForms)
dashboard.route('/gallery', galleryForms)
dashboard.route('/password-requests', resetRequestForms)
dashboard.route('/password-reset', resetQuestionForm)
dashboard.route('/upgrade', upgradeForms)
dashboard.route('/api-keys', apiKeyForms)
