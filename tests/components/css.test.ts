import { globSync, readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { SHEETS } from '#domain/page-sheets.ts'
import { SCAN_SHEETS } from '#domain/scans/scan-sheets.ts'
import { INLINED } from '#scripts/_finder-assets.ts'
import { BROWSERS, buildSheet, joinLayers } from '#scripts/_sheets.ts'

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

test('every class of the style sheets is rendered somewhere', () => {
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
  const forgotten = sheets
    .map(({ file }) => file)
    .filter((file) => !SHEETS.some((sheet) => file.endsWith(`/css/${sheet}.css`)))
    .filter((file) => !SCAN_SHEETS.some((sheet) => file.endsWith(`/scan-${sheet}.css`)))
    .filter((file) => !Object.values(INLINED).includes(file))
    .filter((file) => !imported.some((path) => file.endsWith(`/${path}`)))
  expect(forgotten).toEqual([])
})

test('the styles of all signed-in pages are at most 31 KB, and those of some 6 KB more, of the codes 10', async () => {
  const bytes = async (name: string) =>
    Buffer.byteLength(await buildSheet(`components/css/${name}.css`, BROWSERS))
  expect(await bytes('app')).toBeGreaterThan(20 * 1024)
  for (const name of SHEETS.filter((sheet) => sheet !== 'public')) {
    const most = name === 'part-codes' ? 10 : name.startsWith('part-') ? 6 : 31
    expect([name, await bytes(name)]).toEqual([name, expect.toSatisfy(isAtMost(most * 1024))])
  }
})

test('neighbouring blocks of one layer are joined, and others stay as they are', () => {
  const css = '@layer a,b;@layer a{p{top:0}}@layer a{@media print{p{top:1px}}}@layer b{i{top:0}}'
  expect(joinLayers(`${css}@media print{i{top:0}}@layer b{b{top:0}}`)).toBe(
    '@layer a,b;@layer a{p{top:0}@media print{p{top:1px}}}@layer b{i{top:0}}@media print{i{top:0}}@layer b{b{top:0}}',
  )
})

const isAtMost = (limit: number) => (bytes: number) => bytes <= limit
