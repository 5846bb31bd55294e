import { Hono } from 'hono'
import { fileUrl } from '#actions/papers/view.ts'
import {
  PolicePage,
  type PolicePageView,
  PoliceRestricted,
} from '#components/papers/police-page.tsx'
import type { PoliceView } from '#db/papers/document-views.ts'
import { displayMobile, normalizeMobile, telHref } from '#domain/accounts/contact.ts'
import { DomainError } from '#domain/error.ts'
import { inTypeOrder, sideLabel, typeLabel } from '#domain/papers/document.ts'
import { isOwnCode } from '#domain/scans/scan.ts'
import type { AppContext, AppEnv } from '#routes/_http/deps.ts'
import { onError } from '#routes/_http/errors.tsx'
import { openPoliceView } from '#routes/_http/papers/police.ts'
import { renderPage } from '#routes/_http/render.tsx'

/** The documents that an owner shows to authorities, complete without script. */
export const police = new Hono<AppEnv>()

police.get('/:qr_id', async (c) => {
  const view = await openPoliceView(c, c.req.param('qr_id'))
  const page = <PolicePage view={toPageView(view)} backHref={backHref(c, view)} />
  const description = 'The vehicle documents that the owner of this QR code shows to authorities.'
  return renderPage(c, { title: 'Vehicle documents', description, sheet: 'public' }, page)
})

/** Not the general page for errors: an officer is told what it may mean. */
police.onError((error, c) => {
  if (!(error instanceof DomainError)) {
    c.var.deps.log.error({ requestId: c.var.requestId, err: error }, 'request failed')
    return renderRestricted(c, 'Unable to load documents', 500)
  }
  return error.code === 'not_found' ? renderRestricted(c, error.message, 404) : onError(error, c)
})

function renderRestricted(c: AppContext, message: string, status: 404 | 500): Response {
  const page = <PoliceRestricted message={message} backHref="/" />
  const title = 'Access Restricted'
  return renderPage(c, { title, description: message, sheet: 'public', status }, page)
}

/** The page sends no referrer, so it gets none either. */
function backHref(c: AppContext, view: PoliceView): string {
  const isOwn = isOwnCode(view, c.var.account?.id)
  return isOwn ? '/dashboard?tab=documents' : `/scan/${view.qr_id}?seen=1`
}

function toPageView(view: PoliceView): PolicePageView {
  const { owner_name, contact_phone, vehicle_registration, documents, can_message } = view
  const isRelay = view.contact_mode === 'relay'
  const e164 = contact_phone ? normalizeMobile(contact_phone) : undefined
  const display = e164 ? displayMobile(e164) : contact_phone
  return {
    owner_name,
    vehicle_registration,
    phone: display ? { display, href: telHref(display) } : undefined,
    messageHref: isRelay && can_message ? `/scan/${view.qr_id}/message` : undefined,
    isSilent: isRelay && !can_message,
    documents: inTypeOrder(documents).map((document) => ({
      id: document.id,
      label: typeLabel(document.document_type),
      detail: [sideLabel(document.document_side), document.file_name].filter(Boolean).join(' · '),
      href: fileUrl(document.stored_name),
    })),
  }
}
