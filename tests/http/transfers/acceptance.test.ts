import { describe, expect, test } from 'vitest'
import { listActs } from '#db/admin/audit-events.ts'
import type { Db } from '#db/client.ts'
import { hashPin } from '#db/codes/pins.ts'
import { hashToken } from '#db/secrets.ts'
import { phoneColumns } from '#domain/codes/phones.ts'
import { NO_QR_FIELDS } from '#domain/codes/qr.ts'
import { insertCode } from '#tests/support/codes.ts'
import { registeredChild, signInChild } from '#tests/support/families.ts'
import { setAccount, setCode } from '#tests/support/rows.ts'
import { insertConversation } from '#tests/support/stored-conversations.ts'
import { BUYER, HOLDER, openTransfers } from '#tests/support/transfers.ts'
import { fileForm, filesIn, PDF } from '#tests/support/uploads.ts'

const FULL = {
  email: 'owner@example.in',
  city_area: 'Nagpur',
  emergency_contact_name: 'Sunita Kulkarni',
  emergency_contact_phone: '+919811111111',
  blood_group: 'B+',
  driving_license_number: 'MH1220110012345',
  insurance_policy_number: 'P-4711',
  insurance_expiry_date: '2027-03-04',
  next_service_due: '2027-05-06',
  company_fleet_name: 'Kulkarni Tours',
  notes_instructions: 'Spare key at the shop',
  public_message: 'My own message',
  contact_mode: 'relay',
  thing: 'bag',
  show_vehicle: 0,
  show_city: 0,
} as const

const scan = (scanned_at: string, n = 1) =>
  ({ scanned_at, n, device: 'phone', referrer: 'direct' }) as const

/** Scans of a code as they are counted. */
async function insertScans(db: Db, { qr_id, owner_id }: { qr_id: string; owner_id: string }) {
  const times = ['2026-11-03T03:10:00.000Z', '2026-11-03T03:12:00.000Z', '2026-11-04T03:45:00.000Z']
  await db
    .insertInto('scans')
    .values(times.map((at, n) => ({ qr_id, ...scan(at, n) })))
    .execute()
  const quarters = [
    { owner_id, quarter: '2026-11-03T03:00', scans: 2 },
    { owner_id, quarter: '2026-11-04T03:45', scans: 1 },
  ]
  await db.insertInto('owner_scans').values(quarters).execute()
}

describe('accepting', () => {
  test('moves what is said of the vehicle, and nothing else of the old owner', async () => {
    const { begin, accept, buyer, qr_id, stored, transfers } = await openTransfers({ code: FULL })
    const before = await stored()
    const token = await begin()
    const { status, body } = await accept(token)
    expect(status).toBe(200)
    expect(body).toMatchObject({ qr_id, owner_id: buyer.id, owner_name: 'Meenakshi Pillai' })
    expect(await stored()).toEqual({
      ...before,
      ...NO_QR_FIELDS,
      ...phoneColumns({ contact_phone: '98190 00482', emergency_contact_phone: null }),
      owner_id: buyer.id,
      created_by: buyer.id,
      owner_name: 'Meenakshi Pillai',
      contact_phone: '98190 00482',
      public_message: expect.stringContaining('wonderful human being'),
      vehicle_registration: 'MH12QX4827',
      vehicle_make_model: 'Maruti Suzuki Swift VXi',
      company_fleet_name: 'Kulkarni Tours',
      insurance_expiry_date: '2027-03-04',
      next_service_due: '2027-05-06',
      contact_mode: 'public',
      thing: 'bag',
      show_vehicle: 1,
      show_city: 1,
      take_token_hash: hashToken(token),
      updated_at: expect.any(String),
    })
    expect(await transfers()).toEqual([])
  })

  test('takes all fields of a code from the new owner', async () => {
    const { begin, accept, call, qr_id } = await openTransfers({ code: FULL })
    const fields = { ...HOLDER, city_area: 'Dadar', contact_mode: 'relay', optional_pin: '4829' }
    const { body } = await accept(await begin(), undefined, { ...fields, company_fleet_name: '' })
    expect(body).toMatchObject({ city_area: 'Dadar', contact_mode: 'relay', has_pin: true })
    expect(body.company_fleet_name).toBeNull()
    const { status } = await call('POST', `/api/scan/${qr_id}/unlock`, undefined, { pin: '4829' })
    expect(status).toBe(200)
  })

  test.each<[object, string]>([
    [{}, 'Please enter the full name'],
    [{ ...HOLDER, optional_pin: 'x' }, 'PIN must be 4 to 6 digits'],
  ])('refuses %j in a sentence, and moves nothing', async (fields, detail) => {
    const { begin, accept, stored, transfers } = await openTransfers({ code: FULL })
    const token = await begin()
    const before = await stored()
    expect(await accept(token, undefined, fields)).toMatchObject({ status: 400, body: { detail } })
    expect([await stored(), (await transfers()).length]).toEqual([before, 1])
    expect((await accept(token)).status).toBe(200)
  })

  test('ends PIN and lost mode, and switches a code on', async () => {
    const { begin, accept, call, db, deps, owner, qr_id, stored } = await openTransfers()
    await call('PUT', `/api/qr/${qr_id}/lost`, owner, { lost: true, note: 'Red strap' })
    await db
      .updateTable('qr_codes')
      .set({ pin_hash: hashPin(deps.secretKey, qr_id, '4711'), is_active: 0 })
      .execute()
    await accept(await begin())
    expect(await stored()).toMatchObject({
      pin_hash: null,
      lost_since: null,
      lost_note: null,
      is_active: 1,
    })
    expect(
      (await call('POST', `/api/scan/${qr_id}/unlock`, undefined, { pin: '4711' })).status,
    ).toBe(404)
    expect(await db.selectFrom('lost_periods').selectAll().execute()).toEqual([])
  })

  test('is mailed to both, and is in the audit log', async () => {
    const { begin, accept, mails, db } = await openTransfers()
    await accept(await begin())
    // Two mails of one transaction are sent in any order.
    const sent = () => mails.slice(1).map(({ to, subject }) => `${to}: ${subject}`)
    await expect
      .poll(() => sent().sort())
      .toEqual(
        [
          'ramesh@example.in: Your vehicle was handed over',
          `${BUYER}: A vehicle is yours now`,
        ].sort(),
      )
    const toOwner = mails.slice(1).find(({ to }) => to === 'ramesh@example.in')
    expect(toOwner?.text).toContain('Its documents are deleted')
    const { acts } = await listActs(db, { limit: 1, offset: 0 })
    expect(acts).toMatchObject([{ action: 'qr_code.transferred', actor: 'Meenakshi Pillai' }])
    expect(acts[0]?.after).toContain('"owner":"Meenakshi Pillai"')
  })

  test('works once, for an account with the verified address', async () => {
    const { begin, accept, owner, signUp } = await openTransfers()
    const token = await begin()
    expect((await accept(token, await signUp())).status).toBe(404)
    expect((await accept(token)).status).toBe(200)
    for (const as of [undefined, owner]) expect((await accept(token, as)).status).toBe(404)
  })

  test('is refused for a code that a moderator stopped meanwhile', async () => {
    const { begin, accept, db, stored } = await openTransfers()
    const token = await begin()
    await db.updateTable('qr_codes').set({ stopped_by_report: 'r', is_active: 0 }).execute()
    const before = await stored()
    expect(await accept(token)).toMatchObject({
      status: 409,
      body: { detail: 'This QR code was deactivated by a moderator' },
    })
    expect(await stored()).toEqual(before)
  })
})

describe('the plans', () => {
  test('a new owner without room is refused before anything moves, and has the code after an upgrade', async () => {
    const { begin, accept, db, buyer, stored, transfers, mails } = await openTransfers()
    await insertCode(db, buyer.id)
    const token = await begin()
    const before = await stored()
    const { status, body } = await accept(token)
    expect([status, body]).toEqual([
      402,
      { detail: { message: 'QR limit reached (1/1)', current_count: 1, limit: 1 } },
    ])
    expect([await stored(), (await transfers()).length, mails.length]).toEqual([before, 1, 1])
    const premium = { subscription_plan: 'premium', qr_limit: 50 } as const
    await db.updateTable('accounts').set(premium).where('id', '=', buyer.id).execute()
    expect((await accept(token)).status).toBe(200)
  })

  test('an issuer without room gets a code back that counts for them all the while', async () => {
    const { begin, accept, page, db, buyer, code_id, stored } = await openTransfers()
    await setCode(db, { id: code_id }, { created_by: buyer.id })
    const token = await begin()
    const html = await (await page(`/transfer/${token}`, buyer.cookie)).text()
    expect(html).not.toMatch(/Your QR code limit|Counts as/)
    expect((await accept(token)).status).toBe(200)
    expect(await stored()).toMatchObject({ owner_id: buyer.id, created_by: buyer.id })
  })

  test('the code counts against the new owner, and no longer against the old one or its issuer', async () => {
    const { begin, accept, call, signUp, db, owner, buyer, code_id } = await openTransfers()
    const issuer = await signUp()
    await setCode(db, { id: code_id }, { created_by: issuer.id })
    const count = async (as: typeof owner) =>
      (await call('GET', '/api/auth/me', as)).body.user.qr_count
    expect([await count(issuer), await count(owner), await count(buyer)]).toEqual([1, 0, 0])
    await accept(await begin())
    expect([await count(issuer), await count(owner), await count(buyer)]).toEqual([0, 0, 1])
  })

  test('the old owner’s keys and calls no longer reach the code', async () => {
    const { begin, accept, call, owner, buyer, qr_id } = await openTransfers()
    await accept(await begin())
    const calls: [string, string, object?][] = [
      ['PUT', `/api/qr/${qr_id}`, { city_area: 'Pune' }],
      ['PUT', `/api/qr/${qr_id}/lost`, { lost: true }],
      ['POST', `/api/qr/${qr_id}/transfer`, { email: 'x@example.in' }],
      ['DELETE', `/api/qr/${qr_id}/transfer`],
      ['GET', `/api/qr/${qr_id}/download`],
      ['GET', `/api/documents/${qr_id}`],
      ['GET', `/api/scan/${qr_id}/analytics`],
      ['DELETE', `/api/qr/${qr_id}`],
    ]
    for (const [method, path, json] of calls) {
      expect([method, path, (await call(method, path, owner, json)).status]).toEqual([
        method,
        path,
        404,
      ])
    }
    expect((await call('GET', '/api/qr/my-qrs', owner)).body).toEqual([])
    expect((await call('GET', '/api/qr/my-qrs', buyer)).body).toMatchObject([{ qr_id }])
  })
})

describe('the documents', () => {
  async function openPapers() {
    const app = await openTransfers()
    const { owner, qr_id, ask } = app
    const upload = async (is_public: string, type = 'puc', as = owner) => {
      const body = fileForm(PDF, { document_type: type, is_public })
      const answer = await ask('POST', `/api/documents/upload/${qr_id}`, { as, body })
      return answer.json()
    }
    const documents = [await upload('true'), await upload('false', 'insurance')]
    const file = async (url: string, as?: typeof owner) =>
      (await ask('GET', url, { ...(as && { as }) })).status
    return { ...app, documents, upload, file }
  }

  test('go along if they are ticked, private, and without their shared links', async () => {
    const { begin, look, accept, call, db, owner, buyer, qr_id, documents, file } =
      await openPapers()
    const [shown, hidden] = documents
    await call('POST', `/api/gallery/share/${shown.id}`, owner, { share_method: 'download' })
    const token = await begin({ include_documents: true })
    expect((await look(token, buyer)).body).toMatchObject({
      include_documents: true,
      document_count: 2,
    })
    await accept(token)
    const { body } = await call('GET', `/api/documents/${qr_id}`, buyer)
    const ids = body.documents.map(({ id, is_public }: { id: string; is_public: boolean }) => [
      id,
      is_public,
    ])
    expect(new Map(ids)).toEqual(
      new Map([
        [shown.id, false],
        [hidden.id, false],
      ]),
    )
    for (const { file_url } of documents) {
      expect([
        await file(file_url),
        await file(file_url, owner),
        await file(file_url, buyer),
      ]).toEqual([404, 404, 200])
    }
    expect(await db.selectFrom('share_links').selectAll().execute()).toEqual([])
    expect((await call('GET', `/api/documents/${qr_id}/police`)).body.documents).toEqual([])
    expect((await call('DELETE', `/api/documents/${shown.id}`, owner)).status).toBe(404)
    expect((await call('DELETE', `/api/documents/${shown.id}`, buyer)).status).toBe(200)
  })

  test('are deleted otherwise, with their files', async () => {
    const { begin, look, accept, buyer, db, dataDir, documents, file } = await openPapers()
    expect(filesIn({ dataDir }).stored).toHaveLength(2)
    const token = await begin()
    expect((await look(token, buyer)).body.document_count).toBe(0)
    await accept(token)
    expect(await db.selectFrom('documents').selectAll().execute()).toEqual([])
    expect(filesIn({ dataDir }).stored).toEqual([])
    for (const { file_url } of documents) expect(await file(file_url, buyer)).toBe(404)
  })

  test('that a reset locked do not go along', async () => {
    const { begin, look, accept, buyer, db, documents, dataDir } = await openPapers()
    const [, hidden] = documents
    await db.updateTable('documents').set({ is_locked: 1 }).where('id', '=', hidden.id).execute()
    const token = await begin({ include_documents: true })
    expect((await look(token, buyer)).body.document_count).toBe(1)
    await accept(token)
    expect(await db.selectFrom('documents').select(['id', 'account_id']).execute()).toEqual([
      { id: documents[0].id, account_id: buyer.id },
    ])
    expect(filesIn({ dataDir }).stored).toHaveLength(1)
  })

  test('of the new owner may be as many as those of any code', async () => {
    const { begin, accept, upload, buyer, db, documents } = await openPapers()
    await accept(await begin({ include_documents: true }))
    const [first] = await db.selectFrom('documents').selectAll().execute()
    const rows = Array.from({ length: 28 }, (_, n) => ({
      ...(first as NonNullable<typeof first>),
      id: `d${n}`,
      stored_name: `s${n}.pdf`,
      thumbnail_name: null,
    }))
    await db.insertInto('documents').values(rows).execute()
    expect(documents).toHaveLength(2)
    expect(await upload('false', 'puc', buyer as never)).toMatchObject({
      detail: { current_count: 30, limit: 30 },
    })
  })
})

describe('the scans', () => {
  test('stay as a total without times, for the code and the account, and new ones have theirs', async () => {
    const { begin, accept, look, call, ask, db, owner, buyer, qr_id } = await openTransfers()
    await insertScans(db, { qr_id, owner_id: owner.id })
    const premium = { subscription_plan: 'premium', qr_limit: 50 } as const
    await db.updateTable('accounts').set(premium).where('id', '=', buyer.id).execute()
    const token = await begin()
    expect((await look(token, buyer)).body.scan_count).toBe(3)
    await accept(token)
    expect(await db.selectFrom('scans').selectAll().execute()).toEqual([])
    expect(await db.selectFrom('owner_scans').selectAll().where('scans', '>', 0).execute()).toEqual(
      [],
    )
    await ask('GET', `/scan/${qr_id}`)
    const { body } = await call('GET', `/api/scan/${qr_id}/analytics`, buyer)
    expect(body).toMatchObject({
      total_scans: 4,
      recent_scans: [{ scanned_at: '2026-11-20T10:00:00.000Z' }],
      lost_periods: [],
    })
    expect((await call('GET', '/api/qr/my-qrs', buyer)).body).toMatchObject([{ scan_count: 4 }])
    const cookie = { cookie: buyer.cookie }
    const tab = await (await ask('GET', '/dashboard?tab=analytics', { headers: cookie })).text()
    expect(tab).toMatch(/All QR codes.*?<b>4<\/b>/s)
    expect(tab).not.toContain('3 Nov')
  })

  test('of other codes keep their times', async () => {
    const { begin, accept, db, owner, qr_id } = await openTransfers()
    const other = await insertCode(db, owner.id)
    await insertScans(db, { qr_id, owner_id: owner.id })
    const at = '2026-11-03T03:14:00.000Z'
    await db
      .insertInto('scans')
      .values({ qr_id: other.qr_id, ...scan(at) })
      .execute()
    await db
      .updateTable('owner_scans')
      .set({ scans: 3 })
      .where('quarter', '=', '2026-11-03T03:00')
      .execute()
    await accept(await begin())
    expect(await db.selectFrom('scans').select('scanned_at').execute()).toEqual([
      { scanned_at: at },
    ])
    expect(await db.selectFrom('owner_scans').selectAll().where('scans', '>', 0).execute()).toEqual(
      [{ owner_id: owner.id, quarter: '2026-11-03T03:00', scans: 1 }],
    )
  })

  test('add up over several owners', async () => {
    const { begin, accept, start, mailedToken, db, buyer, owner, qr_id, code_id, stored } =
      await openTransfers()
    await insertScans(db, { qr_id, owner_id: owner.id })
    await accept(await begin())
    await db
      .insertInto('scans')
      .values({ qr_id, ...scan('2026-11-21T10:00:00.000Z') })
      .execute()
    await start({ email: owner.email }, { as: buyer })
    await accept(mailedToken(owner.email ?? ''), owner)
    expect(await stored()).toMatchObject({ id: code_id, owner_id: owner.id, earlier_scans: 4 })
  })
})

test('conversations stay with the old owner, new ones come to the new one', async () => {
  const { begin, accept, call, db, owner, buyer, qr_id } = await openTransfers({
    code: { contact_mode: 'relay' },
  })
  await insertConversation(db, { account_id: owner.id, qr_id })
  await accept(await begin())
  const list = async (as: typeof owner) =>
    (await call('GET', '/api/conversations', as)).body.conversations
  expect(await list(buyer)).toEqual([])
  expect(await list(owner)).toMatchObject([{ qr_id, vehicle_registration: null, owner_name: null }])
  const { body } = await call('GET', `/api/scan/${qr_id}/message`)
  expect(body.can_message ?? true).toBe(true)
})

describe('a child code', () => {
  async function openChild() {
    const app = await openTransfers()
    const { owner, ask } = app
    const code = await registeredChild(app, owner.id)
    const user = await signInChild(app, code)
    const body = fileForm(PDF, { document_type: 'puc', is_public: 'true' })
    await ask('POST', `/api/documents/upload/${code.qr_id}`, { as: user, body })
    const json = { qr_id: code.qr_id, contact: '+919814012345' }
    await ask('POST', '/api/qr/forgot-password', { json })
    return { ...app, code, user }
  }

  test('moves by its parent, becomes a code of the new owner, and ends the child user’s hold', async () => {
    const { begin, accept, call, db, code, user, buyer, dataDir } = await openChild()
    const requests = () => db.selectFrom('password_reset_requests').selectAll().execute()
    expect(await requests()).toHaveLength(1)
    const { body } = await accept(await begin({ include_documents: true }, code.qr_id))
    expect(body).toMatchObject({
      qr_type: 'normal',
      owner_id: buyer.id,
      is_claimed: true,
      is_child_registered: false,
      child_name: null,
      document_count: 0,
    })
    expect((await call('GET', '/api/qr/my-qrs', user)).body).toEqual([])
    expect((await call('GET', `/api/documents/${code.qr_id}`, user)).status).toBe(404)
    expect(await requests()).toEqual([])
    expect(filesIn({ dataDir }).stored).toEqual([])
    expect((await call('GET', `/api/scan/${code.qr_id}`)).body).toMatchObject({
      owner_name: 'Meenakshi Pillai',
      is_child_registered: false,
    })
  })

  test('takes the account along that its owner has not confirmed as a guardian', async () => {
    const { begin, accept, db, code } = await openChild()
    const id = code.child_account_id ?? ''
    const wait = { account_id: id, code_id: code.id, asked_at: code.created_at }
    await db.insertInto('guardian_waits').values(wait).execute()
    expect((await accept(await begin({}, code.qr_id))).status).toBe(200)
    expect(await db.selectFrom('accounts').where('id', '=', id).selectAll().execute()).toEqual([])
  })

  test('counts against the new owner, and its slot goes back to the parent, as far as the plan has slots', async () => {
    const { begin, accept, call, db, code, owner, buyer, signUp } = await openChild()
    const quota = async (left: number) => {
      await setAccount(db, owner.id, { child_qr_quota: left })
    }
    const left = async () => (await call('GET', '/api/auth/me', owner)).body.user.child_qr_quota
    await quota(49)
    await accept(await begin({}, code.qr_id))
    expect(await left()).toBe(50)
    expect((await call('GET', '/api/auth/me', buyer)).body.user.qr_count).toBe(1)
    const second = await insertCode(db, owner.id, { qr_type: 'child', is_claimed: 0 })
    const other = await signUp({ email: 'other@example.in' })
    await accept(await begin({ email: 'other@example.in' }, second.qr_id), other)
    expect(await left()).toBe(50)
  })
})
