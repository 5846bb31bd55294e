import { describe, expect, test } from 'vitest'
import {
  EMAIL,
  otpFrom,
  post,
  registration,
  WITH_MAIL,
  waitForTurns,
} from '#tests/support/accounts.ts'
import { openTestApp, PASSWORD, QUICK_HASH, type TestApp } from '#tests/support/app.ts'
import { countEach, raceStatuses } from '#tests/support/races.ts'

const person = (n: number) => `person${n}@example.in`

function send(app: TestApp, address: string, call: string, json: object) {
  return post(app, call, json, { 'X-Forwarded-For': address })
}

describe('at once', () => {
  test('twenty people register, from one address', async () => {
    const app = await openTestApp()
    const forms: object[] = []
    for (let n = 0; n < 20; n++) {
      const otp = await otpFrom(app, 'send-otp', { email: person(n) })
      forms.push({ ...registration(otp), email: person(n) })
    }
    waitForTurns()
    const register = (n: number) => post(app, 'verify-otp', forms[n])
    expect(await raceStatuses(register)).toEqual({ 201: 20 })
  })

  test('a hundred people sign in, from one address and from many', async () => {
    for (const address of [() => '198.51.100.7', (n: number) => `198.${n}.100.7`]) {
      const app = await openTestApp({ env: { TRUST_PROXY: '1' } })
      for (let n = 0; n < 100; n++) {
        await app.signUp({ email: person(n), password_hash: QUICK_HASH })
      }
      waitForTurns()
      const login = (n: number) =>
        send(app, address(n), 'login', { contact: person(n), password: PASSWORD })
      expect(await raceStatuses(login, 100)).toEqual({ 200: 100 })
    }
  })

  test('one person who signs in forty times does not keep another one out', async () => {
    const app = await openTestApp({ env: { TRUST_PROXY: '1' } })
    await app.signUp({ email: EMAIL })
    await app.signUp({ email: person(1) })
    waitForTurns()
    const done: string[] = []
    const login = async (contact: string, address: string) => {
      const { status } = await send(app, address, 'login', { contact, password: PASSWORD })
      done.push(`${contact} ${status}`)
    }
    const crowd = Array.from({ length: 40 }, () => login(EMAIL, '198.51.100.7'))
    await login(person(1), '203.0.113.1')
    // Those before it were already being looked at, or had to wait for the disk.
    expect(done.length).toBeLessThan(20)
    expect(done.at(-1)).toBe(`${person(1)} 200`)
    await Promise.all(crowd)
  })
})

describe('mails to contacts that get none', () => {
  /** 200 requests from 21 networks of one /56. */
  async function flood(app: TestApp) {
    const statuses: number[] = []
    for (let n = 0; n < 200; n++) {
      const address = `2001:db8:0:${(n % 21).toString(16)}::1`
      const call = n % 2 ? 'send-login-otp' : 'forgot-password'
      const { status } = await send(app, address, call, { contact: `nobody${n}@example.in` })
      statuses.push(status)
    }
    return countEach(statuses)
  }

  test('leave registration, code login and reset open for everybody else', async () => {
    const app = await openTestApp({ env: { ...WITH_MAIL.env, TRUST_PROXY: '1' } })
    await app.signUp({ email: EMAIL })
    expect(await flood(app)).toEqual({ 200: 20, 429: 180 })
    expect(app.mails).toEqual([])
    const asked: [string, object][] = [
      ['send-otp', { email: person(1) }],
      ['send-login-otp', { contact: EMAIL }],
      ['forgot-password', { contact: EMAIL }],
    ]
    for (const [call, json] of asked) {
      expect((await send(app, '203.0.113.1', call, json)).status).toBe(200)
    }
    expect(app.mails).toHaveLength(3)
  })

  test('count for the requester like sent mails', async () => {
    const app = await openTestApp({ env: { ...WITH_MAIL.env, TRUST_PROXY: '1' } })
    for (let n = 0; n < 20; n++) await app.signUp({ email: person(n) })
    const ask = async (contact: string, address: string) => {
      const { status, body } = await send(app, address, 'send-login-otp', { contact })
      return [status, body]
    }
    for (let n = 0; n < 12; n++) {
      const known = await ask(person(n), '198.51.100.7')
      expect(await ask(`nobody${n}@example.in`, '203.0.113.1')).toEqual(known)
    }
    expect(app.mails).toHaveLength(10)
  })
})

test('when the mail budget is used up a network without mails waits seconds, others minutes', async () => {
  const app = await openTestApp({ env: { ...WITH_MAIL.env, TRUST_PROXY: '1' } })
  const { rateLimits, clock } = app.deps
  const spend = (times: number, sender: string) => {
    for (let n = 0; n < times; n++) rateLimits.addMail(sender, clock())
  }
  const ask = (address: string, n: number) => send(app, address, 'send-otp', { email: person(n) })
  spend(150, '198.51.100.0/24')
  expect((await ask('198.51.100.7', 1)).headers.get('Retry-After')).toBe('18')
  expect((await ask('203.0.113.1', 2)).status).toBe(200)
  spend(49, 'others')
  expect((await ask('192.0.2.1', 3)).headers.get('Retry-After')).toBe('18')
  const busy = await ask('198.51.100.7', 4)
  expect([busy.status, busy.body.detail]).toEqual([429, 'Too many tries. Try again in 16 minutes.'])
  app.advance(18)
  expect((await ask('192.0.2.1', 3)).status).toBe(200)
  const reached = app.logged.filter((line) => line.includes('otp-mail-all'))
  expect(reached).toHaveLength(1)
})

test('more than sixty sign-ins of an account in 15 minutes wait, by a right password too', async () => {
  const app = await openTestApp()
  const { id } = await app.signUp({ email: EMAIL, password_hash: QUICK_HASH })
  const { rateLimits, clock } = app.deps
  for (let n = 0; n < 59; n++) rateLimits.add('sign-in', id, clock())
  const login = () => post(app, 'login', { contact: EMAIL, password: PASSWORD })
  expect((await login()).status).toBe(200)
  const refused = await login()
  expect([refused.status, refused.headers.get('Retry-After')]).toEqual([429, '900'])
  expect(await app.db.selectFrom('wrong_guesses').select('n').execute()).toEqual([])
  app.advance(900)
  expect((await login()).status).toBe(200)
})
