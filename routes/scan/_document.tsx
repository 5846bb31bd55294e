import type { StatusCode } from 'hono/utils/http-status'
import { ScanDocument } from '#components/scans/scan-document.tsx'
import type { ScanContact, ScanState } from '#components/scans/scan-page.tsx'
import { type Catalogue, en } from '#domain/languages/en.ts'
import { LANGUAGES, type Lang } from '#domain/languages/languages.ts'
import { sayAgain } from '#domain/languages/say.ts'
import type { ScanView } from '#domain/scans/scan-view.ts'
import type { TooMany } from '#domain/try-counter.ts'
import type { AppContext, FinderContext, FinderDeps } from '#routes/_http/deps.ts'
import { gzipAfter, plainAfter } from '#routes/_http/gzip.ts'
import { commonHeaders, finderHeaders } from '#routes/_http/headers.ts'
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
  ;(c as AppContext).set('hasAllHeaders', true)
  const { deps, words = en, requestId } = c.var
  const pages = contactPagesOf(deps)
  const { head, rest } = pages.fill(view, words)
  const headers = { ...pages.headersOf(words), 'X-Request-Id': requestId }
  if (!acceptsGzip(c)) return answerWith(c, plainAfter(head, rest), headers)
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

type ContactPages = {
  fill: (view: ScanView, words: Catalogue) => FilledPage
  headersOf: (words: Catalogue) => Record<string, string>
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

function makeContactPages({ assets, config }: FinderDeps): ContactPages {
  const headers: Partial<Record<Lang, Record<string, string>>> = {}
  return {
    fill: renderByShape(
      (view: ScanView, words: Catalogue) =>
        documentHtml(
          <ScanDocument words={words} css={assets.scanCss} scan={{ state: 'contact', view }} />,
        ),
      ({ lang }) => lang,
    ),
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
