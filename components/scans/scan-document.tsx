import { FinderDocument } from '#components/scans/finder-document.tsx'
import { ScanPage, type ScanState } from '#components/scans/scan-page.tsx'
import { type ScanLang, type ScanWords, scanWords } from '#components/scans/scan-words.ts'

const SECONDS_TO_DASHBOARD = 2

/** The scan page with its head. */
export function ScanDocument({
  lang,
  css,
  scan,
}: {
  lang: ScanLang
  css: string
  scan: ScanState
}) {
  const words = scanWords[lang]
  const title = titleOf(scan, words)
  return (
    <FinderDocument
      lang={lang}
      css={css}
      title={title}
      description={scan.state === 'contact' ? words.found : title}
      head={
        scan.state === 'owner' && (
          <meta httpEquiv="refresh" content={`${SECONDS_TO_DASHBOARD}; url=/dashboard`} />
        )
      }
    >
      <ScanPage lang={lang} scan={scan} />
    </FinderDocument>
  )
}

function titleOf(scan: ScanState, words: ScanWords): string {
  if (scan.state === 'owner') return words.welcome
  if (scan.state === 'unregistered') return words.unregistered
  return scan.state === 'not_found' ? words.notFound : words.title
}
