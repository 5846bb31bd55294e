import { describe, expect, test } from 'vitest'
import { toFlag } from '#db/cast.ts'
import { describeOutbox } from '#db/outbox-waiting.ts'
import { createMailer } from '#mail/mailer.ts'
import {
  cookieOf,
  EMAIL,
  mailedOtp,
  otpFrom,
  post,
  registration,
  WITH_MAIL,
  wrongOtp,
} from '#tests/support/accounts.ts'
import { openTestApp, PASSWORD, type TestApp } from '#tests/support/app.ts'
import { deadMailServer } from '#tests/support/mail-server.ts'
import { raceStatuses } from '#tests/support/races.ts'

const INVALID = [400, { detail: 'Invalid or expired OTP' }]
const NO_CONTACT = [400, { detail: 'Please enter your email or mobile number' }]
const MOBILE = '+919876543210'

async function statusOfMe(app: TestApp, headers: Record<string, string>): Promise<number> {
  return (await app.ask('GET', '/api/auth/me', { headers })).status
}

describe.each([
  ['send-login-otp', /^\d{6} is your DriveQR login OTP$/],
  ['forgot-password', /^\d{6} is your DriveQR password reset OTP$/],
])('%s', (call, subject) => {
  test('mails an OTP to the account of an e-mail or a mobile number', async () => {
    for (const contact of ['ASHA@example.in', '098765 43210']) {
      const app = await openTestApp(WITH_MAIL)
      await app.signUp({ email: EMAIL, mobile: MOBILE })
      const { status, body } = await post(app, call, { contact })
      expect([status, body]).toEqual([200, { success: true }])
      expect(app.mails).toMatchObject([{ to: EMAIL, subject: expect.stringMatching(subject) }])
      expect(mailedOtp(app)).toMatch(/^\d{6}$/)
    }
  })

  test('stores as much for every contact, and mails nobody without an account', async () => {
    const app = await openTestApp(WITH_MAIL)
    await app.signUp({ email: EMAIL })
    await app.db.deleteFrom('outbox').execute()
    await app.sender.stop()
    for (const contact of [EMAIL, 'nobody@example.in']) await post(app, call, { contact })
    const stored = await app.db
      .selectFrom('outbox')
      .select(['recipient', 'subject'])
      .orderBy('recipient')
      .execute()
    expect(stored.map(({ recipient }) => recipient)).toEqual(['', EMAIL])
    const [nobodys, hers] = stored.map((mail) => mail.subject?.length)
    expect(nobodys).toBe(hers)
    const other = await openTestApp(WITH_MAIL)
    await post(other, call, { contact: 'nobody@example.in' })
    await other.sender.settled()
    expect(other.mails).toEqual([])
    expect(await other.db.selectFrom('outbox').select('id').execute()).toEqual([])
  })

  test('answers every contact the same, and mails only contacts with an account', async () => {
    const app = await openTestApp(WITH_MAIL)
    await app.signUp({ email: EMAIL })
    await app.signUp({ email: null, mobile: MOBILE })
    const known = await post(app, call, { contact: EMAIL })
    for (const contact of [EMAIL, 'nobody@example.in', MOBILE, '9123456789', 'anything at all']) {
      const answer = await post(app, call, { contact })
      expect([answer.status, answer.body]).toEqual([known.status, known.body])
      expect([...answer.headers.keys()]).toEqual([...known.headers.keys()])
    }
    expect(app.mails).toHaveLength(1)
  })

  test('stores as much for an unknown contact as for a known one', async () => {
    const app = await openTestApp(WITH_MAIL)
    await app.signUp({ email: EMAIL })
    await post(app, call, { contact: EMAIL })
    await post(app, call, { contact: 'nobody@example.in' })
    const rows = await app.db.selectFrom('one_time_codes').select('contact').execute()
    expect(rows.map(({ contact }) => contact).sort()).toEqual([EMAIL, 'nobody@example.in'])
  })

  test('refuses a blank contact', async () => {
    const app = await openTestApp()
    for (const json of [{}, { contact: '  ' }]) {
      const { status, body } = await post(app, call, json)
      expect([status, body]).toEqual(NO_CONTACT)
    }
  })

  test('shows the OTP in test mode, for contacts that have an account', async () => {
    const app = await openTestApp()
    await app.signUp({ email: EMAIL })
    const known = await post(app, call, { contact: EMAIL })
    expect(known.body).toEqual({
      success: true,
      test_mode: true,
      test_otp: expect.stringMatching(/^\d{6}$/),
    })
    const unknown = await post(app, call, { contact: 'nobody@example.in' })
    expect(unknown.body).toEqual({ success: true, test_mode: true })
    expect(app.mails).toEqual([])
  })

  test('sends one mail in 600 s, also when asked twenty times at once by two contacts', async () => {
    const app = await openTestApp(WITH_MAIL)
    await app.signUp({ email: EMAIL, mobile: MOBILE })
    const ask = (n: number) => post(app, call, { contact: n % 2 ? EMAIL : MOBILE })
    expect(await raceStatuses(ask)).toEqual({ 200: 20 })
    expect(app.mails).toHaveLength(1)
    app.advance(600)
    await post(app, call, { contact: EMAIL })
    expect(app.mails).toHaveLength(2)
  })

  test('with a mail server that is down still does not show which contacts have accounts, and logs the failure', async () => {
    const app = await openTestApp({ env: { SMTP_URL: await deadMailServer() } })
    app.deps.mailer = createMailer(app.deps.config)
    await app.signUp({ email: EMAIL })
    const { status, body } = await post(app, call, { contact: EMAIL })
    expect([status, body]).toEqual([200, { success: true }])
    expect(app.logged.join()).toContain('mail failed')
    expect(app.logged.join()).not.toContain(EMAIL)
  })

  test('does not wait for a slow mail server', async () => {
    const app = await openTestApp(WITH_MAIL)
    await app.signUp({ email: EMAIL })
    let answerOfServer: (() => void) | undefined
    const send = () => new Promise<void>((resolve) => (answerOfServer = resolve))
    app.deps.mailer = { configured: true, load: async () => {}, send }
    const body = JSON.stringify({ contact: EMAIL })
    const headers = { 'Content-Type': 'application/json' }
    // Past the test application, which waits for the mails.
    const asked = await app.app.request(`/api/auth/${call}`, { method: 'POST', body, headers })
    expect(asked.status).toBe(200)
    await expect.poll(() => answerOfServer).toBeDefined()
    expect(await describeOutbox(app.db)).toMatchObject({ waiting: 1 })
    answerOfServer?.()
  })
})

describe('login-otp', () => {
  test('signs in as login does, once', async () => {
    const app = await openTestApp()
    const { id } = await app.signUp({ email: EMAIL, mobile: MOBILE })
    const otp = await otpFrom(app, 'send-login-otp', { contact: EMAIL })
    const answer = await post(app, 'login-otp', { contact: MOBILE, otp })
    expect(answer.status).toBe(200)
    expect(answer.body).toMatchObject({ session_token: expect.any(String), user: { id } })
    expect(await statusOfMe(app, { Cookie: cookieOf(answer) })).toBe(200)
    const again = await post(app, 'login-otp', { contact: EMAIL, otp })
    expect([again.status, again.body]).toEqual(INVALID)
  })

  test('opens one session when twenty right tries come at once', async () => {
    const app = await openTestApp()
    await app.signUp({ email: EMAIL })
    const otp = await otpFrom(app, 'send-login-otp', { contact: EMAIL })
    const login = () => post(app, 'login-otp', { contact: EMAIL, otp })
    expect(await raceStatuses(login)).toEqual({ 200: 1, 400: 19 })
  })

  test('names the first broken rule', async () => {
    const app = await openTestApp()
    const blank = await post(app, 'login-otp', { otp: '123456' })
    expect([blank.status, blank.body]).toEqual(NO_CONTACT)
    const short = await post(app, 'login-otp', { contact: EMAIL, otp: '1234' })
    expect([short.status, short.body]).toEqual([400, { detail: 'Please enter the 6-digit OTP' }])
  })

  test('says the same of a wrong, a late and a void OTP and of an unknown contact', async () => {
    const app = await openTestApp()
    await app.signUp({ email: EMAIL })
    const otp = await otpFrom(app, 'send-login-otp', { contact: EMAIL })
    for (let n = 1; n <= 5; n++) {
      const { status, body } = await post(app, 'login-otp', {
        contact: EMAIL,
        otp: wrongOtp(otp, n),
      })
      expect([status, body]).toEqual(INVALID)
    }
    for (const contact of [EMAIL, 'nobody@example.in', '9876543210', 'x']) {
      const { status, body } = await post(app, 'login-otp', { contact, otp })
      expect([status, body]).toEqual(INVALID)
    }
    app.advance(600)
    const second = await otpFrom(app, 'send-login-otp', { contact: EMAIL })
    app.advance(600)
    const late = await post(app, 'login-otp', { contact: EMAIL, otp: second })
    expect([late.status, late.body]).toEqual(INVALID)
  })

  test('of a blocked account is 403', async () => {
    const app = await openTestApp()
    const { id } = await app.signUp({ email: EMAIL })
    await app.db
      .updateTable('accounts')
      .set({ is_active: toFlag(false) })
      .where('id', '=', id)
      .execute()
    const otp = await otpFrom(app, 'send-login-otp', { contact: EMAIL })
    expect((await post(app, 'login-otp', { contact: EMAIL, otp })).status).toBe(403)
  })
})

describe('reset-password', () => {
  const reset = (app: TestApp, fields: object) =>
    post(app, 'reset-password', { contact: EMAIL, password: 'brand new', ...fields })

  test('sets the password, ends every session, and the OTP with it', async () => {
    const app = await openTestApp()
    const { cookie, bearerToken } = await app.signUp({ email: EMAIL })
    const otp = await otpFrom(app, 'forgot-password', { contact: EMAIL })
    const done = await reset(app, { otp })
    expect([done.status, done.body]).toEqual([200, { success: true }])
    expect(await statusOfMe(app, { Cookie: cookie })).toBe(401)
    expect(await statusOfMe(app, { Authorization: `Bearer ${bearerToken}` })).toBe(401)
    expect((await post(app, 'login', { contact: EMAIL, password: PASSWORD })).status).toBe(401)
    expect((await post(app, 'login', { contact: EMAIL, password: 'brand new' })).status).toBe(200)
    const again = await reset(app, { otp })
    expect([again.status, again.body]).toEqual(INVALID)
  })

  test('names the first broken rule, and keeps the OTP alive', async () => {
    const app = await openTestApp()
    await app.signUp({ email: EMAIL })
    const otp = await otpFrom(app, 'forgot-password', { contact: EMAIL })
    const steps: [object, string][] = [
      [{ contact: '' }, 'Please enter your email or mobile number'],
      [{ otp: '12' }, 'Please enter the 6-digit OTP'],
    ]
    for (const [broken, detail] of steps) {
      const { status, body } = await reset(app, { otp, ...broken })
      expect([status, body]).toEqual([400, { detail }])
    }
    expect((await reset(app, { otp })).status).toBe(200)
  })

  test('takes no OTP of a login or of a registration', async () => {
    const app = await openTestApp()
    await app.signUp({ email: EMAIL })
    const login = await otpFrom(app, 'send-login-otp', { contact: EMAIL })
    const register = await otpFrom(app, 'send-otp', { email: EMAIL })
    for (const otp of [login, register]) {
      const { status, body } = await reset(app, { otp })
      expect([status, body]).toEqual(INVALID)
    }
  })

  test('under fifty wrong tries at once voids the OTP and changes nothing', async () => {
    const app = await openTestApp({ env: { RATE_LIMITS: 'off' } })
    await app.signUp({ email: EMAIL })
    const otp = await otpFrom(app, 'forgot-password', { contact: EMAIL })
    const guess = (n: number) => reset(app, { otp: wrongOtp(otp, n + 1) })
    expect(await raceStatuses(guess, 50)).toEqual({ 400: 50 })
    expect((await reset(app, { otp })).status).toBe(400)
    expect((await post(app, 'login', { contact: EMAIL, password: PASSWORD })).status).toBe(200)
  })
})

describe('a code that was claimed with an e-mail', () => {
  test.each(['registers', 'logs in by OTP', 'resets the password'])(
    'is offered to the account that verifies the address: its holder %s',
    async (way) => {
      const app = await openTestApp()
      const issuer = await app.signUp({ subscription_plan: 'premium' })
      const made = await app.ask('POST', '/api/qr/bulk-create', {
        as: issuer,
        json: { quantity: 2 },
      })
      const { qr_codes } = await made.json()
      const claim = { claim_email: EMAIL, is_claimed: toFlag(true), owner_name: 'Asha' }
      await app.db.updateTable('qr_codes').set(claim).where('id', '=', qr_codes[0].id).execute()
      if (way === 'registers') {
        const otp = await otpFrom(app, 'send-otp', { email: EMAIL })
        await post(app, 'verify-otp', registration(otp))
      } else {
        await app.signUp({ email: EMAIL })
        const [send, use] =
          way === 'logs in by OTP'
            ? ['send-login-otp', 'login-otp']
            : ['forgot-password', 'reset-password']
        const otp = await otpFrom(app, send as string, { contact: EMAIL })
        await post(app, use as string, { contact: EMAIL, otp, password: PASSWORD })
      }
      const { body } = await post(app, 'login', { contact: EMAIL, password: PASSWORD })
      const as = { bearerToken: body.session_token }
      const { codes } = await (await app.ask('GET', '/api/claims', { as })).json()
      expect(codes).toMatchObject([{ qr_id: qr_codes[0].qr_id }])
      const owners = await app.db.selectFrom('qr_codes').select('owner_id').execute()
      expect(owners).toEqual([{ owner_id: issuer.id }, { owner_id: issuer.id }])
      // It still counts against the plan of its maker.
      expect(body.user.qr_count).toBe(0)
    },
  )
})
