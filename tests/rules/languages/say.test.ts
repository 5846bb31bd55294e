import { describe, expect, test } from 'vitest'
import { en, loadCatalogue } from '#locales/catalogue.ts'
import { compileTexts } from '#locales/compile.ts'
import { formatRefusal, formatWait } from '#locales/format.ts'
import { format, type Message } from '#locales/message.ts'

const hi = await loadCatalogue('hi')
const COUNTED = '{n, plural, one {one {n}} other {other {n}}}'

test.each([
  ['en', 'other 0'],
  ['hi', 'one 0'],
  ['bn', 'one 0'],
  ['te', 'other 0'],
  ['mr', 'other 0'],
  ['ta', 'other 0'],
  ['gu', 'one 0'],
  ['kn', 'one 0'],
  ['ml', 'other 0'],
  ['pa', 'one 0'],
  ['ur', 'other 0'],
])('a text follows its number as %s has it', (lang, none) => {
  const { counted } = compileTexts(lang, { counted: COUNTED })
  expect([0, 1, 2, 21].map((n) => format(counted as Message, { n }))).toEqual([
    none,
    'one 1',
    'other 2',
    'other 21',
  ])
})

test.each([
  [1, 'Try again in 1 second.'],
  [119, 'Try again in 119 seconds.'],
  [121, 'Try again in 3 minutes.'],
  [7_199, 'Try again in 120 minutes.'],
  [7_201, 'Try again in 3 hours.'],
  [172_800, 'Try again in 2 days.'],
  [172_801, 'Try again in 3 days.'],
])('in %i seconds is said in the largest unit of which there are two', (seconds, said) => {
  expect(formatWait(en, seconds)).toBe(said)
})

describe('a refusal', () => {
  const [known = '', translated = ''] = Object.entries(hi.refusals)[0] ?? []
  const { otherwise } = hi

  test.each([
    [known, translated],
    ['Text must be at most 1,000 characters', otherwise.tooLong],
    ['Too many tries. Try again in 1 second.', `${otherwise.tooMany} ${formatWait(hi, 1)}`],
    ['Too many tries. Try again in 3 minutes.', `${otherwise.tooMany} ${formatWait(hi, 180)}`],
    ['Image is larger than 7 MB', otherwise.photo],
    ['Something that nobody has translated', otherwise.failed],
  ])('%j is said in the language of the page: %s', (sentence, said) => {
    expect(formatRefusal(hi, sentence)).toBe(said)
    expect(formatRefusal(en, sentence)).toBe(sentence)
  })
})
