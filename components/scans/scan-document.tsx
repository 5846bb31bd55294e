import { FinderDocument } from '#components/scans/finder-document.tsx'
import { ScanPage, type ScanState } from '#components/scans/scan-page.tsx'
import { type ScanLang, type ScanWords, scanWords } from '#components/scans/scan-words.ts'
import { SCAN_SHEETS, type ScanSheet } from '#domain/scans/scan-sheets.ts'

const SECONDS_TO_DASHBOARD = 2

/** The scan page with its head. */
export function ScanDocument({
  lang,
  css,
  scan,
}: {
  lang: ScanLang
  css: Record<ScanSheet, string>
  scan: ScanState
}) {
  const words = scanWords[lang]
  const title = titleOf(scan, words)
  return (
    <FinderDocument
      lang={lang}
      css={sheetsOf(scan).map((sheet) => css[sheet])}
      title={title}
      description={scan.state === 'contact' ? words.found : title}
      themeColor={lostIn(scan) ? '#1a1710' : '#ffc61a'}
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

function lostIn(scan: ScanState): boolean {
  return scan.state === 'contact' && scan.view.lost !== null
}

/** Every byte is in front of the phone call: a page has the styles of what is on it. */
function sheetsOf(scan: ScanState): ScanSheet[] {
  if (scan.state !== 'contact') return ['page', 'notice']
  const { view, popup, preview, sample, keepHref } = scan
  const used: Record<ScanSheet, unknown> = {
    page: true,
    lost: view.lost,
    private: view.has_pin,
    popup,
    preview: preview || sample || keepHref,
    notice: false,
  }
  return SCAN_SHEETS.filter((sheet) => used[sheet])
}

function titleOf(scan: ScanState, words: ScanWords): string {
  if (scan.state === 'owner') return words.welcome
  if (scan.state === 'unregistered') return words.unregistered
  if (scan.state === 'not_found') return words.notFound
  return lostIn(scan) ? words.lost : words.title
}
