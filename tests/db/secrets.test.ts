import { expect, test } from 'vitest'
import { randomId } from '#db/secrets.ts'

test('ids differ, and none begins with a hyphen, which the command line reads as an option', () => {
  const ids = Array.from({ length: 2_000 }, randomId)
  expect(new Set(ids).size).toBe(2_000)
  expect(ids.filter((id) => !/^\w[\w-]{15}$/.test(id))).toEqual([])
})
