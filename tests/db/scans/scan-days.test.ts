import { describe, expect, test, vi } from 'vitest'
import { insertAccount } from '#db/accounts/accounts.ts'
import { deleteQrCode } from '#db/codes/qr-changes.ts'
import { countOwnerScans, listOwnerScansPerDay, listScansPerDay } from '#db/scans/scan-days.ts'
import { quarterOf } from '#db/scans/scan-sums.ts'
import { insertScans } from '#db/seed.ts'
import { openTestApp } from '#tests/support/app.ts'
import { insertCode } from '#tests/support/codes.ts'
import { testOnSqlite } from '#tests/support/database.ts'
import { plansOf } from '#tests/support/query-plans.ts'

/** An account with a code for each of these histories, which were recorded as they happened. */
async function openWithScans(...histories: string[][]) {
  const app = await openTestApp()
  const owner = await app.signUp({ subscription_plan: 'premium' })
  const qrIds: string[] = []
  for (const history of histories) {
    const { qr_id } = await insertCode(app.db, owner.id)
    qrIds.push(qr_id)
    for (const instant of history) {
      vi.setSystemTime(instant)
      await app.deps.scanPath.record({ qr_id, device: 'phone', referrer: 'direct' })
    }
  }
  const [first = '', second = ''] = qrIds
  return { ...app, owner, qrIds, first, second }
}

const AROUND_MIDNIGHT = [
  '2026-11-17T18:30:00.000Z', // 18 November 00:00 in India, the oldest day asked for
  '2026-11-17T18:29:59.999Z', // a millisecond too old
  '2026-11-20T18:29:59.999Z', // 20 November 23:59 in India
  '2026-11-20T18:30:00.000Z', // 21 November 00:00 in India
  '2026-11-21T03:00:00.000Z',
]
const SPAN = { days: 4, now: new Date('2026-11-21T04:00:00.000Z'), timezone: 'Asia/Kolkata' }
const FOUR_DAYS = [
  { day: '2026-11-18', scans: 1 },
  { day: '2026-11-19', scans: 0 },
  { day: '2026-11-20', scans: 1 },
  { day: '2026-11-21', scans: 2 },
]
const NOTHING = FOUR_DAYS.map(({ day }) => ({ day, scans: 0 }))
const UTC_SPAN = { ...SPAN, days: 2, timezone: 'UTC' }
const UTC_DAYS = [
  { day: '2026-11-20', scans: 2 },
  { day: '2026-11-21', scans: 1 },
]

test('scans per day follow the zone’s midnight, and days without any are there', async () => {
  const { db, owner, qrIds, first, second } = await openWithScans(AROUND_MIDNIGHT, [])
  const days = await listScansPerDay(db, qrIds, SPAN)
  expect(days.get(first)).toEqual(FOUR_DAYS)
  expect(days.get(second)).toEqual(NOTHING)
  expect((await listScansPerDay(db, [first], UTC_SPAN)).get(first)).toEqual(UTC_DAYS)
  expect(await listOwnerScansPerDay(db, owner.id, SPAN)).toEqual(FOUR_DAYS)
  expect(await listOwnerScansPerDay(db, owner.id, UTC_SPAN)).toEqual(UTC_DAYS)
})

test('days begin right in a zone of three quarters of an hour', async () => {
  const { db, owner, first } = await openWithScans([
    '2026-11-20T18:14:59.999Z', // 20 November 23:59 in Nepal
    '2026-11-20T18:15:00.000Z', // 21 November 00:00
  ])
  const span = { days: 2, now: SPAN.now, timezone: 'Asia/Kathmandu' }
  const days = [
    { day: '2026-11-20', scans: 1 },
    { day: '2026-11-21', scans: 1 },
  ]
  expect((await listScansPerDay(db, [first], span)).get(first)).toEqual(days)
  expect(await listOwnerScansPerDay(db, owner.id, span)).toEqual(days)
})

test('no day is lost or doubled where clocks change', async () => {
  const { db, owner, first } = await openWithScans([
    '2026-10-25T00:30:00.000Z', // 02:30 summer time
    '2026-10-25T01:30:00.000Z', // 02:30 winter time, an hour later
  ])
  const now = new Date('2026-10-26T12:00:00.000Z')
  const span = { days: 3, now, timezone: 'Europe/Berlin' }
  const days = [
    { day: '2026-10-24', scans: 0 },
    { day: '2026-10-25', scans: 2 },
    { day: '2026-10-26', scans: 0 },
  ]
  expect((await listScansPerDay(db, [first], span)).get(first)).toEqual(days)
  expect(await listOwnerScansPerDay(db, owner.id, span)).toEqual(days)
})

describe('the sums of an account', () => {
  test('are the sums of its codes, and a deleted code takes its own along', async () => {
    const { db, owner, first } = await openWithScans(AROUND_MIDNIGHT, AROUND_MIDNIGHT.slice(2))
    expect(await countOwnerScans(db, owner.id)).toBe(8)
    await deleteQrCode(db, owner, first, SPAN.now)
    expect(await countOwnerScans(db, owner.id)).toBe(3)
    const perDay = await listOwnerScansPerDay(db, owner.id, SPAN)
    expect(perDay.map(({ scans }) => scans)).toEqual([0, 0, 1, 2])
  })

  test('go with a code to its next owner', async () => {
    const { db, owner, first } = await openWithScans(AROUND_MIDNIGHT, AROUND_MIDNIGHT)
    const someone = { name: 'Meera', email: 'meera@example.in', password_hash: null }
    const next = await insertAccount(db, someone, SPAN.now)
    await db.updateTable('qr_codes').set({ owner_id: next.id }).where('qr_id', '=', first).execute()
    expect(await countOwnerScans(db, owner.id)).toBe(5)
    expect(await countOwnerScans(db, next.id)).toBe(5)
    expect(await listOwnerScansPerDay(db, next.id, SPAN)).toEqual(FOUR_DAYS)
  })

  test('are without those of a code while a claimer without an account holds it', async () => {
    const { db, owner, first } = await openWithScans(AROUND_MIDNIGHT, AROUND_MIDNIGHT.slice(2))
    const hold = (claimed_at: string | null) =>
      db.updateTable('qr_codes').set({ claimed_at }).where('qr_id', '=', first).execute()
    await hold(SPAN.now.toISOString())
    expect(await countOwnerScans(db, owner.id)).toBe(3)
    const perDay = await listOwnerScansPerDay(db, owner.id, SPAN)
    expect(perDay.map(({ scans }) => scans)).toEqual([0, 0, 1, 2])
    await hold(null)
    expect(await countOwnerScans(db, owner.id)).toBe(8)
  })

  test('stand in sample data as they would have grown', async () => {
    const { db, owner, first } = await openWithScans([])
    const scans = AROUND_MIDNIGHT.map((scanned_at, n) => {
      const kind = { device: 'phone', referrer: 'direct' } as const
      return { qr_id: first, scanned_at, n, ...kind, replaced_id: null }
    })
    await insertScans(db, scans, () => {})
    expect(await listOwnerScansPerDay(db, owner.id, SPAN)).toEqual(FOUR_DAYS)
  })

  testOnSqlite('are read from one range, and of the scans those of held codes alone', async () => {
    const { connection, db, owner } = await openWithScans([])
    const plans = await plansOf(connection, async () => {
      await listOwnerScansPerDay(db, owner.id, SPAN)
      await countOwnerScans(db, owner.id)
    })
    const ofHeldCodes = [
      'SEARCH qr_codes USING INDEX qr_codes_by_owner (owner_id=?)',
      'SEARCH scans USING PRIMARY KEY (qr_id=?)',
      'USE TEMP B-TREE FOR GROUP BY',
    ]
    expect(plans).toEqual([
      ['SEARCH owner_scans USING PRIMARY KEY (owner_id=? AND quarter>?)'],
      ofHeldCodes,
      [
        'SEARCH owner_scans USING PRIMARY KEY (owner_id=?)',
        'SCALAR SUBQUERY 1',
        'SEARCH qr_codes USING INDEX qr_codes_with_earlier_scans (owner_id=? AND earlier_scans>?)',
      ],
      ofHeldCodes,
    ])
  })
})

test('a quarter of an hour is named by its first minute', () => {
  const minutes = ['00', '14', '15', '29', '30', '44', '45', '59']
  expect(minutes.map((minute) => quarterOf(`2026-11-20T09:${minute}:59.999Z`).slice(-2))).toEqual([
    '00',
    '00',
    '15',
    '15',
    '30',
    '30',
    '45',
    '45',
  ])
})
