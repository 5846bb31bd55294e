import { expect, test } from 'vitest'
import { EMAIL, WITH_MAIL } from '#tests/support/accounts.ts'
import { openTestApp, PASSWORD, QUICK_HASH } from '#tests/support/app.ts'

const GUESSES = 1000
const PAGE = { 'Sec-Fetch-Site': 'same-origin' }

/** Signs in once, and answers how the account is signed in to from anywhere. */
async function openInstallation() {
  const app = await openTestApp({ env: { ...WITH_MAIL.env, TRUST_PROXY: '1' } })
  await app.signUp({ email: EMAIL, password_hash: QUICK_HASH })
  const login = (from: string, password: string, cookie = '') =>
    app.ask('POST', '/api/auth/login', {
      headers: { ...PAGE, 'X-Forwarded-For': from, ...(cookie && { Cookie: cookie }) },
      json: { contact: EMAIL, password },
    })
  const first = await login('198.51.100.7', PASSWORD)
  const device =
    first.headers
      .getSetCookie()
      .find((line) => line.startsWith('driveqr-device='))
      ?.split(';')[0] ?? ''
  return { ...app, login, device }
}

test('a thousand guesses from elsewhere shut nobody out on a device that signed in before', {
  tags: 'slow',
}, async () => {
  const { login, device, advance } = await openInstallation()
  const answers = { 200: 0, 401: 0, 429: 0 } as Record<number, number>
  let signedIn = 0
  for (let n = 0; n < GUESSES; n++) {
    // The guesses come from 250 networks, one of which is the owner's own.
    const { status } = await login(`203.0.${n % 250}.9`, `wrong ${n}`)
    answers[status] = (answers[status] ?? 0) + 1
    if (n % 50 !== 49) continue
    advance(60)
    signedIn += Number((await login(`203.0.${n % 250}.9`, PASSWORD, device)).status === 200)
  }
  expect(signedIn).toBe(GUESSES / 50)
  expect(answers).toEqual({ 200: 0, 401: 60, 429: GUESSES - 60 })
  // A device that is new waits: these are the guesses of a day.
  expect((await login('192.0.2.7', PASSWORD)).status).toBe(429)
})

test('the device of another account, or one that was made up, is no known device', async () => {
  const { login, signUp, ask } = await openInstallation()
  const stranger = await signUp({ email: 'ravi@example.in', password_hash: QUICK_HASH })
  const theirs = await ask('POST', '/api/auth/login', {
    headers: PAGE,
    json: { contact: stranger.email, password: PASSWORD },
  })
  const cookie = theirs.headers.getSetCookie().map((line) => line.split(';')[0])
  for (let n = 0; n < GUESSES / 10; n++) await login(`203.0.${n}.9`, `wrong ${n}`)
  const made = `driveqr-device=${'a'.repeat(16)}.1763632800000.${'0'.repeat(64)}.${'0'.repeat(64)}`
  for (const each of [cookie.join('; '), made]) {
    expect((await login('192.0.2.7', PASSWORD, each)).status).toBe(429)
  }
})
