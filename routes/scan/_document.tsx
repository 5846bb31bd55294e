import type { ContentfulStatusCode, StatusCode } from 'hono/utils/http-status'
import {
  type PageBrand,
  PageBrandContext,
  PRODUCT_BRAND,
} from '#components/brands/brand-context.tsx'
import { ScanDocument } from '#components/scans/scan-document.tsx'
import type { ScanBusy, ScanContact, ScanState } from '#components/scans/scan-page.tsx'
import type { Brand } from '#domain/brands/brand.ts'
import { mapScanParts, type ScanFinding } from '#domain/scans/scan-parts.ts'
import type { ScanPopup, ScanView } from '#domain/scans/scan-view.ts'
import type { TooMany } from '#domain/try-counter.ts'
import type { Catalogue } from '#locales/catalogue.ts'
import { formatWait } from '#locales/format.ts'
import { brandCssHash, pageBrandOf } from '#routes/_http/brands/page-brand.ts'
import { type AppContext, type FinderContext, varOf } from '#routes/_http/context.ts'
import type { FinderDeps } from '#routes/_http/deps.ts'
import { commonHeaders, finderHeaders, ownersDomainHeaders } from '#routes/_http/headers.ts'
import { keptQuery, wordsOf } from '#routes/_http/language.ts'
import { acceptsGzip, documentHtml, htmlHeaders, renderDocument } from '#routes/_http/render.tsx'
import { type FilledPage, gzipPage, plainPage } from '#routes/scan/_gzip.ts'
import { keepUpTo } from '#routes/scan/_kept.ts'
import { renderByShape } from '#routes/scan/_template.ts'

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

/** Without a language the query asks for the menu of them. */
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

/** Renders the contact page with an unsaved brand, which is not compiled. */
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

/** The page that nearly every scan gets: nothing tried on it, and no other looks than a finder's. */
function isPlainContact(state: ScanState): state is ScanContact {
  if (state.state !== 'contact') return false
  return !(state.unlock || state.preview || state.sample || state.keepHref)
}

type Answered = { status: ContentfulStatusCode; headers: Record<string, string> }

/** Answers a compiled page. Its headers are one plain object, which costs a tenth of setting them one by one. */
function answerFilled(
  c: FinderContext,
  page: FilledPage,
  shown: Shown,
  { status, headers: more }: Answered = { status: 200, headers: {} },
): Response {
  ;(c as AppContext).set('hasAllHeaders', true)
  const deps = varOf(c, 'deps')
  const isPacked = acceptsGzip(c)
  const headers = {
    ...scanPagesOf(deps).headersOf(shown),
    ...more,
    ...(isPacked && { 'Content-Encoding': 'gzip' }),
    'X-Request-Id': varOf(c, 'requestId'),
  }
  const body = isPacked ? gzipPage(page) : plainPage(page)
  // A choice of the language sets a cookie, which is among the headers that the context has.
  if (c.req.query('lang')) return c.body(body, status, headers)
  return new Response(body, { status, headers })
}

/** The common values of the pages of a shape. */
type Shown = { words: Catalogue; pageBrand: PageBrand; isOwnersDomain: boolean }

function shownOf(c: FinderContext): Shown {
  return {
    words: wordsOf(c),
    pageBrand: pageBrandOf(c),
    isOwnersDomain: varOf(c, 'domainOwner') !== undefined,
  }
}

type Busy = Omit<ScanBusy, 'state'> & { hasMenu: boolean }

type ScanPages = {
  contact: (finding: ScanFinding, shown: Shown) => FilledPage
  busy: (busy: Busy, shown: Shown) => FilledPage
  headersOf: (shown: Shown) => Record<string, string>
}
const scanPages = new WeakMap<FinderDeps, ScanPages>()

/** Drops the compiled finder's pages, so that the next request compiles them again. */
export function forgetScanPages(deps: FinderDeps): void {
  scanPages.delete(deps)
}

function scanPagesOf(deps: FinderDeps): ScanPages {
  const made = scanPages.get(deps) ?? makeScanPages(deps)
  scanPages.set(deps, made)
  return made
}

/** Those with nothing of somebody's own are kept apart, so that many of the others never push them out. */
function makeScanPages({ assets, config }: FinderDeps): ScanPages {
  const css = assets.scanCss
  const makeContact = () =>
    renderByShape<ScanFinding, Shown>({
      render: (finding, { words, pageBrand }) =>
        documentHtml(
          <PageBrandContext value={pageBrand}>
            <ScanDocument {...{ words, css, scan: { state: 'contact', ...finding } }} />
          </PageBrandContext>,
        ),
      mapParts: mapScanParts,
      nameOf,
    })
  const makeHeaders = () => {
    const kept = keepUpTo<Record<string, string>>(MOST_KEPT)
    return (shown: Shown) => kept(nameOf(shown), () => headersFor(shown))
  }
  const headersFor = ({ words, pageBrand: { brand }, isOwnersDomain }: Shown) => ({
    ...commonHeaders(config),
    ...(isOwnersDomain && ownersDomainHeaders(config)),
    ...finderHeaders(withBrand(assets.scanCssHashes, brand)),
    ...htmlHeaders(words),
  })
  const [plain, own] = [
    { contact: makeContact(), headersOf: makeHeaders() },
    { contact: makeContact(), headersOf: makeHeaders() },
  ]
  const pagesFor = ({ pageBrand }: Shown, popup?: ScanPopup) =>
    pageBrand.brand || popup ? own : plain
  return {
    contact: (finding, shown) => pagesFor(shown, finding.popup).contact(finding, shown),
    busy: renderByShape({
      render: ({ hasMenu, ...busy }, { words }) => {
        const scan = { state: 'busy', ...busy } as const
        return documentHtml(<ScanDocument {...{ words, css, scan, hasMenu }} />)
      },
      mapParts: ({ again, query, hasMenu }, map) => {
        return { again: map(again), query: map(query), hasMenu: map(hasMenu) }
      },
      nameOf,
    }),
    headersOf: (shown) => pagesFor(shown).headersOf(shown),
  }
}

function nameOf({ words: { lang }, pageBrand: { brand, hasHome }, isOwnersDomain }: Shown): string {
  if (!brand && hasHome && !isOwnersDomain) return lang
  return `${lang} ${hasHome} ${isOwnersDomain} ${brand?.version} `
}

const MOST_KEPT = 256

function withBrand(cssHashes: string, brand: Brand | undefined): string {
  return brand ? `${cssHashes} ${brandCssHash(brand)}` : cssHashes
}
