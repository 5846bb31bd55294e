/** Bundles the programs that Node runs: the server, the command line and their helpers. */
import { cpSync, writeFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { type BuildOptions, build, type Plugin } from 'esbuild'
import { compiledLocales } from '#scripts/_locales.ts'
import { nameBuild } from '#scripts/bootstrap/build.mjs'

export const SHARED_OPTIONS = {
  bundle: true,
  minify: true,
  format: 'esm',
  jsx: 'automatic',
  logLevel: 'warning',
  define: { 'process.env.NODE_ENV': '"production"' },
} satisfies BuildOptions

/** Leaves out zod's messages in forty other languages, and pino's worker threads. */
const leaveOut: Plugin = {
  name: 'leave-out',
  setup({ onResolve, onLoad }) {
    onResolve({ filter: /^\.\/[a-zA-Z-]+\.js$/ }, ({ path, importer }) =>
      importer.endsWith('zod/v4/locales/index.js') && path !== './en.js'
        ? { path, namespace: 'left-out' }
        : undefined,
    )
    onResolve({ filter: /^\.\/(?:lib\/)?transport$/ }, ({ path, importer }) =>
      /node_modules\/pino\//.test(importer) ? { path, namespace: 'left-out' } : undefined,
    )
    onLoad({ filter: /.*/, namespace: 'left-out' }, () => ({
      contents: 'export default undefined',
    }))
  },
}

/**
 * Keeps everything that the server starts with in one file, because all later parts import it.
 * Otherwise esbuild makes forty files of it, by their importers, and a start takes a tenth longer.
 */
const laterParts: Plugin = {
  name: 'later-parts',
  setup({ onResolve, onLoad, resolve }) {
    onResolve({ filter: /^#/ }, async ({ path, kind, resolveDir, pluginData }) => {
      if (kind !== 'dynamic-import' || pluginData) return undefined
      const found = await resolve(path, { kind, resolveDir, pluginData: true })
      return { path: found.path, namespace: 'later', pluginData: resolveDir }
    })
    onLoad({ filter: /.*/, namespace: 'later' }, ({ path, pluginData: resolveDir }) => ({
      contents: `import '#server.ts'\nexport * from ${JSON.stringify(path)}`,
      resolveDir,
    }))
  },
}

/** Writes `programs/` and their loaders into a folder. */
export async function buildPrograms(folder: string, plugins: Plugin[] = []): Promise<void> {
  await bundle(folder, { server: 'server.ts' }, [laterParts, ...plugins])
  await bundle(
    folder,
    {
      driveqr: 'scripts/driveqr.ts',
      'worker-thread': 'server/worker-thread.ts',
      'find-damage': 'db/sqlite/find-damage.ts',
      'draw-images': 'storage/draw-images.ts',
    },
    plugins,
  )
  cpSync('formats/fonts', join(folder, 'programs/fonts'), { recursive: true })
  cpSync('scripts/sample', join(folder, 'programs/sample'), { recursive: true })
  for (const name of ['server', 'driveqr'])
    writeFileSync(join(folder, `${name}.js`), loaderOf(name))
}

/** Writes programs, and the parts that they load later, into `programs/` of a folder. */
export async function bundle(
  folder: string,
  entryPoints: Record<string, string>,
  plugins: Plugin[] = [],
): Promise<void> {
  await build({
    ...SHARED_OPTIONS,
    entryPoints,
    outdir: join(folder, 'programs'),
    define: { ...SHARED_OPTIONS.define, BUILD_ID: JSON.stringify(nameBuild()) },
    // Dynamic imports become separate files.
    splitting: true,
    chunkNames: '[name]-[hash]',
    platform: 'node',
    target: 'node22',
    // Keeps function names, so that stack traces in the log are readable.
    minify: false,
    minifySyntax: true,
    minifyWhitespace: true,
    // pdfkit reads the metrics of its fonts from files beside it.
    // Native, or loaded only when first needed.
    external: [
      '@hyzyla/pdfium',
      'better-sqlite3',
      'sharp',
      '@node-rs/*',
      'oslo/password',
      'nodemailer',
      'pdfkit',
      'pg',
      'web-push',
    ],
    plugins: [leaveOut, compiledLocales, ...plugins],
    alias: {
      // Leaves out unused parts: streaming renderers, and images drawn by pngjs.
      'react-dom/server': resolve(
        'node_modules/react-dom/cjs/react-dom-server-legacy.node.production.js',
      ),
      qrcode: resolve('node_modules/qrcode/lib/core/qrcode.js'),
    },
    // CommonJS packages load Node's modules by require.
    banner: {
      js: "import { createRequire as nodeRequire } from 'node:module'; const require = nodeRequire(import.meta.url);",
    },
  })
}

/** Compiling takes two thirds of a start, so Node caches the compiled code. */
function loaderOf(name: string): string {
  return `import { enableCompileCache } from 'node:module'
import { fileURLToPath } from 'node:url'
enableCompileCache(fileURLToPath(new URL('./compile-cache', import.meta.url)))
await import('./programs/${name}.js')
`
}
