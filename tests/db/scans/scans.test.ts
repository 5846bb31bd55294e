import { expect, test } from 'vitest'
import { countScans, listRecentScans } from '#db/scans/scans.ts'
import { openTestApp } from '#tests/support/app.ts'
import { insertCode } from '#tests/support/codes.ts'

/** Codes that were scanned at these moments, in the order given. */
async function openWithScans(...histories: string[][]) {
  const { db, signUp } = await openTestApp()
  const owner = await signUp()
  const qrIds: string[] = []
  let n = 0
  for (const history of histories) {
    const { qr_id } = await insertCode(db, owner.id)
    qrIds.push(qr_id)
    for (const scanned_at of history) {
      const scan = { qr_id, scanned_at, n: n++, device: 'phone', referrer: 'direct' } as const
      await db.insertInto('scans').values(scan).execute()
    }
  }
  return { db, qrIds, first: qrIds[0] as string }
}

const minute = (i: number) => `2026-11-20T09:${String(i).padStart(2, '0')}:00.000Z`
const minutes = (...ofNine: number[]) => ofNine.map(minute)
const scansAt = (...ofNine: number[]) =>
  minutes(...ofNine).map((scanned_at) => ({ scanned_at, replaced_id: null }))

test('scans are counted for many codes at once, and only for those asked about', async () => {
  const { db, qrIds } = await openWithScans(minutes(1, 2, 3), [], minutes(4), minutes(5))
  const [busy, never, once] = qrIds as [string, string, string]
  const counts = await countScans(db, [busy, never, once, 'unknown'])
  expect([...counts].sort()).toEqual([[busy, 3] as const, [once, 1] as const].sort())
  expect(await countScans(db, [])).toEqual(new Map())
})

test('the newest scans of each code come newest first, and no more than asked for', async () => {
  const { db, qrIds } = await openWithScans(minutes(1, 2, 3, 4, 5), [], minutes(7, 6))
  const [busy, , twice] = qrIds as [string, string, string]
  expect(await listRecentScans(db, qrIds, 3)).toEqual(
    new Map([
      [busy, scansAt(5, 4, 3)],
      [twice, scansAt(7, 6)],
    ]),
  )
  expect((await listRecentScans(db, [busy], 100)).get(busy)).toHaveLength(5)
  expect(await listRecentScans(db, [], 3)).toEqual(new Map())
})

test('scans of one millisecond are still no more than asked for', async () => {
  const { db, first } = await openWithScans(minutes(1, 2, 2, 2, 2))
  expect((await listRecentScans(db, [first], 3)).get(first)).toEqual(scansAt(2, 2, 2))
})
