import { createHash } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { FINDER_PAGES, type FinderPage, type FinderScript } from '#domain/scans/finder-page.ts'

/** What the build made for browsers, by the names it gave them. */
export type Assets = {
  dir: string
  boot: string
  /** the scripts that the islands of a bundle need besides the boot script, its own first */
  bundles: Record<string, string[]>
  css: Record<'app' | 'app-auto' | 'app-dark' | 'public', string>
  /** the styles of each of the finder's pages, which are part of its HTML */
  inlined: Record<FinderPage, InlinedCss>
  /** the scripts of the finder's pages that have one */
  finderScripts: Record<FinderScript, string>
}

/** `hash` allows this CSS, and no other, in the page's policy. */
export type InlinedCss = { css: string; hash: string }

export type AssetManifest = Pick<Assets, 'boot' | 'bundles' | 'css' | 'finderScripts'> & {
  inlined: Record<FinderPage, string>
}

export function loadAssets(dir: string): Assets {
  const manifest = JSON.parse(readFileSync(join(dir, 'manifest.json'), 'utf8')) as AssetManifest
  const inlined = eachFinderPage((page) => toInlined(manifest.inlined[page]))
  return { ...manifest, dir, inlined }
}

export function toInlined(css: string): InlinedCss {
  return { css, hash: `'sha256-${createHash('sha256').update(css).digest('base64')}'` }
}

export function eachFinderPage<T>(make: (page: FinderPage) => T): Record<FinderPage, T> {
  const pages = FINDER_PAGES.map((page) => [page, make(page)])
  return Object.fromEntries(pages) as Record<FinderPage, T>
}
