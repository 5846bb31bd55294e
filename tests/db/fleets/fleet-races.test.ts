import { describe, expect, test } from 'vitest'
import { deleteQrCode, updateQrCode } from '#db/codes/qr-changes.ts'
import { createQrCode } from '#db/codes/qr-creation.ts'
import { changeQrCodes } from '#db/fleets/bulk.ts'
import { beginProgress, importRows } from '#db/fleets/import-steps.ts'
import { importQrCodes } from '#db/fleets/imports.ts'
import { readHeader, readImportRow } from '#domain/fleets/import-rows.ts'
import { openTestApp } from '#tests/support/app.ts'
import { HELD, insertCode } from '#tests/support/codes.ts'
import { race } from '#tests/support/races.ts'

const ROUNDS = 100
const LIMIT = 50

async function openOwner() {
  const app = await openTestApp()
  const owner = await app.signUp({ subscription_plan: 'premium' })
  const making = {
    now: app.deps.clock(),
    contactMode: 'public' as const,
    secretKey: app.deps.secretKey,
  }
  const codes = () => app.db.selectFrom('qr_codes').selectAll().execute()
  const empty = () => app.db.deleteFrom('qr_codes').execute()
  return { ...app, owner, making, codes, empty, now: making.now }
}

function tableOf(first: number, count: number) {
  const { header, problems } = readHeader(['owner_name', 'contact_phone', 'vehicle_registration'])
  const rows = Array.from({ length: count }, (_, n) => {
    const cells = [`Driver ${first + n}`, '9876543210', `MH14AB${1000 + first + n}`]
    return readImportRow(header, cells, n + 2)
  })
  return { problems, rows: rows.filter((row) => row !== undefined) }
}

describe('of two imports at once', () => {
  test('one imports its whole table when both together exceed the limit, in each of 100 rounds', {
    tags: 'slow',
  }, async () => {
    const { db, owner, making, codes, empty } = await openOwner()
    for (let round = 0; round < ROUNDS; round++) {
      const { won, refused } = await race(
        (n) => importQrCodes(db, owner.id, tableOf(n * 100, 30), 'error', making),
        2,
      )
      expect(won).toHaveLength(1)
      expect(refused).toEqual({ 'plan_limit: QR limit reached (30/50)': 1 })
      const made = (await codes()).map(({ owner_name }) => owner_name)
      const winner = won[0]?.made.map(({ owner_name }) => owner_name)
      expect(made.toSorted()).toEqual(winner?.toSorted())
      await empty()
    }
  })

  test('one creates the codes when both have the same table, and the other creates none', async () => {
    const { db, owner, making, codes, empty } = await openOwner()
    for (let round = 0; round < 20; round++) {
      const { won, refused } = await race(
        () => importQrCodes(db, owner.id, tableOf(0, 20), round % 2 ? 'skip' : 'error', making),
        2,
      )
      expect(refused).toEqual({})
      expect(won.map(({ made }) => made.length).toSorted()).toEqual([0, 20])
      expect(await codes()).toHaveLength(20)
      await empty()
    }
  })
})

test('an import by the command line changes no code that left the account after its search', async () => {
  const { db, owner, making, codes, signUp } = await openOwner()
  const plate = { vehicle_registration: 'MH14AB1000' }
  const seen = [
    await insertCode(db, (await signUp()).id, { ...plate, owner_name: 'New owner' }),
    await insertCode(db, owner.id, { ...plate, ...HELD, owner_name: 'Claimer' }),
    await insertCode(db, owner.id, plate),
  ].map(({ id }) => ({ id, claimed_at: null }))
  const importing = { ownerId: owner.id, tableHash: 'hash' }
  const progress = await beginProgress(db, importing, making.now)
  const vehicles = new Map([[plate.vehicle_registration, seen]])
  const steps = importRows(
    db,
    importing,
    {
      rows: tableOf(0, 1).rows,
      vehicles,
      progress,
      done: { count: 0, updated: 0, skipped: 0 },
      act: 'none',
    },
    { ...making, onDuplicate: 'update' },
  )
  expect((await steps.next()).value).toMatchObject({ done: { count: 0, updated: 1 } })
  const names = (await codes()).map(({ owner_name }) => owner_name)
  expect(names.sort()).toEqual(['Claimer', 'Driver 0', 'New owner'])
})

test('an import and new codes never exceed the limit', async () => {
  const { db, owner, making, codes, empty } = await openOwner()
  for (let round = 0; round < 10; round++) {
    const fields = { owner_name: 'Anil', contact_phone: '9876543210' }
    await race<unknown>(
      (n) =>
        n % 5
          ? createQrCode(db, owner.id, fields, making)
          : importQrCodes(db, owner.id, tableOf(n * 100, 15), 'error', making),
      20,
    )
    expect((await codes()).length).toBeLessThanOrEqual(LIMIT)
    await empty()
  }
})

test('codes are deleted together or not at all, while one of them is changed or deleted', async () => {
  const { db, owner, making, codes, now, empty } = await openOwner()
  for (let round = 0; round < 20; round++) {
    const made = []
    for (let n = 0; n < 25; n++) made.push(await insertCode(db, owner.id))
    const ids = made.map(({ qr_id }) => qr_id)
    const last = ids.at(-1) ?? ''
    const act = { action: 'delete', value: 25 } as const
    const { won, refused } = await race<unknown>((n) => {
      if (n === 0) return changeQrCodes(db, owner, { ids }, act, now)
      if (n === 1) return deleteQrCode(db, owner, last, now)
      return updateQrCode(db, owner, last, { fields: { city_area: 'Pune' } }, making)
    }, 3)
    expect(won.length + Object.values(refused).reduce((a, b) => a + b, 0)).toBe(3)
    expect([0, 24]).toContain((await codes()).length)
    await empty()
  }
})

test('of two deletions of the same codes one deletes them', async () => {
  const { db, owner, codes, now } = await openOwner()
  const ids: string[] = []
  for (let n = 0; n < 45; n++) ids.push((await insertCode(db, owner.id)).qr_id)
  const act = { action: 'delete', value: 45 } as const
  const { won, refused } = await race(() => changeQrCodes(db, owner, { ids }, act, now), 2)
  expect(won).toMatchObject([{ changed: 45 }])
  expect(refused).toEqual({ 'not_found: QR code not found': 1 })
  expect(await codes()).toEqual([])
})
