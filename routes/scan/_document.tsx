import type { ContentfulStatusCode, StatusCode } from 'hono/utils/http-status'
import { ScanDocument } from '#components/scans/scan-document.tsx'
import type { ScanBusy, ScanContact, ScanState } from '#components/scans/scan-page.tsx'
import { type Catalogue, en } from '#domain/languages/en.ts'
import type { Lang } from '#domain/languages/languages.ts'
import { sayAgain } from '#domain/languages/say.ts'
import type { ScanView } from '#domain/scans/scan-view.ts'
import type { TooMany } from '#domain/try-counter.ts'
import type { AppContext, FinderContext, FinderDeps } from '#routes/_http/deps.ts'
import { gzipAfter, plainAfter } from '#routes/_http/gzip.ts'
import { commonHeaders, finderHeaders } from '#routes/_http/headers.ts'
import { keptQuery, wordsOf } from '#routes/_http/language.ts'
import { acceptsGzip, documentHtml, htmlHeaders, renderDocument } from '#routes/_http/render.tsx'
import { type FilledPage, renderByShape } from '#routes/_http/template.ts'

const UNLOCK_STATUS = { opened: 200, malformed: 400, incorrect: 403, locked: 429 } as const

function statusOf(state: ScanState): StatusCode {
  if (state.state === 'not_found') return 404
  return state.state === 'contact' && state.unlock ? UNLOCK_STATUS[state.unlock.outcome] : 200
}

/** Answers the finder's page in whatever state, under a policy that lets it load nothing. */
export function renderScan(c: FinderContext, state: ScanState): Response {
  const hasMenu = wantsMenu(c)
  if (isPlainContact(state) && !hasMenu) {
    const { contact } = scanPagesOf(c.var.deps)
    return answerFilled(c, contact(state.view, wordsOf(c)))
  }
  setHeaders(c)
  const document = { words: wordsOf(c), css: c.var.deps.assets.scanCss, scan: state, hasMenu }
  return renderDocument(c, <ScanDocument {...document} />, statusOf(state))
}

/** Without a language the query asks for the menu of them. */
function wantsMenu(c: FinderContext): boolean {
  return c.req.query('lang') === ''
}

/** The answer above the rate limit, made with as little work as possible. */
export function answerBusy(c: FinderContext, { retryAfter }: TooMany): Response {
  const words = wordsOf(c)
  const { busy } = scanPagesOf(c.var.deps)
  const again = sayAgain(words, retryAfter)
  const page = busy({ again, query: keptQuery(c), hasMenu: wantsMenu(c) }, words)
  return answerFilled(c, page, { status: 429, headers: { 'Retry-After': String(retryAfter) } })
}

function setHeaders(c: FinderContext): void {
  const headers = finderHeaders(c.var.deps.assets.scanCssHashes)
  for (const [name, value] of Object.entries(headers)) c.header(name, value)
}

/** The page that nearly every scan gets: nothing before it, nothing tried on it. */
function isPlainContact(state: ScanState): state is ScanContact {
  if (state.state !== 'contact') return false
  return !(state.popup || state.unlock || state.preview || state.sample || state.keepHref)
}

type Answered = { status: ContentfulStatusCode; headers: Record<string, string> }

/** Its headers are one plain object, which costs a tenth of what setting them one by one does. */
function answerFilled(
  c: FinderContext,
  { head, rest }: FilledPage,
  { status, headers: more }: Answered = { status: 200, headers: {} },
): Response {
  ;(c as AppContext).set('hasAllHeaders', true)
  const { deps, words = en, requestId } = c.var
  const isPacked = acceptsGzip(c)
  const headers = {
    ...scanPagesOf(deps).headersOf(words),
    ...more,
    ...(isPacked && { 'Content-Encoding': 'gzip' }),
    'X-Request-Id': requestId,
  }
  const body = isPacked ? gzipAfter(head, rest) : plainAfter(head, rest)
  // A choice of the language sets a cookie, which is among the headers that the context has.
  if (c.req.query('lang')) return c.body(body, status, headers)
  return new Response(body, { status, headers })
}

type ScanPages = {
  contact: (view: ScanView, words: Catalogue) => FilledPage
  busy: (busy: Omit<ScanBusy, 'state'> & { hasMenu: boolean }, words: Catalogue) => FilledPage
  headersOf: (words: Catalogue) => Record<string, string>
}
const scanPages = new WeakMap<FinderDeps, ScanPages>()

/** What is compiled of the finder's page is compiled anew when it is next asked for. */
export function forgetScanPages(deps: FinderDeps): void {
  scanPages.delete(deps)
}

function scanPagesOf(deps: FinderDeps): ScanPages {
  const made = scanPages.get(deps) ?? makeScanPages(deps)
  scanPages.set(deps, made)
  return made
}

function makeScanPages({ assets, config }: FinderDeps): ScanPages {
  const headers: Partial<Record<Lang, Record<string, string>>> = {}
  const css = assets.scanCss
  const nameOf = ({ lang }: Catalogue) => lang
  return {
    contact: renderByShape((view, words) => {
      return documentHtml(<ScanDocument {...{ words, css, scan: { state: 'contact', view } }} />)
    }, nameOf),
    busy: renderByShape(({ hasMenu, ...busy }, words) => {
      const scan = { state: 'busy', ...busy } as const
      return documentHtml(<ScanDocument {...{ words, css, scan, hasMenu }} />)
    }, nameOf),
    headersOf(words) {
      const made = headers[words.lang] ?? {
        ...commonHeaders(config),
        ...finderHeaders(assets.scanCssHashes),
        ...htmlHeaders(words),
      }
      headers[words.lang] = made
      return made
    },
  }
}
