import { createHash } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { LandingPicture } from '#domain/landing-pictures.ts'
import type { Sheet } from '#domain/page-sheets.ts'
import { FINDER_PAGES, type FinderPage, type FinderScript } from '#domain/scans/finder-page.ts'
import type { ScanSheet } from '#domain/scans/scan-sheets.ts'

/** The build's files for browsers, under their hashed names. */
export type Assets = {
  dir: string
  boot: string
  /** the scripts of an island or a `data-script` besides the boot script, its own first */
  scripts: Record<string, string[]>
  css: Record<Sheet, string>
  pictures: Record<LandingPicture, string>
  scanCss: Record<ScanSheet, string>
  /** the sources of the content policy that allow only the scan page's inlined CSS */
  scanCssHashes: string
  /** the styles of the finder's other pages, which are part of their HTML */
  inlined: Record<FinderPage, InlinedCss>
  finderScripts: Record<FinderScript, string>
  /** the script itself */
  serviceWorker: string
}

/** `hash` allows this CSS, and no other, in the page's policy. */
type InlinedCss = { css: string; hash: string }

export type AssetManifest = Pick<
  Assets,
  'boot' | 'scripts' | 'css' | 'pictures' | 'scanCss' | 'finderScripts' | 'serviceWorker'
> & { inlined: Record<FinderPage, string> }

export function loadAssets(dir: string): Assets {
  const manifest = JSON.parse(readFileSync(join(dir, 'manifest.json'), 'utf8')) as AssetManifest
  const inlined = eachFinderPage((page) => toInlined(manifest.inlined[page]))
  return { ...manifest, dir, scanCssHashes: cssHashes(manifest.scanCss), inlined }
}

export function cssHashes(sheets: Record<ScanSheet, string>): string {
  return Object.values(sheets)
    .map((css) => toInlined(css).hash)
    .join(' ')
}

export function toInlined(css: string): InlinedCss {
  return { css, hash: `'sha256-${createHash('sha256').update(css).digest('base64')}'` }
}

export function eachFinderPage<T>(make: (page: FinderPage) => T): Record<FinderPage, T> {
  const pages = FINDER_PAGES.map((page) => [page, make(page)])
  return Object.fromEntries(pages) as Record<FinderPage, T>
}
