import { describe, expect, test } from 'vitest'
import { createApp } from '#app.ts'
import { setPassword } from '#db/accounts/passwords.ts'
import { takeGuess, toGuessSource } from '#db/accounts/wrong-guesses.ts'
import { openEngine } from '#db/open-engine.ts'
import { hashPassword } from '#db/secrets.ts'
import { networksOf } from '#domain/networks.ts'
import { createRateLimits } from '#domain/rate-counters.ts'
import { KEPT_LIMITS, loginWait, RATE_LIMITS } from '#domain/rate-limits.ts'
import { EMAIL, mailedOtp, post, WITH_MAIL } from '#tests/support/accounts.ts'
import { openTestApp, PASSWORD, QUICK_HASH } from '#tests/support/app.ts'
import { countEach, insist, raceStatuses } from '#tests/support/races.ts'

const { count, seconds } = KEPT_LIMITS.login
const DAY = 86_400
const right = { contact: EMAIL, password: PASSWORD }
const wrong = { contact: EMAIL, password: 'wrong!' }

type From = { contact?: string; password?: string }
let addresses = 0

/** An address of one network: what an address may is another limit. */
function neighbour(): string {
  return `203.0.113.${++addresses % 256}`
}

/** A browser in another network, each time another. */
function elsewhere(): string {
  addresses++
  return `198.${18 + (addresses >> 8)}.${addresses & 255}.7`
}

async function openAccount(env = {}) {
  const app = await openTestApp({ env: { TRUST_PROXY: '1', ...env } })
  const account = await app.signUp({
    email: EMAIL,
    mobile: '+919876543210',
    password_hash: QUICK_HASH,
  })
  const login = (form: From, address = neighbour(), cookie?: string) => {
    const browser: Record<string, string> = { 'X-Forwarded-For': address }
    if (cookie) Object.assign(browser, { Cookie: cookie, 'Sec-Fetch-Site': 'same-origin' })
    return post(app, 'login', form, browser)
  }
  /** Guesses without the password's hash, which takes most of the time. */
  const guess = (contact = EMAIL, network = '203.0.113.0/24') => {
    const { db, secretKey, clock } = app.deps
    const guesser = { contacts: [contact], network, device: undefined }
    return takeGuess(db, toGuessSource(secretKey, guesser, 'password'), clock())
  }
  const fail = async (times: number) => {
    for (let n = 1; n < times; n++) await guess()
    expect((await login(wrong)).status).toBe(401)
  }
  const rows = () => app.db.selectFrom('wrong_guesses').selectAll().execute()
  /** Signs in; answers the cookies of a browser that the account knows from then on. */
  const makeKnown = async () => {
    const { headers } = await login(right, elsewhere())
    return headers
      .getSetCookie()
      .map((line) => line.split(';')[0])
      .find((cookie) => cookie?.startsWith('driveqr-device='))
  }
  return { ...app, account, login, guess, fail, rows, makeKnown }
}

test('devices that signed in with the earlier password have no counts of their own', async () => {
  const { login, makeKnown, account, db, deps } = await openAccount()
  const devices = [await makeKnown(), await makeKnown(), await makeKnown()]
  const passwordHash = await hashPassword('second horse')
  await setPassword(db, deps.secretKey, { accountId: account.id, passwordHash })
  const statuses: number[] = []
  for (const device of devices) {
    for (let n = 0; n < count; n++) statuses.push((await login(wrong, neighbour(), device)).status)
  }
  expect(countEach(statuses)).toEqual({ 401: count, 429: 2 * count })
})

describe('after ten wrong passwords', () => {
  test('their network waits 15 minutes, for a right one too, and is told for how long', async () => {
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

  test('each further one doubles the wait, and the thirteenth of a day waits for the next', async () => {
    const { guess, advance } = await openAccount()
    const waits: number[] = []
    for (let n = 0; n < 12; n++) {
      const taken = await guess()
      const wait = ('next' in taken && taken.next?.retryAfter) || 0
      waits.push(wait)
      advance(wait)
    }
    expect(waits).toEqual([...Array(9).fill(0), seconds, 2 * seconds, DAY - 3 * seconds])
  })

  test('a network that never gives up has 31 guesses in its first 90 days', async () => {
    const { guess, advance } = await openAccount()
    let guesses = 0
    for (let waited = 0; waited < 90 * DAY; ) {
      const taken = await guess()
      if (!('wait' in taken)) guesses++
      const wait = ('wait' in taken ? taken.wait : taken.next)?.retryAfter ?? 0
      waited += wait
      advance(wait)
    }
    expect(guesses).toBe(31)
  })

  test('a hundred in a row take more than a year', () => {
    let waited = 0
    for (let failures = 1; failures < 100; failures++) waited += loginWait(failures)
    expect(waited).toBeGreaterThan(365 * DAY)
  })

  test('a restart forgets neither the wrong ones nor the wait', async () => {
    const { deps, fail, advance } = await openAccount()
    await fail(count - 1)
    const again = await openEngine(deps.config)
    const rateLimits = createRateLimits(deps.config)
    const restarted = createApp({ ...deps, db: await again.queries(), rateLimits })
    const login = async (json: object) => {
      const headers = { 'Content-Type': 'application/json', 'X-Forwarded-For': neighbour() }
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

  test('twenty at once count as ten', async () => {
    const { login, rows } = await openAccount()
    expect(await raceStatuses(() => login(wrong))).toEqual({ 401: 10, 429: 10 })
    expect((await login(right)).status).toBe(429)
    expect(await rows()).toHaveLength(count)
  })

  test('a clock that is set back keeps nobody out', async () => {
    const { login, fail, advance } = await openAccount()
    await fail(count)
    advance(-30 * DAY)
    expect((await login(right)).status).toBe(200)
  })
})

describe('somebody else’s wrong passwords', () => {
  test('let the owner in from another network', async () => {
    const { login, fail } = await openAccount()
    await fail(count)
    expect((await login(right)).status).toBe(429)
    expect((await login(right, elsewhere())).status).toBe(200)
  })

  test('let the owner in on a known device, in the same network too', async () => {
    const { login, fail, makeKnown, deps } = await openAccount()
    const device = await makeKnown()
    await fail(count)
    const { count: most } = RATE_LIMITS['login-address']
    for (let n = 0; n < most; n++) {
      deps.rateLimits.add('login-address', networksOf('203.0.113.1'), deps.clock())
    }
    expect((await login(right, '203.0.113.1')).status).toBe(429)
    expect((await login(right, '203.0.113.1', device)).status).toBe(200)
  })

  test('are sixty a day, from however many networks; a known device still gets in', async () => {
    const { login, guess, makeKnown, advance, rows } = await openAccount()
    const device = await makeKnown()
    let accepted = 0
    for (let network = 0; network < 100; network++) {
      const taken = await guess(EMAIL, `network ${network}`)
      if (!('wait' in taken)) accepted++
    }
    expect(accepted).toBe(KEPT_LIMITS.guess.count)
    const refused = await login(right, elsewhere())
    expect([refused.status, refused.headers.get('Retry-After')]).toEqual([429, String(DAY)])
    expect((await login(right, elsewhere(), device)).status).toBe(200)
    expect(await rows()).toHaveLength(accepted)
    advance(DAY)
    expect((await login(right, elsewhere())).status).toBe(200)
  })

  test('at the e-mail and at the mobile number of an account are sixty together', async () => {
    const { login, guess } = await openAccount()
    for (let n = 0; n < KEPT_LIMITS.guess.count; n++) {
      await guess(n % 2 ? EMAIL : '+919876543210', `network ${n}`)
    }
    expect((await login(right, elsewhere())).status).toBe(429)
  })
})

describe('a known device', () => {
  test('has ten wrong ones of its own, then waits, and others do not', async () => {
    const { login, makeKnown } = await openAccount()
    const device = await makeKnown()
    for (let n = 0; n < count; n++) {
      expect((await login(wrong, elsewhere(), device)).status).toBe(401)
    }
    const refused = await login(right, elsewhere(), device)
    expect([refused.status, refused.headers.get('Retry-After')]).toEqual([429, String(seconds)])
    expect((await login(right, elsewhere())).status).toBe(200)
  })

  test('is not a known device of another account', async () => {
    const app = await openAccount()
    const other = await app.signUp({ email: 'ravi@example.in' })
    const device = await app.makeKnown()
    for (let n = 0; n < count; n++) await app.guess('ravi@example.in')
    const form = { contact: other.email ?? '', password: PASSWORD }
    expect((await app.login(form, neighbour(), device)).status).toBe(429)
  })
})

test('forty right ones at once are all let in', async () => {
  const { login, rows } = await openAccount()
  const answers = await Promise.all(Array.from({ length: 40 }, () => insist(() => login(right))))
  expect(countEach(answers.map(({ status }) => status))).toEqual({ 200: 40 })
  expect(await rows()).toEqual([])
})

test('a contact without an account waits just as long, and is not stored', async () => {
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
  // A hash may hold the same digits by chance.
  const kept = JSON.stringify(await known.rows()).replaceAll(/"[0-9a-f]{32}"/g, '"hash"')
  expect(kept).not.toMatch(/example|98140|9876|contact"/)
})

describe('the row of wrong ones ends with', () => {
  test('a right password, and those of the day still count', async () => {
    const { login, fail, rows } = await openAccount()
    await fail(count - 1)
    expect((await login(right)).status).toBe(200)
    expect((await rows()).map(({ in_row }) => in_row)).toEqual(Array(count - 1).fill(0))
    for (let n = 0; n < 3; n++) expect((await login(wrong)).status).toBe(401)
    expect((await login(right)).headers.get('Retry-After')).toBe(String(DAY))
  })

  test('a one-time code, also for wrong ones at the other contact', async () => {
    const app = await openAccount(WITH_MAIL.env)
    await app.fail(count)
    for (let n = 0; n < count; n++) await app.guess('+919876543210')
    expect((await app.login({ ...right, contact: '9876543210' })).status).toBe(429)
    const from = { 'X-Forwarded-For': neighbour() }
    await post(app, 'send-login-otp', { contact: EMAIL }, from)
    const code = { contact: EMAIL, otp: mailedOtp(app) }
    expect((await post(app, 'login-otp', code, from)).status).toBe(200)
    expect((await app.rows()).map(({ in_row }) => in_row)).toEqual(Array(2 * count).fill(0))
  })

  test('a right password of a blocked account, which is no guess', async () => {
    const { db, account, login } = await openAccount()
    await db.updateTable('accounts').set({ is_active: 0 }).where('id', '=', account.id).execute()
    for (let n = 0; n <= 12; n++) expect((await login(right)).status).toBe(403)
  })
})

test('a new password ends them all', async () => {
  const app = await openAccount(WITH_MAIL.env)
  await app.fail(count)
  for (let n = 0; n < 60; n++) await app.guess(EMAIL, `network ${n}`)
  await app.db.deleteFrom('wrong_guesses').where('n', '>', 59).execute()
  const from = { 'X-Forwarded-For': elsewhere() }
  await post(app, 'forgot-password', { contact: EMAIL }, from)
  const reset = { contact: EMAIL, otp: mailedOtp(app), password: 'another secret' }
  expect((await post(app, 'reset-password', reset, from)).status).toBe(200)
  expect(await app.rows()).toEqual([])
  expect((await app.login({ contact: EMAIL, password: 'another secret' })).status).toBe(200)
})

test('RATE_LIMITS=off counts none', async () => {
  const { fail, rows } = await openAccount({ RATE_LIMITS: 'off' })
  await fail(1)
  expect(await rows()).toEqual([])
})

test('only the newest hundred thousand are kept', async () => {
  const { db, guess, rows, deps } = await openAccount()
  const row = {
    contact_hash: 'somebody',
    source_hash: 'from somewhere',
    kind: 'password',
    is_known_device: 0,
    in_row: 1,
    guessed_at: deps.clock().toISOString(),
  } as const
  await guess()
  const first = (await rows())[0]?.n ?? 0
  const [gone, kept] = [first - 99_999, first - 99_998]
  await db
    .insertInto('wrong_guesses')
    .values([gone, kept].map((n) => ({ n, ...row })))
    .execute()
  await guess()
  expect((await rows()).map(({ n }) => n).sort((a, b) => a - b)).toEqual([kept, first, first + 1])
})
