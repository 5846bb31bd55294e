import { describe, expect, test } from 'vitest'
import { createApp } from '#app.ts'
import { openDatabase } from '#db/client.ts'
import { takeLoginTry } from '#db/login-failures.ts'
import { createRateLimits } from '#domain/rate-counters.ts'
import { KEPT_LIMITS, loginWait } from '#domain/rate-limits.ts'
import {
  EMAIL,
  mailedOtp,
  otpFrom,
  post,
  registration,
  WITH_MAIL,
} from '#tests/support/accounts.ts'
import { openTestApp, PASSWORD, type TestApp } from '#tests/support/app.ts'
import { countStatuses } from '#tests/support/families.ts'

const { count, seconds } = KEPT_LIMITS.login
const DAY = 86_400
const right = { contact: EMAIL, password: PASSWORD }
const wrong = { contact: EMAIL, password: 'wrong!' }

type From = { contact?: string; password?: string }
let addresses = 0

/** Each from an address of its own: what an address may is another limit. */
function tryFromAnywhere(app: TestApp, form: From) {
  addresses++
  const address = `203.0.${addresses >> 8}.${addresses & 255}`
  return post(app, 'login', form, { 'X-Forwarded-For': address })
}

async function openAccount(env = {}) {
  const app = await openTestApp({ env: { TRUST_PROXY: '1', ...env } })
  const account = await app.signUp({ email: EMAIL, mobile: '+919876543210' })
  const login = (form: From) => tryFromAnywhere(app, form)
  /** All but the last without the password's hash, which is what takes time. */
  const fail = async (times: number) => {
    const { db, secretKey, clock } = app.deps
    for (let n = 1; n < times; n++) await takeLoginTry(db, secretKey, EMAIL, clock())
    expect((await login(wrong)).status).toBe(401)
  }
  const waitOf = async (form: From) => Number((await login(form)).headers.get('Retry-After') ?? 0)
  const rows = () => app.db.selectFrom('login_failures').selectAll().execute()
  return { ...app, account, login, fail, waitOf, rows }
}

describe('after ten wrong passwords', () => {
  test('the account waits 15 minutes, for a right one too, and says for how long', async () => {
    const { login, fail, advance, logged } = await openAccount()
    await fail(count)
    const { status, body, headers } = await login(right)
    expect([status, body, headers.get('Retry-After')]).toEqual([
      429,
      { detail: 'Too many tries. Try again in 15 minutes.', retry_after: 900 },
      '900',
    ])
    advance(seconds - 1)
    expect((await login(right)).status).toBe(429)
    advance(1)
    expect((await login(right)).status).toBe(200)
    const told = logged.filter((line) => line.includes('rate limit reached'))
    expect(told.map((line) => JSON.parse(line).limit)).toEqual(['login'])
  })

  test('each further one doubles the wait, up to a week', async () => {
    const { fail, waitOf, advance } = await openAccount()
    await fail(count)
    const waits: number[] = []
    for (let n = 0; n < 12; n++) {
      const wait = await waitOf(wrong)
      waits.push(wait)
      advance(wait)
      await fail(1)
    }
    const doubled = [1, 2, 4, 8, 16, 32, 64, 128, 256, 512].map((times) => times * seconds)
    expect(waits).toEqual([...doubled, 7 * DAY, 7 * DAY])
  })

  test('a hundred in a row take more than a year', () => {
    let waited = 0
    for (let failures = 1; failures < 100; failures++) waited += loginWait(failures)
    expect(waited).toBeGreaterThan(365 * DAY)
  })

  test('a restart forgets neither the wrong ones nor the wait', async () => {
    const { deps, dataDir, fail, advance } = await openAccount()
    await fail(count - 1)
    const again = await openDatabase(dataDir)
    const rateLimits = createRateLimits(deps.config)
    const restarted = createApp({ ...deps, db: again.db, rateLimits })
    const login = async (json: object) => {
      const headers = { 'Content-Type': 'application/json' }
      const body = JSON.stringify(json)
      return (await restarted.request('/api/auth/login', { method: 'POST', headers, body })).status
    }
    try {
      expect(await login(wrong)).toBe(401)
      expect(await login(right)).toBe(429)
      advance(seconds)
      expect(await login(wrong)).toBe(401)
      advance(seconds)
      expect(await login(right)).toBe(429)
    } finally {
      await again.close()
    }
  })

  test('twenty at once are ten', async () => {
    const { login, rows } = await openAccount()
    const answers = await Promise.all(Array.from({ length: 20 }, () => login(wrong)))
    const {
      401: looked,
      429: waiting = 0,
      503: queueing = 0,
    } = countStatuses(answers.map(({ status }) => status))
    expect([looked, waiting + queueing]).toEqual([count, 20 - count])
    expect((await login(right)).status).toBe(429)
    expect((await rows()).map(({ failures }) => failures)).toEqual([count])
  })

  test('a clock that is set back keeps nobody out', async () => {
    const { login, fail, advance } = await openAccount()
    await fail(count)
    advance(-30 * DAY)
    expect((await login(right)).status).toBe(200)
  })
})

test('sixteen right ones at once are all let in', async () => {
  const { login } = await openAccount()
  const answers = await Promise.all(Array.from({ length: 16 }, () => login(right)))
  expect(countStatuses(answers.map(({ status }) => status))).toEqual({ 200: 16 })
})

test('who has no account waits alike, and nothing is kept of whom it was', async () => {
  const known = await openAccount()
  const answers = async (contact: string) => {
    const seen = []
    for (let n = 0; n <= count + 1; n++) {
      if (n > count) known.advance(seconds)
      const typed = n % 2 ? contact : contact.toUpperCase()
      const { status, body, headers } = await known.login({ contact: typed, password: 'wrong!' })
      seen.push([status, body, headers.get('Retry-After')])
    }
    return seen
  }
  const ofAccount = await answers(EMAIL)
  for (const contact of ['nobody@example.in', '98140 12345', 'no contact']) {
    expect(await answers(contact)).toEqual(ofAccount)
  }
  expect(ofAccount.map(([status]) => status)).toEqual([...Array(count).fill(401), 429, 401])
  expect(JSON.stringify(await known.rows())).not.toMatch(/example|98140|9876|contact"/)
})

describe('the wrong ones are forgotten by', () => {
  test('a right password, whose account then has ten tries again', async () => {
    const { login, fail, rows } = await openAccount()
    await fail(count - 1)
    expect((await login(right)).status).toBe(200)
    expect(await rows()).toEqual([])
    await fail(count)
    expect((await login(right)).status).toBe(429)
  })

  test('a one-time code, whichever contact they were tried at', async () => {
    const app = await openAccount()
    await app.fail(count)
    const { db, secretKey, clock } = app.deps
    for (let n = 0; n < count; n++) await takeLoginTry(db, secretKey, '+919876543210', clock())
    expect((await app.login({ ...right, contact: '9876543210' })).status).toBe(429)
    const otp = await otpFrom(app, 'send-login-otp', { contact: EMAIL })
    expect((await post(app, 'login-otp', { contact: EMAIL, otp })).status).toBe(200)
    expect((await app.login(right)).status).toBe(200)
    expect((await app.login({ ...right, contact: '9876543210' })).status).toBe(200)
  })

  test('a new password', async () => {
    const app = await openAccount(WITH_MAIL.env)
    await app.fail(count)
    await post(app, 'forgot-password', { contact: EMAIL })
    const reset = { contact: EMAIL, otp: mailedOtp(app), password: 'another secret' }
    expect((await post(app, 'reset-password', reset)).status).toBe(200)
    expect((await app.login({ contact: EMAIL, password: 'another secret' })).status).toBe(200)
  })

  test('a registration: what was tried before there was an account is over', async () => {
    const app = await openTestApp()
    const { db, secretKey, clock } = app.deps
    for (let n = 0; n < count; n++) await takeLoginTry(db, secretKey, EMAIL, clock())
    const otp = await otpFrom(app, 'send-otp', { email: EMAIL })
    expect((await post(app, 'verify-otp', registration(otp))).status).toBe(201)
    expect((await post(app, 'login', right)).status).toBe(200)
  })

  test('who is blocked: a right password is no guess', async () => {
    const { db, account, login } = await openAccount()
    await db.updateTable('accounts').set({ is_active: 0 }).where('id', '=', account.id).execute()
    for (let n = 0; n <= count; n++) expect((await login(right)).status).toBe(403)
  })
})

test('RATE_LIMITS=off counts none', async () => {
  const { fail, rows } = await openAccount({ RATE_LIMITS: 'off' })
  await fail(1)
  expect(await rows()).toEqual([])
})

test('only the newest hundred thousand are kept', async () => {
  const { db, deps, rows } = await openAccount()
  const row = { failures: 1, waits_until: deps.clock().toISOString() }
  await db
    .insertInto('login_failures')
    .values([1, 2, 100_000].map((n) => ({ n, contact_hash: `${n}`, ...row })))
    .execute()
  await takeLoginTry(db, deps.secretKey, EMAIL, deps.clock())
  expect((await rows()).map(({ n }) => n)).toEqual([2, 100_000, 100_001])
})
