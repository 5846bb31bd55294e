import { describe, expect, test } from 'vitest'
import {
  countAccounts,
  EMAIL,
  mailedOtp,
  otpFrom,
  post,
  registration,
  WITH_MAIL,
  wrongOtp,
} from '#tests/support/accounts.ts'
import { NOW, openTestApp } from '#tests/support/app.ts'
import { raceStatuses } from '#tests/support/races.ts'

const INVALID = [400, { detail: 'Invalid or expired OTP' }]

describe('send-otp', () => {
  test('in test mode shows the OTP and sends no mail', async () => {
    const app = await openTestApp()
    const { status, body } = await post(app, 'send-otp', { email: EMAIL })
    expect(status).toBe(200)
    expect(body).toEqual({
      message: `OTP Generated: ${body.test_otp} (Test Mode - No email sent)`,
      test_mode: true,
      test_otp: expect.stringMatching(/^\d{6}$/),
      expires_in: 600,
    })
    expect(app.mails).toEqual([])
  })

  test('otherwise mails it and shows it nowhere else', async () => {
    const app = await openTestApp(WITH_MAIL)
    const { body } = await post(app, 'send-otp', { email: ' Asha@Example.IN ' })
    expect(body).toEqual({
      message: 'OTP sent to your email! Please check your inbox.',
      test_mode: false,
      expires_in: 600,
    })
    expect(app.mails).toHaveLength(1)
    expect(app.mails[0]?.to).toBe(EMAIL)
    expect(mailedOtp(app)).toMatch(/^\d{6}$/)
    expect(app.logged.join()).not.toContain(mailedOtp(app))
  })

  test.each([
    [{}, 'Please enter your email address'],
    [{ email: 'asha@example.in,ravi@example.in' }, 'Please enter a valid email address'],
  ])('refuses %j', async (json, detail) => {
    const app = await openTestApp()
    const { status, body } = await post(app, 'send-otp', json)
    expect([status, body]).toEqual([400, { detail }])
  })

  test('asked again within 600 s says how long to wait, and the first OTP goes on working', async () => {
    const app = await openTestApp()
    const otp = await otpFrom(app, 'send-otp', { email: EMAIL })
    app.advance(18)
    const again = await post(app, 'send-otp', { email: EMAIL.toUpperCase() })
    expect([again.status, again.body]).toEqual([
      429,
      { detail: 'Please wait 9:42 before requesting new OTP.', retry_after: 582 },
    ])
    expect(again.headers.get('Retry-After')).toBe('582')
    expect((await post(app, 'verify-otp', registration(otp))).status).toBe(201)
  })

  test('requested while the clock was years ahead does not block later requests', async () => {
    const app = await openTestApp()
    app.advance(3650 * 86_400)
    const first = await otpFrom(app, 'send-otp', { email: EMAIL })
    app.advance(-3650 * 86_400)
    const otp = await otpFrom(app, 'send-otp', { email: EMAIL })
    expect((await post(app, 'verify-otp', registration(first))).status).toBe(400)
    expect((await post(app, 'verify-otp', registration(otp))).status).toBe(201)
  })

  test('asked again after 600 s sends another, and the first is void', async () => {
    const app = await openTestApp()
    const first = await otpFrom(app, 'send-otp', { email: EMAIL })
    app.advance(600)
    let second = await otpFrom(app, 'send-otp', { email: EMAIL })
    while (second === first) {
      app.advance(600)
      second = await otpFrom(app, 'send-otp', { email: EMAIL })
    }
    const late = await post(app, 'verify-otp', registration(first))
    expect([late.status, late.body]).toEqual(INVALID)
    expect((await post(app, 'verify-otp', registration(second))).status).toBe(201)
  })

  test('asked twenty times at once sends one mail', async () => {
    const app = await openTestApp(WITH_MAIL)
    const ask = () => post(app, 'send-otp', { email: EMAIL })
    expect(await raceStatuses(ask)).toEqual({ 200: 1, 429: 19 })
    expect(app.mails).toHaveLength(1)
  })

  test('in production without a mail server is 503', async () => {
    const app = await openTestApp({ env: { NODE_ENV: 'production' } })
    for (const call of ['send-otp', 'send-login-otp', 'forgot-password']) {
      const { status, body } = await post(app, call, { email: EMAIL, contact: EMAIL })
      expect([status, body]).toEqual([503, { detail: 'Email is not configured' }])
    }
  })

  test('answers an address that has an account as it answers any, and mails a note', async () => {
    const app = await openTestApp(WITH_MAIL)
    await app.signUp({ email: EMAIL })
    const known = await post(app, 'send-otp', { email: EMAIL })
    expect(app.mails[0]).toMatchObject({ to: EMAIL, subject: 'You already have a DriveQR account' })
    const unknown = await post(app, 'send-otp', { email: 'ravi@example.in' })
    expect([known.status, known.body]).toEqual([unknown.status, unknown.body])
    const again = await post(app, 'send-otp', { email: EMAIL })
    expect(again.status).toBe(429)
    expect(app.mails).toHaveLength(2)
  })

  test('stores neither the OTP nor a hash that could be tried out without the key', async () => {
    const app = await openTestApp()
    const otp = await otpFrom(app, 'send-otp', { email: EMAIL })
    const { createHash } = await import('node:crypto')
    const stored = JSON.stringify(await app.db.selectFrom('one_time_codes').selectAll().execute())
    expect(stored).not.toContain(otp)
    for (const text of [otp, `${EMAIL}${otp}`]) {
      expect(stored).not.toContain(createHash('sha256').update(text).digest('hex'))
    }
  })
})

describe('verify-otp', () => {
  test('makes an account of the free plan and signs it in', async () => {
    const app = await openTestApp()
    const otp = await otpFrom(app, 'send-otp', { email: EMAIL })
    const asAdmin = { role: 'super_admin', subscription_plan: 'enterprise', qr_limit: -1 }
    const { status, body } = await post(app, 'verify-otp', {
      ...registration(otp),
      ...asAdmin,
      name: '  Asha Patil ',
      email: 'ASHA@example.in',
    })
    expect(status).toBe(201)
    expect(body).toEqual({
      session_id: expect.stringMatching(/^[\w-]{43}$/),
      user: {
        id: expect.any(String),
        name: 'Asha Patil',
        email: EMAIL,
        mobile: null,
        login_id: null,
        role: 'client',
        subscription_ended: null,
        subscription_ends_at: null,
        subscription_plan: 'free',
        is_active: true,
        qr_count: 0,
        qr_limit: 1,
        child_qr_quota: 0,
        parent_id: null,
        created_at: NOW,
      },
    })
    const me = await app.ask('GET', '/api/auth/me', { as: { bearerToken: body.session_id } })
    expect(await me.json()).toEqual({ user: body.user })
  })

  test('names the first broken rule, in the order of the form, and keeps the OTP alive', async () => {
    const app = await openTestApp()
    const otp = await otpFrom(app, 'send-otp', { email: EMAIL })
    const steps: [object, string][] = [
      [{}, 'Please enter your email address'],
      [{ email: 'nobody' }, 'Please enter a valid email address'],
      [{ email: EMAIL, name: '   ' }, 'Please enter your name'],
      [{ name: 'A'.repeat(121) }, 'name must be at most 120 characters'],
      [{ name: 'Asha', password: '123456', confirm_password: '123457' }, 'Passwords do not match'],
      [{ confirm_password: '123456' }, 'Please enter the 6-digit OTP'],
    ]
    let form = {}
    for (const [more, detail] of steps) {
      form = { ...form, ...more }
      const { status, body } = await post(app, 'verify-otp', form)
      expect([status, body]).toEqual([400, { detail }])
    }
    expect((await post(app, 'verify-otp', { ...form, otp })).status).toBe(201)
  })

  test('takes an OTP once', async () => {
    const app = await openTestApp()
    const otp = await otpFrom(app, 'send-otp', { email: EMAIL })
    expect((await post(app, 'verify-otp', registration(otp))).status).toBe(201)
    const again = await post(app, 'verify-otp', registration(otp))
    expect([again.status, again.body]).toEqual(INVALID)
    expect(await countAccounts(app)).toBe(1)
  })

  test('takes an OTP until its 600th second', async () => {
    for (const [seconds, status] of [
      [599, 201],
      [600, 400],
    ] as const) {
      const app = await openTestApp()
      const otp = await otpFrom(app, 'send-otp', { email: EMAIL })
      app.advance(seconds)
      expect((await post(app, 'verify-otp', registration(otp))).status).toBe(status)
    }
  })

  test('takes an OTP only for its own address and purpose', async () => {
    const app = await openTestApp()
    const otp = await otpFrom(app, 'send-otp', { email: EMAIL })
    const other = await post(app, 'verify-otp', { ...registration(otp), email: 'ravi@example.in' })
    expect([other.status, other.body]).toEqual(INVALID)
    await app.signUp({ email: 'ravi@example.in' })
    const login = await otpFrom(app, 'send-login-otp', { contact: 'ravi@example.in' })
    const misused = await post(app, 'verify-otp', {
      ...registration(login),
      email: 'ravi@example.in',
    })
    expect([misused.status, misused.body]).toEqual(INVALID)
    expect((await post(app, 'verify-otp', registration(otp))).status).toBe(201)
  })

  test('voids an OTP with the fifth wrong try, and asking again brings no sixth', async () => {
    for (const [tries, status] of [
      [4, 201],
      [5, 400],
    ] as const) {
      const app = await openTestApp()
      const otp = await otpFrom(app, 'send-otp', { email: EMAIL })
      for (let n = 1; n <= tries; n++) {
        const { status, body } = await post(app, 'verify-otp', registration(wrongOtp(otp, n)))
        expect([status, body]).toEqual(INVALID)
      }
      if (tries === 5) expect((await post(app, 'send-otp', { email: EMAIL })).status).toBe(429)
      expect((await post(app, 'verify-otp', registration(otp))).status).toBe(status)
    }
  })

  test('voids it under fifty wrong tries at once, and none of them is a fault', async () => {
    const app = await openTestApp({ env: { RATE_LIMITS: 'off' } })
    const otp = await otpFrom(app, 'send-otp', { email: EMAIL })
    const tries = Array.from({ length: 50 }, (_, n) =>
      post(app, 'verify-otp', registration(wrongOtp(otp, n + 1))),
    )
    for (const { status, body } of await Promise.all(tries)) {
      expect([status, body]).toEqual(INVALID)
    }
    const { tries: counted } = await app.db
      .selectFrom('one_time_codes')
      .select('tries')
      .executeTakeFirstOrThrow()
    expect(counted).toBe(5)
    expect((await post(app, 'verify-otp', registration(otp))).status).toBe(400)
    expect(await countAccounts(app)).toBe(0)
  })

  test('makes one account when twenty right tries come at once', async () => {
    const app = await openTestApp()
    const otp = await otpFrom(app, 'send-otp', { email: EMAIL })
    const {
      201: made,
      400: refused = 0,
      503: busy = 0,
    } = await raceStatuses(() => post(app, 'verify-otp', registration(otp)))
    expect([made, refused + busy]).toEqual([1, 19])
    expect(await countAccounts(app)).toBe(1)
  })

  test('with the right OTP of an address that has an account is 409, once', async () => {
    const app = await openTestApp()
    await app.signUp({ email: EMAIL })
    const otp = await otpFrom(app, 'send-otp', { email: EMAIL })
    const wrong = await post(app, 'verify-otp', registration(wrongOtp(otp)))
    expect([wrong.status, wrong.body]).toEqual(INVALID)
    const right = await post(app, 'verify-otp', registration(otp))
    expect([right.status, right.body]).toEqual([
      409,
      { detail: 'An account with this email already exists. Please log in.' },
    ])
    expect(right.headers.get('Set-Cookie')).toBeNull()
    const again = await post(app, 'verify-otp', registration(otp))
    expect([again.status, again.body]).toEqual(INVALID)
    expect(await countAccounts(app)).toBe(1)
  })
})
