import { expect, test } from 'vitest'
import { firstWord } from '#domain/codes/visibility.ts'

test.each([
  ['Asha Patil', 'Asha'],
  ['  Asha\u00a0Patil ', 'Asha'],
  ['Raju, 1', 'Raju'],
  ['M. K. Rao', 'M.'],
  ['D’Souza', 'D’Souza'],
  ['राजेश कुमार', 'राजेश'],
  [' ', null],
  [null, null],
])('of the name %j finders see %j when the number is hidden', (name, shown) => {
  expect(firstWord(name)).toBe(shown)
})
