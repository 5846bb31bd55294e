import { usePageBrand } from '#components/brands/brand-context.tsx'
import { FinderDocument } from '#components/scans/finder-document.tsx'
import { ScanPage, type ScanPageProps, type ScanState } from '#components/scans/scan-page.tsx'
import { SCAN_SHEETS, type ScanSheet } from '#domain/scans/scan-sheets.ts'
import type { ScanTexts } from '#locales/catalogue.ts'
import { LANGUAGES } from '#locales/languages.ts'

const SECONDS_TO_DASHBOARD = 2

/** The scan page with its head. */
export function ScanDocument({ css, ...page }: ScanPageProps & { css: Record<ScanSheet, string> }) {
  const { words, scan } = page
  const { brand } = usePageBrand()
  const title = titleOf(scan, words.scan)
  return (
    <FinderDocument
      words={words}
      css={sheetsOf(page, brand !== undefined).map((sheet) => css[sheet])}
      title={title}
      isNameless={scan.state === 'busy'}
      description={scan.state === 'contact' ? words.scan.things[scan.view.thing].found : title}
      {...(lostIn(scan) && { themeColor: '#1a1710' })}
      head={
        scan.state === 'owner' && (
          <meta httpEquiv="refresh" content={`${SECONDS_TO_DASHBOARD}; url=/dashboard`} />
        )
      }
    >
      <ScanPage {...page} />
    </FinderDocument>
  )
}

function lostIn(scan: ScanState): boolean {
  return scan.state === 'contact' && scan.view.lost !== null
}

/** Returns only the styles that the page needs, because every byte delays the phone call. */
function sheetsOf({ words, scan, hasMenu }: ScanPageProps, hasBrand: boolean): ScanSheet[] {
  const contact = scan.state === 'contact' ? scan : undefined
  const used: Record<ScanSheet, unknown> = {
    page: true,
    rtl: LANGUAGES[words.lang].dir === 'rtl',
    langs: hasMenu || scan.state === 'busy',
    lost: contact?.view.lost,
    private: contact?.view.has_pin,
    unlock: contact?.unlock,
    popup: contact?.popup,
    preview: contact?.preview || contact?.sample || contact?.keepHref,
    notice: !contact,
    brand: hasBrand,
  }
  return SCAN_SHEETS.filter((sheet) => used[sheet])
}

function titleOf(scan: ScanState, words: ScanTexts): string {
  if (scan.state === 'owner') return words.welcome
  if (scan.state === 'unregistered') return words.unregistered
  if (scan.state === 'not_found') return words.notFound
  if (scan.state === 'replaced') return words.replaced
  if (scan.state === 'busy') return words.busy
  if (scan.state === 'waiting') return words.waiting
  return lostIn(scan) ? words.lost : words.things[scan.view.thing].title
}
