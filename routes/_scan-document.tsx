import type { StatusCode } from 'hono/utils/http-status'
import { ScanDocument } from '#components/scan-document.tsx'
import type { ScanContact, ScanState } from '#components/scan-page.tsx'
import { preferredLang, type ScanLang } from '#components/scan-words.ts'
import type { ScanView } from '#domain/scan-view.ts'
import type { Assets } from '#routes/_assets.ts'
import type { AppContext } from '#routes/_deps.ts'
import { answerHtml, documentHtml, renderDocument } from '#routes/_render.tsx'
import { renderByShape } from '#routes/_template.ts'

const UNLOCK_STATUS = { opened: 200, malformed: 400, incorrect: 403, locked: 429 } as const

function statusOf(state: ScanState): StatusCode {
  if (state.state === 'not_found') return 404
  return state.state === 'contact' && state.unlock ? UNLOCK_STATUS[state.unlock.outcome] : 200
}

/** Answers the finder's page in whatever state, under a policy that lets it load nothing. */
export function renderScan(c: AppContext, state: ScanState): Response {
  const { scanCss, scanCssHash } = c.var.deps.assets
  const policy = [
    "default-src 'none'",
    `style-src ${scanCssHash}`,
    "img-src 'self' data:",
    "form-action 'self'",
    "base-uri 'none'",
    "frame-ancestors 'none'",
  ]
  c.header('Content-Security-Policy', policy.join('; '))
  c.header('Referrer-Policy', 'no-referrer')
  c.header('X-Robots-Tag', 'noindex, noarchive')
  const lang = langOf(c)
  if (isPlainContact(state)) {
    return answerHtml(c, contactPagesOf(c.var.deps.assets)[lang](state.view))
  }
  const page = <ScanDocument lang={lang} css={scanCss} scan={state} />
  return renderDocument(c, page, statusOf(state))
}

/** The page that nearly every scan gets: nothing before it, nothing tried on it. */
function isPlainContact(state: ScanState): state is ScanContact {
  return (
    state.state === 'contact' && !state.popup && !state.unlock && !state.preview && !state.sample
  )
}

type ContactPages = Record<ScanLang, (view: ScanView) => string>
const contactPages = new WeakMap<Assets, ContactPages>()

function contactPagesOf(assets: Assets): ContactPages {
  const made = contactPages.get(assets)
  if (made) return made
  const css = assets.scanCss
  const inLang = (lang: ScanLang) =>
    renderByShape((view: ScanView) =>
      documentHtml(<ScanDocument lang={lang} css={css} scan={{ state: 'contact', view }} />),
    )
  const pages = { en: inLang('en'), hi: inLang('hi') }
  contactPages.set(assets, pages)
  return pages
}

export function langOf(c: AppContext): ScanLang {
  const asked = c.req.query('lang')
  return asked === 'en' || asked === 'hi' ? asked : preferredLang(c.req.header('Accept-Language'))
}
