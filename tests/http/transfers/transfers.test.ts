import { describe, expect, test } from 'vitest'
import { sweepTables } from '#actions/retention.ts'
import { createApiKey } from '#db/accounts/api-keys.ts'
import { endAccess } from '#db/accounts/passwords.ts'
import { hashToken } from '#db/secrets.ts'
import { newCaller } from '#tests/support/callers.ts'
import { HELD, insertCode } from '#tests/support/codes.ts'
import { registeredChild, signInChild, UNCLAIMED } from '#tests/support/families.ts'
import { setAccount } from '#tests/support/rows.ts'
import { BUYER, openTransfers } from '#tests/support/transfers.ts'

const EXPIRES = '2026-11-23T10:00:00.000Z'
const DEAD = { detail: 'This link is no longer valid' }

describe('a transfer', () => {
  test('is begun for 72 hours, and its token is only in the mail', async () => {
    const { start, mails, mailedToken, transfers, logged, owner, code_id } = await openTransfers()
    const { status, body } = await start({
      email: ' Meenakshi@Example.IN ',
      include_documents: true,
    })
    expect([status, body]).toEqual([201, { transfer_id: expect.any(String), expires_at: EXPIRES }])
    expect(mails.map(({ to, subject }) => [to, subject])).toEqual([
      [BUYER, 'A vehicle is handed over to you'],
    ])
    expect(mails[0]?.text).toContain('“Ramesh”')
    expect(mails[0]?.text).toContain('MH 12 QX 4827')
    expect(mails[0]?.text).not.toContain('Kulkarni')
    const token = mailedToken()
    expect(await transfers()).toEqual([
      {
        id: body.transfer_id,
        code_id,
        from_account_id: owner.id,
        email: BUYER,
        include_documents: 1,
        token_hash: hashToken(token),
        created_at: '2026-11-20T10:00:00.000Z',
        expires_at: EXPIRES,
      },
    ])
    expect(JSON.stringify(body) + logged.join('')).not.toContain(token)
  })

  test('leaves the code as it is for finders, and for its owner, who may change it', async () => {
    const { begin, call, owner, qr_id, stored } = await openTransfers()
    const before = await stored()
    await begin()
    expect(await stored()).toEqual(before)
    const { body } = await call('GET', `/api/scan/${qr_id}`)
    expect(body).toMatchObject({ owner_name: 'Ramesh Kulkarni' })
    const change = { city_area: 'Pune' }
    expect((await call('PUT', `/api/qr/${qr_id}`, owner, change)).status).toBe(200)
  })

  test('is one at a time, until it is cancelled or has expired', async () => {
    const { start, begin, cancel, confirm, look, buyer, advance, transfers } = await openTransfers()
    const first = await begin()
    const second = await start({ email: 'other@example.in' })
    expect([second.status, second.body]).toEqual([
      409,
      { detail: 'A transfer is already under way' },
    ])
    expect((await cancel()).body).toEqual({ message: 'Transfer cancelled' })
    expect(await look(first, buyer)).toMatchObject({ status: 404, body: DEAD })
    const again = await begin()
    advance(72 * 3600 - 1)
    expect((await look(again, buyer)).status).toBe(200)
    await confirm()
    expect((await start()).status).toBe(409)
    advance(1)
    expect(await look(again, buyer)).toMatchObject({ status: 404, body: DEAD })
    expect(await cancel()).toMatchObject({
      status: 404,
      body: { detail: 'No transfer is under way' },
    })
    expect((await start()).status).toBe(201)
    expect(await transfers()).toHaveLength(1)
  })

  test('that nobody decides in time leaves no address behind', async () => {
    const { begin, advance, transfers, deps } = await openTransfers()
    await begin()
    advance(72 * 3600 - 1)
    await sweepTables(deps)
    expect(await transfers()).toHaveLength(1)
    advance(1)
    await sweepTables(deps)
    expect(await transfers()).toEqual([])
  })

  test('goes with its code, ends with a new password, and waits while its owner is blocked', async () => {
    const { begin, start, call, look, owner, buyer, qr_id, ...app } = await openTransfers()
    const { db, deps, transfers } = app
    const token = await begin()
    const block = (is_active: 0 | 1) =>
      db.updateTable('accounts').set({ is_active }).where('id', '=', owner.id).execute()
    await block(0)
    expect((await look(token, buyer)).status).toBe(404)
    await block(1)
    expect((await look(token, buyer)).status).toBe(200)
    await endAccess(db, owner.id)
    expect(await look(token, buyer)).toMatchObject({ status: 404, body: DEAD })
    const again = await deps.sessions.start(owner)
    expect((await start({}, { as: again })).status).toBe(201)
    await call('DELETE', `/api/qr/${qr_id}`, again)
    expect(await transfers()).toEqual([])
  })

  test('is cancelled by an API key too, and begun by none', async () => {
    const { call, start, signUp, db, deps } = await openTransfers()
    const fleet = await signUp({ subscription_plan: 'enterprise' })
    const { qr_id } = await insertCode(db, fleet.id)
    const caller = await newCaller({ deps }, fleet.id)
    const { key } = await createApiKey(db, caller, 'Key', deps.clock(), async () => {})
    const as = { bearerToken: key }
    const path = `/api/qr/${qr_id}/transfer`
    expect((await start({}, { as, of: qr_id })).status).toBe(403)
    expect((await start({}, { as: fleet, of: qr_id })).status).toBe(201)
    expect((await call('DELETE', path, as)).status).toBe(200)
  })
})

describe('is refused in a sentence, and nothing is begun or mailed', () => {
  const OWN_CHILD = 'gurleen@example.in'

  test.each<[string, object, number, string]>([
    ['to no address', { email: null }, 400, 'Please enter a valid email address'],
    ['to a text', { email: 'meenakshi' }, 400, 'Please enter a valid email address'],
    ['to a number', { email: 7 }, 400, 'email must be text'],
    [
      'with a word for the documents',
      { include_documents: 'yes' },
      400,
      'include_documents must be true or false',
    ],
    [
      'to oneself',
      { email: 'RAMESH@example.in' },
      400,
      'You cannot transfer a QR code to yourself',
    ],
    ['to an own child user', { email: OWN_CHILD }, 400, 'A child user cannot take over a QR code'],
  ])('%s', async (_, fields, status, detail) => {
    const app = await openTransfers()
    const { start, owner, mails, transfers } = app
    await registeredChild(app, owner.id, { contact: { kind: 'email', email: OWN_CHILD } })
    expect(await start(fields)).toMatchObject({ status, body: { detail } })
    expect([await transfers(), mails]).toEqual([[], []])
  })

  test.each<[string, object, string]>([
    ['that nobody has claimed', UNCLAIMED, 'Nobody has claimed or registered this QR code yet'],
    ['that a claimer holds', HELD, 'This QR code has already been claimed'],
    [
      'that a moderator stopped',
      { stopped_by_report: 'r', is_active: 0 },
      'This QR code was deactivated by a moderator',
    ],
  ])('of a code %s', async (_, code, detail) => {
    const { start, mails, transfers } = await openTransfers({ code })
    expect(await start()).toMatchObject({ status: 409, body: { detail } })
    expect([await transfers(), mails]).toEqual([[], []])
  })

  test('of another account’s code, of none, and of a child code by its child user', async () => {
    const app = await openTransfers()
    const { start, call, owner, buyer, transfers } = app
    const child = await registeredChild(app, owner.id)
    const user = await signInChild(app, child)
    const path = `/api/qr/${child.qr_id}/transfer`
    const notFound = { status: 404, body: { detail: 'QR code not found' } }
    const isOwners = { status: 403, body: { detail: 'Only its owner can transfer this code' } }
    expect(await start({}, { as: buyer })).toMatchObject(notFound)
    expect(await start({}, { of: 'none' })).toMatchObject(notFound)
    expect(await call('POST', path, user, { email: BUYER })).toMatchObject(isOwners)
    expect(await call('DELETE', path, user)).toMatchObject(isOwners)
    expect(await transfers()).toEqual([])
  })

  test('without a mail server', async () => {
    const { start, transfers } = await openTransfers({ env: { SMTP_URL: '' } })
    expect(await start()).toMatchObject({
      status: 503,
      body: { detail: 'Email is not configured' },
    })
    expect(await transfers()).toEqual([])
  })

  test('the answer shows neither whether an account has the address nor which one', async () => {
    const { start, cancel, signUp, db, owner } = await openTransfers()
    const blocked = await signUp({ email: 'blocked@example.in' })
    await db.updateTable('accounts').set({ is_active: 0 }).where('id', '=', blocked.id).execute()
    await signUp({ email: 'full@example.in' }).then(({ id }) => insertCode(db, id))
    const parent = await signUp()
    await signUp({ email: 'child@example.in', parent_id: parent.id })
    const answers: unknown[] = []
    for (const email of ['none', 'blocked', 'full', 'child'].map((name) => `${name}@example.in`)) {
      const { status, body } = await start({ email }, { as: owner })
      answers.push([status, { ...body, transfer_id: '' }])
      await cancel()
    }
    expect(answers).toEqual(Array(4).fill([201, { transfer_id: '', expires_at: EXPIRES }]))
  })

  test('to an address that its owner offered five a day, however it is written, but not by others', async () => {
    const { start, cancel, signUp, db, transfers, mails } = await openTransfers()
    for (let n = 0; n < 5; n++) {
      const email = n % 2 ? BUYER : BUYER.replace('@', `+${n}@`)
      expect((await start({ email })).status).toBe(201)
      await cancel()
    }
    const refused = await start({})
    expect(refused.status).toBe(429)
    expect(refused.headers.get('Retry-After')).toBe('86400')
    expect([await transfers(), mails.length]).toEqual([[], 5])
    expect((await start({ email: 'other@example.in' })).status).toBe(201)
    const other = await signUp()
    const { qr_id } = await insertCode(db, other.id)
    expect((await start({}, { as: other, of: qr_id })).status).toBe(201)
  })

  test('above twenty in an hour, however many come at once', async () => {
    const { start, db, owner, transfers } = await openTransfers()
    const codes = await Promise.all(Array.from({ length: 25 }, () => insertCode(db, owner.id)))
    const answers = await Promise.all(
      codes.map(({ qr_id }, n) => start({ email: `b${n}@example.in` }, { of: qr_id })),
    )
    const begun = answers.filter(({ status }) => status === 201)
    expect(begun).toHaveLength(20)
    expect(await transfers()).toHaveLength(20)
    expect(answers.find(({ status }) => status === 429)?.body.detail).toContain(
      '20 transfers can be started in an hour',
    )
  })
})

describe('the link of a transfer', () => {
  test('shows its recipient what comes, and nothing else', async () => {
    const { begin, look, buyer, qr_id } = await openTransfers({
      code: { insurance_policy_number: 'P-1', company_fleet_name: 'Kulkarni Tours' },
    })
    const { status, body } = await look(await begin(), buyer)
    expect([status, body]).toEqual([
      200,
      {
        transfer_id: expect.any(String),
        expires_at: EXPIRES,
        include_documents: false,
        from_name: 'Ramesh',
        qr_id,
        vehicle_registration: 'MH12QX4827',
        vehicle_make_model: 'Maruti Suzuki Swift VXi',
        document_count: 0,
        scan_count: 0,
      },
    ])
  })

  test('is dead for everybody else, with any fields', async () => {
    const { begin, look, accept, decline, signUp, owner, stored } = await openTransfers({
      env: { RATE_LIMITS: 'off' },
    })
    const token = await begin()
    const before = await stored()
    const unproven = await signUp({ email: null, mobile: '+919845012345' })
    const someone = await signUp()
    for (const as of [undefined, owner, someone, unproven]) {
      for (const answer of [
        await look(token, as),
        await accept(token, as ?? ({ bearerToken: 'x' } as never), {}),
        await decline(token, as ?? ({ bearerToken: 'x' } as never)),
      ]) {
        expect(answer).toMatchObject({ status: 404, body: DEAD })
      }
    }
    for (const wrong of ['x', 'A'.repeat(43), `${token}A`]) {
      expect((await look(wrong, someone)).status).toBe(404)
    }
    expect(await stored()).toEqual(before)
  })

  test('is dead after its time, however it is used, and the code stays', async () => {
    const { begin, look, accept, decline, buyer, advance, stored } = await openTransfers()
    const token = await begin()
    const before = await stored()
    advance(72 * 3600)
    for (const answer of [await look(token, buyer), await accept(token), await decline(token)]) {
      expect(answer).toMatchObject({ status: 404, body: DEAD })
    }
    expect(await stored()).toEqual(before)
  })

  test('is dead for an account that has only typed the address, until it proves it', async () => {
    const { start, mailedToken, look, signUp, db } = await openTransfers()
    const typed = await signUp({ email: 'typed@example.in', email_verified_at: null })
    await setAccount(db, typed.id, { email_verified_at: null })
    await start({ email: 'typed@example.in' })
    const token = mailedToken('typed@example.in')
    expect((await look(token, typed)).status).toBe(404)
    const email_verified_at = '2026-11-20T10:00:00.000Z'
    await db.updateTable('accounts').set({ email_verified_at }).where('id', '=', typed.id).execute()
    expect((await look(token, typed)).status).toBe(200)
  })

  test('refuses a child user in a sentence', async () => {
    const { begin, look, accept, signUp, stored } = await openTransfers()
    const parent = await signUp()
    const email_verified_at = '2026-11-20T10:00:00.000Z'
    const child = await signUp({
      email: 'child@example.in',
      parent_id: parent.id,
      email_verified_at,
    })
    const token = await begin({ email: 'child@example.in' })
    const refused = { status: 403, body: { detail: 'A child user cannot take over a QR code' } }
    expect(await look(token, child)).toMatchObject(refused)
    expect(await accept(token, child)).toMatchObject(refused)
    expect(await stored()).toMatchObject({ owner_name: 'Ramesh Kulkarni' })
  })

  test('is declined once, and the owner is told', async () => {
    const { begin, decline, accept, mails, stored } = await openTransfers()
    const token = await begin()
    const before = await stored()
    expect(await decline(token)).toMatchObject({
      status: 200,
      body: { message: 'Transfer declined' },
    })
    expect(await stored()).toEqual(before)
    expect(await decline(token)).toMatchObject({ status: 404, body: DEAD })
    expect(await accept(token)).toMatchObject({ status: 404, body: DEAD })
    expect(mails.map(({ to, subject }) => [to, subject]).slice(1)).toEqual([
      ['ramesh@example.in', 'Your transfer was declined'],
    ])
  })

  test('can be guessed ten times in ten minutes', async () => {
    const { begin, look, buyer } = await openTransfers()
    const token = await begin()
    for (let n = 0; n < 10; n++) expect((await look('A'.repeat(43), buyer)).status).toBe(404)
    expect((await look('A'.repeat(43), buyer)).status).toBe(429)
    expect((await look(token, buyer)).status).toBe(200)
  })
})

test('others who begin transfers to an address keep nobody from it', async () => {
  const { start, db, owner, signUp } = await openTransfers()
  for (let n = 0; n < 3; n++) {
    const other = await signUp()
    const { qr_id: of } = await insertCode(db, other.id)
    for (let k = 0; k < 5; k++) {
      expect((await start({}, { as: other, of })).status).toBe(201)
      await db.deleteFrom('transfers').execute()
    }
    expect((await start({}, { as: other, of })).status).toBe(429)
  }
  expect((await start({}, { as: owner })).status).toBe(201)
})
