import type { StatusCode } from 'hono/utils/http-status'
import { type Dress, DressContext } from '#components/brands/brand-context.tsx'
import { ScanDocument } from '#components/scans/scan-document.tsx'
import type { ScanContact, ScanState } from '#components/scans/scan-page.tsx'
import type { Brand } from '#domain/brands/brand.ts'
import type { Catalogue } from '#domain/languages/en.ts'
import { LANGUAGES } from '#domain/languages/languages.ts'
import { sayAgain } from '#domain/languages/say.ts'
import type { ScanView } from '#domain/scans/scan-view.ts'
import type { TooMany } from '#domain/try-counter.ts'
import { brandCssHash, dressOf } from '#routes/_http/brands/dress.ts'
import type { FinderContext, FinderDeps } from '#routes/_http/deps.ts'
import { gzipAfter } from '#routes/_http/gzip.ts'
import { commonHeaders, finderHeaders, ownHostHeaders } from '#routes/_http/headers.ts'
import { wordsOf } from '#routes/_http/language.ts'
import {
  acceptsGzip,
  answerHtml,
  documentHtml,
  htmlHeaders,
  renderDocument,
} from '#routes/_http/render.tsx'
import { type FilledPage, renderByShape } from '#routes/_http/template.ts'

const UNLOCK_STATUS = { opened: 200, malformed: 400, incorrect: 403, locked: 429 } as const

function statusOf(state: ScanState): StatusCode {
  if (state.state === 'not_found') return 404
  return state.state === 'contact' && state.unlock ? UNLOCK_STATUS[state.unlock.outcome] : 200
}

/** Answers the finder's page in whatever state, under a policy that lets it load nothing. */
export function renderScan(c: FinderContext, state: ScanState): Response {
  // Without a language the query asks for the menu of them.
  const hasMenu = c.req.query('lang') === ''
  if (isPlainContact(state) && !hasMenu) return answerContact(c, state.view)
  setHeaders(c)
  const document = { words: wordsOf(c), css: c.var.deps.assets.scanCss, scan: state, hasMenu }
  return renderDocument(c, <ScanDocument {...document} />, statusOf(state))
}

/** The answer above the rate limit, made with as little work as possible. */
export function answerBusy(c: FinderContext, { retryAfter }: TooMany): Response {
  setHeaders(c)
  c.header('Retry-After', String(retryAfter))
  const words = wordsOf(c)
  const { lang } = words
  const { busy, busyText } = words.scan
  const text = `<h1>${busy}</h1><p>${busyText} ${sayAgain(words, retryAfter)}</p>`
  return answerHtml(
    c,
    `<!doctype html><html lang="${lang}" dir="${LANGUAGES[lang].dir}"><meta charset="utf-8"><meta name="viewport" content="width=device-width"><title>${busy}</title><main>${text}</main>`,
    429,
  )
}

/** The contact page with a brand that is not saved: what is compiled of pages is not kept of it. */
export function renderScanPreview(c: FinderContext, view: ScanView): Response {
  setHeaders(c)
  const document = { words: wordsOf(c), css: c.var.deps.assets.scanCss }
  return renderDocument(c, <ScanDocument {...document} scan={{ state: 'contact', view }} />)
}

function setHeaders(c: FinderContext): void {
  const { brand, deps, ownHost } = c.var
  const headers = {
    ...(ownHost && ownHostHeaders(deps.config)),
    ...finderHeaders(withBrand(deps.assets.scanCssHashes, brand)),
  }
  for (const [name, value] of Object.entries(headers)) c.header(name, value)
}

/** The page that nearly every scan gets: nothing before it, nothing tried on it. */
function isPlainContact(state: ScanState): state is ScanContact {
  if (state.state !== 'contact') return false
  return !(state.popup || state.unlock || state.preview || state.sample || state.keepHref)
}

/** Its headers are one plain object, which costs a tenth of what setting them one by one does. */
function answerContact(c: FinderContext, view: ScanView): Response {
  const pages = contactPagesOf(c.var.deps)
  const shown = { words: wordsOf(c), dress: dressOf(c), isOwnHost: c.var.ownHost !== undefined }
  const { head, rest } = pages.fill(view, shown)
  const headers = { ...pages.headersOf(shown), 'X-Request-Id': c.var.requestId }
  if (!acceptsGzip(c)) return answerWith(c, head.text + rest, headers)
  return answerWith(c, gzipAfter(head, rest), { ...headers, 'Content-Encoding': 'gzip' })
}

/** A choice of the language sets a cookie, which is among the headers that the context has. */
function answerWith(
  c: FinderContext,
  body: string | Uint8Array<ArrayBuffer>,
  headers: Record<string, string>,
): Response {
  return c.req.query('lang') ? c.body(body, 200, headers) : new Response(body, { headers })
}

/** What the pages of a shape have in common. */
type Shown = { words: Catalogue; dress: Dress; isOwnHost: boolean }

type ContactPages = {
  fill: (view: ScanView, shown: Shown) => FilledPage
  headersOf: (shown: Shown) => Record<string, string>
}
const contactPages = new WeakMap<FinderDeps, ContactPages>()

/** What is compiled of the finder's page is compiled anew when it is next asked for. */
export function forgetContactPages(deps: FinderDeps): void {
  contactPages.delete(deps)
}

function contactPagesOf(deps: FinderDeps): ContactPages {
  const made = contactPages.get(deps) ?? makeContactPages(deps)
  contactPages.set(deps, made)
  return made
}

/** Those without a brand are kept apart, so that many brands never push them out. */
function makeContactPages({ assets, config }: FinderDeps): ContactPages {
  const makeFill = () =>
    renderByShape(
      (view: ScanView, { words, dress }: Shown) =>
        documentHtml(
          <DressContext value={dress}>
            <ScanDocument words={words} css={assets.scanCss} scan={{ state: 'contact', view }} />
          </DressContext>,
        ),
      nameOf,
    )
  const makeHeaders = () =>
    keeping(nameOf, ({ words, dress: { brand }, isOwnHost }: Shown) => ({
      ...commonHeaders(config),
      ...(isOwnHost && ownHostHeaders(config)),
      ...finderHeaders(withBrand(assets.scanCssHashes, brand)),
      ...htmlHeaders(words),
    }))
  const [plain, branded] = [
    { fill: makeFill(), headersOf: makeHeaders() },
    { fill: makeFill(), headersOf: makeHeaders() },
  ]
  return {
    fill: (view, shown) => (shown.dress.brand ? branded : plain).fill(view, shown),
    headersOf: (shown) => (shown.dress.brand ? branded : plain).headersOf(shown),
  }
}

function nameOf({ words: { lang }, dress: { brand, hasHome }, isOwnHost }: Shown): string {
  return brand ? `${lang} ${hasHome} ${isOwnHost} ${brand.version} ` : lang
}

const MOST_KEPT = 256

/** What is made once for each name, and anew when there are too many. */
function keeping<T, Made>(nameOf: (value: T) => string, make: (value: T) => Made) {
  const kept = new Map<string, Made>()
  return (value: T): Made => {
    const name = nameOf(value)
    const known = kept.get(name)
    if (known) return known
    if (kept.size >= MOST_KEPT) kept.clear()
    const made = make(value)
    kept.set(name, made)
    return made
  }
}

function withBrand(cssHashes: string, brand: Brand | undefined): string {
  return brand ? `${cssHashes} ${brandCssHash(brand)}` : cssHashes
}
