import type { ReactElement } from 'react'
import { FinderDocument } from '#components/scans/finder-document.tsx'
import { preferredLang, type ScanLang, toScanLang } from '#components/scans/scan-words.ts'
import type { ScannedCode } from '#db/scans/scan-path.ts'
import type { FinderPage, FinderScript } from '#domain/scans/finder-page.ts'
import { scanState } from '#domain/scans/scan.ts'
import type { AppContext } from '#routes/_http/deps.ts'
import { finderHeaders } from '#routes/_http/headers.ts'
import { takeTry } from '#routes/_http/rate-limits.ts'
import { renderDocument } from '#routes/_http/render.tsx'
import { findScannedCode } from '#routes/_http/scans/scans.ts'
import { answerBusy, renderScan } from '#routes/scan/_document.tsx'

/** The language of a page, and the query by which it stays when somebody chose it. */
export type Spoken = { lang: ScanLang; query: string }

/** `chosen` is what a form says, whose button for the other language keeps what was typed. */
export function spokenIn(c: AppContext, chosen?: string): Spoken {
  const asked = toScanLang(chosen) ?? toScanLang(c.req.query('lang'))
  if (asked) return { lang: asked, query: `?lang=${asked}` }
  return { lang: preferredLang(c.req.header('Accept-Language')), query: '' }
}

type FinderPageOptions = {
  page: FinderPage
  lang: ScanLang
  title: string
  status?: number
  script?: FinderScript
}

/** Answers a page that finders see, under a policy that lets it load nothing but its script. */
export function renderFinder(c: AppContext, options: FinderPageOptions, body: ReactElement) {
  const { page, lang, title, status = 200, script } = options
  const { inlined, finderScripts } = c.var.deps.assets
  const headers = finderHeaders(inlined[page].hash, { hasScript: script !== undefined })
  for (const [name, value] of Object.entries(headers)) c.header(name, value)
  const head = script && <script defer src={finderScripts[script]} />
  const document = (
    <FinderDocument {...{ lang, title, head }} css={[inlined[page].css]} description={title}>
      {body}
    </FinderDocument>
  )
  return renderDocument(c, document, status as never)
}

/** The code in the path if its page says how to reach somebody; else the answer. */
export async function findContact(c: AppContext): Promise<ScannedCode | Response> {
  const busy = takeTry(c, 'scan')
  if (busy) return answerBusy(c, busy)
  const code = await findScannedCode(c)
  const state = scanState(code, { accountId: undefined, preview: false })
  if (code && state === 'contact') return code
  const tooMany = takeTry(c, 'unknown')
  return tooMany ? answerBusy(c, tooMany) : renderScan(c, { state: 'not_found' })
}
