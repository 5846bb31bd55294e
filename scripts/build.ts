/** Builds the assets for browsers (dist/assets) and the programs for Node (dist/*.js). */
import { copyFileSync, readdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { brotliCompressSync, constants, gzipSync } from 'node:zlib'
import { build, type Metafile, type Plugin } from 'esbuild'
import { FINDER_PAGES, FINDER_SCRIPTS } from '#domain/scans/finder-page.ts'
import { SCAN_SHEETS } from '#domain/scans/scan-sheets.ts'
import {
  buildFinderScripts,
  buildInlined,
  buildScanSheet,
  SCRIPTS,
} from '#scripts/_finder-assets.ts'
import { buildPrograms, SHARED_OPTIONS } from '#scripts/_programs.ts'

const BUILT = 'dist'
/** Built separately from what a running server serves, and renamed when complete. */
const OUT = 'dist.new'
const ASSETS = join(OUT, 'assets')
/** The other two are drawn from the first. */
const ICONS = ['icon.svg', 'favicon.ico', 'apple-touch-icon.png']

const SHEETS = ['app', 'app-auto', 'app-dark', 'public'] as const

/**
 * Makes the bundles of islands import the boot script, so that code they share with it is in that
 * script. Code shared among bundles, React, is in one further file.
 */
const importBoot: Plugin = {
  name: 'import-boot',
  setup({ onResolve, onLoad, resolve }) {
    onResolve({ filter: /^#islands\// }, async ({ path, kind, resolveDir, pluginData }) => {
      if (kind !== 'dynamic-import' || pluginData) return undefined
      const found = await resolve(path, { kind, resolveDir, pluginData: true })
      return { path: found.path, namespace: 'bundle', pluginData: resolveDir }
    })
    onLoad({ filter: /.*/, namespace: 'bundle' }, ({ path, pluginData: resolveDir }) => ({
      contents: `import '#islands/_boot.ts'; export * from ${JSON.stringify(path)}`,
      resolveDir,
    }))
  },
}

const BUNDLES = ['public', 'dashboard'] as const

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
      ...Object.fromEntries(SHEETS.map((sheet) => [sheet, `components/css/${sheet}.css`])),
    },
    outdir: ASSETS,
    entryNames: '[name]-[hash]',
    chunkNames: '[name]-[hash]',
    splitting: true,
    platform: 'browser',
    target: ['es2022', 'safari16'],
    metafile: true,
    plugins: [importBoot],
  })
  const finder = await buildFinderScripts(ASSETS)
  const boot = outputWith(metafile, 'islands/_boot.ts')
  const manifest = {
    boot: urlOf(boot),
    bundles: Object.fromEntries(
      BUNDLES.map((name) => {
        const own = outputWith(metafile, `islands/_${name}-islands.ts`)
        return [name, [...importsOf(metafile, own, new Set([boot]))].map(urlOf)]
      }),
    ),
    css: Object.fromEntries(
      SHEETS.map((sheet) => [sheet, urlOf(entryOutput(metafile, `components/css/${sheet}.css`))]),
    ),
    scanCss: await eachOf(SCAN_SHEETS, buildScanSheet),
    inlined: await eachOf(FINDER_PAGES, buildInlined),
    finderScripts: Object.fromEntries(
      FINDER_SCRIPTS.map((name) => [name, urlOf(entryOutput(finder, SCRIPTS[name]))]),
    ),
  }
  writeFileSync(join(ASSETS, 'manifest.json'), JSON.stringify(manifest))
  for (const icon of ICONS) copyFileSync(join('components/icons', icon), join(ASSETS, icon))
  precompress()
}

async function eachOf<N extends string>(
  names: readonly N[],
  make: (name: N) => Promise<string>,
): Promise<Record<string, string>> {
  const made = names.map(async (name) => [name, await make(name)] as const)
  return Object.fromEntries(await Promise.all(made))
}

function entryOutput(metafile: Metafile, entryPoint: string): string {
  return findOutput(metafile, entryPoint, (output) => output.entryPoint === entryPoint)
}

/** The output file that contains a source. */
function outputWith(metafile: Metafile, source: string): string {
  return findOutput(metafile, source, ({ inputs }) => (inputs[source]?.bytesInOutput ?? 0) > 0)
}

type Output = Metafile['outputs'][string]

function findOutput(metafile: Metafile, of: string, is: (output: Output) => boolean): string {
  const found = Object.entries(metafile.outputs).find(([, output]) => is(output))
  if (!found) throw new Error(`${of} was not built`)
  return found[0]
}

/** A script and its static imports, except those already loaded. */
function importsOf(metafile: Metafile, output: string, loaded: Set<string>): string[] {
  if (loaded.has(output)) return []
  loaded.add(output)
  const { imports = [] } = metafile.outputs[output] ?? {}
  const further = imports.filter(({ kind }) => kind === 'import-statement')
  return [output, ...further.flatMap(({ path }) => importsOf(metafile, path, loaded))]
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
