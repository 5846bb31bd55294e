import { describe, expect, test } from 'vitest'
import { EMAIL, post, WITH_MAIL } from '#tests/support/accounts.ts'
import { openTestApp, PASSWORD, type TestApp } from '#tests/support/app.ts'
import { browserOf } from '#tests/support/browser.ts'
import { countEach } from '#tests/support/races.ts'

const NEXT = 'blue kettle on the roof'
const PAGE = { 'Sec-Fetch-Site': 'same-origin' }

async function openInstallation(account: Parameters<TestApp['signUp']>[0] = {}) {
  const app = await openTestApp(WITH_MAIL)
  const owner = await app.signUp({ email: EMAIL, ...account })
  const change = async (json: object, as: { bearerToken: string } = owner) => {
    const answer = await app.ask('POST', '/api/account/password', { as, json })
    return { status: answer.status, body: await answer.json(), headers: answer.headers }
  }
  const login = async (password: string) =>
    (await post(app, 'login', { contact: EMAIL, password })).status
  return { ...app, owner, change, login }
}

describe('a password in the settings', () => {
  test('is changed by the present one, ends every other session, and says so by mail', async () => {
    const { change, login, owner, deps, ask, mails } = await openInstallation()
    const other = await deps.sessions.start(owner)
    const changed = await change({ current_password: PASSWORD, password: NEXT })
    expect([changed.status, changed.body]).toEqual([200, { message: 'Password changed' }])
    expect((await ask('GET', '/api/auth/me', { as: owner })).status).toBe(200)
    expect((await ask('GET', '/api/auth/me', { as: other })).status).toBe(401)
    expect([await login(PASSWORD), await login(NEXT)]).toEqual([401, 200])
    const mail = mails.find(({ subject }) => subject === 'Your DriveQR password was changed')
    const text = mail?.text.replaceAll(/\s+/g, ' ')
    expect(text).toContain('set on a device in the settings. Every other device')
    expect(text).toContain('http://localhost:3000/settings/security')
  })

  test('stays when the present one is wrong or missing, or the new one breaks the rule', async () => {
    const { change, login } = await openInstallation()
    const tries = [
      [{ current_password: 'wrong', password: NEXT }, 401, 'That password is not right'],
      [{ password: NEXT }, 400, 'Please enter your old password'],
      [
        { current_password: PASSWORD, password: 'five5' },
        400,
        'Password must be at least 6 characters long',
      ],
      [{ current_password: PASSWORD }, 400, 'Please enter a password'],
    ] as const
    for (const [json, status, detail] of tries) {
      const answer = await change(json)
      expect([answer.status, answer.body]).toEqual([status, { detail }])
    }
    expect(await login(PASSWORD)).toBe(200)
  })

  test('cannot be guessed by a person with the session alone', async () => {
    const { change } = await openInstallation()
    const statuses: number[] = []
    for (let n = 0; n < 12; n++) {
      statuses.push((await change({ current_password: `wrong ${n}`, password: NEXT })).status)
    }
    expect(countEach(statuses)).toEqual({ 401: 10, 429: 2 })
    expect((await change({ current_password: PASSWORD, password: NEXT })).status).toBe(429)
  })

  test('of twenty changes at once, one is made', async () => {
    const { change, owner, deps } = await openInstallation()
    const sessions = await Promise.all(Array.from({ length: 3 }, () => deps.sessions.start(owner)))
    const answers = await Promise.all(
      Array.from({ length: 20 }, (_, n) =>
        change({ current_password: PASSWORD, password: `${NEXT} ${n}` }, sessions[n % 3]),
      ),
    )
    const { 200: changed = 0, ...refused } = countEach(answers.map(({ status }) => status))
    expect(changed).toBe(1)
    expect(Object.keys(refused).filter((status) => !/401|409|429|503/.test(status))).toEqual([])
  })

  test('is weak and allowed for everybody, and refused for an admin', async () => {
    const member = await openInstallation()
    const weak = { current_password: PASSWORD, password: 'password123' }
    expect((await member.change(weak)).status).toBe(200)
    const admin = await openInstallation({ role: 'admin' })
    const refusals = [
      ['five5', 'The password of an admin must be at least 12 characters long'],
      ['short one', 'The password of an admin must be at least 12 characters long'],
      ['password12345', "This password is on every attacker's list"],
    ]
    for (const [password, detail] of refusals) {
      const answer = await admin.change({ current_password: PASSWORD, password })
      expect([answer.status, answer.body]).toEqual([400, { detail }])
    }
    expect((await admin.change({ current_password: PASSWORD, password: NEXT })).status).toBe(200)
  })

  test('is held to the same rule for an admin who has forgotten the earlier one', async () => {
    const app = await openInstallation({ role: 'super_admin' })
    const { mails } = app
    await post(app, 'forgot-password', { contact: EMAIL })
    const otp = mails.at(-1)?.text.match(/\b\d{6}\b/)?.[0]
    const reset = (password: string) =>
      post(app, 'reset-password', { contact: EMAIL, otp, password })
    expect(await reset('short one')).toMatchObject({
      status: 400,
      body: { detail: 'The password of an admin must be at least 12 characters long' },
    })
    expect((await reset(NEXT)).status).toBe(200)
  })

  test('is set without a present one by an account that has none, right after its sign-in', async () => {
    const { change, login, advance, owner } = await openInstallation({ password_hash: null })
    advance(601)
    expect(await change({ password: NEXT })).toMatchObject({ status: 403, body: { confirm: true } })
    advance(-601)
    expect((await change({ password: NEXT })).status).toBe(200)
    expect(await login(NEXT)).toBe(200)
    expect(owner.password_hash).toBeNull()
  })

  test('leaves this browser a device that strangers’ guesses do not shut out', async () => {
    const { ask } = await openInstallation()
    const login = await ask('POST', '/login?mode=password', {
      headers: PAGE,
      body: new URLSearchParams({ contact: EMAIL, password: PASSWORD }),
    })
    const jar = (answer: Response, name: string) =>
      answer.headers
        .getSetCookie()
        .find((each) => each.startsWith(`${name}=`))
        ?.split(';')[0] ?? ''
    const before = `${jar(login, 'driveqr')}; ${jar(login, 'driveqr-device')}`
    const changed = await ask('POST', '/settings/security/password', {
      headers: { ...PAGE, Cookie: before },
      body: new URLSearchParams({ current_password: PASSWORD, password: NEXT }),
    })
    expect(changed.headers.get('Location')).toBe('/settings/security?done=password-changed')
    const device = jar(changed, 'driveqr-device')
    expect(device).not.toBe(jar(login, 'driveqr-device'))
    const from = (peer: string, cookie: string, password: string) =>
      ask('POST', '/api/auth/login', {
        peer,
        headers: { ...PAGE, Cookie: cookie },
        json: { contact: EMAIL, password },
      })
    for (let n = 0; n < 12; n++) await from('203.0.113.9', '', `wrong ${n}`)
    expect((await from('203.0.113.9', '', NEXT)).status).toBe(429)
    expect((await from('203.0.113.9', device, NEXT)).status).toBe(200)
  })
})

test('the page says beside the field what is wrong, and warns of a common password afterwards', async () => {
  const app = await openInstallation()
  const { read, submit } = browserOf(app, app.owner)
  const send = (fields: Record<string, string>) => submit('/settings/security/password', fields)
  const { status, html } = await send({ current_password: 'wrong', password: NEXT })
  expect(status).toBe(401)
  expect(html).toContain('That password is not right')
  expect(html).not.toContain(NEXT)
  const common = await send({ current_password: PASSWORD, password: 'password1' })
  expect(common.to).toBe('/settings/security?done=password-common')
  expect(await read(common.to ?? '')).toContain('This password is on every attacker&#x27;s list')
})
