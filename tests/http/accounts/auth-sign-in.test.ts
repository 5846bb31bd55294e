import { describe, expect, test } from 'vitest'
import { setBlocked } from '#db/accounts/account-changes.ts'
import { setPassword } from '#db/accounts/passwords.ts'
import { MOST_SESSIONS } from '#db/accounts/sessions.ts'
import { toFlag } from '#db/cast.ts'
import { hashPassword, hashToken } from '#db/secrets.ts'
import {
  cookieOf,
  EMAIL,
  otpFrom,
  post,
  registration,
  waitForTurns,
} from '#tests/support/accounts.ts'
import { openTestApp, PASSWORD, QUICK_HASH, type TestApp } from '#tests/support/app.ts'

const WRONG_PAIR = [401, { detail: 'Invalid email or password' }]
const right = { contact: EMAIL, password: PASSWORD }

async function statusOfMe(app: TestApp, headers: Record<string, string>): Promise<number> {
  return (await app.ask('GET', '/api/auth/me', { headers })).status
}

const bearer = (token: string) => ({ Authorization: `Bearer ${token}` })

async function openSession(app: TestApp) {
  const answer = await post(app, 'login', right)
  return { cookie: cookieOf(answer), token: answer.body.session_token as string }
}

describe('login', () => {
  test('answers who has signed in and a token that opens the API', async () => {
    const app = await openTestApp()
    const account = await app.signUp({ email: EMAIL, subscription_plan: 'premium' })
    const { status, body } = await post(app, 'login', right)
    expect(status).toBe(200)
    expect(body).toMatchObject({
      session_token: expect.stringMatching(/^[\w-]{43}$/),
      user: { id: account.id, email: EMAIL, qr_limit: 50, child_qr_quota: 50 },
    })
    expect(body.user).not.toHaveProperty('password_hash')
    expect(await statusOfMe(app, bearer(body.session_token))).toBe(200)
  })

  test('counts the codes that count against the plan', async () => {
    const app = await openTestApp()
    const asha = await app.signUp({ email: EMAIL, subscription_plan: 'premium' })
    const bulk = { as: asha, json: { quantity: 3 } }
    expect((await app.ask('POST', '/api/qr/bulk-create', bulk)).status).toBe(201)
    expect((await app.ask('POST', '/api/qr/child-create', bulk)).status).toBe(201)
    const { body } = await post(app, 'login', right)
    expect(body.user).toMatchObject({ qr_count: 3, child_qr_quota: 47 })
  })

  test.each([' ASHA@Example.IN ', '098765 43210'])('finds the account by %j', async (contact) => {
    const app = await openTestApp()
    await app.signUp({ email: EMAIL, mobile: '+919876543210' })
    expect((await post(app, 'login', { contact, password: PASSWORD })).status).toBe(200)
  })

  test.each([
    [{ contact: ' ', password: 'x' }, 'Please enter your email or mobile number'],
    [{ contact: EMAIL }, 'Please enter your password'],
  ])('refuses %j', async (json, detail) => {
    const app = await openTestApp()
    const { status, body } = await post(app, 'login', json)
    expect([status, body]).toEqual([400, { detail }])
  })

  test('says the same of a wrong password, an unknown account and one without password', async () => {
    const app = await openTestApp()
    await app.signUp({ email: EMAIL })
    await app.signUp({ email: 'google@example.in', password_hash: null })
    for (const contact of [EMAIL, 'nobody@example.in', '9876543210', 'x', 'google@example.in']) {
      const { status, body, headers } = await post(app, 'login', { contact, password: 'wrong!' })
      expect([status, body]).toEqual(WRONG_PAIR)
      expect(headers.get('Set-Cookie')).toBeNull()
    }
  })

  test('takes the password as it is: no trimming, no cutting, any characters', async () => {
    const app = await openTestApp()
    const password = ` 🔑 ${'long '.repeat(23)}`
    await app.signUp({ email: EMAIL, password_hash: await hashPassword(password) })
    expect((await post(app, 'login', { contact: EMAIL, password })).status).toBe(200)
    for (const other of [password.trim(), password.slice(0, 72)]) {
      expect((await post(app, 'login', { contact: EMAIL, password: other })).status).toBe(401)
    }
  })

  test('of a blocked account is 403 with the right password and 401 with a wrong one', async () => {
    const app = await openTestApp()
    const { id, cookie, bearerToken } = await app.signUp({ email: EMAIL })
    await app.db
      .updateTable('accounts')
      .set({ is_active: toFlag(false) })
      .where('id', '=', id)
      .execute()
    const blocked = await post(app, 'login', right)
    expect([blocked.status, blocked.body]).toEqual([
      403,
      { detail: 'Your account has been blocked. Please contact support.' },
    ])
    expect(blocked.headers.get('Set-Cookie')).toBeNull()
    const { status, body } = await post(app, 'login', { ...right, password: 'wrong!' })
    expect([status, body]).toEqual(WRONG_PAIR)
    expect(await statusOfMe(app, { Cookie: cookie })).toBe(401)
    expect(await statusOfMe(app, bearer(bearerToken))).toBe(401)
  })

  test('leaves no session when the password is changed while it is being verified', async () => {
    const app = await openTestApp()
    const { id } = await app.signUp({ email: EMAIL })
    const other = await hashPassword('another secret')
    const { start } = app.deps.sessions
    app.deps.sessions.start = async (account) => {
      await setPassword(app.db, app.deps.secretKey, { accountId: id, passwordHash: other })
      return start(account)
    }
    const { status, body } = await post(app, 'login', right)
    expect([status, body]).toEqual(WRONG_PAIR)
    expect(await app.db.selectFrom('sessions').select('id').execute()).toEqual([])
  })

  test('that is blocked while its password is verified has no session once it is unblocked', async () => {
    const app = await openTestApp()
    const { id } = await app.signUp({ email: EMAIL })
    const block = (isBlocked: boolean) =>
      setBlocked(app.db, { contact: EMAIL, isBlocked }, app.deps.clock())
    const { start } = app.deps.sessions
    app.deps.sessions.start = async (account) => {
      await block(true)
      return start(account)
    }
    expect((await post(app, 'login', right)).status).toBe(401)
    await block(false)
    const sessions = app.db.selectFrom('sessions').select('id').where('account_id', '=', id)
    expect(await sessions.execute()).toEqual([])
  })

  test('of forty at once lets all in, and keeps the newest twenty sessions', async () => {
    const app = await openTestApp()
    const { bearerToken } = await app.signUp({ email: EMAIL, password_hash: QUICK_HASH })
    app.advance(1)
    waitForTurns()
    const asked = await Promise.all(Array.from({ length: 40 }, () => post(app, 'login', right)))
    expect(new Set(asked.map(({ status }) => status))).toEqual(new Set([200]))
    app.advance(1)
    const last = await post(app, 'login', right)
    const sessions = app.db.selectFrom('sessions').select('id')
    expect(await sessions.execute()).toHaveLength(MOST_SESSIONS)
    const me = async (token: string) =>
      (await app.ask('GET', '/api/auth/me', { as: { bearerToken: token } })).status
    expect(await me(last.body.session_token)).toBe(200)
    expect(await me(bearerToken)).toBe(401)
  })

  test('ends no session of another account', async () => {
    const app = await openTestApp()
    const other = await app.signUp()
    const account = await app.signUp({ email: EMAIL })
    for (let n = 0; n <= MOST_SESSIONS; n++) await app.deps.sessions.start(account)
    expect((await app.ask('GET', '/api/auth/me', { as: other })).status).toBe(200)
  })
})

describe('a session', () => {
  test('is a cookie that scripts cannot read, for this site alone', async () => {
    const app = await openTestApp()
    await app.signUp({ email: EMAIL })
    const answer = await post(app, 'login', right)
    expect(answer.headers.getSetCookie()[0]).toMatch(
      /^driveqr=[\w-]{43}; Max-Age=\d+; Path=\/; HttpOnly; SameSite=Lax$/,
    )
    expect(answer.headers.get('Cache-Control')).toBe('no-store')
  })

  test('behind https is a __Host- cookie that never travels in the clear', async () => {
    const app = await openTestApp({
      env: { PUBLIC_URL: 'https://keys.example.in', SMTP_URL: 'smtp://127.0.0.1:25' },
    })
    await app.signUp({ email: EMAIL })
    expect((await post(app, 'login', right)).headers.getSetCookie()[0]).toMatch(
      /^__Host-driveqr=[\w-]{43}; Max-Age=\d+; Path=\/; HttpOnly; Secure; SameSite=Lax$/,
    )
  })

  test('has two secrets, neither of which does what the other does', async () => {
    const app = await openTestApp()
    await app.signUp({ email: EMAIL })
    const { cookie, token } = await openSession(app)
    expect(await statusOfMe(app, { Cookie: cookie })).toBe(200)
    expect(await statusOfMe(app, bearer(token))).toBe(200)
    expect(await statusOfMe(app, { Cookie: `driveqr=${token}` })).toBe(401)
    expect(await statusOfMe(app, bearer(cookie.split('=')[1] ?? ''))).toBe(401)
  })

  test('is stored as hashes that open nothing', async () => {
    const app = await openTestApp()
    await app.signUp({ email: EMAIL })
    const { cookie, token } = await openSession(app)
    const stored = JSON.stringify(await app.db.selectFrom('sessions').selectAll().execute())
    expect(stored).not.toContain(token)
    expect(stored).not.toContain(cookie.split('=')[1])
    expect(stored).toContain(hashToken(token))
    expect(await statusOfMe(app, bearer(hashToken(token).slice(0, 43)))).toBe(401)
  })

  test('is always a new one: a planted cookie stays worthless, the earlier session ends', async () => {
    const app = await openTestApp()
    await app.signUp({ email: EMAIL })
    const planted = `driveqr=${'A'.repeat(43)}`
    const same = { 'Sec-Fetch-Site': 'same-origin' }
    const first = cookieOf(await post(app, 'login', right, { Cookie: planted, ...same }))
    expect(first).not.toBe(planted)
    expect(await statusOfMe(app, { Cookie: planted })).toBe(401)
    const second = cookieOf(await post(app, 'login', right, { Cookie: first, ...same }))
    expect(await statusOfMe(app, { Cookie: first })).toBe(401)
    expect(await statusOfMe(app, { Cookie: second })).toBe(200)
    expect(await statusOfMe(app, { Cookie: `${second}; ${planted}` })).toBe(401)
  })

  test('ends after 30 days without use, and lives on while it is used', async () => {
    const app = await openTestApp()
    await app.signUp({ email: EMAIL })
    const { token } = await openSession(app)
    for (let day = 0; day < 60; day += 20) {
      app.advance(20 * 86_400)
      expect(await statusOfMe(app, bearer(token))).toBe(200)
    }
    app.advance(30 * 86_400 + 1)
    expect(await statusOfMe(app, bearer(token))).toBe(401)
  })

  test('ends after 180 days, however much it is used', async () => {
    const app = await openTestApp()
    await app.signUp({ email: EMAIL })
    const { token } = await openSession(app)
    for (let day = 0; day < 180; day += 20) {
      expect([day, await statusOfMe(app, bearer(token))]).toEqual([day, 200])
      app.advance(20 * 86_400)
    }
    app.advance(1)
    expect(await statusOfMe(app, bearer(token))).toBe(401)
  })
})

describe('me', () => {
  test('without a session is 401', async () => {
    const app = await openTestApp()
    const answer = await app.ask('GET', '/api/auth/me')
    expect([answer.status, await answer.json()]).toEqual([401, { detail: 'Not authenticated' }])
  })
})

describe('logout', () => {
  test('ends the session on the server, by either of its secrets', async () => {
    const app = await openTestApp()
    await app.signUp({ email: EMAIL })
    for (const by of ['cookie', 'token'] as const) {
      const session = await openSession(app)
      const headers: Record<string, string> =
        by === 'cookie'
          ? { Cookie: session.cookie, 'Sec-Fetch-Site': 'same-origin' }
          : bearer(session.token)
      const answer = await app.ask('POST', '/api/auth/logout', { headers })
      expect([answer.status, await answer.json()]).toEqual([
        200,
        { message: 'Logged out successfully' },
      ])
      expect(answer.headers.get('Set-Cookie')).toMatch(/^driveqr=; Max-Age=0; Path=\//)
      expect(await statusOfMe(app, { Cookie: session.cookie })).toBe(401)
      expect(await statusOfMe(app, bearer(session.token))).toBe(401)
    }
  })

  test('ends both sessions when cookie and token are of two', async () => {
    const app = await openTestApp()
    await app.signUp({ email: EMAIL })
    const [one, two] = [await openSession(app), await openSession(app)]
    const headers = { Cookie: one.cookie, ...bearer(two.token) }
    await app.ask('POST', '/api/auth/logout', { headers })
    expect(await statusOfMe(app, { Cookie: one.cookie })).toBe(401)
    expect(await statusOfMe(app, bearer(two.token))).toBe(401)
  })

  test('of somebody who is signed out already says the same', async () => {
    const app = await openTestApp()
    expect((await post(app, 'logout', {})).status).toBe(200)
  })
})

test('nothing secret and nobody by name is logged on the way in and out', async () => {
  const app = await openTestApp()
  const otp = await otpFrom(app, 'send-otp', { email: EMAIL })
  const { body } = await post(app, 'verify-otp', registration(otp))
  const { cookie, token } = await openSession(app)
  await post(app, 'login', { ...right, password: 'wrong-canary' })
  await post(app, 'forgot-password', right)
  await app.ask('POST', '/api/auth/logout', { headers: bearer(token) })
  const log = app.logged.join('\n')
  expect(app.logged.length).toBeGreaterThan(5)
  for (const secret of [
    otp,
    PASSWORD,
    'wrong-canary',
    body.session_id,
    token,
    cookie,
    EMAIL,
    'Asha',
  ]) {
    expect(log).not.toContain(secret)
  }
})
