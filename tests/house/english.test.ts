import { expect, test } from 'vitest'
import { findStumbles } from '#tests/house/english.ts'
import { readSources } from '#tests/house/sources.ts'

test('comments and names are plain English, by the rules of CONTRIBUTING.md', () => {
  expect(readSources().flatMap(findStumbles)).toEqual([])
})

test('each rule for English finds the line that breaks it', () => {
  const broken = [
    '// What becomes of a row.',
    '// Tells the owner of what is due.',
    '// The owner, for whom it waits.',
    '// Made anew after a restart.',
    "const wornBrand = ''",
    '/** The number of rows. */\nexport function countRows() {}',
  ]
  const reasons = broken.map((text) => findStumbles({ path: 'db/a.ts', text })[0] ?? 'none')
  expect(reasons).toEqual([
    expect.stringContaining('begins without a subject or verb'),
    expect.stringContaining('"what"'),
    expect.stringContaining('"who"'),
    expect.stringContaining('a private word'),
    expect.stringContaining('a private word in a name'),
    expect.stringContaining('does not begin with a verb'),
  ])
  const title = 'what waits is sent'
  const text = `test('${title}', () => {})`
  expect(findStumbles({ path: 'tests/a.test.ts', text })).toEqual([
    `tests/a.test.ts:1: has a clause for a noun in a title (${title})`,
  ])
})

test('plain English passes, and so do quoted words and strings', () => {
  const plain = [
    '/** Counts the rows of an account. */',
    'export function countRows() {}',
    '// Keeps `worn` as it was stored, because "what is" is quoted here.',
    "const text = 'Whoever finds these keys'",
    "const link = 'https://example.in' // the owner's address",
  ]
  expect(findStumbles({ path: 'db/a.ts', text: plain.join('\n') })).toEqual([])
})
