import { sql } from 'kysely'
import { expect, test } from 'vitest'
import type { QrCode } from '#db/schema.ts'
import { formatQrId } from '#domain/codes/qr-id.ts'
import { openAdmin } from '#tests/support/admin.ts'
import { openTestApp } from '#tests/support/app.ts'
import { insertCode } from '#tests/support/codes.ts'
import { testOnSqlite } from '#tests/support/database.ts'
import { plansOf } from '#tests/support/query-plans.ts'

const CALL = '/api/admin/qr-codes'

async function openList() {
  const app = await openTestApp()
  const admin = await app.signUp({ role: 'admin' })
  const owner = await app.signUp()
  const insert = (fields: Partial<QrCode> = {}) => insertCode(app.db, owner.id, fields)
  const read = async (query = '') => {
    const answer = await app.ask('GET', `${CALL}${query}`, { as: admin })
    return { status: answer.status, body: await answer.json() }
  }
  return { ...app, insert, read }
}

test('without a page every code comes, newest first, with the fields for admins', async () => {
  const { insert, read } = await openList()
  const old = await insert({ notes_instructions: 'under the seat', is_active: 0 })
  const made = { created_at: '2026-11-02T09:00:00.000Z', vehicle_registration: 'MH12QX4827' }
  const young = await insert({ ...made, email: 'secret@example.in' })
  expect((await read()).body).toEqual([
    {
      id: young.id,
      qr_id: young.qr_id,
      owner_name: 'Ramesh Kulkarni',
      contact_phone: '+919876543210',
      vehicle_registration: 'MH12QX4827',
      created_at: '2026-11-02T09:00:00.000Z',
      is_active: true,
    },
    expect.objectContaining({ id: old.id, vehicle_registration: null, is_active: false }),
  ])
})

test('a thousand codes of one moment come once each', async () => {
  const { db, insert, read } = await openList()
  const code = await insert()
  const copies = Array.from({ length: 1000 }, (_, n) => ({
    ...code,
    id: `copy${n}`,
    qr_id: `COPY${n}`,
  }))
  for (let n = 0; n < 1000; n += 100) {
    await db
      .insertInto('qr_codes')
      .values(copies.slice(n, n + 100))
      .execute()
  }
  const { body } = await read()
  expect(body).toHaveLength(1001)
  expect(new Set(body.map(({ id }: QrCode) => id)).size).toBe(1001)
})

test('with a page they come by the page, and say how many match', async () => {
  const { insert, read } = await openList()
  for (let n = 0; n < 5; n++) {
    await insert({ owner_name: `Owner ${n}`, created_at: `2026-11-0${n + 1}T09:00:00.000Z` })
  }
  const names = ({ qr_codes }: { qr_codes: QrCode[] }) =>
    qr_codes.map(({ owner_name }) => owner_name)
  const first = await read('?page=1&limit=2')
  expect(first.body.total_count).toBe(5)
  expect(names(first.body)).toEqual(['Owner 4', 'Owner 3'])
  expect(names((await read('?page=3&limit=2')).body)).toEqual(['Owner 0'])
  expect((await read('?page=9')).body).toEqual({ qr_codes: [], total_count: 5 })
  expect(await read('?page=zero')).toMatchObject({ status: 400 })
})

test.each([
  ['a name', 'ramesh'],
  ['a number with its prefix', '+91 98765-43210'],
  ['a plate with spaces', 'mh 12 qx'],
] as const)('a code is found by %s', async (_, search) => {
  const { insert, read } = await openList()
  await insert({ owner_name: 'Somebody', contact_phone: '+919000000000' })
  const { id } = await insert({ vehicle_registration: 'MH12QX4827' })
  const { body } = await read(`?page=1&search=${encodeURIComponent(search)}`)
  expect(body).toMatchObject({ qr_codes: [{ id }], total_count: 1 })
  expect((await read(`?search=${encodeURIComponent(search)}`)).body).toMatchObject([{ id }])
})

testOnSqlite('the search finds the current texts, and its index stays complete', async () => {
  const { insert, read, db, connection } = await openList()
  const { id } = await insert({ vehicle_registration: 'MH12QX4827' })
  const gone = await insert({ vehicle_registration: 'MH12QX4827' })
  const changed = { vehicle_registration: 'KA05MN7310', contact_phone: '+91 91234-56789' }
  await db.updateTable('qr_codes').set(changed).where('id', '=', id).execute()
  await db.deleteFrom('qr_codes').where('id', '=', gone.id).execute()
  const plans = await plansOf(connection, async () => {
    expect((await read('?page=1&search=mh12qx')).body.total_count).toBe(0)
    expect((await read('?page=1&search=ka05mn')).body).toMatchObject({ qr_codes: [{ id }] })
    expect((await read('?page=1&search=9123456789')).body.total_count).toBe(1)
  })
  expect(plans.flat().filter((step) => step.startsWith('SCAN qr_codes'))).toEqual([])
  await sql`insert into qr_code_search (qr_code_search) values ('integrity-check')`.execute(db)
})

test('a text that very many codes share is found page by page', async () => {
  const { insert, read, db } = await openList()
  const { id: _, ...code } = await insert({ owner_name: 'Konkan Cabs' })
  for (let n = 0; n < 10_000; n += 500) {
    const rows = Array.from({ length: 500 }, (_, k) => ({
      ...code,
      id: `${n + k}`,
      qr_id: `C${n + k}`,
    }))
    await db.insertInto('qr_codes').values(rows).execute()
  }
  const { body } = await read('?page=1&search=konkan')
  expect([body.total_count, body.qr_codes.length]).toEqual([10_001, 20])
})

test.each([
  ['users', 1],
  ['qr-codes', 0],
] as const)('a search among %s ignores control characters', async (list, total_count) => {
  const { ask, signUp } = await openTestApp()
  const as = await signUp({ role: 'admin', name: 'Nandini Rao' })
  const answer = await ask('GET', `/api/admin/${list}?page=1&search=nan%00dini`, { as })
  expect(await answer.json()).toMatchObject({ total_count })
})

test('a code is found by its id, and not by fields that admins do not see', async () => {
  const { insert, read } = await openList()
  const code = await insert({ driving_license_number: 'DL14', notes_instructions: 'DL14' })
  const id = formatQrId(code.qr_id).toLowerCase()
  expect((await read(`?page=1&search=${id}`)).body.total_count).toBe(1)
  expect((await read('?page=1&search=DL14')).body.total_count).toBe(0)
})

test('the tab shows cards, search, pages and a link to the create form', async () => {
  const { open, db, root } = await openAdmin()
  const empty = (await open('?tab=qr-codes')).html
  expect(empty).toContain('No QR codes found')
  expect(empty).toContain('href="/dashboard?tab=my-qrs&amp;create=1"')
  const registration = { vehicle_registration: 'MH12QX4827' }
  const code = await insertCode(db, root.id, { ...registration, is_active: 0 })
  for (let n = 0; n < 24; n++) await insertCode(db, root.id, { owner_name: 'Priya' })
  const { html } = await open('?tab=qr-codes&q=kulkarni')
  expect(html).toContain(formatQrId(code.qr_id))
  for (const text of ['Ramesh Kulkarni', '+91 98765 43210', 'MH 12 QX 4827', '1 Nov 2026']) {
    expect(html).toContain(text)
  }
  expect(html).toContain('Inactive')
  expect(html.match(/<article/g)).toHaveLength(1)
  expect((await open('?tab=qr-codes')).html).toContain('Page 1 of 2')
  expect((await open('?tab=qr-codes&q=priya&page=2')).to).toBe('/admin?tab=qr-codes&q=priya')
  const nothing = (await open('?tab=qr-codes&q=%3Cx%3E')).html
  expect(nothing).toContain('Nothing matches “&lt;x&gt;”')
  expect(nothing).toContain('Clear Search')
})
