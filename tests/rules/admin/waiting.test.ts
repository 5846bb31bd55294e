import { expect, test } from 'vitest'
import { describeWait, WAITING_KINDS, waitingKindsOf } from '#domain/admin/waiting.ts'

const NOW = new Date('2026-11-20T10:00:00.000Z')
const before = (hours: number) => new Date(NOW.getTime() - hours * 3_600_000).toISOString()

test('only admins may do work of all kinds, moderators decide reports, and others none', () => {
  expect(waitingKindsOf('super_admin')).toEqual(WAITING_KINDS)
  expect(waitingKindsOf('admin')).toEqual(WAITING_KINDS)
  expect(waitingKindsOf('moderator')).toEqual(['report'])
  expect(waitingKindsOf('client')).toEqual([])
  expect(waitingKindsOf('premium')).toEqual([])
})

test.each([
  ['ticket', 8, '8 h', false],
  ['ticket', 8.5, '30 min late', true],
  ['ticket', 11, '3 h late', true],
  ['ticket', 60, '2 days late', true],
  ['upgrade', 24, '24 h', false],
  ['upgrade', 27, '3 h late', true],
] as const)('a %s of %d hours says %s, which is late: %s', (kind, hours, text, isLate) => {
  expect(describeWait({ kind, since: before(hours) }, 8, NOW)).toEqual({ text, isLate })
})
