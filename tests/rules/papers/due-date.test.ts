import { expect, test } from 'vitest'
import { dueState } from '#domain/papers/due-date.ts'

test.each([
  ['2026-11-19', 'past'],
  ['2026-11-20', 'soon'],
  ['2026-12-20', 'soon'],
  ['2026-12-21', 'later'],
] as const)('on 20 November 2026, %s is %s', (day, state) => {
  expect(dueState(day, '2026-11-20')).toBe(state)
})
