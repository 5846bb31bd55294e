import { createHash } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { ScanSheet } from '#domain/scans/scan-sheets.ts'

/** What the build made for browsers, by the names it gave them. */
export type Assets = {
  dir: string
  boot: string
  /** the scripts that the islands of a bundle need besides the boot script, its own first */
  bundles: Record<string, string[]>
  css: Record<'app' | 'app-auto' | 'app-dark' | 'public', string>
  scanCss: Record<ScanSheet, string>
  /** allow the scan page's inlined CSS, and no other, in its policy */
  scanCssHashes: string
}

export type AssetManifest = Pick<Assets, 'boot' | 'bundles' | 'css' | 'scanCss'>

export function loadAssets(dir: string): Assets {
  const manifest = JSON.parse(readFileSync(join(dir, 'manifest.json'), 'utf8')) as AssetManifest
  return { dir, ...manifest, scanCssHashes: cssHashes(manifest.scanCss) }
}

export function cssHashes(sheets: Record<ScanSheet, string>): string {
  const hashes = Object.values(sheets).map((css) => createHash('sha256').update(css))
  return hashes.map((hash) => `'sha256-${hash.digest('base64')}'`).join(' ')
}
