import type { StatusCode } from 'hono/utils/http-status'
import { ScanDocument } from '#components/scans/scan-document.tsx'
import type { ScanContact, ScanState } from '#components/scans/scan-page.tsx'
import {
  preferredLang,
  type ScanLang,
  scanWords,
  toScanLang,
} from '#components/scans/scan-words.ts'
import type { ScanView } from '#domain/scans/scan-view.ts'
import type { TooMany } from '#domain/try-counter.ts'
import type { FinderContext, FinderDeps } from '#routes/_http/deps.ts'
import { gzipAfter } from '#routes/_http/gzip.ts'
import { commonHeaders, finderHeaders } from '#routes/_http/headers.ts'
import {
  acceptsGzip,
  answerHtml,
  documentHtml,
  HTML_HEADERS,
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
  if (isPlainContact(state)) return answerContact(c, state.view)
  setHeaders(c)
  const page = <ScanDocument lang={langOf(c)} css={c.var.deps.assets.scanCss} scan={state} />
  return renderDocument(c, page, statusOf(state))
}

/** The answer above the rate limit, made with as little work as possible. */
export function answerBusy(c: FinderContext, { retryAfter }: TooMany): Response {
  setHeaders(c)
  c.header('Retry-After', String(retryAfter))
  const lang = langOf(c)
  const { busy, busyText } = scanWords[lang]
  const text = `<h1>${busy}</h1><p>${busyText(Math.ceil(retryAfter / 60))}</p>`
  return answerHtml(
    c,
    `<!doctype html><html lang="${lang}"><meta charset="utf-8"><meta name="viewport" content="width=device-width"><title>${busy}</title><main>${text}</main>`,
    429,
  )
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

/** Its headers are one plain object, which costs a tenth of what setting them one by one does. */
function answerContact(c: FinderContext, view: ScanView): Response {
  const pages = contactPagesOf(c.var.deps)
  const { head, rest } = pages[langOf(c)](view)
  const headers = { ...pages.headers, 'X-Request-Id': c.var.requestId }
  if (!acceptsGzip(c)) return new Response(head.text + rest, { headers })
  const zipped = { ...headers, 'Content-Encoding': 'gzip' }
  return new Response(gzipAfter(head, rest), { headers: zipped })
}

type ContactPages = Record<ScanLang, (view: ScanView) => FilledPage> & {
  headers: Record<string, string>
}
const contactPages = new WeakMap<FinderDeps, ContactPages>()

/** What is compiled of the finder's page is compiled anew when it is next asked for. */
export function forgetContactPages(deps: FinderDeps): void {
  contactPages.delete(deps)
}

function contactPagesOf(deps: FinderDeps): ContactPages {
  const made = contactPages.get(deps)
  if (made) return made
  const { scanCss: css, scanCssHashes } = deps.assets
  const inLang = (lang: ScanLang) =>
    renderByShape((view: ScanView) =>
      documentHtml(<ScanDocument lang={lang} css={css} scan={{ state: 'contact', view }} />),
    )
  const headers = {
    ...commonHeaders(deps.config),
    ...finderHeaders(scanCssHashes),
    ...HTML_HEADERS,
  }
  const pages = { en: inLang('en'), hi: inLang('hi'), headers }
  contactPages.set(deps, pages)
  return pages
}

export function langOf(c: FinderContext): ScanLang {
  return toScanLang(c.req.query('lang')) ?? preferredLang(c.req.header('Accept-Language'))
}
