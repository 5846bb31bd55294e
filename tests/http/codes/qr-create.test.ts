import { describe, expect, test } from 'vitest'
import { hashPin } from '#db/codes/pins.ts'
import { parseQrId } from '#domain/codes/qr-id.ts'
import { NOW, openTestApp } from '#tests/support/app.ts'
import { insertCode } from '#tests/support/codes.ts'

const REQUIRED = { owner_name: 'Asha Patil', contact_phone: '98765 43210' }

async function openSignedIn(plan: 'free' | 'premium' | 'enterprise' = 'premium') {
  const app = await openTestApp()
  const as = await app.signUp({ subscription_plan: plan })
  const create = async (json: unknown) => {
    const answer = await app.ask('POST', '/api/qr/create', { as, json })
    return { status: answer.status, body: await answer.json() }
  }
  const count = async () => (await app.db.selectFrom('qr_codes').select('id').execute()).length
  return { ...app, as, create, count }
}

describe('POST /api/qr/create', () => {
  test('makes a claimed, active code from a name and a number', async () => {
    const { create, as } = await openSignedIn()
    const { status, body } = await create(REQUIRED)
    expect(status).toBe(201)
    expect(body).toMatchObject({
      ...REQUIRED,
      qr_type: 'normal',
      owner_id: as.id,
      is_claimed: true,
      is_active: true,
      is_child_registered: false,
      has_pin: false,
      public_message:
        'This key belongs to a wonderful human being. Thank you for scanning! Please call or return this to me.',
      email: null,
      blood_group: null,
      scan_count: 0,
      document_count: 0,
      created_at: NOW,
      updated_at: NOW,
    })
    expect(parseQrId(body.qr_id)).toBe(body.qr_id)
    expect(Buffer.from(body.qr_image, 'base64').subarray(1, 4).toString()).toBe('PNG')
  })

  test('keeps every field: trimmed, the plate in capitals, empty ones null', async () => {
    const { create, ask, as } = await openSignedIn()
    const fields = {
      owner_name: '  Asha Patil ',
      contact_phone: ' 98765-43210 ',
      email: ' Asha@Example.in ',
      city_area: 'Pune',
      public_message: 'Bring it back, please.',
      vehicle_registration: ' mh 12 qx 4827 ',
      vehicle_make_model: 'Nexon',
      driving_license_number: 'MH14 2011',
      insurance_policy_number: 'P/1',
      insurance_expiry_date: '2027-03-31',
      next_service_due: '2026-12-24',
      emergency_contact_name: 'Nandini',
      emergency_contact_phone: '+91 91234 56789',
      blood_group: 'O+',
      company_fleet_name: '   ',
      notes_instructions: '',
      optional_pin: '',
    }
    const { status, body } = await create(fields)
    expect(status).toBe(201)
    const stored = {
      ...fields,
      owner_name: 'Asha Patil',
      contact_phone: '98765-43210',
      email: 'Asha@Example.in',
      vehicle_registration: 'MH12QX4827',
      company_fleet_name: null,
      notes_instructions: null,
    }
    const { optional_pin: _, ...shown } = stored
    expect(body).toMatchObject({ ...shown, has_pin: false })
    const listed = await (await ask('GET', '/api/qr/my-qrs', { as })).json()
    expect(listed).toEqual([body])
  })

  test('hashes the PIN with the key of the installation, and never gives it back', async () => {
    const { create, db, deps, ask, as, logged } = await openSignedIn()
    const { body } = await create({ ...REQUIRED, optional_pin: '482913' })
    expect(body).toMatchObject({ has_pin: true })
    expect(body).not.toHaveProperty('optional_pin')
    const row = await db.selectFrom('qr_codes').selectAll().executeTakeFirstOrThrow()
    expect(row.pin_hash).toBe(hashPin(deps.secretKey, body.qr_id, '482913'))
    const { qr_image: _, ...listed } = (
      await (await ask('GET', '/api/qr/my-qrs', { as })).json()
    )[0]
    for (const text of [JSON.stringify(listed), JSON.stringify(row), logged.join('\n')]) {
      expect(text).not.toContain('482913')
    }
    expect(JSON.stringify(listed)).not.toContain(row.pin_hash)
  })

  const broken: [string, unknown, string][] = [
    ['no name', { contact_phone: '9876543210' }, 'Please enter the full name'],
    ['a PIN of three digits', { ...REQUIRED, optional_pin: '123' }, 'PIN must be 4 to 6 digits'],
    ['a name that is a number', { ...REQUIRED, owner_name: 7 }, 'Full Name must be text'],
    ['a PIN that is a number', { ...REQUIRED, optional_pin: 1234 }, 'Optional PIN must be text'],
    [
      'a city that is an object',
      { ...REQUIRED, city_area: { $ne: 1 } },
      'City / Area must be text',
    ],
    ['a list', [REQUIRED], 'The request must be a JSON object'],
    ['nothing but null', null, 'The request must be a JSON object'],
  ]
  test.each(broken)('refuses %s, and creates nothing', async (_, json, detail) => {
    const { create, count } = await openSignedIn()
    expect(await create(json)).toEqual({ status: 400, body: { detail } })
    expect(await count()).toBe(0)
  })

  test('ignores fields that are not the owner’s to set, and keys that mean something to JavaScript', async () => {
    const { ask, as, db } = await openSignedIn()
    const body = `{"owner_name": "Asha", "contact_phone": "9876543210", "qr_id": "DEMO",
      "qr_type": "child", "created_by": "someone", "is_claimed": false,
      "is_child_registered": true, "created_at": "2001-01-01T00:00:00.000Z", "pin_hash": "x",
      "claim_email": "a@b.in", "scan_count": 99, "constructor": {"prototype": {"polluted": 1}},
      "__proto__": {"is_active": false, "email": "evil@example.in", "polluted": 1}}`
    const headers = { 'Content-Type': 'application/json' }
    const answer = await ask('POST', '/api/qr/create', { as, body, headers })
    expect(answer.status).toBe(201)
    const row = await db.selectFrom('qr_codes').selectAll().executeTakeFirstOrThrow()
    expect(row).toMatchObject({
      qr_type: 'normal',
      owner_id: as.id,
      created_by: as.id,
      is_active: 1,
      is_claimed: 1,
      is_child_registered: 0,
      created_at: NOW,
      pin_hash: null,
      claim_email: null,
      email: null,
    })
    expect(row.qr_id).not.toBe('DEMO')
    expect({}).not.toHaveProperty('polluted')
  })
})

describe('the limit of a plan', () => {
  test('is one code on the free plan', async () => {
    const { create } = await openSignedIn('free')
    expect((await create(REQUIRED)).status).toBe(201)
    expect(await create(REQUIRED)).toEqual({
      status: 402,
      body: { detail: { message: 'QR limit reached (1/1)', current_count: 1, limit: 1 } },
    })
  })

  test('holds against twenty parallel calls with one code left: one wins', async () => {
    const { create, db, as, count } = await openSignedIn('premium')
    for (let n = 0; n < 49; n++) await insertCode(db, as.id)
    const answers = await Promise.all(Array.from({ length: 20 }, () => create(REQUIRED)))
    const refused = answers.filter(({ status }) => status !== 201)
    expect(refused).toEqual(
      Array.from({ length: 19 }, () => ({
        status: 402,
        body: { detail: { message: 'QR limit reached (50/50)', current_count: 50, limit: 50 } },
      })),
    )
    expect(await count()).toBe(50)
  })

  test('counts codes that others have claimed away, and neither child codes nor deleted ones', async () => {
    const { create, db, as, signUp, ask } = await openSignedIn('free')
    const buyer = await signUp()
    await insertCode(db, as.id, { qr_type: 'child', is_claimed: 0 })
    const sold = await insertCode(db, buyer.id, { created_by: as.id })
    expect((await create(REQUIRED)).status).toBe(402)
    await ask('DELETE', `/api/qr/${sold.qr_id}`, { as: buyer })
    expect((await create(REQUIRED)).status).toBe(201)
  })

  test('is none on the enterprise plan', async () => {
    const { create, db, as } = await openSignedIn('enterprise')
    for (let n = 0; n < 51; n++) await insertCode(db, as.id)
    expect((await create(REQUIRED)).status).toBe(201)
  })

  test('is the one of this moment, not of when the account signed in', async () => {
    const { create, db, as } = await openSignedIn('free')
    await create(REQUIRED)
    await db.updateTable('accounts').set({ qr_limit: 2 }).where('id', '=', as.id).execute()
    expect((await create(REQUIRED)).status).toBe(201)
    expect((await create(REQUIRED)).body.detail).toMatchObject({ current_count: 2, limit: 2 })
  })

  test('may fall below the number of codes: they stay, and no new one is made', async () => {
    const { create, db, as, ask } = await openSignedIn('premium')
    await create(REQUIRED)
    const { body } = await create(REQUIRED)
    await db.updateTable('accounts').set({ qr_limit: 1 }).where('id', '=', as.id).execute()
    expect((await create(REQUIRED)).body.detail.message).toBe('QR limit reached (2/1)')
    const edited = await ask('PUT', `/api/qr/${body.qr_id}`, { as, json: { city_area: 'Pune' } })
    expect(edited.status).toBe(200)
  })
})
