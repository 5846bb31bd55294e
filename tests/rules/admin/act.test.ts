import { expect, test } from 'vitest'
import { describeAct } from '#domain/admin/act.ts'
import { formatAgo, formatSpan } from '#domain/ago.ts'
import { trendText } from '#domain/scans/trend.ts'

const act = (action: string, before: object | null, after: object | null, about?: string) =>
  describeAct(
    {
      action,
      actor: 'Nandini Rao',
      about: about ?? null,
      before: before && JSON.stringify(before),
      after: after && JSON.stringify(after),
    },
    'Asia/Kolkata',
  )

test.each([
  ['account.created', 'User created'],
  ['promo.toggled', 'Promo code toggled'],
  ['role.revoked', 'Role revoked'],
  ['sample_data.created', 'Sample data created'],
  ['qr.bulk.deactivate', 'QR codes bulk deactivate'],
  ['something_new.done', 'Something new done'],
])('%s has the title “%s”', (action, title) => {
  expect(act(action, null, null)).toEqual({ title, detail: 'by Nandini Rao' })
})

test('changed values are shown before and after, unchanged ones are not shown', () => {
  const before = { qr_limit: 50, is_active: 1, role: 'client', notes: null, code: 'DIWALI' }
  const after = { qr_limit: -1, is_active: 0, role: 'super_admin', notes: '', code: 'DIWALI' }
  expect(act('permission.changed', before, after).detail).toBe(
    'DIWALI · QR limit: 50 → unlimited · status: Active → Inactive · role: Client → Super Admin · by Nandini Rao',
  )
})

test('counts have digit groups', () => {
  const change = act('account.plan_set', { child_qr_quota: 0 }, { child_qr_quota: 1000 })
  expect(change.detail).toBe('child QR codes left: 0 → 1,000 · by Nandini Rao')
  expect(act('qr.printed', null, { count: 5000 }).detail).toBe('5,000 · by Nandini Rao')
})

test('the code of a report is shown in groups of four', () => {
  const about = { code: '7K3MQ9WD4XTP' }
  const decided = act(
    'report.decided',
    { ...about, decision: null },
    { ...about, decision: 'hide' },
  )
  expect(decided.detail).toBe('7K3M-Q9WD-4XTP · decision: none → hide · by Nandini Rao')
})

test('times are shown in the zone, and missing values as none', () => {
  const { detail } = act(
    'role.granted',
    { role: 'client' },
    { role: 'client', expires_at: '2026-12-31T18:30:00.000Z' },
    'Asha Patil',
  )
  expect(detail).toBe('Asha Patil · until: none → 1 Jan 2027, 12:00 am · by Nandini Rao')
})

test.each([
  [112, 100, '+12% in 30 days'],
  [100, 100, 'Steady'],
  [5, 0, '+5 in 30 days'],
  [1001, 1000, '+1 in 30 days'],
  [90, 100, '−10% in 30 days'],
  [1_000_000, 20, '+9,99,980 in 30 days'],
  [0, 0, 'Steady'],
])('%i after %i is “%s”', (now, before, text) => {
  expect(trendText(now, before)).toBe(text)
})

test.each([
  ['2026-11-20T09:59:30.000Z', 'just now'],
  ['2026-11-20T09:42:00.000Z', '18 min ago'],
  ['2026-11-20T09:41:00.001Z', '18 min ago'],
  ['2026-11-20T07:00:00.000Z', '3 h ago'],
  ['2026-11-20T06:00:00.001Z', '3 h ago'],
  ['2026-11-19T10:00:00.000Z', '19 Nov 2026'],
])('the instant %s is shown as “%s”', (instant, text) => {
  expect(formatAgo(instant, new Date('2026-11-20T10:00:00.000Z'), 'Asia/Kolkata')).toBe(text)
})

test.each([
  [59_000, '0 min'],
  [3_900_000, '1 h 5 min'],
  [90_000_000, '1 day 1 h'],
  [190_000_000, '2 days 4 h'],
])('%i ms are %s', (milliseconds, text) => {
  expect(formatSpan(milliseconds)).toBe(text)
})
