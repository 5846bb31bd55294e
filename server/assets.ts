import { createHash } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'

/** What the build made for browsers, by the names it gave them. */
export type Assets = {
  dir: string
  boot: string
  /** what an island or a `data-script` needs besides the boot script, by its name, its own first */
  scripts: Record<string, string[]>
  css: Record<'app' | 'app-auto' | 'app-dark' | 'public', string>
  scanCss: string
  /** allows the scan page's inlined CSS, and no other, in its policy */
  scanCssHash: string
}

export type AssetManifest = Pick<Assets, 'boot' | 'scripts' | 'css' | 'scanCss'>

export function loadAssets(dir: string): Assets {
  const manifest = JSON.parse(readFileSync(join(dir, 'manifest.json'), 'utf8')) as AssetManifest
  return { dir, ...manifest, scanCssHash: cssHash(manifest.scanCss) }
}

export function cssHash(css: string): string {
  return `'sha256-${createHash('sha256').update(css).digest('base64')}'`
}
