// @module-tag slow
import { randomBytes } from 'node:crypto'
import { expect, test } from 'vitest'
import { EMAIL, post, WITH_MAIL, wrongOtp } from '#tests/support/accounts.ts'
import { openTestApp, PASSWORD, QUICK_HASH, type TestApp } from '#tests/support/app.ts'

const MINUTE = 60
const asha = { contact: EMAIL }

type Browser = { address: string; cookie?: string }

function send(app: TestApp, { address, cookie }: Browser, call: string, json: object) {
  const headers: Record<string, string> = { 'X-Forwarded-For': address }
  if (cookie) Object.assign(headers, { Cookie: cookie, 'Sec-Fetch-Site': 'same-origin' })
  return post(app, call, json, headers)
}

const newCookie = () => `driveqr-browser=${randomBytes(32).toString('base64url')}`

/** An attacker who knows the contact and tries to use up the limits that its owner needs. */
function openAttacker(app: TestApp, address: string) {
  const bare = { address }
  let n = 0
  const guess = (browser: Browser) => {
    const otp = wrongOtp('000000', ++n)
    return send(app, browser, 'login-otp', { ...asha, otp })
  }
  const act = async () => {
    for (const browser of [bare, { address, cookie: newCookie() }]) {
      await send(app, browser, ++n % 4 < 2 ? 'send-login-otp' : 'forgot-password', asha)
      await guess(browser)
    }
    let wrongPasswords = 0
    // Ten in a row from one address must make no other address wait.
    while (wrongPasswords < 10) {
      const { status } = await send(app, bare, 'login', { ...asha, password: `wrong ${n}` })
      if (status !== 401) break
      wrongPasswords++
    }
    return wrongPasswords
  }
  /** Guesses the code that the owner is about to type. */
  const guessAtCode = async () => {
    for (let times = 0; times < 5; times++) {
      await guess(times % 2 ? bare : { address, cookie: newCookie() })
    }
  }
  return { act, guessAtCode }
}

/** Simulates a day. Every attacker acts before each of 48 sign-ins in three ways. */
async function simulateDay(addresses: string[]) {
  const app = await openTestApp({ env: { ...WITH_MAIL.env, TRUST_PROXY: '1' } })
  await app.signUp({ email: EMAIL, password_hash: QUICK_HASH })
  const attackers = addresses.map((address) => openAttacker(app, address))
  const right = { ...asha, password: PASSWORD }
  const home: Browser = { address: '198.51.100.99' }
  const first = await send(app, home, 'login', right)
  const device = first.headers
    .getSetCookie()
    .map((line) => line.split(';')[0] ?? '')
    .find((cookie) => cookie.startsWith('driveqr-device='))
  const signedIn = { onKnownDevice: 0, byPassword: 0, byCode: 0 }
  let wrongPasswords = 0
  for (let half = 0; half < 48; half++) {
    app.advance(30 * MINUTE)
    for (const { act } of attackers) wrongPasswords += await act()
    const known = await send(app, { ...home, cookie: device ?? '' }, 'login', right)
    const fresh = { address: `203.0.${half}.7`, cookie: newCookie() }
    const byPassword = await send(app, fresh, 'login', right)
    const other = { address: `192.0.${half}.7`, cookie: newCookie() }
    const mails = app.mails.length
    await send(app, other, 'send-login-otp', asha)
    await attackers[half % attackers.length]?.guessAtCode()
    const mail = app.mails.slice(mails).find(({ subject }) => subject.includes('login OTP'))
    const otp = mail?.text.match(/\b\d{6}\b/)?.[0] ?? '000000'
    const byCode = await send(app, other, 'login-otp', { ...asha, otp })
    signedIn.onKnownDevice += known.status === 200 ? 1 : 0
    signedIn.byPassword += byPassword.status === 200 ? 1 : 0
    signedIn.byCode += byCode.status === 200 ? 1 : 0
  }
  const guesses = await app.db.selectFrom('wrong_guesses').select('n').execute()
  return { ...signedIn, wrongPasswords, guesses: guesses.length }
}

test.each([
  ['one address', ['198.51.100.7'], 12],
  ['four addresses of one network', [1, 2, 3, 4].map((n) => `198.51.100.${n}`), 12],
  ['four addresses of four networks', [100, 101, 102, 103].map((n) => `198.51.${n}.7`), 48],
])('a day of attacks on a known contact from %s never locks its owner out', async (...row) => {
  const [, addresses, accepted] = row
  const { wrongPasswords, guesses, ...signedIn } = await simulateDay(addresses)
  expect(signedIn).toEqual({ onKnownDevice: 48, byPassword: 48, byCode: 48 })
  expect(guesses).toBe(accepted)
  expect(wrongPasswords).toBeLessThanOrEqual(guesses)
})
