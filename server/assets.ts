import { createHash } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'

/** The build's files for browsers, under their hashed names. */
export type Assets = {
  dir: string
  boot: string
  /** the scripts of an island or a `data-script` besides the boot script, its own first */
  scripts: Record<string, string[]>
  css: Record<'app' | 'app-auto' | 'app-dark' | 'public', string>
  scanCss: string
  /** the source of the content policy that allows only the scan page's inlined CSS */
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
