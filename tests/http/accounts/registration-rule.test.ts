import { describe, expect, test } from 'vitest'
import { claimQrCode } from '#db/codes/claims.ts'
import { countAccounts, EMAIL, otpFrom, post, registration } from '#tests/support/accounts.ts'
import { openTestApp, PASSWORD, type TestApp } from '#tests/support/app.ts'
import { insertCode } from '#tests/support/codes.ts'
import { CHILD } from '#tests/support/families.ts'
import { openProvider } from '#tests/support/openid-provider.ts'
import { raceStatuses } from '#tests/support/races.ts'

type Mode = 'open' | 'invite' | 'closed'

const REFUSALS = {
  invite: { status: 403, detail: 'Registration is by invitation' },
  closed: { status: 403, detail: 'Registration is closed' },
}

const openMode = (REGISTRATION: Mode, env: Record<string, string> = {}) =>
  openTestApp({ env: { REGISTRATION, ...env } })

/** Claims a code without an account. Returns the cookie of a browser that opened the claimer's link. */
async function claimerOf(app: TestApp): Promise<Record<'Cookie' | 'Sec-Fetch-Site', string>> {
  const issuer = await app.signUp()
  const { qr_id } = await insertCode(app.db, issuer.id, { is_claimed: 0 })
  const { secretKey, clock } = app.deps
  const { take_token } = await claimQrCode(
    app.db,
    qr_id,
    {
      claim: { owner_name: 'Ravi', contact_phone: '+919876543210' } as never,
      activationCode: null,
      accountId: undefined,
      networks: [],
      lang: 'en',
    },
    { secretKey, now: clock(), notice: '1' },
    async () => {},
  )
  const page = await app.ask('GET', `/take/${take_token}`)
  const cookies = page.headers.getSetCookie().map((each) => each.split(';')[0])
  return { Cookie: cookies.join('; '), 'Sec-Fetch-Site': 'same-origin' }
}

async function answerOf(app: TestApp, call: string, json: object, headers = {}) {
  const { status, body } = await post(app, call, json, headers)
  return { status, detail: body.detail }
}

describe('REGISTRATION', () => {
  test.each(['invite', 'closed'] as const)('%s sends no code to any address', async (mode) => {
    const app = await openMode(mode, { SMTP_URL: 'smtp://127.0.0.1:25' })
    await app.signUp({ email: EMAIL })
    for (const email of [EMAIL, 'ravi@example.in']) {
      expect(await answerOf(app, 'send-otp', { email })).toEqual(REFUSALS[mode])
      const typed = { ...registration('123456'), email }
      expect(await answerOf(app, 'verify-otp', typed)).toEqual(REFUSALS[mode])
    }
    expect(app.mails).toEqual([])
    expect(await countAccounts(app)).toBe(1)
  })

  test.each(['invite', 'closed'] as const)('%s lets an account log in as before', async (mode) => {
    const app = await openMode(mode)
    await app.signUp({ email: EMAIL })
    const otp = await otpFrom(app, 'send-login-otp', { contact: EMAIL })
    expect((await post(app, 'login-otp', { contact: EMAIL, otp })).status).toBe(200)
  })

  test.each([
    ['open', true],
    ['invite', false],
    ['closed', false],
  ] as const)('%s offers the way to register: %s', async (mode, isOffered) => {
    const app = await openMode(mode)
    const { html } = await app.browse('GET', '/login')
    expect(html.includes('mode=register')).toBe(isOffered)
    if (mode !== 'open') expect(html).toContain(REFUSALS[mode].detail)
    const { status, to } = await app.browse('GET', '/login?mode=register')
    expect([status, to]).toEqual(isOffered ? [200, null] : [303, '/login'])
    const body = new URLSearchParams({ email: EMAIL })
    const sent = await app.browse('POST', '/login?mode=register', body)
    expect(sent.status).toBe(isOffered ? 200 : 403)
  })

  test('a code that was sent while it was open makes no account once it is closed', async () => {
    const app = await openMode('open')
    const otp = await otpFrom(app, 'send-otp', { email: EMAIL })
    app.deps.config.registration.mode = 'closed'
    expect(await answerOf(app, 'verify-otp', registration(otp))).toEqual(REFUSALS.closed)
    app.deps.config.registration.mode = 'open'
    expect((await post(app, 'verify-otp', registration(otp))).status).toBe(201)
  })
})

describe('the link of a claimed code', () => {
  test('admits one account in invite, which has the code then', async () => {
    const app = await openMode('invite')
    const headers = await claimerOf(app)
    const page = await (await app.ask('GET', '/login', { headers })).text()
    expect(page).toContain('mode=register')
    const first = await post(app, 'send-otp', { email: EMAIL }, headers)
    const made = await post(app, 'verify-otp', registration(first.body.test_otp), headers)
    expect(made.status).toBe(201)
    const { owner_id } = await app.db.selectFrom('qr_codes').selectAll().executeTakeFirstOrThrow()
    expect(owner_id).toBe(made.body.user.id)
    const again = await answerOf(app, 'send-otp', { email: 'ravi@example.in' }, headers)
    expect(again).toEqual(REFUSALS.invite)
  })

  test('admits one of twenty who register by it at once', async () => {
    const app = await openMode('invite', { RATE_LIMITS: 'off' })
    const headers = await claimerOf(app)
    const people = Array.from({ length: 20 }, (_, n) => `claimer${n}@example.in`)
    const codes = new Map<string, string>()
    for (const email of people) {
      const { body } = await post(app, 'send-otp', { email }, headers)
      codes.set(email, body.test_otp)
    }
    const left = [...people]
    const statuses = await raceStatuses(async () => {
      const email = left.pop() ?? ''
      const form = { ...registration(codes.get(email) ?? ''), email }
      return post(app, 'verify-otp', form, headers)
    })
    expect(statuses).toEqual({ 201: 1, 403: 19 })
    expect(await countAccounts(app)).toBe(2)
  })

  test('admits nobody in closed, and its page offers the login alone', async () => {
    const app = await openMode('closed')
    const headers = await claimerOf(app)
    expect(await answerOf(app, 'send-otp', { email: EMAIL }, headers)).toEqual(REFUSALS.closed)
    const [, token] = /driveqr_take=([\w-]{43})/.exec(headers.Cookie) ?? []
    const { html } = await app.browse('GET', `/take/${token}`)
    expect(html).not.toContain('mode=register')
    expect(html).toContain('href="/login"')
  })
})

test('a child registers by its code where nobody else may, with an address at any domain', async () => {
  const app = await openMode('closed', { REGISTRATION_DOMAINS: 'example.org' })
  const parent = await app.signUp()
  const { qr_id } = await insertCode(app.db, parent.id, CHILD)
  const child = { name: 'Gurleen Kaur', contact_type: 'email', password: PASSWORD }
  const json = { ...child, qr_id, contact: 'gurleen@example.net' }
  expect((await app.ask('POST', '/api/qr/child-register', { json })).status).toBe(201)
  expect(await countAccounts(app)).toBe(2)
})

describe('REGISTRATION_DOMAINS', () => {
  const DOMAINS = { REGISTRATION_DOMAINS: 'Example.in, example.org' }

  test.each([
    ['asha@example.in', 200],
    ['asha@example.org', 200],
    ['asha@mail.example.in', 403],
    ['asha@notexample.in', 403],
    ['asha@example.in.evil.example', 403],
    ['Asha+keys@EXAMPLE.IN', 200],
    // A full stop of another script leads to the same mail server.
    ['asha@example\u3002in', 200],
    ['asha@example.in.', 403],
    ['asha@ex\u0430mple.in', 403],
  ])('%s is %i', async (email, status) => {
    const app = await openMode('open', DOMAINS)
    const answer = await answerOf(app, 'send-otp', { email })
    const detail = 'Register with an address at example.in, example.org'
    expect(answer).toEqual(status === 200 ? { status } : { status, detail })
  })

  test.each([
    'asha@evil.example@example.in',
    '"asha@evil.example"@example.in',
    'asha@evil.example,asha@example.in',
    'asha@evil.example\n@example.in',
  ])('%j is no address', async (email) => {
    const app = await openMode('open', DOMAINS)
    expect((await answerOf(app, 'send-otp', { email })).status).toBe(400)
  })

  test('a domain of another script is the same however it is written', async () => {
    const app = await openMode('open', { REGISTRATION_DOMAINS: 'भारत.example' })
    const spellings = ['भारत.example', 'xn--h2brj9c.example', 'XN--H2BRJ9C.example']
    for (const [n, domain] of spellings.entries()) {
      const { status } = await answerOf(app, 'send-otp', { email: `asha${n}@${domain}` })
      expect([domain, status]).toEqual([domain, 200])
    }
  })

  test('of another domain an account and an unknown address get the same answers', async () => {
    const app = await openMode('open', DOMAINS)
    await app.signUp({ email: 'asha@example.net' })
    const answers = async (email: string) => [
      await answerOf(app, 'send-otp', { email }),
      await answerOf(app, 'verify-otp', { ...registration('123456'), email }),
    ]
    expect(await answers('asha@example.net')).toEqual(await answers('ravi@example.net'))
  })
})

describe('a sign-in provider', () => {
  async function signInAt(env: Record<string, string>, before?: (app: TestApp) => unknown) {
    const provider = await openProvider()
    const app = await openTestApp({ env: { ...provider.env, ...env } })
    await before?.(app)
    const begun = await app.ask('GET', '/api/auth/google')
    const cookie = (begun.headers.get('Set-Cookie') ?? '').split(';')[0] ?? ''
    const path = provider.signIn(begun.headers.get('Location') ?? '')
    const back = await app.ask('GET', path, { headers: { Cookie: cookie } })
    return { app, to: back.headers.get('Location') ?? '' }
  }

  test.each([
    [{ REGISTRATION: 'invite' }, 'google_invite', 'Registration is by invitation.'],
    [{ REGISTRATION: 'closed' }, 'google_closed', 'Registration is closed.'],
    [{ REGISTRATION_DOMAINS: 'example.org' }, 'google_domain', 'another domain'],
  ])('makes no account with %j, and takes no address off one', async (env, reason, text) => {
    const { app, to } = await signInAt(env as Record<string, string>, ({ signUp }) =>
      signUp({ email: EMAIL, email_verified_at: null }),
    )
    expect(to).toBe(`/login?${reason}=1`)
    const { status, html } = await app.browse('GET', to)
    expect(status).toBe(403)
    expect(html).toContain(text)
    const accounts = await app.db.selectFrom('accounts').select('email').execute()
    expect(accounts).toEqual([{ email: EMAIL }])
  })

  test('lets an account in when nobody may register', async () => {
    const env = { REGISTRATION: 'closed', REGISTRATION_DOMAINS: 'example.org' }
    const { to } = await signInAt(env, ({ signUp }) => signUp({ email: EMAIL }))
    expect(to).toMatch(/^\/dashboard#session_id=/)
  })
})
