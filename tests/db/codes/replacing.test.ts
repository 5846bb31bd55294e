import { rmSync } from 'node:fs'
import { describe, expect, onTestFinished, test } from 'vitest'
import { hashPin, tryPin } from '#db/codes/pins.ts'
import { listOwnQrCodes } from '#db/codes/qr-codes.ts'
import { replaceQrCode } from '#db/codes/replacing.ts'
import { differencesOf } from '#db/engine.ts'
import type { QrCode, Tables } from '#db/schema.ts'
import { networksOf } from '#domain/networks.ts'
import { openTestApp } from '#tests/support/app.ts'
import { HELD, insertCode } from '#tests/support/codes.ts'
import { openTestDatabase } from '#tests/support/database.ts'
import { EVERY_ROW } from '#tests/support/every-row.ts'
import { CHILD, UNCLAIMED } from '#tests/support/families.ts'
import { makeDataFolder } from '#tests/support/folders.ts'
import { race } from '#tests/support/races.ts'

const NOW = new Date('2026-11-21T10:00:00.000Z')
const OWNER = { id: 'a1', parent_id: null }

/** A row of every table, of a code that can be replaced. */
async function openEveryRow() {
  const dataDir = makeDataFolder()
  const { db, close } = await openTestDatabase(dataDir)
  onTestFinished(async () => {
    await close()
    rmSync(dataDir, { recursive: true })
  })
  const [code] = EVERY_ROW.qr_codes as [QrCode]
  const qr_codes = [{ ...code, claimed_at: null, take_token_hash: null, stopped_by_report: null }]
  await differencesOf(db).load({ ...EVERY_ROW, qr_codes })
  return { db, old: code.qr_id }
}

describe('replacing the id of a code', () => {
  test('takes along everything that belongs to it, in every table', async () => {
    const { db, old } = await openEveryRow()
    const replaced = await replaceQrCode(db, OWNER, old, NOW)
    expect(replaced.qr_id).not.toBe(old)
    const following: string[] = []
    for (const table of Object.keys(EVERY_ROW) as (keyof Tables)[]) {
      const rows = (await db.selectFrom(table).selectAll().execute()) as { qr_id?: string | null }[]
      const ids = rows.flatMap(({ qr_id }) => qr_id ?? [])
      if (table === 'replaced_ids') continue
      expect([table, ids.filter((id) => id !== replaced.qr_id)]).toEqual([table, []])
      if (ids.length > 0) following.push(table)
    }
    // It looked at something, the scans among it.
    expect(following).toContain('scans')
    expect(following.length).toBeGreaterThanOrEqual(12)
  })

  test('keeps the earlier ids, the newest first, and gives none of them away again', async () => {
    const { db, old } = await openEveryRow()
    const first = await replaceQrCode(db, OWNER, old, NOW)
    const second = await replaceQrCode(db, OWNER, first.qr_id, new Date(NOW.getTime() + 1))
    expect(second.replaces).toEqual([first.qr_id, old, 'BBBB3333'])
    const { qr_codes } = await listOwnQrCodes(db, OWNER)
    expect(qr_codes.map(({ qr_id, replaces }) => [qr_id, replaces])).toEqual([
      [second.qr_id, second.replaces],
    ])
    await db.deleteFrom('qr_codes').where('id', '=', second.id).execute()
    expect(await db.selectFrom('replaced_ids').selectAll().execute()).toEqual([])
  })

  test('hides the code from the conversations that began on the old tag', async () => {
    const { db, old } = await openEveryRow()
    await db.updateTable('conversations').set({ replaced_id: null }).execute()
    await replaceQrCode(db, OWNER, old, NOW)
    const rows = await db.selectFrom('conversations').select(['kind', 'replaced_id']).execute()
    expect(Object.fromEntries(rows.map((row) => [row.kind, row.replaced_id]))).toEqual({
      finder: old,
      support: null,
    })
  })

  test('is possible once for each id, and the PIN stays', async () => {
    const { db, deps, signUp } = await openTestApp()
    const { secretKey } = deps
    const owner = await signUp()
    const { id, qr_id } = await insertCode(db, owner.id)
    const pin_hash = hashPin(secretKey, qr_id, '4711')
    await db.updateTable('qr_codes').set({ pin_hash }).execute()
    const { won, refused } = await race(() => replaceQrCode(db, owner, qr_id, deps.clock()))
    expect([won.length, refused]).toEqual([1, { 'not_found: QR code not found': 19 }])
    const now = await replaceQrCode(db, owner, won[0]?.qr_id ?? '', deps.clock())
    const trying = { secretKey, networks: networksOf('203.0.113.7'), now: deps.clock() }
    const attempt = (pin: string) => tryPin(db, now.qr_id, pin, trying)
    expect(await attempt('0000')).toEqual({ outcome: 'incorrect' })
    expect(await attempt('4711')).toMatchObject({ outcome: 'opened', code: { id } })
    expect(await tryPin(db, qr_id, '4711', trying)).toEqual({ outcome: 'no_pin' })
  })

  test('loses no scan that is committed meanwhile', async () => {
    const { db, deps, signUp } = await openTestApp()
    const owner = await signUp()
    const { qr_id: old } = await insertCode(db, owner.id)
    const scan = { qr_id: old, device: 'phone', referrer: 'direct' } as const
    let recorded = 0
    let gone = 0
    const scans = Array.from({ length: 200 }, async (_, n) => {
      // Some of them come before the replacement, some in its middle, some after it.
      for (let turn = 0; turn < n % 20; turn++) await new Promise((next) => setImmediate(next))
      await deps.scanPath.record(scan).then(
        () => recorded++,
        () => gone++,
      )
    })
    const [{ qr_id }] = await Promise.all([replaceQrCode(db, owner, old, deps.clock()), ...scans])
    expect(recorded + gone).toBe(200)
    const rows = await db.selectFrom('scans').select('qr_id').execute()
    expect(rows).toEqual(Array.from({ length: recorded }, () => ({ qr_id })))
    const sums = await db.selectFrom('owner_scans').select('scans').execute()
    expect(sums.reduce((sum, { scans }) => sum + scans, 0)).toBe(recorded)
  })

  test.each([
    ['an unclaimed code', UNCLAIMED, 'Nobody has claimed or registered this QR code yet'],
    ['an unregistered one', CHILD, 'Nobody has claimed or registered this QR code yet'],
    ['one that a claimer holds', HELD, 'This QR code has already been claimed'],
    [
      'one that a moderator switched off',
      { is_active: 0, stopped_by_report: 'r' },
      'This QR code was deactivated by a moderator',
    ],
  ] as const)('is refused for %s', async (_, fields, message) => {
    const { db, deps, signUp } = await openTestApp()
    const owner = await signUp()
    const { qr_id } = await insertCode(db, owner.id, fields)
    const refused = replaceQrCode(db, owner, qr_id, deps.clock())
    await expect(refused).rejects.toMatchObject({ kind: 'conflict', message })
    const stranger = await signUp()
    const theirs = replaceQrCode(db, stranger, qr_id, deps.clock())
    await expect(theirs).rejects.toMatchObject({ kind: 'not_found' })
    expect(await db.selectFrom('replaced_ids').selectAll().execute()).toEqual([])
  })
})
