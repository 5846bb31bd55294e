// @module-tag slow
import { spawnSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { readSources } from '#tests/house/sources.ts'

/** Installs the generator from its lock file too. */
const LIMIT_MS = 300_000

test('npm run docs makes a page of each page of the manual, with its links and without marks for tests', {
  timeout: LIMIT_MS,
}, () => {
  // A link to a page that is not there fails the build.
  const { status, stderr } = spawnSync('npm', ['run', 'docs'], { encoding: 'utf8' })
  expect({ status, said: status === 0 ? '' : stderr }).toEqual({ status: 0, said: '' })
  const pages = readSources().filter(({ path }) => /^docs\/.*\.md$/.test(path))
  expect(pages.length).toBeGreaterThan(100)
  for (const { path } of pages) {
    const file = path
      .replace(/^docs/, 'docs/site/dist')
      .replace(/(README)?\.md$/, (_, index) => (index ? 'index.html' : '.html'))
    const html = readFileSync(file, 'utf8')
    expect([path, /<h[1-3]/.test(html)]).toEqual([path, true])
    expect([path, html.includes('not run:')]).toEqual([path, false])
  }
})
