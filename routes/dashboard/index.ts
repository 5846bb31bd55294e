import { Hono } from 'hono'
import type { Account } from '#db/schema.ts'
import { type DashboardTab, readTab } from '#domain/dashboard.ts'
import { settingsHref } from '#domain/settings.ts'
import type { AppContext, AppEnv } from '#routes/_http/context.ts'
import {
  clearLinkCookie,
  LINK_PAGES,
  readLinkCookie,
  takeRememberedPage,
} from '#routes/_http/cookies.ts'
import { takeFormAsAddress } from '#routes/_http/forms.ts'
import { requireAccount, signedIn } from '#routes/_http/guards.ts'
import { endedAccessForm } from '#routes/dashboard/accounts/ended-access.ts'
import { lostAddressForm } from '#routes/dashboard/accounts/lost-address.ts'
import { noticeForm } from '#routes/dashboard/accounts/notice.ts'
import { renderMyQrs } from '#routes/dashboard/codes/_my-qrs.tsx'
import { answerChosenZip } from '#routes/dashboard/codes/_selection-dialogs.tsx'
import { batchForms } from '#routes/dashboard/codes/batches.ts'
import { claimOfferForm } from '#routes/dashboard/codes/claim-offers.ts'
import { madePage } from '#routes/dashboard/codes/made.tsx'
import { qrForms } from '#routes/dashboard/codes/qr.ts'
import { tagForms } from '#routes/dashboard/codes/tags.ts'
import { renderMessages } from '#routes/dashboard/conversations/_messages.tsx'
import { renderReports } from '#routes/dashboard/conversations/_reports.tsx'
import { messageForms } from '#routes/dashboard/conversations/messages.ts'
import { reportForms } from '#routes/dashboard/conversations/reports.ts'
import { renderResetRequests } from '#routes/dashboard/families/_reset-requests.tsx'
import { guardianForm } from '#routes/dashboard/families/guardian.ts'
import { resetRequestForms } from '#routes/dashboard/families/password-requests.tsx'
import { resetQuestionForm } from '#routes/dashboard/families/password-reset.ts'
import { renderDocuments } from '#routes/dashboard/papers/_documents.tsx'
import { renderGallery } from '#routes/dashboard/papers/_gallery.tsx'
import { renderPopupImages } from '#routes/dashboard/papers/_popup-images.tsx'
import { documentForms } from '#routes/dashboard/papers/documents.ts'
import { galleryForms } from '#routes/dashboard/papers/gallery.ts'
import { popupImageForms } from '#routes/dashboard/papers/popup-images.ts'
import { renderAnalytics } from '#routes/dashboard/scans/_analytics.tsx'
import { transferForms } from '#routes/dashboard/transfers/transfer.ts'

type RenderTab = (c: AppContext, account: Account) => Promise<Response>

const TABS: Record<DashboardTab, RenderTab> = {
  'my-qrs': showMyQrs,
  messages: (c, account) => renderMessages(c, account),
  'popup-images': (c, account) => renderPopupImages(c, account),
  documents: (c, account) => renderDocuments(c, account),
  gallery: renderGallery,
  'password-requests': renderResetRequests,
  analytics: renderAnalytics,
  reports: (c, account) => renderReports(c, account),
}

async function showMyQrs(c: AppContext, account: Account): Promise<Response> {
  return (await answerChosenZip(c)) ?? renderMyQrs(c, account)
}

/** The owner's dashboard; each tab has its own URL. Old links to API keys redirect to the settings. */
export const dashboard = new Hono<AppEnv>()

dashboard.get('/', async (c) => {
  const account = requireAccount(c)
  const key = c.req.query('api-keys')
  if (key) return c.redirect(settingsHref('api-keys', key === '1' ? {} : { revoke: key }), 301)
  for (const page of LINK_PAGES) {
    const token = readLinkCookie(c, page)
    if (!token) continue
    clearLinkCookie(c, page)
    return c.redirect(`/${page}/${token}`, 303)
  }
  const wanted = Object.keys(c.req.query()).length === 0 && takeRememberedPage(c)
  if (wanted) return c.redirect(wanted, 303)
  return TABS[readTab(c.req.query('tab'), account.role)](c, account)
})
/** A selection, or the labels of one, whose codes are too many for an address. */
dashboard.post('/', signedIn, async (c) => {
  await takeFormAsAddress(c)
  return showMyQrs(c, requireAccount(c))
})
// Before the paths in which an id stands at the same place.
dashboard.route('/qr', batchForms)
dashboard.route('/qr', qrForms)
dashboard.route('/qr', madePage)
dashboard.route('/qr', tagForms)
dashboard.route('/qr', transferForms)
dashboard.route('/messages', messageForms)
dashboard.route('/reports', reportForms)
dashboard.route('/popup-images', popupImageForms)
dashboard.route('/documents', documentForms)
dashboard.route('/gallery', galleryForms)
dashboard.route('/password-requests', resetRequestForms)
dashboard.route('/password-reset', resetQuestionForm)
dashboard.route('/ended-access', endedAccessForm)
dashboard.route('/lost-address', lostAddressForm)
dashboard.route('/claims', claimOfferForm)
dashboard.route('/notice', noticeForm)
dashboard.route('/guardian', guardianForm)
