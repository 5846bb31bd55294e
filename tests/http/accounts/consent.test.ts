import { describe, expect, test } from 'vitest'
import { confirmGuardian } from '#actions/families/child-users.ts'
import { randomId } from '#db/secrets.ts'
import { FIRST_NOTICE } from '#domain/accounts/notice.ts'
import { englishText } from '#locales/refusal.ts'
import { openTestApp, PASSWORD } from '#tests/support/app.ts'
import { browserOf } from '#tests/support/browser.ts'
import { newCaller } from '#tests/support/callers.ts'
import { HELD, insertCode } from '#tests/support/codes.ts'
import { CHILD, UNCLAIMED } from '#tests/support/families.ts'
import { race } from '#tests/support/races.ts'
import { insertConversation } from '#tests/support/stored-conversations.ts'

const SMTP = { SMTP_URL: 'smtp://mail.example.in:587' }

async function openChild(env: Record<string, string> = {}) {
  const app = await openTestApp({ env })
  const owner = await app.signUp({ subscription_plan: 'premium' })
  const { qr_id, id } = await insertCode(app.db, owner.id, CHILD)
  const contact = 'gurleen@example.in'
  const sent = { qr_id, name: 'Gurleen', contact, contact_type: 'email', password: PASSWORD }
  const register = (more: object) =>
    app.ask('POST', '/api/qr/child-register', { json: { ...sent, ...more } })
  const logIn = () => app.ask('POST', '/api/auth/login', { json: { contact, password: PASSWORD } })
  const waits = () => app.db.selectFrom('guardian_waits').selectAll().execute()
  const child = () =>
    app.db.selectFrom('accounts').selectAll().where('email', '=', contact).executeTakeFirstOrThrow()
  const page = () => browserOf(app, owner).read('/dashboard')
  const agree = (id: string, as = owner) => browserOf(app, as).submit(`/dashboard/guardian/${id}`)
  return { ...app, owner, qr_id, codeId: id, register, logIn, waits, child, page, agree }
}

const GUARDIAN_DONE = '/dashboard?tab=my-qrs&done=guardian-confirmed'

describe('which version of the notice somebody was shown, and when, is recorded', () => {
  test('of a registration and of a child user', async () => {
    const app = await openChild({ NOTICE_VERSION: '2026-11' })
    const sent = await app.ask('POST', '/api/auth/send-otp', { json: { email: 'new@example.in' } })
    const { test_otp } = await sent.json()
    const json = { email: 'new@example.in', name: 'N', password: PASSWORD, otp: test_otp }
    expect((await app.ask('POST', '/api/auth/verify-otp', { json })).status).toBe(201)
    expect((await app.register({ adult: true })).status).toBe(201)
    const at = app.deps.clock().toISOString()
    const given = await app.db.selectFrom('consents').select(['version', 'given_at']).execute()
    expect(given).toEqual(Array(2).fill({ version: '2026-11', given_at: at }))
  })

  test('of a claim, with an account and without one', async () => {
    const app = await openTestApp({ env: { NOTICE_VERSION: '2026-11' } })
    const issuer = await app.signUp()
    const claimer = await app.signUp()
    const claim = async (as?: typeof claimer) => {
      const { qr_id } = await insertCode(app.db, issuer.id, UNCLAIMED)
      const json = { qr_id, owner_name: 'Ayesha', contact_phone: '9876543210' }
      await app.ask('POST', '/api/qr/claim', { json, ...(as && { as }) })
      const code = app.db.selectFrom('qr_codes').select(['claim_notice', 'claimed_at'])
      return code.where('qr_id', '=', qr_id).executeTakeFirst()
    }
    const at = app.deps.clock().toISOString()
    expect(await claim()).toEqual({ claim_notice: '2026-11', claimed_at: at })
    expect(await claim(claimer)).toEqual({ claim_notice: null, claimed_at: null })
    expect(await app.db.selectFrom('consents').selectAll().execute()).toEqual([
      { account_id: claimer.id, version: '2026-11', given_at: at },
    ])
  })
})

describe('a changed notice', () => {
  test('is shown until it was read', async () => {
    const app = await openTestApp({ env: { NOTICE_VERSION: '2' } })
    const { read, submit } = browserOf(app, await app.signUp())
    expect(await read('/dashboard')).toContain('Our privacy policy has changed')
    expect((await submit('/dashboard/notice', { version: '1' })).status).toBe(409)
    expect((await submit('/dashboard/notice', { version: '2' })).status).toBe(303)
    expect(await read('/dashboard')).not.toContain('Our privacy policy has changed')
  })

  test('is none where the operator names no version', async () => {
    const app = await openTestApp()
    expect(app.deps.config.noticeVersion).toBe(FIRST_NOTICE)
    const page = await browserOf(app, await app.signUp()).read('/dashboard')
    expect(page).not.toContain('Our privacy policy has changed')
  })
})

describe('a child user', () => {
  test('who is not of age waits until the owner of the code confirms', async () => {
    const app = await openChild(SMTP)
    expect((await app.register({ adult: false })).status).toBe(201)
    expect(app.mails.map(({ to, subject }) => ({ to, subject }))).toEqual([
      { to: app.owner.email, subject: 'Are you the guardian of a child user?' },
    ])
    const refused = await app.logIn()
    expect(refused.status).toBe(403)
    expect((await refused.json()).detail).toBe(englishText('forbidden.guardian'))
    expect(await app.page()).toContain('I am the guardian of Gurleen')
    const { id } = await app.child()
    expect((await app.agree(id, await app.signUp())).status).toBe(404)
    expect(await app.waits()).toHaveLength(1)
    expect((await app.agree(id)).status).toBe(303)
    expect(await app.waits()).toEqual([])
    expect(await app.page()).not.toContain('I am the guardian')
    expect(await app.agree(id)).toMatchObject({ status: 303, to: GUARDIAN_DONE })
    expect((await app.agree(id, await app.signUp())).status).toBe(404)
    expect(app.mails).toHaveLength(1)
    expect((await app.logIn()).status).toBe(200)
  })

  test('whose guardian has not confirmed is shown to nobody, and cannot be written to', async () => {
    const app = await openChild()
    const details = { city_area: 'Ludhiana', emergency_contact_phone: '98140 12345' }
    await app.register({ adult: false, ...details })
    const { qr_id, db, ask } = app
    const look = (path: string) => browserOf(app).open(path)
    const paths = ['', '/message', '/report'].map((rest) => `/scan/${qr_id}${rest}`)
    const seen = async () => {
      const pages = await Promise.all([...paths, `/police/${qr_id}`].map((path) => look(path)))
      return pages.map(({ status, html }) => [status, /gurleen|ludhiana|98140/i.test(html)])
    }
    const hidden = [404, false]
    expect(await seen()).toEqual([[200, false], hidden, hidden, hidden])
    expect((await look(paths[0] ?? '')).html).toContain('Not in use yet')
    const preview = await browserOf(app, app.owner).open(`${paths[0]}?preview=1`)
    expect(preview.html).toContain('Not in use yet')

    const answer = await (await ask('GET', `/api/scan/${qr_id}`)).json()
    expect(answer).toMatchObject({ is_claimed: true, is_child_registered: true, owner_name: null })
    expect(answer).toMatchObject({ email: null, city_area: null, can_message: false })
    expect(JSON.stringify(answer)).not.toMatch(/gurleen|ludhiana|98140/i)
    const calls: [string, string, object?][] = [
      ['GET', `/api/documents/${qr_id}/police`],
      ['GET', `/api/scan/${qr_id}/message`],
      ['POST', `/api/scan/${qr_id}/messages`, { reason: 'found', page_token: 'any' }],
      ['POST', `/api/scan/${qr_id}/report`, { reason: 'spam' }],
    ]
    for (const [method, path, json] of calls) {
      const { status } = await ask(method, path, json && { json })
      expect([path, status]).toEqual([path, 404])
    }
    for (const table of ['scans', 'conversations', 'reports', 'document_views'] as const) {
      expect(await db.selectFrom(table).selectAll().execute()).toEqual([])
    }

    await app.agree((await app.child()).id)
    const shown = [200, true]
    expect(await seen()).toEqual([shown, [200, true], [200, false], shown])
  })

  test('who waits takes no code that was claimed with the same e-mail, and can still go with theirs', async () => {
    const app = await openChild()
    await app.register({ adult: false })
    const { id, email } = await app.child()
    const issuer = await app.signUp()
    const held = await insertCode(app.db, issuer.id, { ...HELD, claim_email: email })
    const path = '/api/auth/send-login-otp'
    const sent = await app.ask('POST', path, { json: { contact: email } })
    const json = { contact: email, otp: (await sent.json()).test_otp }
    expect((await app.ask('POST', '/api/auth/login-otp', { json })).status).toBe(403)
    const owners = app.db.selectFrom('qr_codes').select('owner_id').where('id', '=', held.id)
    expect(await owners.executeTakeFirst()).toEqual({ owner_id: issuer.id })
    const gone = await app.ask('DELETE', `/api/qr/${app.qr_id}`, { as: app.owner })
    expect(gone.status).toBe(200)
    const left = await app.db.selectFrom('accounts').select('id').where('id', '=', id).execute()
    expect(left).toEqual([])
  })

  test.each(['DELETE', 'POST'])(
    'whose owner deletes the code instead is gone, and the contact is free (%s)',
    async (method) => {
      const app = await openChild()
      await app.register({ adult: false })
      const { id } = await app.child()
      await insertConversation(app.db, { account_id: id, qr_id: app.qr_id })
      const gone =
        method === 'DELETE'
          ? await app.ask('DELETE', `/api/qr/${app.qr_id}`, { as: app.owner })
          : await app.ask('POST', '/api/qr/bulk', {
              as: app.owner,
              json: { ids: [app.qr_id], action: 'delete', value: 1 },
            })
      expect(gone.status).toBe(200)
      expect((await app.logIn()).status).toBe(401)
      const left = await app.db.selectFrom('accounts').select('id').execute()
      expect(left).toEqual([{ id: app.owner.id }])
      const { qr_id } = await insertCode(app.db, app.owner.id, CHILD)
      expect((await app.register({ qr_id, adult: true })).status).toBe(201)
    },
  )

  test('whom the guardian confirmed stays when the code is deleted', async () => {
    const app = await openChild()
    await app.register({ adult: false })
    await app.agree((await app.child()).id)
    await app.ask('DELETE', `/api/qr/${app.qr_id}`, { as: app.owner })
    expect((await app.logIn()).status).toBe(200)
  })

  test('learns nothing of the wait by a wrong password', async () => {
    const app = await openChild()
    await app.register({ adult: false })
    const json = { contact: 'gurleen@example.in', password: 'wrong horse' }
    expect((await app.ask('POST', '/api/auth/login', { json })).status).toBe(401)
  })

  test('who is of age signs in at once', async () => {
    const app = await openChild(SMTP)
    await app.register({ adult: true })
    expect(app.mails).toEqual([])
    expect((await app.logIn()).status).toBe(200)
  })

  test.each([
    ['0', 200],
    ['1', 403],
  ])(
    'whose program does not say it, with REQUIRE_ADULT=%s, is answered %i',
    async (value, status) => {
      const app = await openChild({ REQUIRE_ADULT: value })
      await app.register({})
      expect((await app.logIn()).status).toBe(status)
    },
  )

  test('is asked by the page, which leads on by the answer', async () => {
    const app = await openChild()
    const form = { name: 'Gurleen', contact: 'gurleen@example.in', contact_type: 'email' }
    const passwords = { password: PASSWORD, confirm_password: PASSWORD }
    const { read, submit } = browserOf(app)
    const send = (more: object) =>
      submit(`/child-register?qr=${app.qr_id}`, { ...form, ...passwords, ...more })
    const silent = await send({})
    expect(silent.status).toBe(400)
    expect(silent.html).toContain('Please say whether you are 18 or older')
    expect((await send({ adult: 'no' })).to).toBe('/login?guardian=true')
    expect(await read('/login?guardian=true')).toContain('confirms as your guardian')
  })

  test('is confirmed once, and goes with the code', async () => {
    const app = await openChild(SMTP)
    await app.register({ adult: false })
    const { id } = await app.child()
    const proven = { email: 'gurleen@example.in', email_verified_at: new Date().toISOString() }
    await app.db.updateTable('accounts').set(proven).where('id', '=', id).execute()
    const caller = await newCaller(app, app.owner.id)
    const { refused } = await race(() => confirmGuardian(app.deps, caller, id))
    expect(refused).toEqual({})
    await app.sender.settled()
    expect(app.mails.filter(({ to }) => to === proven.email)).toHaveLength(1)
    const wait = { account_id: id, code_id: app.codeId, asked_at: randomId() }
    await app.db.insertInto('guardian_waits').values(wait).execute()
    await app.ask('DELETE', `/api/qr/${app.qr_id}`, { as: app.owner })
    expect(await app.waits()).toEqual([])
  })
})

test('the privacy page names contact, purposes, data and retention', async () => {
  const env = {
    PRIVACY_CONTACT: 'privacy@example.in',
    OPERATOR_NAME: 'Neel Motors',
    OPERATOR_ADDRESS: 'FC Road, Pune',
    RETENTION_SCANS_DAYS: '123',
    RETENTION_VIEWS_DAYS: '0',
    NOTICE_VERSION: '2026-11',
  }
  const app = await openTestApp({ env })
  const html = await (await app.ask('GET', '/privacy')).text()
  const text = html.replace(/<[^>]*>/g, '').replace(/\s+/g, ' ')
  expect(html).toContain('href="mailto:privacy@example.in"')
  for (const said of [
    'Questions and complaints about your data go to privacy@example.in',
    'run by Neel Motors, FC Road, Pune',
    'What for',
    'for 123 days',
    'When authorities looked at documents: as long as your account is there',
    'for 1,100 days',
    'the name of the browser',
    'No IP address',
    'Version 2026-11 of this notice',
  ]) {
    expect(text).toContain(said)
  }
})

test('data without a limit is listed as kept for good or as long as the account', async () => {
  const names = ['SCANS', 'VIEWS', 'AUDIT', 'LOG'].map((name) => `RETENTION_${name}_DAYS`)
  const app = await openTestApp({ env: Object.fromEntries(names.map((name) => [name, '0'])) })
  const { read } = browserOf(app, await app.signUp())
  const textOf = async (path: string) =>
    (await read(path)).replace(/<[^>]*>/g, '').replace(/\s+/g, ' ')
  const privacy = await textOf('/privacy')
  expect(privacy).toContain('the time and the device as long as your account is there')
  expect(privacy).toContain(
    'What administrators do: for good, and without your name once your account is gone.',
  )
  expect(privacy).toContain('which name no person: for good.')
  const data = await textOf('/settings/data')
  expect(data).toContain('Scans in detailAs long as your account')
  expect(data).not.toContain('then totals')
  expect(data).toContain('Audit logFor good')
})
