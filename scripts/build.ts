/** Builds what browsers get (dist/assets) and what Node runs (dist/*.js). */
import { copyFileSync, readdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { basename, join } from 'node:path'
import { brotliCompressSync, constants, gzipSync } from 'node:zlib'
import { build, type Metafile } from 'esbuild'
import { buildPrograms, SHARED_OPTIONS } from '#scripts/_programs.ts'

const BUILT = 'dist'
/** Built beside what a running server still serves, and put in its place when all of it is there. */
const OUT = 'dist.new'
const ASSETS = join(OUT, 'assets')
/** The other two were drawn from the first. */
const ICONS = ['icon.svg', 'favicon.ico', 'apple-touch-icon.png']

rmSync(OUT, { recursive: true, force: true })
await buildPrograms(OUT)
await buildAssets()
rmSync(BUILT, { recursive: true, force: true })
renameSync(OUT, BUILT)

async function buildAssets(): Promise<void> {
  const { metafile } = await build({
    ...SHARED_OPTIONS,
    entryPoints: {
      boot: 'islands/_boot.ts',
      app: 'components/css/app.css',
      public: 'components/css/public.css',
      dark: 'components/css/dark.css',
    },
    outdir: ASSETS,
    entryNames: '[name]-[hash]',
    chunkNames: '[name]-[hash]',
    splitting: true,
    platform: 'browser',
    target: ['es2022', 'safari16'],
    metafile: true,
  })
  const scan = await build({
    ...SHARED_OPTIONS,
    entryPoints: ['components/css/scan.css'],
    target: ['safari14', 'chrome90'],
    write: false,
  })
  const manifest = {
    boot: outputOf(metafile, 'islands/_boot.ts'),
    islands: islandScripts(metafile),
    css: {
      app: outputOf(metafile, 'components/css/app.css'),
      public: outputOf(metafile, 'components/css/public.css'),
      dark: outputOf(metafile, 'components/css/dark.css'),
    },
    scanCss: scan.outputFiles[0]?.text.trim(),
  }
  writeFileSync(join(ASSETS, 'manifest.json'), JSON.stringify(manifest))
  for (const icon of ICONS) copyFileSync(join('components/ui', icon), join(ASSETS, icon))
  precompress()
}

function outputOf(metafile: Metafile, entryPoint: string): string {
  return urlOf(outputPath(metafile, entryPoint))
}

function outputPath(metafile: Metafile, entryPoint: string): string {
  const found = Object.entries(metafile.outputs).find(([, o]) => o.entryPoint === entryPoint)
  if (!found) throw new Error(`${entryPoint} was not built`)
  return found[0]
}

/** For each island all the scripts that it needs, so that a page can ask for them at once. */
function islandScripts(metafile: Metafile): Record<string, string[]> {
  const islands = Object.entries(metafile.outputs).filter(
    ([, { entryPoint }]) => entryPoint?.startsWith('islands/') && !entryPoint.includes('/_'),
  )
  const hydrate = importsOf(metafile, outputPath(metafile, 'islands/_hydrate.tsx'))
  return Object.fromEntries(
    islands.map(([output, { entryPoint }]) => [
      basename(entryPoint as string, '.tsx'),
      [...importsOf(metafile, output, new Set(hydrate))].map(urlOf),
    ]),
  )
}

function importsOf(metafile: Metafile, output: string, seen = new Set<string>()): Set<string> {
  if (seen.has(output)) return seen
  seen.add(output)
  for (const { path, kind } of metafile.outputs[output]?.imports ?? []) {
    if (kind === 'import-statement') importsOf(metafile, path, seen)
  }
  return seen
}

function urlOf(output: string): string {
  return output.replace(OUT, '')
}

function precompress(): void {
  for (const name of readdirSync(ASSETS).filter((file) => /\.(js|css|svg)$/.test(file))) {
    const bytes = readFileSync(join(ASSETS, name))
    const params = { [constants.BROTLI_PARAM_QUALITY]: constants.BROTLI_MAX_QUALITY }
    writeFileSync(join(ASSETS, `${name}.br`), brotliCompressSync(bytes, { params }))
    writeFileSync(join(ASSETS, `${name}.gz`), gzipSync(bytes, { level: 9 }))
  }
}
