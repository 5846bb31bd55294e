import { readFileSync } from 'node:fs'
import { basename, dirname } from 'node:path'
import type { Plugin } from 'esbuild'
import { compileTexts } from '#locales/compile.ts'

/** Leaves the texts out of the scripts for browsers, where islands have theirs as properties. */
export const withoutTexts: Plugin = {
  name: 'without-texts',
  setup({ onLoad }) {
    onLoad({ filter: /\/locales\/catalogue\.ts$/ }, () => ({
      contents: 'export const en = { refusals: {} }',
    }))
  },
}

/** Compiles the texts in the build, and leaves the parser out. */
export const compiledLocales: Plugin = {
  name: 'compiled-locales',
  setup({ onLoad }) {
    onLoad({ filter: /\/locales\/\w\w\/\w+\.json$/ }, ({ path }) => {
      const texts = JSON.parse(readFileSync(path, 'utf8'))
      const compiled = compileTexts(basename(dirname(path)), texts)
      return { contents: `export default ${JSON.stringify(compiled)}`, loader: 'js' }
    })
    onLoad({ filter: /\/locales\/compile\.ts$/ }, () => ({
      contents: 'export const compileTexts = (lang, texts) => texts',
    }))
  },
}
