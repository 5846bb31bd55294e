import { createHash } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'

/** What the build made for browsers, by the names it gave them. */
export type Assets = {
  dir: string
  boot: string
  /** the scripts that the islands of a bundle need besides the boot script, its own first */
  bundles: Record<string, string[]>
  css: Record<'app' | 'app-auto' | 'app-dark' | 'public', string>
  scanCss: string
  /** allows the scan page's inlined CSS, and no other, in its policy */
  scanCssHash: string
}

export type AssetManifest = Pick<Assets, 'boot' | 'bundles' | 'css' | 'scanCss'>

export function loadAssets(dir: string): Assets {
  const manifest = JSON.parse(readFileSync(join(dir, 'manifest.json'), 'utf8')) as AssetManifest
  return { dir, ...manifest, scanCssHash: cssHash(manifest.scanCss) }
}

export function cssHash(css: string): string {
  return `'sha256-${createHash('sha256').update(css).digest('base64')}'`
}
