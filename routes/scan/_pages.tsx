import { type PageBrand, PageBrandContext } from '#components/brands/brand-context.tsx'
import { ScanDocument } from '#components/scans/scan-document.tsx'
import type { ScanBusy } from '#components/scans/scan-page.tsx'
import type { Brand } from '#domain/brands/brand.ts'
import { keepUpTo } from '#domain/kept.ts'
import { mapScanParts, type ScanFinding } from '#domain/scans/scan-parts.ts'
import type { ScanPopup } from '#domain/scans/scan-view.ts'
import type { Catalogue } from '#locales/catalogue.ts'
import type { FinderDeps } from '#routes/_http/deps.ts'
import {
  brandCssHash,
  commonHeaders,
  finderHeaders,
  ownersDomainHeaders,
} from '#routes/_http/headers.ts'
import { documentHtml, htmlHeaders } from '#routes/_http/render.tsx'
import type { FilledPage } from '#routes/scan/_gzip.ts'
import { renderByShape } from '#routes/scan/_template.ts'

/** The common values of the pages of a shape. */
export type Shown = { words: Catalogue; pageBrand: PageBrand; isOwnersDomain: boolean }

type Busy = Omit<ScanBusy, 'state'> & { hasMenu: boolean }

type ScanPages = {
  contact: (finding: ScanFinding, shown: Shown) => FilledPage
  busy: (busy: Busy, shown: Shown) => FilledPage
  headersOf: (shown: Shown) => Record<string, string>
}
const scanPages = new WeakMap<FinderDeps, ScanPages>()

/** Drops the templates of the finder's page, so that the next request makes them again. */
export function forgetScanPages(deps: FinderDeps): void {
  scanPages.delete(deps)
}

/** Returns the pages of a server, which are made with the first request. */
export function scanPagesOf(deps: FinderDeps): ScanPages {
  const made = scanPages.get(deps) ?? makeScanPages(deps)
  scanPages.set(deps, made)
  return made
}

/** Keeps pages with a brand or a popup apart, so that many of them never push out the plain ones. */
function makeScanPages({ assets, config }: FinderDeps): ScanPages {
  const css = assets.scanCss
  const makeContact = () =>
    renderByShape<ScanFinding, Shown>({
      render: (finding, { words, pageBrand }) =>
        documentHtml(
          <PageBrandContext value={pageBrand}>
            <ScanDocument {...{ words, css, scan: { state: 'contact', ...finding } }} />
          </PageBrandContext>,
        ),
      mapParts: mapScanParts,
      nameOf,
    })
  const makeHeaders = () => {
    const kept = keepUpTo<Record<string, string>>(MOST_KEPT)
    return (shown: Shown) => kept(nameOf(shown), () => headersFor(shown))
  }
  const headersFor = ({ words, pageBrand: { brand }, isOwnersDomain }: Shown) => ({
    ...commonHeaders(config),
    ...(isOwnersDomain && ownersDomainHeaders(config)),
    ...finderHeaders(withBrand(assets.scanCssHashes, brand)),
    ...htmlHeaders(words),
  })
  const [plain, own] = [
    { contact: makeContact(), headersOf: makeHeaders() },
    { contact: makeContact(), headersOf: makeHeaders() },
  ]
  const pagesFor = ({ pageBrand }: Shown, popup?: ScanPopup) =>
    pageBrand.brand || popup ? own : plain
  return {
    contact: (finding, shown) => pagesFor(shown, finding.popup).contact(finding, shown),
    busy: renderByShape({
      render: ({ hasMenu, ...busy }, { words }) => {
        const scan = { state: 'busy', ...busy } as const
        return documentHtml(<ScanDocument {...{ words, css, scan, hasMenu }} />)
      },
      mapParts: ({ again, query, hasMenu }, map) => {
        return { again: map(again), query: map(query), hasMenu: map(hasMenu) }
      },
      nameOf,
    }),
    headersOf: (shown) => pagesFor(shown).headersOf(shown),
  }
}

function nameOf({ words: { lang }, pageBrand: { brand, hasHome }, isOwnersDomain }: Shown): string {
  if (!brand && hasHome && !isOwnersDomain) return lang
  return `${lang} ${hasHome} ${isOwnersDomain} ${brand?.version} `
}

const MOST_KEPT = 256

/** Adds the hash of a brand's style to those of the page. */
export function withBrand(cssHashes: string, brand: Brand | undefined): string {
  return brand ? `${cssHashes} ${brandCssHash(brand)}` : cssHashes
}
