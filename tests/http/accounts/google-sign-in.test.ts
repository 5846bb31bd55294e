import { describe, expect, test } from 'vitest'
import { toFlag } from '#db/cast.ts'
import { BEING_DELETED } from '#domain/accounts/deletion.ts'
import {
  cookieOf,
  countAccounts,
  EMAIL,
  mailedOtp,
  post,
  WITH_MAIL,
  wayBackIn,
} from '#tests/support/accounts.ts'
import { openTestApp } from '#tests/support/app.ts'
import { codeOf, wrongCodeOf } from '#tests/support/authenticator.ts'
import { HELD, insertCode } from '#tests/support/codes.ts'
import { openProvider } from '#tests/support/openid-provider.ts'
import { raceStatuses } from '#tests/support/races.ts'

const INVALID = { detail: 'Invalid or expired sign-in. Please try again.' }
const CODE = /^\/dashboard#session_id=([\w-]{43})$/

async function openGoogle(env: Record<string, string> = {}) {
  const provider = await openProvider()
  const app = await openTestApp({ env: { ...provider.env, ...env } })
  const begin = async () => {
    const answer = await app.ask('GET', '/api/auth/google')
    return { location: answer.headers.get('Location') ?? '', cookie: cookieOf(answer), answer }
  }
  const back = async (path: string, cookie?: string) => {
    const answer = await app.ask('GET', path, { headers: cookie ? { Cookie: cookie } : {} })
    expect(answer.status).toBe(302)
    return answer.headers.get('Location') ?? ''
  }
  /** A browser that goes to the provider and comes back. */
  const comeBack = async () => {
    const { location, cookie } = await begin()
    const to = await back(provider.signIn(location), cookie)
    return { to, code: CODE.exec(to)?.[1] ?? '', cookie }
  }
  const exchange = async (session_id: string, cookie?: string, more: object = {}) => {
    const headers = { 'Sec-Fetch-Site': 'same-origin', ...(cookie && { Cookie: cookie }), ...more }
    const answer = await app.ask('POST', '/api/auth/session', { json: { session_id }, headers })
    return { status: answer.status, body: await answer.json(), headers: answer.headers }
  }
  return { ...app, provider, begin, back, comeBack, exchange }
}

describe('GET /api/auth/google', () => {
  test('goes to the provider with PKCE, a state and a nonce, and keeps the secret in a cookie', async () => {
    const { begin } = await openGoogle({ PUBLIC_URL: 'https://keys.example.in' })
    const { location, answer } = await begin()
    const url = new URL(location)
    expect(answer.status).toBe(302)
    expect(url.pathname).toBe('/authorize')
    expect(Object.fromEntries(url.searchParams)).toEqual({
      prompt: 'select_account',
      response_type: 'code',
      client_id: 'driveqr',
      redirect_uri: 'https://keys.example.in/api/auth/google/callback',
      scope: 'openid email profile',
      code_challenge: expect.stringMatching(/^[\w-]{43}$/),
      code_challenge_method: 'S256',
      state: expect.stringMatching(/^[0-9a-f]{64}$/),
      nonce: expect.stringMatching(/^[0-9a-f]{64}$/),
    })
    const cookie = answer.headers.get('Set-Cookie') ?? ''
    expect(cookie).toMatch(/^__Host-driveqr-sign-in=[\w-]{43}; /)
    for (const part of ['HttpOnly', 'Secure', 'SameSite=Lax', 'Path=/'])
      expect(cookie).toContain(part)
    expect(url.searchParams.get('state')).not.toBe(url.searchParams.get('nonce'))
  })

  test('asks the provider for its addresses once an hour', async () => {
    const { begin, provider } = await openGoogle()
    for (let n = 0; n < 3; n++) await begin()
    expect(provider.seen).toEqual(['/.well-known/openid-configuration'])
  })

  test.each([
    ['answers nonsense', { body: '<html>' }],
    ['answers 500', { status: 500, body: '{}' }],
    ['names another issuer', { body: JSON.stringify({ issuer: 'https://evil.example' }) }],
  ])('leads back to the login when the provider %s, and tries again', async (_, answer) => {
    const { begin, provider, ask, logged } = await openGoogle()
    provider.behave({ answers: { '/.well-known/openid-configuration': answer } })
    expect((await begin()).location).toBe('/login?google_failed=1')
    expect(logged.join()).toContain('sign-in with Google failed')
    const page = await (await ask('GET', '/login?google_failed=1')).text()
    expect(page).toContain('Login failed: ')
    expect(page).toContain('127.0.0.1 could not be reached')
    provider.behave({})
    expect((await begin()).location).toContain('/authorize?')
  })

  test('unconfigured is 503, and the login page does not offer it', async () => {
    const { ask } = await openTestApp()
    for (const path of ['google', 'google/callback?code=x&state=y']) {
      const answer = await ask('GET', `/api/auth/${path}`)
      expect(answer.status).toBe(503)
      expect(await answer.json()).toEqual({ detail: 'Google sign-in is not configured' })
    }
    expect(await (await ask('GET', '/login')).text()).not.toContain('Google')
  })

  test('configured is a link on the login page', async () => {
    const { ask } = await openGoogle()
    const html = await (await ask('GET', '/login')).text()
    expect(html).toMatch(/<a [^>]*href="\/api\/auth\/google">.*Login with 127\.0\.0\.1</)
  })
})

describe('a return from the provider', () => {
  test('gets an account, and by the code a session of two secrets, once', async () => {
    const { comeBack, exchange, ask, db } = await openGoogle()
    const { to, code, cookie } = await comeBack()
    expect(to).toMatch(CODE)
    const { status, body, headers } = await exchange(code, cookie)
    expect(status).toBe(200)
    expect(body).toEqual({
      user: expect.objectContaining({ email: EMAIL, name: 'Asha Patil', role: 'client' }),
      session_token: expect.stringMatching(/^[\w-]{43}$/),
    })
    const session = headers.getSetCookie().find((each) => /^driveqr=[\w-]{43};/.test(each)) ?? ''
    expect(session).not.toContain(body.session_token)
    for (const by of [{ Cookie: session.split(';')[0] ?? '' }, bearer(body.session_token)]) {
      expect((await ask('GET', '/api/auth/me', { headers: by })).status).toBe(200)
    }
    expect((await exchange(code, cookie)).status).toBe(400)
    expect(await db.selectFrom('sign_in_codes').selectAll().execute()).toEqual([])
  })

  test('comes to the same account next time, also when the address has changed', async () => {
    const app = await openGoogle()
    const first = await app.comeBack()
    const one = await app.exchange(first.code, first.cookie)
    app.provider.behave({ claims: { email: 'new@example.in' } })
    const second = await app.comeBack()
    const two = await app.exchange(second.code, second.cookie)
    expect(two.body.user.id).toBe(one.body.user.id)
    expect(await countAccounts(app)).toBe(1)
  })

  test('joins the account with the same e-mail, which keeps its password', async () => {
    const app = await openGoogle()
    const { id, password_hash } = await app.signUp({ email: EMAIL, name: 'Asha' })
    const { code, cookie } = await app.comeBack()
    const { body } = await app.exchange(code, cookie)
    expect(body.user).toMatchObject({ id, name: 'Asha' })
    const row = await app.db.selectFrom('accounts').selectAll().executeTakeFirstOrThrow()
    expect(row.password_hash).toBe(password_hash)
  })

  test('joins the account with the same e-mail, also when the provider writes its domain in other letters', async () => {
    const app = await openGoogle()
    const { id } = await app.signUp({ email: 'asha@xn--bcher-kva.example' })
    app.provider.behave({ claims: { email: 'Asha@Bücher.example' } })
    const { code, cookie } = await app.comeBack()
    const { body } = await app.exchange(code, cookie)
    expect(body.user).toMatchObject({ id, email: 'asha@xn--bcher-kva.example' })
    expect(await countAccounts(app)).toBe(1)
  })

  test('goes on to the second factor of an account that has one', async () => {
    const app = await openGoogle()
    const owner = await app.signUp({ email: EMAIL })
    const begun = await app.ask('POST', '/api/account/totp', { as: owner })
    const { secret } = await begun.json()
    const on = { as: owner, json: { code: codeOf(secret) } }
    expect((await app.ask('POST', '/api/account/totp/verify', on)).status).toBe(200)
    const { code, cookie } = await app.comeBack()
    const half = await app.exchange(code, cookie)
    expect(half.body).toEqual({
      second_factor: true,
      ticket: expect.any(String),
      ways: ['code'],
    })
    expect(half.headers.getSetCookie().join()).not.toMatch(/driveqr=/)
    app.advance(30)
    const { ticket } = half.body
    const wrong = await post(app, 'second-factor', { ticket, code: wrongCodeOf(secret) })
    expect(wrong.status).toBe(401)
    const whole = await post(app, 'second-factor', { ticket, code: codeOf(secret) })
    expect(whole.body).toMatchObject({ user: { id: owner.id }, session_token: expect.any(String) })
    expect((await app.exchange(code, cookie)).status).toBe(400)
  })

  test('is offered the codes that were claimed with the address', async () => {
    const app = await openGoogle()
    const issuer = await app.signUp()
    const claimed = await insertCode(app.db, issuer.id, {
      ...HELD,
      claim_email: EMAIL,
    })
    const { code, cookie } = await app.comeBack()
    const { body } = await app.exchange(code, cookie)
    const as = { bearerToken: body.session_token }
    const { codes } = await (await app.ask('GET', '/api/claims', { as })).json()
    expect(codes).toMatchObject([{ qr_id: claimed.qr_id }])
  })

  test.each([
    ['not_verified', '127.0.0.1 has not verified', { email_verified: false }],
    ['unsaid', '127.0.0.1 has not verified', { email_verified: undefined }],
  ])('with an e-mail that is %s is refused', async (_, words, claims) => {
    const app = await openGoogle()
    await app.signUp({ email: EMAIL })
    app.provider.behave({ claims })
    const { to } = await app.comeBack()
    expect(to).toBe('/login?google_unverified=1')
    expect(await (await app.ask('GET', to)).text()).toContain(words)
    expect(await app.db.selectFrom('google_identities').selectAll().execute()).toEqual([])
  })

  test('is refused while the account is blocked, also between the two steps', async () => {
    const app = await openGoogle()
    await app.signUp({ email: EMAIL })
    const { code, cookie } = await app.comeBack()
    await app.db
      .updateTable('accounts')
      .set({ is_active: toFlag(false) })
      .execute()
    const late = await app.exchange(code, cookie)
    expect([late.status, late.body]).toEqual([
      403,
      { detail: 'Your account has been blocked. Please contact support.' },
    ])
    expect((await app.comeBack()).to).toBe('/login?google_blocked=1')
  })

  test('is told how to keep an account that is being deleted, and opens nothing between the two steps', async () => {
    const app = await openGoogle()
    const as = await app.signUp({ email: EMAIL })
    const { code, cookie } = await app.comeBack()
    const json = { email: EMAIL }
    expect((await app.ask('POST', '/api/account/deletion', { as, json })).status).toBe(200)
    const late = await app.exchange(code, cookie)
    expect([late.status, late.body]).toEqual([400, INVALID])
    const { to } = await app.comeBack()
    expect(to).toBe('/login?google_deleting=1')
    const page = await (await app.ask('GET', to)).text()
    expect(page).toContain(BEING_DELETED)
    expect(await app.db.selectFrom('sessions').selectAll().execute()).toEqual([])
  })

  test.each([
    ['child account', true],
    ['account', false],
  ])(
    'does not open a %s that only typed the e-mail, and gets an account of its own',
    async (_, isChild) => {
      const app = await openGoogle()
      const parent = await app.signUp()
      const parent_id = isChild ? parent.id : null
      const typed = await app.signUp({ email: EMAIL, email_verified_at: null, parent_id })
      const { code, cookie } = await app.comeBack()
      const { body } = await app.exchange(code, cookie)
      expect(body.user).toMatchObject({ email: EMAIL, parent_id: null })
      expect(body.user.id).not.toBe(typed.id)
      const loser = app.db.selectFrom('accounts').select(['email', 'login_id'])
      expect(await loser.where('id', '=', typed.id).executeTakeFirst()).toEqual({
        email: null,
        login_id: expect.stringMatching(/^ID-/),
      })
    },
  )

  test('gets a child account once a one-time code has proven its e-mail', async () => {
    const app = await openGoogle()
    const parent = await app.signUp()
    const email_verified_at = app.deps.clock().toISOString()
    const { id } = await app.signUp({ email: EMAIL, parent_id: parent.id, email_verified_at })
    const { code, cookie } = await app.comeBack()
    expect((await app.exchange(code, cookie)).body.user).toMatchObject({ id })
  })

  test('has a proven e-mail', async () => {
    const app = await openGoogle()
    await app.comeBack()
    const { email_verified_at } = await app.db
      .selectFrom('accounts')
      .select('email_verified_at')
      .executeTakeFirstOrThrow()
    expect(email_verified_at).toBe(app.deps.clock().toISOString())
  })

  test('has the name that the provider gives, without hidden characters', async () => {
    const app = await openGoogle()
    const name = `${'\u202e\u200b'}Asha\r\nPatil ${'x'.repeat(200)}`
    app.provider.behave({ claims: { name } })
    const { code, cookie } = await app.comeBack()
    const { body } = await app.exchange(code, cookie)
    expect(body.user.name).toMatch(/^Asha Patil x{80,}$/)
    expect(body.user.name.length).toBeLessThanOrEqual(120)
  })

  test('twenty times at once has one account, and each code opens one session', async () => {
    const app = await openGoogle()
    const all = await Promise.all(Array.from({ length: 20 }, () => app.comeBack()))
    expect(await countAccounts(app)).toBe(1)
    const [{ code = '', cookie = '' } = {}] = all
    // After ten failures the limit refuses further tries, also when all came at once.
    const statuses = { 200: 1, 400: 10, 429: 9 }
    expect(await raceStatuses(() => app.exchange(code, cookie))).toEqual(statuses)
  })

  test('with the same answer twice is let in once', async () => {
    const { begin, back, provider } = await openGoogle()
    const { location, cookie } = await begin()
    const path = provider.signIn(location)
    const twice = await Promise.all([back(path, cookie), back(path, cookie)])
    expect(twice.filter((to) => CODE.test(to))).toHaveLength(1)
    expect(twice).toContain('/login?google_failed=1')
  })

  test('after a cancellation there is reported as one', async () => {
    const { begin, back, provider, ask } = await openGoogle()
    const { location, cookie } = await begin()
    const path = provider.signIn(location).replace(/code=[^&]+/, 'error=access_denied')
    expect(await back(path, cookie)).toBe('/login?google_cancelled=1')
    expect(await (await ask('GET', '/login?google_cancelled=1')).text()).toContain(
      'You cancelled it',
    )
  })
})

describe('a sign-in that another browser began', () => {
  test('ends at the login page, as does one without a cookie or with another state', async () => {
    const { begin, back, provider, db } = await openGoogle()
    const mine = await begin()
    const theirs = await begin()
    const path = provider.signIn(theirs.location)
    for (const [to, cookie] of [
      [path, mine.cookie],
      [path, undefined],
      [path, `${theirs.cookie}; ${mine.cookie}`],
      [path.replace(/state=.*/, 'state='), theirs.cookie],
      [path.replace(/&state=.*/, ''), theirs.cookie],
    ] as const) {
      expect(await back(to, cookie)).toBe('/login?google_stale=1')
    }
    expect(await db.selectFrom('accounts').selectAll().execute()).toEqual([])
    expect(await back(path, theirs.cookie)).toMatch(CODE)
  })

  test('cannot be finished with its code, which is good for its own browser and 60 s', async () => {
    const { comeBack, begin, exchange, advance } = await openGoogle()
    const { code, cookie } = await comeBack()
    for (const other of [undefined, (await begin()).cookie, 'driveqr-sign-in=x']) {
      const { status, body } = await exchange(code, other)
      expect([status, body]).toEqual([400, INVALID])
    }
    advance(59)
    const late = await comeBack()
    expect((await exchange(code, cookie)).status).toBe(200)
    advance(60)
    expect((await exchange(late.code, late.cookie)).status).toBe(400)
  })

  test('nor once the account has an earlier address back', async () => {
    const { comeBack, exchange, signUp, ask, mails } = await openGoogle(WITH_MAIL.env)
    const owner = await signUp({ email: 'owner@example.in' })
    const change = { as: owner, json: { email: EMAIL } }
    expect((await ask('POST', '/api/account/email', change)).status).toBe(200)
    const typed = { as: owner, json: { otp: mailedOtp({ mails }) } }
    expect((await ask('POST', '/api/account/email/verify', typed)).status).toBe(200)
    const { code, cookie } = await comeBack()
    expect((await ask('POST', wayBackIn({ mails }), { headers: { Origin: 'null' } })).status).toBe(
      303,
    )
    expect((await exchange(code, cookie)).status).toBe(400)
  })

  test('nor by another site, in the right browser', async () => {
    const { comeBack, exchange } = await openGoogle()
    const { code, cookie } = await comeBack()
    const crossSite = { 'Sec-Fetch-Site': 'cross-site' }
    expect((await exchange(code, cookie, crossSite)).status).toBe(403)
    expect((await exchange(code, cookie)).status).toBe(200)
  })
})

describe('an ID token is refused', () => {
  test.each([
    ['that another key signed', { signedBy: 'another key' } as const],
    ['that our own secret signed', { signedBy: 'our secret' } as const],
    ['that nobody signed', { signedBy: 'nobody' } as const],
    ['of another issuer', { claims: { iss: 'https://evil.example' } }],
    ['for another client', { claims: { aud: 'somebody-else' } }],
    ['for others too, without saying for whom', { claims: { aud: ['driveqr', 'other'] } }],
    ['that another client asked for', { claims: { aud: ['driveqr', 'other'], azp: 'other' } }],
    ['that has ended', { claims: { exp: 1 } }],
    ['without an end', { claims: { exp: undefined } }],
    ['with another nonce', { claims: { nonce: 'replayed' } }],
    ['without a nonce', { claims: { nonce: undefined } }],
    ['without a subject', { claims: { sub: undefined } }],
    ['without an e-mail', { claims: { email: undefined } }],
    ['with something else for an e-mail', { claims: { email: 'asha@example.in\r\nBcc: x@y.in' } }],
  ])('%s', async (_, mood) => {
    const app = await openGoogle()
    app.provider.behave(mood)
    expect((await app.comeBack()).to).toBe('/login?google_failed=1')
    expect(await countAccounts(app)).toBe(0)
    const log = app.logged.join()
    expect(log).toMatch(/id token: /)
    for (const secret of [/example\.in/, /our secret/, /(?<![\w-])eyJ/])
      expect(log).not.toMatch(secret)
  })

  test('but not one whose claims are all right', async () => {
    const app = await openGoogle()
    app.provider.behave({
      claims: { aud: ['driveqr', 'other'], azp: 'driveqr', email_verified: 'true' },
    })
    expect((await app.comeBack()).to).toMatch(CODE)
  })

  test.each([
    ['the token call fails', { '/token': { status: 500, body: 'oops' } }],
    ['the token call answers no ID token', { '/token': { body: '{"access_token":"x"}' } }],
    ['the keys cannot be had', { '/jwks': { status: 500, body: '' } }],
  ])('and so is everything when %s', async (_, answers) => {
    const app = await openGoogle()
    const { location, cookie } = await app.begin()
    app.provider.behave({ answers })
    expect(await app.back(app.provider.signIn(location), cookie)).toBe('/login?google_failed=1')
    expect(await countAccounts(app)).toBe(0)
  })
})

test('no log knows who signed in, the codes or the secrets', async () => {
  const app = await openGoogle()
  const { code, cookie } = await app.comeBack()
  const { body } = await app.exchange(code, cookie)
  const log = app.logged.join()
  expect(log).toContain('/api/auth/session')
  for (const secret of [EMAIL, code, cookie.split('=')[1] as string, body.session_token]) {
    expect(log).not.toContain(secret)
  }
})

const bearer = (token: string) => ({ Authorization: `Bearer ${token}` })
