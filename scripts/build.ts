/** Builds the assets for browsers (dist/assets) and the programs for Node (dist/*.js). */
import { createHash } from 'node:crypto'
import { copyFileSync, readdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { basename, join } from 'node:path'
import { brotliCompressSync, constants, gzipSync } from 'node:zlib'
import { build, type Metafile, type Plugin } from 'esbuild'
import { LANDING_PICTURES } from '#domain/landing-pictures.ts'
import { SHEETS } from '#domain/page-sheets.ts'
import { FINDER_PAGES, FINDER_SCRIPTS } from '#domain/scans/finder-page.ts'
import { SCAN_SHEETS } from '#domain/scans/scan-sheets.ts'
import { loadCatalogue } from '#locales/catalogue.ts'
import { LANGS } from '#locales/languages.ts'
import {
  buildFinderScripts,
  buildInlined,
  buildScanSheet,
  SCRIPTS,
} from '#scripts/_finder-assets.ts'
import { withoutTexts } from '#scripts/_locales.ts'
import { buildPrograms, SHARED_OPTIONS } from '#scripts/_programs.ts'
import { BROWSERS, joinLayers } from '#scripts/_sheets.ts'

const BUILT = 'dist'
/** The folder of a build, apart from the files of a running server, and renamed when complete. */
const OUT = 'dist.new'
const ASSETS = join(OUT, 'assets')
/** The others are drawn from the first. */
const ICONS = [
  'icon.svg',
  'favicon.ico',
  'apple-touch-icon.png',
  'icon-192.png',
  'icon-512.png',
  'icon-maskable-512.png',
]

/** Scripts of pages are named after the namespace of their plugin. */
const SCRIPT = 'script:'

/**
 * Keeps code that scripts share with the boot script in that one alone, because every script of a
 * page imports it. An island's script has the component and its hydration.
 */
const pageScripts: Plugin = {
  name: 'page-scripts',
  setup({ onResolve, onLoad, resolve }) {
    onResolve({ filter: /^#islands\// }, async ({ path, kind, resolveDir, pluginData }) => {
      if (kind !== 'dynamic-import' || pluginData) return undefined
      const found = await resolve(path, { kind, resolveDir, pluginData: true })
      return { path: found.path, namespace: 'script', pluginData: resolveDir }
    })
    onLoad({ filter: /.*/, namespace: 'script' }, ({ path, pluginData: resolveDir }) => ({
      contents: [`import '#islands/_boot.ts'`, ...exportsOf(path)].join('\n'),
      resolveDir,
    }))
  },
}

/** The parts of React that islands use. */
const REACT: Record<string, string[]> = {
  react: ['createContext', 'useContext', 'useEffect', 'useId', 'useRef', 'useState'],
  'react/jsx-runtime': ['Fragment', 'jsx', 'jsxs'],
  'react-dom': ['flushSync'],
  'react-dom/client': ['createRoot', 'hydrateRoot'],
}

/**
 * Exports React's parts as variables: the properties of an object keep their long names, and
 * importing it takes a helper in the boot script.
 */
const reactByName: Plugin = {
  name: 'react-by-name',
  setup({ onResolve, onLoad }) {
    onResolve({ filter: /^react(?:-dom)?(?:\/|$)/ }, ({ path, kind }) =>
      kind === 'import-statement' ? { path, namespace: 'react' } : undefined,
    )
    onLoad({ filter: /.*/, namespace: 'react' }, ({ path }) => ({
      contents: `export const { ${REACT[path]?.join()} } = require('${path}')`,
      resolveDir: '.',
    }))
  },
}

function exportsOf(path: string): string[] {
  const [name, from] = [nameOf(path), JSON.stringify(path)]
  if (!isIsland(path)) return [`export * from ${from}`]
  const component = name.replace(/(?:^|-)(\w)/g, (_, letter) => letter.toUpperCase())
  return [
    `export { hydrate } from '#islands/_hydrate.tsx'`,
    `export { ${component} as Component } from ${from}`,
  ]
}

function isIsland(path: string): boolean {
  return path.endsWith('.tsx')
}

/** `/…/islands/codes/qr-form.tsx` → `qr-form`, `/…/islands/_login.ts` → `login` */
function nameOf(path: string): string {
  return basename(path)
    .replace(/\.\w+$/, '')
    .replace(/^_/, '')
}

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
    target: BROWSERS,
    // In files beside, which no page loads.
    legalComments: 'external',
    metafile: true,
    plugins: [withoutTexts, pageScripts, reactByName],
  })
  const finder = await buildFinderScripts(ASSETS)
  const boot = outputWith(metafile, 'islands/_boot.ts')
  const manifest = {
    boot: urlOf(boot),
    scripts: await joinScripts(metafile, boot),
    css: Object.fromEntries(
      SHEETS.map((sheet) => [sheet, urlOf(entryOutput(metafile, `components/css/${sheet}.css`))]),
    ),
    pictures: Object.fromEntries(LANDING_PICTURES.map((name) => [name, copyPicture(name)])),
    scanCss: await eachOf(SCAN_SHEETS, buildScanSheet),
    inlined: await eachOf(FINDER_PAGES, buildInlined),
    finderScripts: Object.fromEntries(
      FINDER_SCRIPTS.map((name) => [name, urlOf(entryOutput(finder, SCRIPTS[name]))]),
    ),
    serviceWorker: await buildServiceWorker(),
  }
  writeFileSync(join(ASSETS, 'manifest.json'), JSON.stringify(manifest))
  for (const sheet of Object.values(manifest.css)) {
    const path = join(OUT, sheet)
    writeFileSync(path, joinLayers(readFileSync(path, 'utf8')))
  }
  for (const icon of ICONS) copyFileSync(join('components/icons', icon), join(ASSETS, icon))
  precompress()
}

/** Copies a picture under a name with its hash, and returns its address. */
function copyPicture(name: string): string {
  const bytes = readFileSync(join('components/site/pictures', `${name}.webp`))
  const hash = createHash('sha256').update(bytes).digest('hex').slice(0, 8)
  const file = `${name}-${hash}.webp`
  writeFileSync(join(ASSETS, file), bytes)
  return `/assets/${file}`
}

async function buildServiceWorker(): Promise<string> {
  const { outputFiles } = await build({
    ...SHARED_OPTIONS,
    format: 'iife',
    entryPoints: ['islands/alerts/_service-worker.ts'],
    platform: 'browser',
    target: BROWSERS,
    define: { OFFLINE_TEXTS: JSON.stringify(await offlineTexts()) },
    write: false,
  })
  return (outputFiles[0]?.text ?? '').trim()
}

/** Returns the texts of the page without a network. */
async function offlineTexts(): Promise<Record<string, string[]>> {
  return eachOf(LANGS, async (lang) => {
    const { offline, scan } = await loadCatalogue(lang)
    return [offline.title, offline.text, scan.tryAgain]
  })
}

async function eachOf<N extends string, Made>(
  names: readonly N[],
  make: (name: N) => Promise<Made>,
): Promise<Record<string, Made>> {
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

/**
 * Puts what the scripts of pages share into each of them, except the boot script and React: those
 * alone have a state, and each further file is a request. Returns the files of each, its own first.
 */
async function joinScripts(metafile: Metafile, boot: string): Promise<Record<string, string[]>> {
  const react = outputWith(metafile, 'node_modules/react/cjs/react.production.js')
  const outputs = Object.entries(metafile.outputs)
  const scripts = outputs.filter(([, { entryPoint }]) => entryPoint?.startsWith(SCRIPT))
  const kept = [boot, react, ...scripts.map(([path]) => path)]
  await build({
    ...SHARED_OPTIONS,
    entryPoints: scripts.map(([path]) => path),
    outdir: ASSETS,
    allowOverwrite: true,
    external: [boot, react].map((path) => `*/${basename(path)}`),
    target: BROWSERS,
  })
  for (const [path] of outputs) if (path.endsWith('.js') && !kept.includes(path)) rmSync(path)
  return Object.fromEntries(
    scripts.map(([path, { entryPoint = '' }]) => [
      nameOf(entryPoint),
      (isIsland(entryPoint) ? [path, react] : [path]).map(urlOf),
    ]),
  )
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
