/** Builds what browsers get (dist/assets) and what Node runs (dist/*.js). */
import { readdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { basename, join, resolve } from 'node:path'
import { brotliCompressSync, constants, gzipSync } from 'node:zlib'
import { type BuildOptions, build, type Metafile, type Plugin } from 'esbuild'

const BUILT = 'dist'
/** Built beside what a running server still serves, and put in its place when all of it is there. */
const OUT = 'dist.new'
const ASSETS = join(OUT, 'assets')

const shared = {
  bundle: true,
  minify: true,
  format: 'esm',
  jsx: 'automatic',
  logLevel: 'warning',
  define: { 'process.env.NODE_ENV': '"production"' },
} satisfies BuildOptions

/** Zod's messages in forty other languages. */
const leaveOut: Plugin = {
  name: 'leave-out',
  setup({ onResolve, onLoad }) {
    onResolve({ filter: /^\.\/[a-zA-Z-]+\.js$/ }, ({ path, importer }) =>
      importer.endsWith('zod/v4/locales/index.js') && path !== './en.js'
        ? { path, namespace: 'left-out' }
        : undefined,
    )
    onLoad({ filter: /.*/, namespace: 'left-out' }, () => ({
      contents: 'export default undefined',
    }))
  },
}

rmSync(OUT, { recursive: true, force: true })
await buildServer()
await buildAssets()
rmSync(BUILT, { recursive: true, force: true })
renameSync(OUT, BUILT)

async function buildServer(): Promise<void> {
  await build({
    ...shared,
    entryPoints: {
      'programs/server': 'server.ts',
      'programs/driveqr': 'scripts/driveqr.ts',
      'programs/find-damage': 'db/find-damage.ts',
    },
    outdir: OUT,
    platform: 'node',
    target: 'node22',
    // The names of functions stay, so that a stack in the log can be read.
    minify: false,
    minifySyntax: true,
    minifyWhitespace: true,
    // pdfkit reads the metrics of its fonts from files beside it.
    // Native ones, and those that are loaded when they are first needed.
    external: ['better-sqlite3', 'sharp', '@node-rs/*', 'oslo/password', 'nodemailer', 'pdfkit'],
    plugins: [leaveOut],
    alias: {
      // Each without the half that nothing calls: streaming renderers, and pictures drawn by pngjs.
      'react-dom/server': resolve(
        'node_modules/react-dom/cjs/react-dom-server-legacy.node.production.js',
      ),
      qrcode: resolve('node_modules/qrcode/lib/core/qrcode.js'),
    },
    // Packages in CommonJS ask for Node's own modules by require.
    banner: {
      js: "import { createRequire as nodeRequire } from 'node:module'; const require = nodeRequire(import.meta.url);",
    },
  })
  for (const name of ['server', 'driveqr']) writeFileSync(join(OUT, `${name}.js`), loaderOf(name))
}

/** Compiling the program is two thirds of its start: Node keeps what it compiled the first time. */
function loaderOf(name: string): string {
  return `import { enableCompileCache } from 'node:module'
enableCompileCache(new URL('./compile-cache', import.meta.url).pathname)
await import('./programs/${name}.js')
`
}

async function buildAssets(): Promise<void> {
  const { metafile } = await build({
    ...shared,
    entryPoints: {
      boot: 'islands/_boot.tsx',
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
    ...shared,
    entryPoints: ['components/css/scan.css'],
    target: ['safari14', 'chrome90'],
    write: false,
  })
  const manifest = {
    boot: outputOf(metafile, 'islands/_boot.tsx'),
    islands: islandScripts(metafile),
    css: {
      app: outputOf(metafile, 'components/css/app.css'),
      public: outputOf(metafile, 'components/css/public.css'),
      dark: outputOf(metafile, 'components/css/dark.css'),
    },
    scanCss: scan.outputFiles[0]?.text.trim(),
  }
  writeFileSync(join(ASSETS, 'manifest.json'), JSON.stringify(manifest))
  writeFileSync(join(ASSETS, 'icon.svg'), readFileSync('components/icon.svg'))
  precompress()
}

function outputOf(metafile: Metafile, entryPoint: string): string {
  const found = Object.entries(metafile.outputs).find(([, o]) => o.entryPoint === entryPoint)
  if (!found) throw new Error(`${entryPoint} was not built`)
  return urlOf(found[0])
}

/** For each island its own chunk and all that the chunk imports, so that a page can ask for them at once. */
function islandScripts(metafile: Metafile): Record<string, string[]> {
  const islands = Object.entries(metafile.outputs).filter(
    ([, { entryPoint }]) => entryPoint?.startsWith('islands/') && !entryPoint.includes('/_'),
  )
  return Object.fromEntries(
    islands.map(([output, { entryPoint }]) => [
      basename(entryPoint as string, '.tsx'),
      [...importsOf(metafile, output)].map(urlOf),
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
