import { expect, test } from 'vitest'
import { readPromoNotice } from '#domain/plans/promo-notice.ts'

const NOTICE = {
  promo_code: 'MONSOON50',
  benefit: 'Premium plan',
  message: 'Promo code redeemed successfully!',
  timestamp: '2026-11-20T10:00:00.000Z',
  account_id: 'asha',
}
const read = (stored: string | null, now = '2026-11-20T11:00:00Z', who = 'asha') =>
  readPromoNotice(stored, who, new Date(now))

test('a notice is shown for 24 hours, to the account that redeemed', () => {
  const stored = JSON.stringify(NOTICE)
  expect(read(stored)).toEqual(NOTICE)
  expect(read(stored, '2026-11-21T09:59:59.999Z')).toEqual(NOTICE)
  expect(read(stored, '2026-11-21T10:00:00Z')).toBeUndefined()
  expect(read(stored, undefined, 'ravi')).toBeUndefined()
})

test.each([
  null,
  '',
  '{',
  'null',
  '[]',
  '"text"',
  '{}',
  JSON.stringify({ ...NOTICE, benefit: undefined }),
  JSON.stringify({ ...NOTICE, message: 7 }),
  JSON.stringify({ ...NOTICE, timestamp: 'yesterday' }),
  JSON.stringify({ ...NOTICE, timestamp: '2030-01-01T00:00:00Z' }),
])('a broken notice (%j) is none', (stored) => {
  expect(read(stored)).toBeUndefined()
})
