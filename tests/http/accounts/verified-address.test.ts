import { describe, expect, test } from 'vitest'
import { createApiKey } from '#db/accounts/api-keys.ts'
import { grantRole, grantSuperAdmin } from '#db/accounts/permissions.ts'
import { createShareLink } from '#db/papers/share-links.ts'
import { hashToken } from '#db/secrets.ts'
import { mailedOtp, post, WITH_MAIL } from '#tests/support/accounts.ts'
import { openTestApp, type TestApp } from '#tests/support/app.ts'
import { browserOf } from '#tests/support/browser.ts'
import { newCaller } from '#tests/support/callers.ts'
import { CHILD_PASSWORD, registeredChild } from '#tests/support/families.ts'
import { addPromoCode } from '#tests/support/promo.ts'
import { raceStatuses } from '#tests/support/races.ts'
import { fileForm, PDF } from '#tests/support/uploads.ts'

const VICTIM = 'meera@example.in'
const DEAD = [400, { detail: 'This link is no longer valid' }]

type As = { bearerToken: string }

/** Opens an owner who registered a child user for an own code with another person's address. */
async function openSquatted(options: Parameters<typeof openTestApp>[0] = WITH_MAIL) {
  const app = await openTestApp(options)
  const owner = await app.signUp()
  const code = await registeredChild(app, owner.id, { contact: { kind: 'email', email: VICTIM } })
  const account = () =>
    app.db.selectFrom('accounts').selectAll().where('email', '=', VICTIM).executeTakeFirstOrThrow()
  const login = async (password: string): Promise<As & { status: number }> => {
    const { status, body } = await post(app, 'login', { contact: VICTIM, password })
    return { status, bearerToken: body.session_token }
  }
  const status = async (path: string, as: As) => (await app.ask('GET', path, { as })).status
  const forgot = () =>
    app.ask('POST', '/api/qr/forgot-password', { json: { qr_id: code.qr_id, contact: VICTIM } })
  const requests = async () =>
    (await app.ask('GET', '/api/client/password-reset-requests', { as: owner })).json()
  const decide = async (request_id: string, action = 'approve') => {
    const json = { request_id, action }
    const answer = await app.ask('POST', '/api/client/password-reset-approve', { as: owner, json })
    return { status: answer.status, body: await answer.json() }
  }
  const approve = async () => {
    await forgot()
    const [{ id }] = await requests()
    return decide(id)
  }
  return { ...app, owner, code, account, login, status, forgot, requests, decide, approve }
}

/** Signs the owner of the address in by a one-time code, which verifies it. */
async function verifyByLogin(app: TestApp): Promise<As> {
  await post(app, 'send-login-otp', { contact: VICTIM })
  const { status, body } = await post(app, 'login-otp', { contact: VICTIM, otp: mailedOtp(app) })
  expect(status).toBe(200)
  return { bearerToken: body.session_token }
}

async function verifyByReset(app: TestApp, password: string): Promise<void> {
  await post(app, 'forgot-password', { contact: VICTIM })
  const form = { contact: VICTIM, otp: mailedOtp(app), password }
  expect((await post(app, 'reset-password', form)).status).toBe(200)
}

const linkToken = (url: string) => new URL(url).searchParams.get('token') ?? ''

async function reset(app: TestApp, token: string) {
  const { status, body } = await post(app, 'reset-password', { token, password: 'intruder' })
  return [status, body]
}

/** Leaves an intruder's session, API key and link to a document. */
async function leaveBehind(app: Awaited<ReturnType<typeof openSquatted>>) {
  const { id } = await app.account()
  const enterprise = { subscription_plan: 'enterprise' } as const
  await app.db.updateTable('accounts').set(enterprise).where('id', '=', id).execute()
  const caller = await newCaller(app, id)
  const { key } = await createApiKey(app.db, caller, 'Left', new Date(), async () => {})
  const as = await app.login(CHILD_PASSWORD)
  const body = fileForm(PDF, { document_type: 'puc' })
  const path = `/api/documents/upload/${app.code.qr_id}`
  const document = await (await app.ask('POST', path, { as, body })).json()
  const share = { share_method: 'download', recipient: null } as const
  const sharer = { viewer: { id, parent_id: null }, caller }
  const made = createShareLink(app.db, sharer, document.id, share, new Date(), async () => {})
  return { session: as, key: { bearerToken: key }, link: `/shared/${(await made).token}` }
}

describe('an address is verified', () => {
  test('by a registration with a one-time code, and not by the registration of a child user', async () => {
    const app = await openSquatted()
    await post(app, 'send-otp', { email: 'new@example.in' })
    const form = { email: 'new@example.in', name: 'New', password: 'secret1', otp: mailedOtp(app) }
    expect((await post(app, 'verify-otp', form)).status).toBe(201)
    const row = await app.db
      .selectFrom('accounts')
      .select('email_verified_at')
      .where('email', '=', 'new@example.in')
      .executeTakeFirstOrThrow()
    expect(row.email_verified_at).toBe(app.deps.clock().toISOString())
    expect((await app.account()).email_verified_at).toBeNull()
  })

  test('by a one-time code for a login, which ends all earlier access', async () => {
    const app = await openSquatted()
    const left = await leaveBehind(app)
    const { body } = await app.approve()
    await app.forgot()
    const me = await verifyByLogin(app)

    expect(await app.status('/api/auth/me', me)).toBe(200)
    expect(await app.status('/api/auth/me', left.session)).toBe(401)
    expect(await app.status('/api/qr/my-qrs', left.key)).toBe(401)
    expect((await app.ask('GET', left.link)).status).toBe(404)
    expect((await app.login(CHILD_PASSWORD)).status).toBe(401)
    expect(await reset(app, linkToken(body.reset_url))).toEqual(DEAD)
    const statuses = (await app.requests()).map((request: { status: string }) => request.status)
    expect(statuses.sort()).toEqual(['approved', 'rejected'])
    expect(await app.account()).toMatchObject({ password_hash: null })
    expect(app.mails.at(-1)).toMatchObject({ to: VICTIM })
    expect(app.mails.at(-1)?.text).toContain('“Left”')
  })

  test('by a one-time code for a reset, after which the new password alone works', async () => {
    const app = await openSquatted()
    const left = await leaveBehind(app)
    const { body } = await app.approve()
    await verifyByReset(app, 'the real one')
    expect(await app.status('/api/auth/me', left.session)).toBe(401)
    expect(await app.status('/api/qr/my-qrs', left.key)).toBe(401)
    expect((await app.ask('GET', left.link)).status).toBe(404)
    expect(await reset(app, linkToken(body.reset_url))).toEqual(DEAD)
    expect((await app.login(CHILD_PASSWORD)).status).toBe(401)
    expect((await app.login('the real one')).status).toBe(200)
  })

  test('by a login with a one-time code, which the mail about a second registration suggests', async () => {
    const app = await openSquatted()
    await post(app, 'send-otp', { email: VICTIM })
    const text = () => app.mails.at(-1)?.text.replace(/\s+/g, ' ')
    expect(text()).toContain('choose "Email me a one-time code instead" on the login form')
    expect(text()).not.toMatch(/your password/)
    await verifyByLogin(app)
    app.advance(3600)
    await post(app, 'send-otp', { email: VICTIM })
    expect(text()).toContain('Log in with your password')
  })

  test('once: a later login by code ends no access', async () => {
    const app = await openSquatted()
    await verifyByReset(app, 'the real one')
    const first = await app.login('the real one')
    app.advance(600)
    await verifyByLogin(app)
    expect(await app.status('/api/auth/me', first)).toBe(200)
    expect((await app.login('the real one')).status).toBe(200)
  })

  test('by several codes at once, of which one succeeds and ends the earlier access', async () => {
    const app = await openSquatted()
    await post(app, 'send-login-otp', { contact: VICTIM })
    const otp = mailedOtp(app)
    const statuses = await raceStatuses(() => post(app, 'login-otp', { contact: VICTIM, otp }), 8)
    expect(statuses[200]).toBe(1)
    expect((await app.login(CHILD_PASSWORD)).status).toBe(401)
  })
})

type Squatted = Awaited<ReturnType<typeof openSquatted>>

describe.each([
  [
    'blocked',
    /has been blocked/,
    (app: Squatted) =>
      app.db.updateTable('accounts').set({ is_active: 0 }).where('email', '=', VICTIM).execute(),
  ],
  [
    'being deleted',
    /is being deleted/,
    async (app: Squatted) => {
      const as = await app.login(CHILD_PASSWORD)
      await app.ask('POST', '/api/account/deletion', { as, json: { email: VICTIM } })
    },
  ],
])('an account that is %s', (_, refusal, stop) => {
  test.each([
    ['login', 'send-login-otp', 'login-otp'],
    ['new password', 'forgot-password', 'reset-password'],
  ])(
    'is refused before a one-time code for a %s verifies its address or is used up',
    async (__, send, use) => {
      const app = await openSquatted()
      await post(app, send, { contact: VICTIM })
      const form = { contact: VICTIM, otp: mailedOtp(app), password: 'the real one' }
      await stop(app)
      const { password_hash } = await app.account()
      for (let n = 0; n < 2; n++) {
        const { status, body } = await post(app, use, form)
        expect([status, body.detail]).toEqual([403, expect.stringMatching(refusal)])
      }
      expect(await app.account()).toMatchObject({ email_verified_at: null, password_hash })
    },
  )

  test('has a verified address only if one of twenty codes at once signed it in', async () => {
    const app = await openSquatted()
    await post(app, 'send-login-otp', { contact: VICTIM })
    const form = { contact: VICTIM, otp: mailedOtp(app) }
    const [, ...answers] = await Promise.all([
      stop(app),
      ...Array.from({ length: 19 }, () => post(app, 'login-otp', form)),
    ])
    const isIn = answers.some(({ status }) => status === 200)
    expect((await app.account()).email_verified_at !== null).toBe(isIn)
  })
})

describe('the owner of a child’s code', () => {
  test('does not get the link of a child with a verified address: the link is mailed to that address alone', async () => {
    const app = await openSquatted()
    await verifyByReset(app, 'the real one')
    const { status, body } = await app.approve()
    expect([status, body]).toEqual([
      200,
      { message: 'Password reset request approved', reset_url: null },
    ])
    const mail = app.mails.at(-1)
    expect(mail).toMatchObject({ to: VICTIM, subject: 'Set a new DriveQR password' })
    const [, token = ''] = mail?.text.match(/token=([\w-]+)/) ?? []
    expect((await reset(app, token))[0]).toBe(200)
    expect((await app.login('intruder')).status).toBe(200)
  })

  test('reads on the page that the link was mailed, and sees no link', async () => {
    const app = await openSquatted()
    await verifyByReset(app, 'the real one')
    await app.forgot()
    const [{ id }] = await app.requests()
    const { read, submit } = browserOf(app, app.owner)
    const answer = await submit(`/dashboard/password-requests/${id}`, { action: 'approve' })
    expect(answer.status).toBe(303)
    const html = await read(answer.to ?? '')
    expect(html).toContain('The link was mailed to the child’s verified address')
    expect(html).not.toMatch(/reset-password\?token|wa\.me/)
  })

  test('cannot approve when the link must be mailed and no mail server is configured', async () => {
    const app = await openSquatted({})
    const { body } = await post(app, 'send-login-otp', { contact: VICTIM })
    await post(app, 'login-otp', { contact: VICTIM, otp: body.test_otp })
    expect(await app.approve()).toEqual({
      status: 503,
      body: { detail: 'Email is not configured' },
    })
    expect(await app.requests()).toMatchObject([{ status: 'pending', processed_at: null }])
    const tokens = await app.db.selectFrom('password_reset_tokens').selectAll().execute()
    expect(tokens).toEqual([])
    const [{ id }] = await app.requests()
    expect((await app.decide(id, 'reject')).status).toBe(200)
  })

  test('sees the link of a child without a verified address, and the child gets no mail', async () => {
    const app = await openSquatted()
    const { body } = await app.approve()
    expect(body.reset_url).toMatch(/\/reset-password\?token=/)
    expect((await reset(app, linkToken(body.reset_url)))[0]).toBe(200)
    expect(app.mails.map(({ to }) => to)).toEqual([app.owner.email])
  })

  test('is in the audit log with each decision, by ids, without a contact or secret', async () => {
    const app = await openSquatted()
    const { body } = await app.approve()
    await app.forgot()
    const [{ id }] = await app.requests()
    await app.decide(id, 'reject')
    const events = await app.db.selectFrom('audit_events').selectAll().orderBy('action').execute()
    const child = await app.account()
    for (const [n, action] of ['password_reset.approved', 'password_reset.rejected'].entries()) {
      expect(events[n]).toMatchObject({
        action,
        actor_id: app.owner.id,
        subject_type: 'account',
        subject_id: child.id,
      })
    }
    const logged = JSON.stringify(events)
    for (const secret of [VICTIM, linkToken(body.reset_url), hashToken(linkToken(body.reset_url))])
      expect(logged).not.toContain(secret)
  })
})

describe('an account with an unverified address', () => {
  const UNVERIFIED = /^The email address of this account is not verified/

  test('gets no administrative role from an admin until the address is verified', async () => {
    const app = await openTestApp()
    const boss = await app.signUp({ role: 'super_admin' })
    const { id } = await app.signUp({ email_verified_at: null })
    const give = async (permission_type: string) => {
      const json = { user_id: id, permission_type, expires_at: null }
      const answer = await app.ask('POST', '/api/admin/users/permissions', { as: boss, json })
      return { status: answer.status, body: await answer.json() }
    }
    for (const type of ['moderator', 'admin']) {
      const { status, body } = await give(type)
      expect([status, body.detail]).toEqual([403, expect.stringMatching(UNVERIFIED)])
    }
    for (const type of ['premium', 'blocked', 'client']) expect((await give(type)).status).toBe(200)
    const proven = { email_verified_at: app.deps.clock().toISOString() }
    await app.db.updateTable('accounts').set(proven).where('id', '=', id).execute()
    expect((await give('moderator')).status).toBe(200)
  })

  test('gets no role by the command line or by its own request', async () => {
    const app = await openTestApp()
    const { id, bearerToken } = await app.signUp({ email: VICTIM, email_verified_at: null })
    const grant = { contact: VICTIM, role: 'super_admin', until: null } as const
    await expect(grantRole(app.db, grant, new Date())).rejects.toThrow(UNVERIFIED)
    await expect(grantSuperAdmin(app.db, id, new Date())).rejects.toThrow(UNVERIFIED)
    const asked = await app.ask('POST', '/api/admin/grant-super-admin', { as: { bearerToken } })
    expect(asked.status).toBe(403)
    const { role } = await app.db.selectFrom('accounts').select('role').executeTakeFirstOrThrow()
    expect(role).toBe('client')
  })

  test('gets no mail about an admin’s decision', async () => {
    for (const email_verified_at of [null, '2026-11-01T00:00:00.000Z']) {
      const app = await openTestApp(WITH_MAIL)
      const as = await app.signUp({ email: VICTIM, email_verified_at })
      const admin = await app.signUp({ role: 'admin' })
      await addPromoCode(app, { code: 'FLEET', child_qr_quantity: 1, requires_approval: true })
      await app.ask('POST', '/api/promo/redeem', { as, json: { promo_code: 'FLEET' } })
      const { id } = await app.db
        .selectFrom('promo_redemptions')
        .select('id')
        .executeTakeFirstOrThrow()
      const path = `/api/admin/approve-redemption/${id}`
      expect((await app.ask('POST', path, { as: admin })).status).toBe(200)
      expect(app.mails.map(({ to }) => to)).toEqual(email_verified_at ? [VICTIM] : [])
    }
  })
})

test('a child user gets no administrative role, even with a verified address', async () => {
  const app = await openSquatted()
  await verifyByLogin(app)
  const { id } = await app.account()
  const boss = await app.signUp({ role: 'super_admin' })
  for (const permission_type of ['moderator', 'admin']) {
    const json = { user_id: id, permission_type, expires_at: null }
    const answer = await app.ask('POST', '/api/admin/users/permissions', { as: boss, json })
    expect([answer.status, await answer.json()]).toEqual([
      403,
      { detail: 'A child user cannot have an administrative role' },
    ])
  }
  const grant = { contact: VICTIM, role: 'admin', until: null } as const
  await expect(grantRole(app.db, grant, new Date())).rejects.toThrow(
    'A child user cannot have an administrative role',
  )
  await expect(grantSuperAdmin(app.db, id, new Date())).rejects.toThrow('A child user')
  expect((await app.account()).role).toBe('client')
})
