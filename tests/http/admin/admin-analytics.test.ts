import { expect, test } from 'vitest'
import { randomId } from '#db/secrets.ts'
import { openAdmin } from '#tests/support/admin.ts'
import { insertCode } from '#tests/support/codes.ts'

// Two minutes before midnight in India.
const BEFORE_MIDNIGHT = '2026-11-20T18:28:00.000Z'

async function openAnalytics(now = BEFORE_MIDNIGHT, env: Record<string, string> = {}) {
  const app = await openAdmin({ now, env })
  const charts = async () => {
    const { html } = await app.open('?tab=analytics')
    const figures = [...html.matchAll(/<b>([^<]+)<\/b><svg/g)].map(([, figure]) => figure)
    const labels = [...html.matchAll(/aria-label="([^"]+ per day, [^"]+)"/g)].map(
      ([, label = '']) => label.split(': ') as [string, string],
    )
    return { figures, days: labels.map(([, listed]) => listed.split(/, (?=\D*\d)/)), labels }
  }
  return { ...app, charts }
}

const NOTHING = Array.from({ length: 12 }, () => '0')

test('users are counted once on each day of the zone on which they were here', async () => {
  const { charts, signUp, ask, advance, db } = await openAnalytics()
  const asha = await signUp()
  const before = await charts()
  expect(before.labels[0]?.[0]).toBe('Daily active users per day, last 14 days')
  expect(before.figures[0]).toBe('2')
  advance(4 * 60)
  // Four minutes after its last use a session is noted again, because the day is another.
  await ask('GET', '/api/auth/me', { as: asha })
  await ask('GET', '/api/auth/me', { as: asha })
  const after = await charts()
  expect(after.figures[0]).toBe('2')
  expect(after.days[0]).toEqual([...NOTHING, '2', '2'])
  advance(29 * 86_400)
  expect((await charts()).days[0]).toEqual([...NOTHING, '0', '1'])
  for (const days of [29, 2]) {
    advance(days * 86_400)
    await charts()
  }
  const kept = await db.selectFrom('active_days').select('day').orderBy('day').execute()
  expect(kept.map(({ day }) => day)).toEqual(['2026-12-20', '2027-01-18', '2027-01-20'])
})

test('scans are counted on the day of the zone', async () => {
  const { charts, ask, advance, db, root } = await openAnalytics()
  const { qr_id } = await insertCode(db, root.id)
  await ask('GET', `/api/scan/${qr_id}`)
  advance(4 * 60)
  for (let n = 0; n < 2; n++) await ask('GET', `/api/scan/${qr_id}`)
  const { figures, days } = await charts()
  expect(figures[1]).toBe('3')
  expect(days[1]).toEqual([...NOTHING, '1', '2'])
})

test('revenue is the price of approved upgrades, on the day of their approval', async () => {
  const { charts, signUp, db, advance } = await openAnalytics()
  const request = async (
    amount: number,
    status: 'approved' | 'rejected' | 'pending',
    approved_at: string | null,
  ) => {
    const { id: account_id } = await signUp()
    const wish = { current_plan: 'free', requested_plan: 'premium' } as const
    const row = { ...wish, id: randomId(), account_id, amount, status, approved_at }
    await db
      .insertInto('upgrade_requests')
      .values({ ...row, requested_at: '2026-10-01T00:00:00.000Z' })
      .execute()
  }
  await request(999, 'approved', '2026-11-20T18:29:59.999Z')
  await request(9999, 'approved', '2026-11-20T18:30:00.000Z')
  await request(500, 'approved', '2026-11-20T19:00:00.000Z')
  await request(777, 'rejected', '2026-11-20T19:00:00.000Z')
  await request(777, 'pending', null)
  // The oldest shown day begins here; an earlier approval is not counted.
  await request(100, 'approved', '2026-11-07T18:30:00.000Z')
  await request(9, 'approved', '2026-11-07T18:29:59.999Z')
  advance(3600)
  const { figures, labels } = await charts()
  expect(figures[2]).toBe('₹11,598')
  expect(labels[2]).toEqual([
    'Revenue per day, last 14 days',
    ['₹100', ...Array.from({ length: 11 }, () => '₹0'), '₹999', '₹10,499'].join(', '),
  ])
})

test('an installation in London has other days', async () => {
  const { charts, ask, advance, db, root } = await openAnalytics(BEFORE_MIDNIGHT, {
    TIMEZONE: 'Europe/London',
  })
  const { qr_id } = await insertCode(db, root.id)
  await ask('GET', `/api/scan/${qr_id}`)
  advance(4 * 60)
  await ask('GET', `/api/scan/${qr_id}`)
  expect((await charts()).days[1]).toEqual([...NOTHING, '0', '2'])
})
