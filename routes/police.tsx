import { Hono } from 'hono'
import { todayOf } from '#actions/papers/due.ts'
import { fileUrl } from '#actions/papers/view.ts'
import {
  type PoliceDocument,
  PolicePage,
  type PolicePageView,
  PoliceRestricted,
} from '#components/papers/police-page.tsx'
import type { PoliceView } from '#db/papers/document-views.ts'
import type { Day } from '#db/schema.ts'
import { shownPhone, telHref } from '#domain/accounts/phone.ts'
import { phoneOf } from '#domain/codes/phones.ts'
import { DomainError } from '#domain/error.ts'
import { inTypeOrder } from '#domain/papers/document.ts'
import { dueState } from '#domain/papers/due.ts'
import { isOwnCode } from '#domain/scans/scan.ts'
import { formatDateIn } from '#domain/time.ts'
import type { Catalogue } from '#locales/catalogue.ts'
import type { Lang } from '#locales/languages.ts'
import { preferredRegion } from '#locales/languages.ts'
import { format } from '#locales/message.ts'
import { formatRefusal } from '#locales/refusal.ts'
import { pageBrandOf } from '#routes/_http/brands/page-brand.ts'
import type { AppContext, AppEnv } from '#routes/_http/context.ts'
import { logFailure, onError } from '#routes/_http/errors.tsx'
import { setLocale, wordsOf } from '#routes/_http/language.ts'
import { Redirect } from '#routes/_http/lists.ts'
import { openPoliceView } from '#routes/_http/papers/documents.ts'
import { renderPage } from '#routes/_http/render.tsx'

/** The documents that an owner shows to authorities, complete without script. */
export const police = new Hono<AppEnv>()

police.get('/:qr_id', async (c) => {
  const words = await setLocale(c)
  const view = await openPoliceView(c, c.req.param('qr_id'))
  const { title, description } = words.police
  const page = (
    <PolicePage view={toPageView(c, view, words)} words={words} backHref={backHref(c, view)} />
  )
  return renderPage(c, { title, description, sheet: 'public' }, page)
})

/** Answers errors with a page that explains the possible causes to an officer. */
police.onError((error, c) => {
  if (error instanceof DomainError && error.kind === 'not_found') {
    return renderRestricted(c, formatRefusal(wordsOf(c), error.refusal), 404)
  }
  if (error instanceof DomainError || error instanceof Redirect) return onError(error, c)
  logFailure(c, error)
  return renderRestricted(c, wordsOf(c).police.failed, 500)
})

function homeOf(c: AppContext): string | undefined {
  return pageBrandOf(c).hasHome ? '/' : undefined
}

function renderRestricted(c: AppContext, message: string, status: 404 | 500): Response {
  const words = wordsOf(c)
  const page = <PoliceRestricted message={message} words={words} backHref={homeOf(c)} />
  const title = words.police.restricted
  return renderPage(c, { title, description: message, sheet: 'public', status }, page)
}

/** The page sends no referrer, so it gets none either. */
function backHref(c: AppContext, view: PoliceView): string {
  const isOwn = isOwnCode(view, c.var.account?.id)
  return isOwn ? '/dashboard?tab=documents' : `/scan/${view.qr_id}?seen=1`
}

function toPageView(
  c: AppContext,
  view: PoliceView,
  { lang, police: words }: Catalogue,
): PolicePageView {
  const today = todayOf(c.var.deps)
  const { owner_name, contact_phone, vehicle_registration, documents, can_message } = view
  const isRelay = view.contact_mode === 'relay'
  const phone = phoneOf(contact_phone, view.contact_number)
  const region = preferredRegion(c.req.header('Accept-Language'))
  return {
    owner_name,
    vehicle_registration,
    phone: phone && { display: shownPhone(phone, region), href: telHref(phone) },
    messageHref: isRelay && can_message ? `/scan/${view.qr_id}/message` : undefined,
    isSilent: isRelay && !can_message,
    documents: inTypeOrder(documents).map((document) => ({
      id: document.id,
      label: words.types[document.document_type],
      side: document.document_side ? words.sides[document.document_side] : undefined,
      file_name: document.file_name,
      href: fileUrl(document.stored_name),
      end: document.expires_on ? endOf(document.expires_on, today, { lang, words }) : undefined,
    })),
  }
}

type Words = { lang: Lang; words: Catalogue['police'] }

function endOf(endsOn: Day, today: Day, { lang, words }: Words): PoliceDocument['end'] {
  const isOver = dueState(endsOn, today) === 'expired'
  // A day is the same in every zone.
  const day = formatDateIn(lang, `${endsOn}T00:00:00.000Z`, 'UTC')
  return { text: format(isOver ? words.ended : words.valid, { day }), isOver }
}
