import { describe, expect, test } from 'vitest'
import { openTestApp, type TestApp } from '#tests/support/app.ts'
import { insertCode } from '#tests/support/codes.ts'

type CodeFields = Parameters<typeof insertCode>[2]

const NOT_FOUND =
  'This QR code is invalid or no longer active. Please check the code and try again.'
const PUBLIC_FIELDS = {
  owner_name: 'Ramesh Kulkarni',
  contact_phone: '+919876543210',
  email: 'ramesh@example.in',
  city_area: 'Pune',
  emergency_contact_name: 'Sunita',
  emergency_contact_phone: '+919000012345',
  blood_group: 'O+',
  vehicle_registration: 'MH12QX4827',
  vehicle_make_model: 'Swift',
  company_fleet_name: 'Deccan Cabs',
  public_message: 'Thank you',
}
const PRIVATE_FIELDS = {
  driving_license_number: 'SECRET-LICENCE',
  insurance_policy_number: 'SECRET-POLICY',
  insurance_expiry_date: '2031-07-09',
  next_service_due: '2032-08-08',
  notes_instructions: 'SECRET-NOTES',
  pin_hash: 'f'.repeat(64),
}

async function openScanned(fields: CodeFields = {}) {
  const app = await openTestApp()
  const owner = await app.signUp({ subscription_plan: 'premium' })
  const code = await insertCode(app.db, owner.id, fields)
  const path = `/api/scan/${code.qr_id}`
  return { ...app, owner, code, path }
}

async function countScans({ db }: Pick<TestApp, 'db'>) {
  return (await db.selectFrom('scans').select('n').execute()).length
}

describe('GET /api/scan/{qr_id}', () => {
  test('answers the public fields and the flags, and not one field more', async () => {
    const { ask, path, code } = await openScanned({ ...PUBLIC_FIELDS, ...PRIVATE_FIELDS })
    const response = await ask('GET', path)
    expect(response.status).toBe(200)
    expect(response.headers.get('cache-control')).toBe('no-store')
    expect(await response.json()).toStrictEqual({
      ...PUBLIC_FIELDS,
      qr_id: code.qr_id,
      qr_type: 'normal',
      is_active: true,
      is_claimed: true,
      is_child_registered: false,
      has_pin: true,
      contact_mode: 'public',
      thing: 'keys',
      can_message: true,
      lost: null,
    })
  })

  test.each([
    ['unclaimed', { is_claimed: 0 }, { qr_type: 'normal', is_claimed: false }],
    ['unregistered', { qr_type: 'child', is_claimed: 0 }, { qr_type: 'child', is_claimed: false }],
  ] as const)('an %s code answers its flags and empty fields, uncounted', async (_, row, flags) => {
    const app = await openScanned({ ...PUBLIC_FIELDS, ...row })
    const body = await (await app.ask('GET', app.path)).json()
    expect(body).toMatchObject({ ...flags, is_child_registered: false, is_active: true })
    for (const field of Object.keys(PUBLIC_FIELDS)) expect(body[field], field).toBeNull()
    expect(await countScans(app)).toBe(0)
  })

  test('counts finders, but no owner, child user, prefetch or HEAD', async () => {
    const app = await openScanned()
    const child = await app.signUp({ parent_id: app.owner.id })
    await app.db.updateTable('qr_codes').set({ child_account_id: child.id }).execute()
    for (const as of [app.owner, child]) {
      expect((await app.ask('GET', app.path, { as })).status).toBe(200)
    }
    await app.ask('GET', app.path, { headers: { 'sec-purpose': 'prefetch' } })
    await app.ask('HEAD', app.path)
    await app.ask('GET', `${app.path}/popup`)
    expect(await countScans(app)).toBe(0)
    await app.ask('GET', app.path)
    await app.ask('GET', app.path, { as: await app.signUp() })
    expect(await countScans(app)).toBe(2)
  })

  test('an inactive code and an unknown one are the same', async () => {
    const { ask, path } = await openScanned({ is_active: 0 })
    for (const one of [path, '/api/scan/00000000000A', '/api/scan/DEMO']) {
      const response = await ask('GET', one)
      expect(response.status).toBe(404)
      expect(await response.json()).toEqual({ detail: NOT_FOUND })
    }
  })
})

describe('GET /api/scan/{qr_id}/popup', () => {
  test('answers what is active, newest first, by addresses that say nothing', async () => {
    const { ask, path, db, owner } = await openScanned()
    const image = {
      account_id: owner.id,
      file_name: 'my-house.png',
      file_size: 1,
      width: 400,
      height: 300,
    }
    await db
      .insertInto('popup_images')
      .values([
        { ...image, id: 'a', stored_name: 'old.webp', is_active: 1, uploaded_at: '2026-01-01' },
        { ...image, id: 'b', stored_name: 'new.webp', is_active: 1, uploaded_at: '2026-01-02' },
        { ...image, id: 'c', stored_name: 'off.webp', is_active: 0, uploaded_at: '2026-01-03' },
      ])
      .execute()
    const message = { title: 'Thank you', content: 'Be safe', created_at: '2026-01-01' }
    await db
      .insertInto('admin_messages')
      .values([
        { ...message, id: 'm', is_active: 1 },
        { ...message, id: 'n', is_active: 0 },
      ])
      .execute()
    expect(await (await ask('GET', `${path}/popup`)).json()).toStrictEqual({
      qr_info: { qr_type: 'normal', is_claimed: true, is_child_registered: false },
      popup_images: [
        { id: 'b', url: '/api/files/new.webp', width: image.width, height: image.height },
        { id: 'a', url: '/api/files/old.webp', width: image.width, height: image.height },
      ],
      admin_messages: [{ id: 'm', title: 'Thank you', content: 'Be safe' }],
    })
  })

  test('is empty when there is nothing, and not found for an inactive code', async () => {
    const { ask, path, db } = await openScanned()
    const empty = { popup_images: [], admin_messages: [] }
    expect(await (await ask('GET', `${path}/popup`)).json()).toMatchObject(empty)
    await db.updateTable('qr_codes').set({ is_active: 0 }).execute()
    expect((await ask('GET', `${path}/popup`)).status).toBe(404)
  })
})

describe('GET /api/scan/{qr_id}/analytics', () => {
  test('answers the owner with the total and the three newest scans', async () => {
    const { ask, path, owner, advance } = await openScanned()
    const none = await ask('GET', `${path}/analytics`, { as: owner })
    expect(await none.json()).toStrictEqual({ total_scans: 0, recent_scans: [], lost_periods: [] })
    for (let i = 0; i < 5; i++) {
      await ask('GET', path)
      advance(60)
    }
    const response = await ask('GET', `${path}/analytics`, { as: owner })
    expect(await response.json()).toStrictEqual({
      total_scans: 5,
      recent_scans: [
        { scanned_at: '2026-11-20T10:04:00.000Z', replaced_id: null },
        { scanned_at: '2026-11-20T10:03:00.000Z', replaced_id: null },
        { scanned_at: '2026-11-20T10:02:00.000Z', replaced_id: null },
      ],
      lost_periods: [],
    })
    const more = await ask('GET', `${path}/analytics?limit=100`, { as: owner })
    expect((await more.json()).recent_scans).toHaveLength(5)
  })

  test.each(['0', '101', '-1', '1.5', 'x', '0x10', '1e1'])('refuses limit=%s', async (limit) => {
    const { ask, path, owner } = await openScanned()
    const response = await ask('GET', `${path}/analytics?limit=${limit}`, { as: owner })
    expect(response.status).toBe(400)
    const detail = 'limit must be a whole number from 1 to 100'
    expect(await response.json()).toEqual({ detail })
  })

  test('is not for the child user', async () => {
    const { ask, path, owner, signUp, db } = await openScanned()
    const child = await signUp({ parent_id: owner.id })
    await db.updateTable('qr_codes').set({ child_account_id: child.id }).execute()
    const response = await ask('GET', `${path}/analytics`, { as: child })
    expect([response.status, await response.json()]).toEqual([404, { detail: NOT_FOUND }])
  })

  test('stays with the owner when the code is switched off', async () => {
    const { ask, path, owner } = await openScanned({ is_active: 0 })
    expect((await ask('GET', `${path}/analytics`, { as: owner })).status).toBe(200)
  })
})
