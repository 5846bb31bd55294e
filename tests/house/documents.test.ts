import { existsSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { expect, test } from 'vitest'
import { readSources } from '#tests/house/sources.ts'

const documents = readSources().filter(({ path }) => path.endsWith('.md'))

const OUR_PATH =
  /`((?:actions|bench|components|db|deploy|docs|domain|islands|mail|routes|scripts|server|storage|tests)\/[\w./-]+\.\w+)`/g
const LINK = /\]\((?!https?:|#|mailto:)([^)#\s]+)/g

function missing(path: string, text: string): string[] {
  const named = Array.from(text.matchAll(OUR_PATH), ([, file = '']) => file)
  const linked = Array.from(text.matchAll(LINK), ([, file = '']) => join(dirname(path), file))
  return [...named, ...linked].filter((file) => !existsSync(file))
}

test.each(documents.map(({ path, text }) => [path, text]))(
  'every file that %s names is there',
  (path, text) => {
    expect(missing(path, text)).toEqual([])
  },
)

test('a file that is not there is found', () => {
  const text = 'See `db/nothing.ts`, [this](nowhere.md) and [that](https://example.in/a.md).'
  expect(missing('docs/a.md', text)).toEqual(['db/nothing.ts', 'docs/nowhere.md'])
})
