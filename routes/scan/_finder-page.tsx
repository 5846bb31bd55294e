import type { StatusCode } from 'hono/utils/http-status'
import type { ReactElement } from 'react'
import { FinderDocument } from '#components/scans/finder-document.tsx'
import type { ScannedCode } from '#db/scans/scan-path.ts'
import type { FinderPage, FinderScript } from '#domain/scans/finder-page.ts'
import { isOfSomebody, scanState } from '#domain/scans/scan.ts'
import { setBranding } from '#routes/_http/brands/page-brand.ts'
import type { AppContext } from '#routes/_http/context.ts'
import { brandCssHash, finderHeaders } from '#routes/_http/headers.ts'
import { setLocale, wordsOf } from '#routes/_http/language.ts'
import { takeTry } from '#routes/_http/rate-limits.ts'
import { renderDocument } from '#routes/_http/render.tsx'
import { resolveScan } from '#routes/_http/scans/scans.ts'
import { answerBusy, renderScan } from '#routes/scan/_document.tsx'

type FinderPageOptions = {
  page: FinderPage
  title: string
  status?: StatusCode
  script?: FinderScript
}

/** Answers a page that finders see, in the language that `setLocale` found, under a policy that lets it load nothing but its script. */
export function renderFinder(c: AppContext, options: FinderPageOptions, body: ReactElement) {
  const { page, title, status, script } = options
  const { inlined, finderScripts, scanCss, scanCssHashes } = c.var.deps.assets
  const { brand } = c.var
  const hashes = [inlined[page].hash, ...(brand ? [scanCssHashes, brandCssHash(brand)] : [])]
  const headers = finderHeaders(hashes.join(' '), { hasScript: script !== undefined })
  for (const [name, value] of Object.entries(headers)) c.header(name, value)
  const head = script && <script defer src={finderScripts[script]} />
  const document = (
    <FinderDocument
      {...{ title, head }}
      words={wordsOf(c)}
      css={[inlined[page].css, ...(brand ? [scanCss.brand] : [])]}
      description={title}
    >
      {body}
    </FinderDocument>
  )
  return renderDocument(c, document, status)
}

/** Answers for the code in the path if its page offers a contact, or else without `answer`. */
export async function answerContact(
  c: AppContext,
  answer: (code: ScannedCode) => Response | Promise<Response>,
): Promise<Response> {
  await setLocale(c)
  const busy = takeTry(c, 'scan')
  if (busy) return answerBusy(c, busy)
  const { code, ...branding } = await resolveScan(c)
  setBranding(c, branding)
  const state = scanState(code, { accountId: undefined, preview: false })
  if (code && isOfSomebody(state)) return answer(code)
  const tooMany = takeTry(c, 'unknown')
  return tooMany ? answerBusy(c, tooMany) : renderScan(c, { state: 'not_found' })
}
