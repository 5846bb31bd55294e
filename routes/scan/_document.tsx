import type { ContentfulStatusCode, StatusCode } from 'hono/utils/http-status'
import { PRODUCT_BRAND } from '#components/brands/brand-context.tsx'
import { ScanDocument } from '#components/scans/scan-document.tsx'
import type { ScanContact, ScanState } from '#components/scans/scan-page.tsx'
import type { ScanView } from '#domain/scans/scan-view.ts'
import type { TooMany } from '#domain/try-counter.ts'
import { formatWait } from '#locales/format.ts'
import { pageBrandOf } from '#routes/_http/brands/page-brand.ts'
import { type FinderContext, setVar, varOf } from '#routes/_http/context.ts'
import { finderHeaders, ownersDomainHeaders } from '#routes/_http/headers.ts'
import { keptQuery, wordsOf } from '#routes/_http/language.ts'
import { acceptsGzip, renderDocument } from '#routes/_http/render.tsx'
import { type FilledPage, gzipPage, plainPage } from '#routes/scan/_gzip.ts'
import { type Shown, scanPagesOf, withBrand } from '#routes/scan/_pages.tsx'

const UNLOCK_STATUS = { opened: 200, malformed: 400, incorrect: 403, locked: 429 } as const

function statusOf(state: ScanState): StatusCode {
  if (state.state === 'not_found') return 404
  return state.state === 'contact' && state.unlock ? UNLOCK_STATUS[state.unlock.outcome] : 200
}

/** Answers the finder's page in any state, under a policy that lets it load nothing. */
export function renderScan(c: FinderContext, state: ScanState): Response {
  const hasMenu = wantsMenu(c)
  if (isPlainContact(state) && !hasMenu) {
    const { contact } = scanPagesOf(varOf(c, 'deps'))
    const shown = shownOf(c)
    return answerFilled(c, contact(state, shown), shown)
  }
  setHeaders(c)
  const document = { words: wordsOf(c), css: c.var.deps.assets.scanCss, scan: state, hasMenu }
  return renderDocument(c, <ScanDocument {...document} />, statusOf(state))
}

/** Returns whether the query asks for the menu of languages: it has `lang` without a value. */
function wantsMenu(c: FinderContext): boolean {
  return c.req.query('lang') === ''
}

/** Answers above the rate limit with as little work as possible. */
export function answerBusy(c: FinderContext, { retryAfter }: TooMany): Response {
  // The code was not looked up, so the page has no brand.
  const shown = { ...shownOf(c), pageBrand: PRODUCT_BRAND }
  const { busy } = scanPagesOf(varOf(c, 'deps'))
  const again = formatWait(shown.words, retryAfter)
  const page = busy({ again, query: keptQuery(c), hasMenu: wantsMenu(c) }, shown)
  const headers = { 'Retry-After': String(retryAfter) }
  return answerFilled(c, page, shown, { status: 429, headers })
}

/** Renders the contact page with an unsaved brand, of which no template is kept. */
export function renderScanPreview(c: FinderContext, view: ScanView): Response {
  setHeaders(c)
  const document = { words: wordsOf(c), css: c.var.deps.assets.scanCss }
  return renderDocument(c, <ScanDocument {...document} scan={{ state: 'contact', view }} />)
}

function setHeaders(c: FinderContext): void {
  const { brand, deps, domainOwner } = c.var
  const headers = {
    ...(domainOwner && ownersDomainHeaders(deps.config)),
    ...finderHeaders(withBrand(deps.assets.scanCssHashes, brand)),
  }
  for (const [name, value] of Object.entries(headers)) c.header(name, value)
}

/** Returns whether this is the page of nearly every scan: a finder's, without a PIN that was tried. */
function isPlainContact(state: ScanState): state is ScanContact {
  if (state.state !== 'contact') return false
  return !(state.unlock || state.preview || state.sample || state.keepHref)
}

type Answered = { status: ContentfulStatusCode; headers: Record<string, string> }

/** Answers a filled page. Its headers are one plain object, which costs a tenth of setting them one by one. */
function answerFilled(
  c: FinderContext,
  page: FilledPage,
  shown: Shown,
  { status, headers: more }: Answered = { status: 200, headers: {} },
): Response {
  setVar(c, 'hasAllHeaders', true)
  const deps = varOf(c, 'deps')
  const isPacked = acceptsGzip(c)
  const headers = {
    ...scanPagesOf(deps).headersOf(shown),
    ...more,
    ...(isPacked && { 'Content-Encoding': 'gzip' }),
    'X-Request-Id': varOf(c, 'requestId'),
  }
  const body = isPacked ? gzipPage(page) : plainPage(page)
  // A choice of the language sets a cookie, which is among the headers of the context.
  if (c.req.query('lang')) return c.body(body, status, headers)
  return new Response(body, { status, headers })
}

function shownOf(c: FinderContext): Shown {
  return {
    words: wordsOf(c),
    pageBrand: pageBrandOf(c),
    isOwnersDomain: varOf(c, 'domainOwner') !== undefined,
  }
}
