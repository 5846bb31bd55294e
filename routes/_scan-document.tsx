import type { StatusCode } from 'hono/utils/http-status'
import { ScanDocument } from '#components/scan-document.tsx'
import type { ScanState } from '#components/scan-page.tsx'
import { preferredLang, type ScanLang } from '#components/scan-words.ts'
import type { AppContext } from '#routes/_deps.ts'
import { renderDocument } from '#routes/_render.tsx'

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
  const page = <ScanDocument lang={langOf(c)} css={scanCss} scan={state} />
  return renderDocument(c, page, statusOf(state))
}

export function langOf(c: AppContext): ScanLang {
  const asked = c.req.query('lang')
  return asked === 'en' || asked === 'hi' ? asked : preferredLang(c.req.header('Accept-Language'))
}
