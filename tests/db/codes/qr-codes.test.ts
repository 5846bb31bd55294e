import { describe, expect, test } from 'vitest'
import { findAccountByContact } from '#db/accounts/accounts.ts'
import { listQrCodesByContents } from '#db/codes/code-contents.ts'
import { deleteQrCode } from '#db/codes/qr-changes.ts'
import { eachOwnQrCode, findOwnQrCode, listOwnQrCodes, type OwnQrCode } from '#db/codes/qr-codes.ts'
import { printCodes } from '#db/codes/qr-creation.ts'
import { selectOwnCodes } from '#db/codes/qr-selection.ts'
import { parseQrId } from '#domain/codes/qr-id.ts'
import { openTestApp } from '#tests/support/app.ts'
import { insertCode } from '#tests/support/codes.ts'
import { testOnSqlite } from '#tests/support/database.ts'
import { plansOf } from '#tests/support/query-plans.ts'

const NOW = new Date('2026-11-20T10:00:00.000Z')
const MAKING = { now: NOW, contactMode: 'public' } as const

describe('a page of codes', () => {
  testOnSqlite('is read in order from the index and counted from it, at any size', async () => {
    const { db, connection, signUp } = await openTestApp()
    const owner = await signUp()
    const page = { limit: 20, offset: 40 }
    const [counting, reading] = await plansOf(connection, () => listOwnQrCodes(db, owner, page))
    expect(counting).toEqual([
      'SEARCH qr_codes USING COVERING INDEX qr_codes_by_owner (owner_id=?)',
    ])
    expect(reading?.[0]).toBe('SEARCH qr_codes USING INDEX qr_codes_by_owner (owner_id=?)')
    expect(reading?.join()).toContain('SEARCH scans USING PRIMARY KEY (qr_id=?)')
    expect(reading?.join()).toContain('SEARCH documents USING INDEX documents_by_code (qr_id=?)')
    expect(reading?.join()).not.toContain('TEMP B-TREE')
  })

  testOnSqlite('that is searched is read in the same order', async () => {
    const { db, connection, signUp } = await openTestApp()
    const owner = await signUp()
    const page = { limit: 20, search: 'nexon' }
    const [, reading] = await plansOf(connection, () => listOwnQrCodes(db, owner, page))
    expect(reading?.[0]).toBe('SEARCH qr_codes USING INDEX qr_codes_by_owner (owner_id=?)')
    expect(reading?.join()).not.toContain('TEMP B-TREE')
  })
})

testOnSqlite('all codes are read a page at a time from the index, as they are listed', async () => {
  const { db, connection, signUp } = await openTestApp()
  const owner = await signUp()
  const order = { ownerId: owner.id, qrType: 'normal', count: 250 } as const
  for await (const batch of printCodes(db, order, MAKING)) expect(batch).toHaveLength(250)
  await insertCode(db, owner.id)
  await insertCode(db, (await signUp()).id)
  const pages: OwnQrCode[][] = []
  const plans = await plansOf(connection, async () => {
    for await (const page of eachOwnQrCode(db, owner)) pages.push(page)
  })
  expect(pages.map((page) => page.length)).toEqual([100, 100, 51])
  expect(pages.flat()).toEqual((await listOwnQrCodes(db, owner)).qr_codes)
  // The sender looks for due mails meanwhile.
  const ofCodes = plans.filter((plan) => plan.join().includes('qr_codes'))
  expect(ofCodes.length).toBeGreaterThanOrEqual(3)
  for (const plan of ofCodes) {
    expect(plan[0]).toMatch(/^SEARCH qr_codes USING INDEX qr_codes_by_owner \(owner_id=\?/)
    expect(plan.join()).not.toContain('TEMP B-TREE')
  }
})

test('all codes by their scans come once each, also when codes are scanned meanwhile', async () => {
  const { db, deps, signUp } = await openTestApp()
  const owner = await signUp()
  const order = { ownerId: owner.id, qrType: 'normal', count: 150 } as const
  for await (const batch of printCodes(db, order, MAKING)) expect(batch).toHaveLength(150)
  const { qr_codes } = await listOwnQrCodes(db, owner)
  const ids: string[] = []
  for await (const page of eachOwnQrCode(db, owner, { sort: 'scans' })) {
    ids.push(...page.map(({ qr_id }) => qr_id))
    const { qr_id = '' } = qr_codes.at(-1) ?? {}
    await deps.scanPath.record({ qr_id, device: 'phone', referrer: 'direct' })
  }
  expect(ids.toSorted()).toEqual(qr_codes.map(({ qr_id }) => qr_id).toSorted())
})

describe('codes by their contents', () => {
  testOnSqlite.each(['documents', 'scans'] as const)(
    '%s are looked up code by code',
    async (contents) => {
      const { db, connection, signUp } = await openTestApp()
      const page = { search: null, limit: 12, offset: 0 }
      const plans = await plansOf(connection, async () =>
        listQrCodesByContents(db, await signUp(), contents, page),
      )
      expect(plans.flat().join()).not.toMatch(/SCAN (?:qr_codes|scans|documents)/)
    },
  )
})

describe('printing codes', () => {
  test('makes 10,000 of them on any plan, at most 500 in a transaction', async () => {
    const { db, signUp } = await openTestApp()
    const owner = await signUp({ subscription_plan: 'free' })
    const batches: OwnQrCode[][] = []
    const order = { ownerId: owner.id, qrType: 'normal', count: 10_000 } as const
    for await (const batch of printCodes(db, order, MAKING)) batches.push(batch)
    expect(batches.map((batch) => batch.length)).toEqual(Array(20).fill(500))
    const ids = batches.flat().map(({ qr_id }) => qr_id)
    expect(new Set(ids.map(parseQrId)).size).toBe(10_000)
    const { qr_codes, total } = await listOwnQrCodes(db, owner)
    expect(total).toBe(10_000)
    expect(qr_codes.every((code) => !code.is_claimed && code.is_active)).toBe(true)
    expect(qr_codes.map(({ qr_id }) => qr_id).toSorted()).toEqual(ids.toSorted())
  })

  test('hands out each batch when it is committed, and lets others write in between', async () => {
    const { db, signUp } = await openTestApp()
    const owner = await signUp()
    const order = { ownerId: owner.id, qrType: 'child', count: 501 } as const
    const codes = printCodes(db, order, MAKING)
    const first = await codes.next()
    expect((await listOwnQrCodes(db, owner)).total).toBe(500)
    await insertCode(db, owner.id)
    const second = await codes.next()
    expect((await codes.next()).done).toBe(true)
    expect([first.value?.length, second.value?.length]).toEqual([500, 1])
    expect(second.value?.[0]).toMatchObject({ qr_type: 'child', is_child_registered: false })
    const account = await findAccountByContact(db, { kind: 'email', email: owner.email ?? '' })
    expect(account?.child_qr_quota).toBe(owner.child_qr_quota)
  })

  test('says in the audit log how many there are, whenever it is killed', async () => {
    const { db, signUp } = await openTestApp()
    const told = () => db.selectFrom('audit_events').select(['action', 'after']).execute()
    const order = { ownerId: (await signUp()).id, qrType: 'normal', count: 501 } as const
    let made = 0
    for await (const batch of printCodes(db, order, MAKING)) {
      made += batch.length
      const after = JSON.stringify({ count: made, qr_type: 'normal' })
      expect(await told()).toEqual([{ action: 'qr.printed', after }])
    }
    expect(made).toBe(501)
  })

  test('makes none without an owner', async () => {
    const { db } = await openTestApp()
    const order = { ownerId: 'nobody', qrType: 'normal', count: 3 } as const
    await expect(printCodes(db, order, MAKING).next()).rejects.toThrow(/foreign key/i)
    expect(await db.selectFrom('qr_codes').select('id').execute()).toEqual([])
  })
})

describe('deleting a code', () => {
  test('names the stored files that nothing refers to any more', async () => {
    const { db, signUp } = await openTestApp()
    const owner = await signUp()
    const [code, other] = [await insertCode(db, owner.id), await insertCode(db, owner.id)]
    const document = { account_id: owner.id, is_public: 0, document_type: 'puc' } as const
    const file = { file_name: 'a.jpg', file_size: 1, content_type: 'image/jpeg', uploaded_at: '' }
    const names = [
      { id: 'a', qr_id: code.qr_id, stored_name: 'a.pdf', thumbnail_name: null },
      { id: 'b', qr_id: code.qr_id, stored_name: 'b.jpg', thumbnail_name: 'b-small.jpg' },
      { id: 'c', qr_id: other.qr_id, stored_name: 'c.jpg', thumbnail_name: null },
    ]
    const rows = names.map((name) => ({ ...document, ...file, ...name }))
    await db.insertInto('documents').values(rows).execute()
    const stranger = await signUp()
    await expect(deleteQrCode(db, stranger, code.qr_id, NOW)).rejects.toThrow('QR code not found')
    const { stored_names } = await deleteQrCode(db, owner, code.qr_id, NOW)
    expect(stored_names.toSorted()).toEqual(['a.pdf', 'b-small.jpg', 'b.jpg'])
    expect(await findOwnQrCode(db, owner, code.qr_id)).toBeUndefined()
    expect((await deleteQrCode(db, owner, other.qr_id, NOW)).stored_names).toEqual(['c.jpg'])
  })

  test('leaves the account of its child user, who then sees no code', async () => {
    const { db, signUp } = await openTestApp()
    const parent = await signUp()
    const child = await signUp({ parent_id: parent.id })
    const code = await insertCode(db, parent.id, {
      qr_type: 'child',
      child_account_id: child.id,
    })
    await deleteQrCode(db, parent, code.qr_id, NOW)
    expect(await listOwnQrCodes(db, child)).toEqual({ qr_codes: [], total: 0 })
    const account = await findAccountByContact(db, { kind: 'email', email: child.email ?? '' })
    expect(account?.id).toBe(child.id)
  })
})

testOnSqlite('many codes are selected in pieces, and others have turns in between', async () => {
  const { db, signUp } = await openTestApp()
  const owner = await signUp()
  for (let n = 0; n < 250; n++) await insertCode(db, owner.id)
  const own = await db.selectFrom('qr_codes').select('qr_id').execute()
  const ids = own.map(({ qr_id }) => qr_id)
  for (const selection of [{}, { ids }]) {
    let turns = 0
    const count = () => {
      turns++
      watching = setImmediate(count)
    }
    let watching = setImmediate(count)
    const selected = await selectOwnCodes(db, owner, selection, 'look')
    clearImmediate(watching)
    expect(turns).toBeGreaterThanOrEqual(2)
    expect(new Set(selected.map(({ qr_id }) => qr_id))).toEqual(new Set(ids))
    expect(selected).toHaveLength(250)
  }
})
