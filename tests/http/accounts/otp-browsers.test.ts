import { describe, expect, test } from 'vitest'
import { KEPT_LIMITS } from '#domain/rate-limits.ts'
import {
  cookieOf,
  EMAIL,
  mailedOtp,
  post,
  registration,
  WITH_MAIL,
  wrongOtp,
} from '#tests/support/accounts.ts'
import { openTestApp, type TestApp } from '#tests/support/app.ts'

const INVALID = [400, { detail: 'Invalid or expired OTP' }]
const asha = { contact: EMAIL }

/** With mail, one proxy, and an account. */
async function openMailing(env = {}) {
  const app = await openTestApp({ env: { ...WITH_MAIL.env, TRUST_PROXY: '1', ...env } })
  await app.signUp({ email: EMAIL })
  return app
}

/** A browser that has opened the login page, at an address of its own; without a cookie by `bare`. */
async function openBrowser(app: TestApp, address: string, { bare = false } = {}) {
  const from = { 'X-Forwarded-For': address }
  const page = await app.ask('GET', '/login?mode=password', { headers: from })
  const headers: Record<string, string> = { ...from }
  if (!bare) Object.assign(headers, { Cookie: cookieOf(page), 'Sec-Fetch-Site': 'same-origin' })
  return { page, post: (call: string, json: object) => post(app, call, json, headers) }
}

type Browser = Awaited<ReturnType<typeof openBrowser>>

async function fail(browser: Browser, otp: string, times: number): Promise<void> {
  for (let n = 1; n <= times; n++) {
    const { status, body } = await browser.post('login-otp', { ...asha, otp: wrongOtp(otp, n) })
    expect([status, body]).toEqual(INVALID)
  }
}

describe('the login page', () => {
  test('gives a browser a secret cookie for its codes, and lets it keep that', async () => {
    const app = await openTestApp()
    const first = await app.ask('GET', '/login')
    expect(first.headers.get('Set-Cookie')).toMatch(
      /^driveqr-browser=[\w-]{43}; Max-Age=86400; Path=\/; HttpOnly; SameSite=Lax$/,
    )
    const again = await app.ask('GET', '/login?mode=forgot', {
      headers: { Cookie: cookieOf(first) },
    })
    expect(cookieOf(again)).toBe(cookieOf(first))
    const planted = await app.ask('GET', '/login', { headers: { Cookie: 'driveqr-browser=mine' } })
    expect(cookieOf(planted)).toMatch(/^driveqr-browser=[\w-]{43}$/)
  })

  test('stores only the hash of that secret', async () => {
    const app = await openMailing()
    const browser = await openBrowser(app, '203.0.113.1')
    await browser.post('send-login-otp', asha)
    const rows = await app.db.selectFrom('one_time_codes').selectAll().execute()
    const secret = cookieOf(browser.page).split('=')[1] ?? ''
    expect(rows).toHaveLength(1)
    expect(JSON.stringify(rows)).not.toContain(secret)
    expect(rows[0]?.browser_hash).toMatch(/^[0-9a-f]{64}$/)
  })
})

describe('a registration whose answer was lost', () => {
  const EXISTS = [409, { detail: 'An account with this email already exists. Please log in.' }]

  test('is told that the account is there, for as long as its OTP would have lived', async () => {
    const app = await openTestApp(WITH_MAIL)
    const browser = await openBrowser(app, '203.0.113.1')
    await browser.post('send-otp', { email: EMAIL })
    const form = registration(mailedOtp(app))
    expect((await browser.post('verify-otp', form)).status).toBe(201)
    const again = await browser.post('verify-otp', form)
    expect([again.status, again.body]).toEqual(EXISTS)
    const wrong = await browser.post('verify-otp', registration(wrongOtp(form.otp)))
    expect([wrong.status, wrong.body]).toEqual(INVALID)
    expect(
      JSON.stringify(await app.db.selectFrom('one_time_codes').selectAll().execute()),
    ).not.toContain(EMAIL)
    app.advance(600)
    const late = await browser.post('verify-otp', form)
    expect([late.status, late.body]).toEqual(INVALID)
  })

  test('tells no other browser, and none without a cookie', async () => {
    const app = await openTestApp(WITH_MAIL)
    const browser = await openBrowser(app, '203.0.113.1')
    await browser.post('send-otp', { email: EMAIL })
    const form = registration(mailedOtp(app))
    await browser.post('verify-otp', form)
    for (const bare of [true, false]) {
      const other = await openBrowser(app, '203.0.113.2', { bare })
      const { status, body } = await other.post('verify-otp', form)
      expect([status, body]).toEqual(INVALID)
    }
  })

  test('and is sent twice at once makes one account', async () => {
    const app = await openTestApp(WITH_MAIL)
    const browser = await openBrowser(app, '203.0.113.1')
    await browser.post('send-otp', { email: EMAIL })
    const form = registration(mailedOtp(app))
    const answers = await Promise.all([1, 2].map(() => browser.post('verify-otp', form)))
    expect(answers.map(({ status }) => status).sort()).toEqual([201, 409])
  })
})

describe.each([
  ['a browser', false],
  ['a caller without a cookie', true],
])('a stranger who is %s', (_, bare) => {
  test('and voids a code by five wrong tries leaves the owner’s own alone', async () => {
    const app = await openMailing()
    const stranger = await openBrowser(app, '198.51.100.7', { bare })
    const owner = await openBrowser(app, '203.0.113.1')
    await stranger.post('send-login-otp', asha)
    const strangers = mailedOtp(app)
    await owner.post('send-login-otp', asha)
    expect(app.mails).toHaveLength(2)
    const owners = mailedOtp(app)
    await fail(stranger, strangers, 5)
    const late = await stranger.post('login-otp', { ...asha, otp: strangers })
    expect([late.status, late.body]).toEqual(INVALID)
    expect((await owner.post('login-otp', { ...asha, otp: owners })).status).toBe(200)
  })

  test('and asked first for a reset or a registration does not keep the owner from one', async () => {
    const app = await openMailing()
    const stranger = await openBrowser(app, '198.51.100.7', { bare })
    const owner = await openBrowser(app, '203.0.113.1')
    await stranger.post('forgot-password', asha)
    await owner.post('forgot-password', asha)
    const reset = { ...asha, otp: mailedOtp(app), password: 'another secret' }
    expect((await owner.post('reset-password', reset)).status).toBe(200)
    const email = 'ravi@example.in'
    await stranger.post('send-otp', { email })
    expect((await owner.post('send-otp', { email })).status).toBe(200)
    const form = { ...registration(mailedOtp(app)), email }
    expect((await owner.post('verify-otp', form)).status).toBe(201)
  })
})

describe('a code', () => {
  test('is mailed once to a browser in 600 seconds', async () => {
    const app = await openMailing()
    const browser = await openBrowser(app, '203.0.113.1')
    for (let n = 0; n < 20; n++) await browser.post('send-login-otp', asha)
    expect(app.mails).toHaveLength(1)
  })

  test('has fifteen tries from elsewhere, which its own browser does not notice', async () => {
    const app = await openMailing()
    const owner = await openBrowser(app, '203.0.113.1')
    await owner.post('send-login-otp', asha)
    const otp = mailedOtp(app)
    for (const [network, times] of [
      [1, 9],
      [2, 9],
    ] as const) {
      await fail(await openBrowser(app, `198.51.${network}.7`), otp, times)
    }
    const { tries, tries_elsewhere } = await app.db
      .selectFrom('one_time_codes')
      .select(['tries', 'tries_elsewhere'])
      .executeTakeFirstOrThrow()
    expect([tries, tries_elsewhere]).toEqual([0, 15])
    const elsewhere = await openBrowser(app, '198.51.3.7')
    expect((await elsewhere.post('login-otp', { ...asha, otp })).status).toBe(400)
    expect((await owner.post('login-otp', { ...asha, otp })).status).toBe(200)
  })

  test('works from elsewhere too, once', async () => {
    const app = await openMailing()
    const phone = await openBrowser(app, '203.0.113.1')
    const laptop = await openBrowser(app, '203.0.113.2', { bare: true })
    await phone.post('send-login-otp', asha)
    const otp = mailedOtp(app)
    expect((await laptop.post('login-otp', { ...asha, otp })).status).toBe(200)
    expect((await phone.post('login-otp', { ...asha, otp })).status).toBe(400)
  })
})

describe('wrong codes', () => {
  const { count } = KEPT_LIMITS['guess-network']

  /** Requests a code from this address and types wrong ones, each time in a new browser. */
  async function guessAll(app: TestApp, address: string, times: number): Promise<number[]> {
    const statuses: number[] = []
    for (let n = 0; n < times; n++) {
      const browser = await openBrowser(app, address)
      const { status } = await browser.post('login-otp', { ...asha, otp: '000000' })
      statuses.push(status)
    }
    return statuses
  }

  test('make a network wait 15 minutes after ten in a row, and are twelve a day', async () => {
    const app = await openMailing()
    let owner = await openBrowser(app, '203.0.113.1')
    await owner.post('send-login-otp', asha)
    expect(await guessAll(app, '198.51.100.7', 11)).toEqual([...Array(10).fill(400), 429])
    for (const wait of [900, 1800]) {
      app.advance(wait)
      owner = await openBrowser(app, `192.0.${wait % 256}.1`)
      await owner.post('send-login-otp', asha)
      expect(await guessAll(app, '198.51.100.9', 2)).toEqual([400, 429])
    }
    expect((await app.db.selectFrom('wrong_guesses').select('n').execute()).length).toBe(count)
    const again = await openBrowser(app, '198.51.100.7')
    const password = await again.post('login', { ...asha, password: 'wrong!' })
    expect(password.status).toBe(429)
    const otp = mailedOtp(app)
    expect((await owner.post('login-otp', { ...asha, otp })).status).toBe(200)
  })

  test('do not count where there is no code to guess at', async () => {
    const app = await openMailing()
    expect(await guessAll(app, '198.51.100.7', 20)).toEqual(Array(20).fill(400))
    expect(await app.db.selectFrom('wrong_guesses').select('n').execute()).toEqual([])
  })

  test('count alike for a contact without an account', async () => {
    const app = await openMailing()
    const nobody = { contact: 'nobody@example.in' }
    const answers = async (contact: object, address: string) => {
      const browser = await openBrowser(app, address)
      const seen: unknown[] = []
      for (let n = 0; n < 3; n++) {
        const sent = await browser.post('send-login-otp', contact)
        seen.push([sent.status, sent.body])
        for (let m = 0; m < 6; m++) {
          const { status, body } = await browser.post('login-otp', { ...contact, otp: '000000' })
          seen.push([status, body])
        }
        app.advance(600)
      }
      return seen
    }
    expect(await answers(nobody, '198.51.100.7')).toEqual(await answers(asha, '203.0.113.1'))
  })
})
