/** What Node runs: the server and the command line, bundled. */
import { writeFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { type BuildOptions, build, type Plugin } from 'esbuild'

export const SHARED_OPTIONS = {
  bundle: true,
  minify: true,
  format: 'esm',
  jsx: 'automatic',
  logLevel: 'warning',
  define: { 'process.env.NODE_ENV': '"production"' },
} satisfies BuildOptions

/** Zod's messages in forty other languages, and the threads that nothing here sends logs to. */
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

/** Writes `programs/` and what loads them into a folder. */
export async function buildPrograms(folder: string, plugins: Plugin[] = []): Promise<void> {
  await build({
    ...SHARED_OPTIONS,
    entryPoints: {
      'programs/server': 'server.ts',
      'programs/driveqr': 'scripts/driveqr.ts',
      'programs/find-damage': 'db/sqlite/find-damage.ts',
    },
    outdir: folder,
    // What a program loads when it first needs it is a file of its own.
    splitting: true,
    chunkNames: 'programs/[name]-[hash]',
    platform: 'node',
    target: 'node22',
    // The names of functions stay, so that a stack in the log can be read.
    minify: false,
    minifySyntax: true,
    minifyWhitespace: true,
    // pdfkit reads the metrics of its fonts from files beside it.
    // Native ones, and those that are loaded when they are first needed.
    external: [
      'better-sqlite3',
      'sharp',
      '@node-rs/*',
      'oslo/password',
      'nodemailer',
      'pdfkit',
      'pg',
    ],
    plugins: [leaveOut, ...plugins],
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
  for (const name of ['server', 'driveqr'])
    writeFileSync(join(folder, `${name}.js`), loaderOf(name))
}

/** Compiling the program is two thirds of its start: Node keeps what it compiled the first time. */
function loaderOf(name: string): string {
  return `import { enableCompileCache } from 'node:module'
enableCompileCache(new URL('./compile-cache', import.meta.url).pathname)
await import('./programs/${name}.js')
`
}
