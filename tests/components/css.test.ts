import { globSync, readFileSync } from 'node:fs'
import { build } from 'esbuild'
import { expect, test } from 'vitest'
import { SCAN_SHEETS } from '#domain/scans/scan-sheets.ts'
import { INLINED } from '#scripts/_finder-assets.ts'

const read = (file: string) => readFileSync(file, 'utf8')
const sheets = globSync('components/**/*.css').map((file) => ({
  file,
  css: read(file).replaceAll(/\/\*.*?\*\//gs, ''),
}))
const source = globSync('{components,islands,routes}/**/*.{ts,tsx}').map(read).join('\n')

/** Written out, or put together as `badge-${tone}`. */
function isNamed(name: string): boolean {
  const family = name.slice(0, name.lastIndexOf('-') + 1)
  return new RegExp(`(?<![\\w-])${name}(?![\\w-])`).test(source) || source.includes(`${family}\${`)
}

test('every class of the style sheets is named by what is rendered', () => {
  expect(isNamed('btn-main')).toBe(true)
  expect(isNamed('no-such-class')).toBe(false)
  const unused = sheets.flatMap(({ file, css }) =>
    [...css.matchAll(/\.([a-z][\w-]*)(?=[^"]*?[{,])/g)]
      .map(([, name = '']) => name)
      .filter((name) => !isNamed(name))
      .map((name) => `${file}: .${name}`),
  )
  expect(unused).toEqual([])
})

test('every file of styles is part of a sheet', () => {
  const imported = sheets.flatMap(({ css }) =>
    [...css.matchAll(/@import "\.{1,2}\/([^"]+)"/g)].map(([, path = '']) => path),
  )
  const parts = sheets.filter(
    ({ file }) => !/css\/((app|settings)(-auto|-dark)?|public)\.css$/.test(file),
  )
  const forgotten = parts
    .map(({ file }) => file)
    .filter((file) => !SCAN_SHEETS.some((sheet) => file.endsWith(`/scan-${sheet}.css`)))
    .filter((file) => !Object.values(INLINED).includes(file))
    .filter((file) => !imported.some((path) => file.endsWith(`/${path}`)))
  expect(forgotten).toEqual([])
})

test('Settings has a sheet of at most 30 KB, with its dark mode', async () => {
  const { outputFiles } = await build({
    entryPoints: ['components/css/settings-auto.css'],
    bundle: true,
    minify: true,
    write: false,
  })
  expect(outputFiles[0]?.contents.length).toBeLessThanOrEqual(30_000)
  expect(outputFiles[0]?.text).toContain('.matrix')
})
