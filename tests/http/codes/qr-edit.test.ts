import { describe, expect, test } from 'vitest'
import { hashPin } from '#db/codes/pins.ts'
import { NOW, openTestApp } from '#tests/support/app.ts'
import { HELD, insertCode } from '#tests/support/codes.ts'
import { raceStatuses } from '#tests/support/races.ts'

const UNKNOWN = '000000000011'
const LATER = '2026-11-20T10:00:05.000Z'

async function openWithCode(fields: Parameters<typeof insertCode>[2] = {}) {
  const app = await openTestApp()
  const owner = await app.signUp()
  const code = await insertCode(app.db, owner.id, fields)
  const put = async (json: unknown, { as = owner, id = code.qr_id } = {}) => {
    const answer = await app.ask('PUT', `/api/qr/${id}`, { as, json })
    return { status: answer.status, body: await answer.json() }
  }
  const row = () =>
    app.db.selectFrom('qr_codes').selectAll().where('id', '=', code.id).executeTakeFirst()
  return { ...app, owner, code, put, row }
}

/** A parent's child code that a child user has registered. */
async function openWithChild() {
  const app = await openWithCode({ qr_type: 'child', is_child_registered: 1 })
  const child = await app.signUp({ parent_id: app.owner.id })
  await app.db.updateTable('qr_codes').set({ child_account_id: child.id }).execute()
  return { ...app, child }
}

describe('PUT /api/qr/{qr_id}', () => {
  test('changes the sent fields, keeps the others, and returns the whole code', async () => {
    const { put, row, code, owner, ask } = await openWithCode({
      email: 'a@b.in',
      city_area: 'Pune',
    })
    const { status, body } = await put({ city_area: ' Nashik ', vehicle_registration: 'mh12 ab 1' })
    expect(status).toBe(200)
    expect(body).toMatchObject({
      id: code.id,
      owner_name: 'Ramesh Kulkarni',
      email: 'a@b.in',
      city_area: 'Nashik',
      vehicle_registration: 'MH12AB1',
      created_at: code.created_at,
      updated_at: NOW,
    })
    expect(await row()).toEqual({
      ...code,
      city_area: 'Nashik',
      vehicle_registration: 'MH12AB1',
      updated_at: NOW,
    })
    expect(await (await ask('GET', '/api/qr/my-qrs', { as: owner })).json()).toEqual([body])
  })

  test('makes empty values null', async () => {
    const { put } = await openWithCode({ email: 'a@b.in', city_area: 'Pune', blood_group: 'O+' })
    const { body } = await put({ email: '', city_area: null, blood_group: 'not_specified' })
    expect(body).toMatchObject({ email: null, city_area: null, blood_group: null })
  })

  test('takes a code out of service and back', async () => {
    const { put, row } = await openWithCode()
    expect((await put({ is_active: false })).body.is_active).toBe(false)
    expect((await row())?.is_active).toBe(0)
    expect((await put({ is_active: true })).body.is_active).toBe(true)
  })

  test('sets, replaces and clears the PIN; a new one can be tried although the old one was locked', async () => {
    const { put, row, ask, deps, code } = await openWithCode({ pin_hash: 'an older one' })
    const unlock = async (pin: string) =>
      (await ask('POST', `/api/scan/${code.qr_id}/unlock`, { json: { pin } })).status
    for (let n = 0; n < 5; n++) expect(await unlock('4829')).toBe(403)
    expect((await put({ city_area: 'Pune' })).body.has_pin).toBe(true)
    expect(await row()).toMatchObject({ pin_hash: 'an older one' })
    expect(await unlock('4829')).toBe(429)
    expect((await put({ optional_pin: '4829' })).body.has_pin).toBe(true)
    expect(await row()).toMatchObject({ pin_hash: hashPin(deps.secretKey, code.qr_id, '4829') })
    expect(await unlock('4829')).toBe(200)
    for (const cleared of [null, '']) {
      await put({ optional_pin: '4829' })
      expect((await put({ optional_pin: cleared })).body.has_pin).toBe(false)
      expect((await row())?.pin_hash).toBeNull()
    }
  })

  test('ignores fields that the owner may not set', async () => {
    const { put, row, code } = await openWithCode({ is_claimed: 1 })
    await put({
      id: 'x',
      qr_id: UNKNOWN,
      owner_id: 'x',
      created_by: 'x',
      child_account_id: 'x',
      qr_type: 'child',
      created_at: NOW,
      is_claimed: false,
      is_child_registered: true,
      claim_email: 'x@example.in',
      pin_hash: 'x',
      has_pin: true,
      scan_count: 9,
    })
    expect(await row()).toEqual({ ...code, updated_at: NOW })
  })

  const broken: [object, string][] = [
    [{ contact_phone: null }, 'Enter the mobile number finders should call'],
    [{ is_active: 'no' }, 'is_active must be true or false'],
    [{ is_active: null }, 'is_active must be true or false'],
    [{ updated_at: 5 }, 'updated_at must be text'],
    [{ email: ['a@b.in'] }, 'Email must be text'],
  ]
  test.each(broken)('refuses %o and changes nothing', async (json, detail) => {
    const { put, row, code } = await openWithCode()
    expect(await put({ city_area: 'Pune', ...json })).toEqual({ status: 400, body: { detail } })
    expect(await row()).toEqual(code)
  })

  test('finds the code by a typed id with hyphens, small letters and o for 0', async () => {
    const { put, code } = await openWithCode()
    const typed = code.qr_id
      .toLowerCase()
      .replaceAll('0', 'o')
      .replace(/(.{4})(?=.)/g, '$1-')
    expect((await put({ city_area: 'Pune' }, { id: typed })).body.qr_id).toBe(code.qr_id)
  })

  test('lets a child user edit its own code, its parent too, and no other child', async () => {
    const { put, child, signUp, owner } = await openWithChild()
    const sibling = await signUp({ parent_id: owner.id })
    expect((await put({ city_area: 'Pune' }, { as: child })).body.city_area).toBe('Pune')
    expect((await put({ city_area: 'Goa' })).body.city_area).toBe('Goa')
    expect((await put({ city_area: 'Delhi' }, { as: sibling })).status).toBe(404)
  })

  test('marks a code as claimed when its owner enters a name and a number', async () => {
    const unclaimed = { is_claimed: 0, owner_name: null, contact_phone: null } as const
    const { put } = await openWithCode(unclaimed)
    expect((await put({ company_fleet_name: 'Blue Cabs' })).body.is_claimed).toBe(false)
    expect((await put({ owner_name: 'Asha' })).body.is_claimed).toBe(false)
    const claimed = await put({ contact_phone: '9876543210' })
    expect(claimed.body).toMatchObject({ is_claimed: true, owner_name: 'Asha' })
  })

  test('leaves registering a child code to the child user', async () => {
    const blank = { qr_type: 'child', is_claimed: 0, owner_name: null } as const
    const { put } = await openWithCode(blank)
    const { body } = await put({ owner_name: 'Asha', contact_phone: '9876543210' })
    expect(body).toMatchObject({ is_claimed: false, is_child_registered: false })
  })

  test('refuses to change, switch off or delete a code that a claimer without an account holds', async () => {
    const { put, row, code, ask, owner } = await openWithCode(HELD)
    const detail = 'This QR code has already been claimed'
    for (const change of [{ contact_phone: '9000000000' }, { is_active: false }, {}]) {
      expect(await put(change)).toEqual({ status: 409, body: { detail } })
    }
    const gone = await ask('DELETE', `/api/qr/${code.qr_id}`, { as: owner })
    expect([gone.status, await gone.json()]).toEqual([409, { detail }])
    expect(await row()).toEqual(code)
  })
})

describe('two people editing one code', () => {
  test('the slower change is refused, and the faster one is kept', async () => {
    const { put, child, code, row } = await openWithChild()
    const seen = { updated_at: code.updated_at }
    const answers = await Promise.all([
      put({ ...seen, city_area: 'Pune' }),
      put({ ...seen, city_area: 'Goa' }, { as: child }),
    ])
    const statuses = answers.map(({ status }) => status)
    expect(statuses.toSorted()).toEqual([200, 409])
    const winner = answers[statuses.indexOf(200)]?.body
    const loser = answers[statuses.indexOf(409)]?.body
    expect(loser).toEqual({ detail: 'This QR code was changed meanwhile' })
    expect((await row())?.city_area).toBe(winner.city_area)
    const again = await put({ updated_at: winner.updated_at, city_area: 'Delhi' })
    expect(again.status).toBe(200)
  })

  test('of twenty changes at one instant one is made, and the others are refused', async () => {
    const { put, row } = await openWithCode({ updated_at: NOW })
    const answers = await Promise.all(
      Array.from({ length: 20 }, (_, n) => put({ updated_at: NOW, city_area: `City ${n}` })),
    )
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(1)
    const refused = answers.filter(({ status }) => status === 409)
    expect(refused).toHaveLength(19)
    const detail = 'This QR code was changed meanwhile'
    for (const { body } of refused) expect(body).toEqual({ detail })
    expect((await row())?.updated_at).toBe('2026-11-20T10:00:00.001Z')
  })

  test('without `updated_at` both changes are made', async () => {
    const { put, row } = await openWithCode()
    await Promise.all([put({ city_area: 'Pune' }), put({ blood_group: 'O+' })])
    expect(await row()).toMatchObject({ city_area: 'Pune', blood_group: 'O+' })
  })
})

describe('DELETE /api/qr/{qr_id}', () => {
  test('removes the code with its scans, documents, links and requests', async () => {
    const { ask, owner, child, code, db, deps } = await openWithChild()
    const { qr_id } = code
    const kept = await insertCode(db, owner.id)
    for (const id of [qr_id, kept.qr_id]) {
      await deps.scanPath.record({ qr_id: id, device: 'phone', referrer: 'direct' })
      await db
        .insertInto('documents')
        .values({
          id: `document of ${id}`,
          qr_id: id,
          account_id: owner.id,
          document_type: 'puc',
          is_public: 1,
          file_name: 'a.pdf',
          stored_name: `file of ${id}`,
          file_size: 1,
          content_type: 'application/pdf',
          uploaded_at: NOW,
        })
        .execute()
      await db
        .insertInto('share_links')
        .values({
          token_hash: id,
          document_id: `document of ${id}`,
          account_id: owner.id,
          share_method: 'download',
          created_at: NOW,
          expires_at: LATER,
        })
        .execute()
      await db
        .insertInto('document_views')
        .values({ id, qr_id: id, document_id: `document of ${id}`, viewed_at: NOW })
        .execute()
    }
    const request = { id: 'r', qr_id, child_account_id: child.id, lang: 'en' } as const
    await db
      .insertInto('password_reset_requests')
      .values({ ...request, status: 'pending', requested_at: NOW })
      .execute()
    const answer = await ask('DELETE', `/api/qr/${qr_id}`, { as: owner })
    expect([answer.status, await answer.json()]).toEqual([
      200,
      { message: 'QR code deleted successfully!' },
    ])
    const left = async (table: 'qr_codes' | 'scans' | 'documents' | 'document_views') =>
      (await db.selectFrom(table).select('qr_id').execute()).map((row) => row.qr_id)
    for (const table of ['qr_codes', 'scans', 'documents', 'document_views'] as const) {
      expect([table, await left(table)]).toEqual([table, [kept.qr_id]])
    }
    expect(await db.selectFrom('share_links').select('token_hash').execute()).toEqual([
      { token_hash: kept.qr_id },
    ])
    expect(await db.selectFrom('password_reset_requests').select('id').execute()).toEqual([])
    const again = await ask('DELETE', `/api/qr/${qr_id}`, { as: owner })
    expect([again.status, await again.json()]).toEqual([404, { detail: 'QR code not found' }])
  })

  test('is for the owner alone: others get 404, and the child user 403', async () => {
    const { ask, code, child, signUp, row } = await openWithChild()
    const remove = async (as?: typeof child, id = code.qr_id) => {
      const answer = await ask('DELETE', `/api/qr/${id}`, { as })
      return [answer.status, (await answer.json()).detail]
    }
    const other = await signUp()
    expect(await remove(other)).toEqual([404, 'QR code not found'])
    expect(await remove(other, UNKNOWN)).toEqual([404, 'QR code not found'])
    expect(await remove(other, '%00')).toEqual([404, 'QR code not found'])
    expect(await remove(child)).toEqual([403, 'Only its owner can delete this code'])
    expect(await remove()).toEqual([401, 'Not authenticated'])
    expect(await row()).toBeDefined()
  })

  test('has one winner among parallel calls', async () => {
    const { ask, owner, code } = await openWithCode()
    const remove = () => ask('DELETE', `/api/qr/${code.qr_id}`, { as: owner })
    expect(await raceStatuses(remove)).toEqual({ 200: 1, 404: 19 })
  })
})
