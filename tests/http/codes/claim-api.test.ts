import { expect, test } from 'vitest'
import { formatQrId } from '#domain/codes/qr-id.ts'
import { otpFrom, post, registration, WITH_MAIL } from '#tests/support/accounts.ts'
import { openTestApp, type TestApp } from '#tests/support/app.ts'
import { insertCode } from '#tests/support/codes.ts'
import { CHILD, UNCLAIMED } from '#tests/support/families.ts'
import { countEach } from '#tests/support/races.ts'

const CLAIM = { owner_name: ' Ayesha Siddiqui ', contact_phone: '98450 12345' }
const NOT_FOUND = 'QR code not found'
const UNKNOWN = [404, { detail: NOT_FOUND }]

async function openIssued(fields = {}, options = {}) {
  const app = await openTestApp(options)
  const issuer = await app.signUp({ subscription_plan: 'premium' })
  const { qr_id } = await insertCode(app.db, issuer.id, { ...UNCLAIMED, ...fields })
  const stored = () =>
    app.db.selectFrom('qr_codes').selectAll().where('qr_id', '=', qr_id).executeTakeFirstOrThrow()
  return { ...app, issuer, qr_id, stored }
}

async function claim({ ask }: Pick<TestApp, 'ask'>, json: object, as?: { bearerToken: string }) {
  const answer = await ask('POST', '/api/qr/claim', { json, ...(as && { as }) })
  return [answer.status, await answer.json()]
}

test('a code is claimed without an account, also by a typed id, and its scan page shows it', async () => {
  const app = await openIssued({ email: 'issuer@example.in', vehicle_make_model: 'Swift' })
  const { qr_id, ask, issuer } = app
  const answer = await claim(app, { ...CLAIM, qr_id: formatQrId(qr_id).toLowerCase() })
  const take_url = expect.stringMatching(/^http:\/\/localhost:3000\/take\/[\w-]{43}$/)
  expect(answer).toEqual([200, { success: true, qr_id, take_url }])
  const page = await (await ask('GET', `/api/scan/${qr_id}`)).json()
  expect(page).toMatchObject({
    is_claimed: true,
    owner_name: 'Ayesha Siddiqui',
    contact_phone: '98450 12345',
    email: null,
    vehicle_make_model: 'Swift',
    public_message: 'This key belongs to a wonderful human being. Thank you for scanning!',
  })
  expect(await app.stored()).toMatchObject({ owner_id: issuer.id, created_by: issuer.id })
})

test('an account that claims a code owns it at once, and its issuer sees it no more', async () => {
  const app = await openIssued()
  const claimer = await app.signUp()
  await claim(app, { ...CLAIM, qr_id: app.qr_id, email: 'not.mine@example.in' }, claimer)
  expect(await app.stored()).toMatchObject({
    owner_id: claimer.id,
    created_by: app.issuer.id,
    claim_email: null,
  })
  const list = async (as: { bearerToken: string }) =>
    (await app.ask('GET', '/api/qr/my-qrs', { as })).json()
  expect(await list(claimer)).toMatchObject([{ qr_id: app.qr_id, is_claimed_away: false }])
  expect(await list(app.issuer)).toEqual([])
  const me = async (as: { bearerToken: string }) =>
    (await (await app.ask('GET', '/api/auth/me', { as })).json()).user.qr_count
  expect([await me(claimer), await me(app.issuer)]).toEqual([0, 1])
})

test('a code that was claimed with an e-mail moves to the account that verifies it and takes it', async () => {
  const app = await openIssued()
  await claim(app, { ...CLAIM, qr_id: app.qr_id, email: 'ASHA@Example.in' })
  const edit = await app.ask('PUT', `/api/qr/${app.qr_id}`, {
    as: app.issuer,
    json: { city_area: 'Elsewhere' },
  })
  expect(edit.status).toBe(409)
  const [seen] = await (await app.ask('GET', '/api/qr/my-qrs', { as: app.issuer })).json()
  expect(seen).toMatchObject({ is_claimed: true, is_claimed_away: true })
  const otp = await otpFrom(app, 'send-otp', { email: 'asha@example.in' })
  const { body } = await post(app, 'verify-otp', registration(otp))
  expect(await app.stored()).toMatchObject({ claim_email: 'asha@example.in' })
  const headers = { Authorization: `Bearer ${body.session_id}` }
  await app.ask('POST', '/api/claims/take', { headers, json: { qr_ids: [app.qr_id] } })
  expect(await app.stored()).toMatchObject({ owner_id: body.user.id, claim_email: null })
})

test('the e-mail of a claim gets a mail about taking the code, unless an account has it at once', async () => {
  const app = await openIssued({}, WITH_MAIL)
  await claim(app, { ...CLAIM, qr_id: app.qr_id, email: 'ASHA@Example.in' })
  await claim(app, { ...CLAIM, qr_id: app.qr_id, email: 'ravi@example.in' })
  expect(app.mails).toMatchObject([{ to: 'asha@example.in', subject: 'Your QR code is claimed' }])
  expect(app.mails[0]?.text).toContain(formatQrId(app.qr_id))
  expect(app.mails[0]?.text).toContain('http://localhost:3000/login')
  const { qr_id } = await insertCode(app.db, app.issuer.id, UNCLAIMED)
  await claim(app, { ...CLAIM, qr_id, email: 'asha@example.in' }, await app.signUp())
  expect(app.mails).toHaveLength(1)
})

test('of twenty claims at once one wins, and the code has the winner’s values', async () => {
  const app = await openIssued()
  const claims = Array.from({ length: 20 }, async (_, n) => ({
    n,
    answer: await claim(app, { ...CLAIM, qr_id: app.qr_id, owner_name: `Claimer ${n}` }),
  }))
  const all = await Promise.all(claims)
  expect(countEach(all.map(({ answer }) => answer[0]))).toEqual({ 200: 1, 409: 19 })
  const winner = all.find(({ answer }) => answer[0] === 200)
  expect((await app.stored()).owner_name).toBe(`Claimer ${winner?.n}`)
})

test('a code that cannot be claimed is refused with the reason and stays as it is', async () => {
  const app = await openIssued()
  const codes = [
    [await insertCode(app.db, app.issuer.id), 409, 'This QR code has already been claimed'],
    [await insertCode(app.db, app.issuer.id, CHILD), 409, 'This QR code must be registered'],
    [await insertCode(app.db, app.issuer.id, { ...UNCLAIMED, is_active: 0 }), 404, NOT_FOUND],
  ] as const
  const before = await app.db.selectFrom('qr_codes').selectAll().execute()
  for (const [{ qr_id }, status, detail] of codes) {
    expect(await claim(app, { ...CLAIM, qr_id })).toEqual([status, { detail }])
  }
  app.advance(3600)
  for (const qr_id of ['7K3MQ9WD4XTP', 'DEMO', '../etc', '', undefined]) {
    expect(await claim(app, { ...CLAIM, qr_id })).toEqual(UNKNOWN)
  }
  expect(await app.db.selectFrom('qr_codes').selectAll().execute()).toEqual(before)
})

test('a claim needs a name and a number, in the words of the form', async () => {
  const app = await openIssued()
  const steps: [object, string][] = [
    [{ owner_name: ' ', contact_phone: '' }, 'Please enter the full name'],
    [{ contact_phone: undefined }, 'Enter the mobile number finders should call'],
    [{ public_message: 'A'.repeat(1001) }, 'Public Message must be at most 1000 characters'],
    [{ city_area: 5 }, 'City / Area must be text'],
  ]
  for (const [broken, detail] of steps) {
    expect(await claim(app, { ...CLAIM, qr_id: app.qr_id, ...broken })).toEqual([400, { detail }])
  }
  expect((await app.stored()).is_claimed).toBe(0)
})

test('a claim sets nothing but its own fields, and takes a PIN of the issuer away', async () => {
  const app = await openIssued({ pin_hash: 'of the issuer' })
  const more = {
    owner_id: 'me',
    qr_type: 'child',
    is_active: false,
    claim_email: 'me@example.in',
    notes_instructions: 'planted',
    optional_pin: '1234',
  }
  expect((await claim(app, { ...CLAIM, ...more, qr_id: app.qr_id }))[0]).toBe(200)
  expect(await app.stored()).toMatchObject({
    owner_id: app.issuer.id,
    qr_type: 'normal',
    is_active: 1,
    claim_email: null,
    notes_instructions: null,
    pin_hash: null,
  })
})
