import { describe, expect, test } from 'vitest'
import { EMAIL, mailedOtp, otpFrom, post, WITH_MAIL, wayBackIn } from '#tests/support/accounts.ts'
import { openTestApp, PASSWORD } from '#tests/support/app.ts'
import { codeOf, wrongCodeOf } from '#tests/support/authenticator.ts'
import { browserOf } from '#tests/support/browser.ts'
import { countEach, raceStatuses } from '#tests/support/races.ts'

const PAGE = { 'Sec-Fetch-Site': 'same-origin' }
const WRONG = { status: 401, body: { detail: 'That code is not right' } }
const ENDED = { status: 401, body: { detail: 'This sign-in has ended. Please log in again.' } }

async function openInstallation({
  env = {},
  account = {},
}: {
  env?: Record<string, string>
  account?: object
} = {}) {
  const app = await openTestApp({ env })
  const owner = await app.signUp({ email: EMAIL, ...account })
  const call = async (
    method: string,
    path: string,
    json?: object,
    as: { bearerToken: string } = owner,
  ) => {
    const answer = await app.ask(method, `/api/account${path}`, { as, json })
    return { status: answer.status, body: await answer.json() }
  }
  const login = async (cookie = '', peer?: string) => {
    const headers: Record<string, string> = cookie ? { ...PAGE, Cookie: cookie } : {}
    const json = { contact: EMAIL, password: PASSWORD }
    const answer = await app.ask('POST', '/api/auth/login', { json, headers, peer })
    return { status: answer.status, body: await answer.json(), headers: answer.headers }
  }
  const ticket = async (): Promise<string> => (await login()).body.ticket
  const second = async (json: object, headers: Record<string, string> = {}) =>
    post(app, 'second-factor', json, headers)
  return { ...app, owner, browser: browserOf(app, owner), call, login, ticket, second }
}

/** With an authenticator app that is on; its first code is used, so the next one comes. */
async function openWithApp(...args: Parameters<typeof openInstallation>) {
  const installation = await openInstallation(...args)
  const { secret } = (await installation.call('POST', '/totp')).body
  const on = await installation.call('POST', '/totp/verify', { code: codeOf(secret) })
  expect(on.status).toBe(200)
  installation.advance(30)
  return {
    ...installation,
    secret: secret as string,
    recoveryCodes: on.body.recovery_codes as string[],
  }
}

describe('an authenticator app', () => {
  test('is on after its first code, with ten recovery codes, and a mail says so', async () => {
    const { call, mails, login } = await openInstallation({ env: WITH_MAIL.env })
    const begun = await call('POST', '/totp')
    expect(begun.body.secret).toMatch(/^[A-Z2-7]{32}$/)
    expect(begun.body.otpauth_url).toMatch(
      /^otpauth:\/\/totp\/DriveQR%20\(localhost%3A3000\):asha%40example\.in\?/,
    )
    expect((await login()).body).toHaveProperty('session_token')
    const wrong = await call('POST', '/totp/verify', { code: wrongCodeOf(begun.body.secret) })
    expect(wrong).toEqual(WRONG)
    const on = await call('POST', '/totp/verify', { code: codeOf(begun.body.secret) })
    expect(on.body.recovery_codes).toHaveLength(10)
    expect(new Set(on.body.recovery_codes).size).toBe(10)
    for (const code of on.body.recovery_codes) expect(code).toMatch(/^[0-9A-Z]{4}-[0-9A-Z]{4}$/)
    expect(mails.at(-1)).toMatchObject({
      to: EMAIL,
      subject: 'Your DriveQR authenticator app is on',
    })
    expect(await call('POST', '/totp')).toMatchObject({ status: 409 })
  })

  test('keeps its secret sealed, and its codes hashed, in the database alone', async () => {
    const { db, secret, recoveryCodes, logged } = await openWithApp()
    const rows = JSON.stringify([
      await db.selectFrom('authenticators').selectAll().execute(),
      await db.selectFrom('recovery_codes').selectAll().execute(),
    ])
    for (const hidden of [secret, ...recoveryCodes]) {
      expect(rows).not.toContain(hidden)
      expect(logged.join()).not.toContain(hidden)
    }
  })

  test('is set up within ten minutes, and begins again with another secret', async () => {
    const { call, advance, deps, owner } = await openInstallation()
    const first = (await call('POST', '/totp')).body.secret
    const second = (await call('POST', '/totp')).body.secret
    expect(second).not.toBe(first)
    expect(await call('POST', '/totp/verify', { code: codeOf(first) })).toEqual(WRONG)
    advance(601)
    const fresh = await deps.sessions.start(owner)
    expect(await call('POST', '/totp/verify', { code: codeOf(second) }, fresh)).toEqual(WRONG)
  })

  test('is removed with its recovery codes and trusted devices, and a password is enough then', async () => {
    const { call, db, login, secret, second, ticket } = await openWithApp()
    await second({ ticket: await ticket(), code: codeOf(secret), trust: true })
    expect(await call('DELETE', '/totp')).toEqual({
      status: 200,
      body: { message: 'Authenticator app removed' },
    })
    expect((await login()).body).toHaveProperty('session_token')
    for (const table of ['authenticators', 'recovery_codes', 'trusted_devices'] as const) {
      expect(await db.selectFrom(table).selectAll().execute()).toEqual([])
    }
    expect((await call('DELETE', '/totp')).status).toBe(404)
    expect((await call('POST', '/recovery-codes')).status).toBe(404)
  })
})

describe('a sign-in with a second factor', () => {
  test('gives a ticket for the password, and a session for the code', async () => {
    const { login, second, secret } = await openWithApp()
    const half = await login()
    expect([half.status, half.body]).toEqual([
      200,
      { second_factor: true, ticket: expect.stringMatching(/^[\w-]{43}$/), ways: ['code'] },
    ])
    expect(half.headers.getSetCookie().join()).not.toContain('driveqr=')
    const whole = await second({ ticket: half.body.ticket, code: codeOf(secret) })
    expect(whole.body).toMatchObject({ user: { email: EMAIL }, session_token: expect.any(String) })
    expect(whole.headers.getSetCookie().join()).toContain('driveqr=')
  })

  test('is asked for after a one-time code too, and after a new password', async () => {
    const app = await openWithApp()
    const { secret, second } = app
    const otp = await otpFrom(app, 'send-login-otp', { contact: EMAIL })
    const half = await post(app, 'login-otp', { contact: EMAIL, otp })
    expect(half.body).toMatchObject({ second_factor: true })
    const reset = await otpFrom(app, 'forgot-password', { contact: EMAIL })
    const json = { contact: EMAIL, otp: reset, password: PASSWORD }
    expect((await post(app, 'reset-password', json)).status).toBe(200)
    expect((await second({ ticket: half.body.ticket, code: codeOf(secret) })).body).toEqual(
      ENDED.body,
    )
    expect((await app.login()).body).toMatchObject({ second_factor: true })
  })

  test('takes no code twice, nor an earlier one after a later one', async () => {
    const { ticket, second, secret } = await openWithApp()
    const code = codeOf(secret, 1)
    expect((await second({ ticket: await ticket(), code })).status).toBe(200)
    for (const used of [code, codeOf(secret)]) {
      expect(await second({ ticket: await ticket(), code: used })).toMatchObject(WRONG)
    }
  })

  test('takes the code of a phone that is half a minute off, and not of one that is ten minutes off', async () => {
    const { ticket, second, secret, advance } = await openWithApp()
    expect((await second({ ticket: await ticket(), code: codeOf(secret, -1) })).status).toBe(401)
    advance(60)
    expect((await second({ ticket: await ticket(), code: codeOf(secret, -1) })).status).toBe(200)
    for (const steps of [-20, 20]) {
      expect(await second({ ticket: await ticket(), code: codeOf(secret, steps) })).toMatchObject(
        WRONG,
      )
    }
  })

  test('does not take the code that turned the app on', async () => {
    const { call, ticket, second } = await openInstallation()
    const { secret } = (await call('POST', '/totp')).body
    const code = codeOf(secret)
    await call('POST', '/totp/verify', { code })
    expect(await second({ ticket: await ticket(), code })).toMatchObject(WRONG)
  })

  test('takes each recovery code once, however it is typed', async () => {
    const { ticket, second, recoveryCodes, call } = await openWithApp()
    const [first = '', next = ''] = recoveryCodes
    const typed = first.toLowerCase().replace('-', ' ')
    const passed = await second({ ticket: await ticket(), recovery_code: typed })
    expect(passed.status).toBe(200)
    expect(await second({ ticket: await ticket(), recovery_code: first })).toMatchObject(WRONG)
    const as = { bearerToken: passed.body.session_token }
    const renewed = await call('POST', '/recovery-codes', undefined, as)
    expect(renewed.body.recovery_codes).toHaveLength(10)
    expect(await second({ ticket: await ticket(), recovery_code: next })).toMatchObject(WRONG)
  })

  test('mails that a recovery code was used, and not the code', async () => {
    const installation = await openWithApp({ env: WITH_MAIL.env })
    const { ticket, second, recoveryCodes, mails, secret } = installation
    const [recovery_code = ''] = recoveryCodes
    const used = () => mails.filter(({ subject }) => subject === 'A DriveQR recovery code was used')
    await second({ ticket: await ticket(), recovery_code })
    expect(used()).toMatchObject([{ to: EMAIL, text: expect.not.stringContaining(recovery_code) }])
    expect(await second({ ticket: await ticket(), recovery_code })).toMatchObject(WRONG)
    await second({ ticket: await ticket(), code: codeOf(secret) })
    expect(used()).toHaveLength(1)
  })

  test('mails that recovery codes are new and that the app is off', async () => {
    const { call, mails } = await openWithApp({ env: WITH_MAIL.env })
    mails.length = 0
    await call('POST', '/recovery-codes')
    await call('DELETE', '/totp')
    expect(mails).toMatchObject([
      { to: EMAIL, subject: 'Your DriveQR recovery codes are new' },
      { to: EMAIL, subject: 'Your DriveQR authenticator app is off' },
    ])
  })

  test('ends with five wrong tries, and a right one is too late then', async () => {
    const { ticket, second, secret } = await openWithApp()
    const held = await ticket()
    for (let n = 0; n < 5; n++) {
      expect(await second({ ticket: held, code: wrongCodeOf(secret) })).toMatchObject(WRONG)
    }
    expect(await second({ ticket: held, code: codeOf(secret) })).toMatchObject(ENDED)
    expect((await second({ ticket: await ticket(), code: codeOf(secret) })).status).toBe(200)
  })

  test('ends after ten minutes, once it was used, and where a clock was set back', async () => {
    const { ticket, second, secret, advance, login } = await openWithApp()
    const old = await ticket()
    advance(600)
    expect(await second({ ticket: old, code: codeOf(secret) })).toMatchObject(ENDED)
    const used = await ticket()
    expect((await second({ ticket: used, code: codeOf(secret) })).status).toBe(200)
    advance(30)
    expect(await second({ ticket: used, code: codeOf(secret) })).toMatchObject(ENDED)
    const ahead = await ticket()
    advance(-600)
    await login()
    expect(await second({ ticket: ahead, code: codeOf(secret) })).toMatchObject(ENDED)
  })

  test.each([
    [{}, 'Please enter the 6-digit code'],
    [{ code: '12345' }, 'Please enter the 6-digit code'],
    [{ code: 123456 }, 'code must be text'],
    [{ code: '123456', trust: 'yes' }, 'trust must be true or false'],
  ])('is refused for %j: %s', async (json, detail) => {
    const { ticket, second } = await openWithApp()
    const { status, body } = await second({ ticket: await ticket(), ...json })
    expect([status, body]).toEqual([400, { detail }])
  })

  test.each(['', 'none', 'A'.repeat(43)])('is refused with the ticket “%s”', async (ticket) => {
    const { second } = await openWithApp()
    expect(await second({ ticket, code: '123456' })).toMatchObject(ENDED)
  })

  test('is for the account of its ticket alone', async () => {
    const { ticket, second, signUp, db, ask } = await openWithApp()
    const stranger = await signUp()
    const begun = await ask('POST', '/api/account/totp', { as: stranger })
    const { secret } = await begun.json()
    await ask('POST', '/api/account/totp/verify', { as: stranger, json: { code: codeOf(secret) } })
    expect(await db.selectFrom('authenticators').selectAll().execute()).toHaveLength(2)
    expect(await second({ ticket: await ticket(), code: codeOf(secret, 1) })).toMatchObject(WRONG)
  })

  test('of twenty uses of one ticket at once, one is a sign-in', async () => {
    const { ticket, second, secret, db } = await openWithApp({ env: { RATE_LIMITS: 'off' } })
    const held = await ticket()
    const before = (await db.selectFrom('sessions').selectAll().execute()).length
    const code = codeOf(secret)
    expect(await raceStatuses(() => second({ ticket: held, code }))).toEqual({ 200: 1, 401: 19 })
    expect(await db.selectFrom('sessions').selectAll().execute()).toHaveLength(before + 1)
  })

  test.each(['code', 'recovery_code'] as const)(
    'of twenty uses of one %s at once, with a ticket each, one is a sign-in',
    async (kind) => {
      const { ticket, second, secret, recoveryCodes } = await openWithApp({
        env: { RATE_LIMITS: 'off' },
      })
      const tickets: string[] = []
      for (let n = 0; n < 20; n++) tickets.push(await ticket())
      const typed = kind === 'code' ? codeOf(secret) : recoveryCodes[0]
      const use = (n: number) => second({ ticket: tickets[n], [kind]: typed })
      expect(await raceStatuses(use)).toEqual({ 200: 1, 401: 19 })
    },
  )

  test('lets nobody guess codes for long who knows the password', async () => {
    const { second, secret, login } = await openWithApp()
    const statuses: number[] = []
    for (let n = 0; n < 4; n++) {
      const half = await login()
      const held = half.body.ticket ?? ''
      for (let tries = 0; tries < 4; tries++) {
        statuses.push((await second({ ticket: held, code: wrongCodeOf(secret) })).status)
      }
    }
    expect(countEach(statuses)).toEqual({ 401: 10, 429: 6 })
  })

  test('of a blocked account is refused at the password, as before', async () => {
    const { login, db, owner } = await openWithApp()
    await db.updateTable('accounts').set({ is_active: 0 }).where('id', '=', owner.id).execute()
    expect(await login()).toMatchObject({ status: 403 })
  })

  test('of an account that was blocked at the second step opens nothing', async () => {
    const { ticket, second, secret, db, owner } = await openWithApp()
    const held = await ticket()
    await db.updateTable('accounts').set({ is_active: 0 }).where('id', '=', owner.id).execute()
    expect((await second({ ticket: held, code: codeOf(secret) })).status).toBe(403)
  })
})

describe('a trusted device', () => {
  const cookiesOf = (headers: Headers) =>
    headers
      .getSetCookie()
      .map((line) => line.split(';')[0])
      .join('; ')

  async function openTrusted(env: Record<string, string> = {}) {
    const installation = await openWithApp({ env })
    const { ticket, second, secret } = installation
    const passed = await second({ ticket: await ticket(), code: codeOf(secret), trust: true }, PAGE)
    const cookie = cookiesOf(passed.headers)
    return { ...installation, cookie, as: { bearerToken: passed.body.session_token as string } }
  }

  test('skips the code for 30 days, and no other device does', async () => {
    const { login, cookie, advance } = await openTrusted()
    expect((await login(cookie)).body).toHaveProperty('session_token')
    expect((await login()).body).toHaveProperty('ticket')
    advance(30 * 86_400 - 1)
    expect((await login(cookie)).body).toHaveProperty('session_token')
    advance(1)
    expect((await login(cookie)).body).toHaveProperty('ticket')
  })

  test('is mailed to the account, also one that was signed in on before', async () => {
    const { mails, cookie, login, second, secret, advance } = await openTrusted(WITH_MAIL.env)
    const trusted = {
      to: EMAIL,
      subject: 'A device signs in to DriveQR without a code now',
      text: expect.stringMatching(/for 30 days on a device[\s\S]*\/settings\/security/),
    }
    expect(mails.at(-1)).toMatchObject(trusted)
    advance(30 * 86_400)
    mails.length = 0
    const { ticket } = (await login(cookie)).body
    await second({ ticket, code: codeOf(secret), trust: true }, { ...PAGE, Cookie: cookie })
    expect(mails).toMatchObject([trusted])
  })

  test('is not one whose holder did not tick it, beside those that were ticked', async () => {
    const { ticket, second, secret, login, advance, cookie, db } = await openTrusted()
    const signIn = async (trust: boolean) => {
      advance(30)
      return cookiesOf(
        (await second({ ticket: await ticket(), code: codeOf(secret), trust }, PAGE)).headers,
      )
    }
    expect((await login(await signIn(false))).body).toHaveProperty('ticket')
    for (const ticked of [await signIn(true), cookie]) {
      expect((await login(ticked)).body).toHaveProperty('session_token')
    }
    advance(30 * 86_400)
    await signIn(true)
    expect(await db.selectFrom('trusted_devices').select('device_id').execute()).toHaveLength(1)
  })

  test('is none after a new password, nor when its holder forgets them all', async () => {
    const { call, cookie, as, login, browser } = await openTrusted()
    const html = await browser.read('/settings/security')
    expect(html).toContain('1 device skips the code until 20 Dec 2026')
    const forgotten = await browser.submit('/settings/security/devices/forget')
    expect(forgotten.to).toBe('/settings/security?done=devices-forgotten')
    expect((await login(cookie)).body).toHaveProperty('ticket')
    const json = { current_password: PASSWORD, password: PASSWORD }
    expect((await call('POST', '/password', json, as)).status).toBe(200)
    expect((await login(cookie)).body).toHaveProperty('ticket')
  })
})

describe('a confirmation by a code', () => {
  test('opens the ten minutes, and uses the code up', async () => {
    const { call, secret, advance, ticket, second } = await openWithApp()
    advance(3600)
    expect((await call('POST', '/recovery-codes')).body).toMatchObject({ confirm: true })
    const code = codeOf(secret)
    expect(await call('POST', '/confirm', { code: wrongCodeOf(secret) })).toEqual(WRONG)
    expect((await call('POST', '/confirm', { code })).status).toBe(200)
    expect((await call('POST', '/recovery-codes')).status).toBe(200)
    expect(await second({ ticket: await ticket(), code })).toMatchObject(WRONG)
  })

  test('is offered by the dialog to an account with an app, also without a password', async () => {
    const { advance, browser, db, secret } = await openWithApp()
    await db.updateTable('accounts').set({ password_hash: null }).execute()
    advance(3600)
    const { html } = await browser.submit('/settings/security/authenticator/remove')
    expect(html).toContain('Then the app is removed.')
    expect(html).toContain('name="code"')
    expect(html).not.toContain('name="password"')
    const held = /name="held" value="([^"]+)"/.exec(html)?.[1] ?? ''
    const done = await browser.submit('/confirm', { held, code: codeOf(secret) })
    expect(done.to).toBe('/settings/security?done=app-removed')
  })
})

describe('without script', () => {
  test('the login goes on to the second step, and from there to the dashboard', async () => {
    const { secret, ...app } = await openWithApp()
    const { open, submit } = browserOf(app)
    const half = await submit('/login?mode=password', { contact: EMAIL, password: PASSWORD })
    expect(half.status).toBe(200)
    expect(half.html).toContain('One more step')
    const ticket = /name="ticket" value="([^"]+)"/.exec(half.html)?.[1] ?? ''
    const send = (fields: object) => submit('/login?mode=second', { ticket, ...fields })
    const wrong = await send({ code: wrongCodeOf(secret) })
    expect(wrong.status).toBe(401)
    expect(wrong.html).toContain('That code is not right')
    expect(wrong.html).toContain(`name="ticket" value="${ticket}"`)
    expect((await send({ code: codeOf(secret), trust: 'on' })).to).toBe('/dashboard')
    expect((await open('/login?mode=second')).to).toBe('/login')
  })

  test('the questions about it are asked only where it is on', async () => {
    const questions = async ({ read }: { read: (path: string) => Promise<string> }) => {
      const removal = await read('/settings/security?remove=app')
      const renewal = await read('/settings/security?renew=codes')
      return [
        removal.includes('Remove the authenticator app?'),
        renewal.includes('New recovery codes?'),
      ]
    }
    expect(await questions((await openInstallation()).browser)).toEqual([false, false])
    expect(await questions((await openWithApp()).browser)).toEqual([true, true])
  })

  test('the app is set up, its codes are shown once, and it is removed', async () => {
    const { browser } = await openInstallation()
    const { read } = browser
    const send = (path: string, fields?: Record<string, string>) =>
      browser.submit(`/settings/security${path}`, fields)
    expect((await send('/authenticator')).to).toBe('/settings/security/authenticator')
    const page = await read('/settings/security/authenticator')
    expect(page).toContain('Type the code that it shows')
    const secret = /data-text="([A-Z2-7]{32})"/.exec(page)?.[1] ?? ''
    const wrong = await send('/authenticator/verify', { code: wrongCodeOf(secret) })
    expect(wrong.status).toBe(401)
    expect(wrong.html).toContain('That code is not right')
    const on = await send('/authenticator/verify', { code: codeOf(secret) })
    expect(on.html.match(/<span>[0-9A-Z]{4}-[0-9A-Z]{4}<\/span>/g)).toHaveLength(10)
    expect(await read('/settings/security')).toContain('10 of 10 left')
    expect(await read('/settings')).toContain('Authenticator app on')
    const renewed = await send('/recovery-codes')
    expect(renewed.html).toContain('The earlier codes do not work any more.')
    for (const _ of ['once', 'again, because the answer was lost']) {
      expect((await send('/authenticator/remove')).to).toBe('/settings/security?done=app-removed')
    }
    expect(await read('/settings/security')).toContain('Set up an authenticator app')
  })
})

test('a repeated first code, after its answer was lost, leads to new recovery codes', async () => {
  const { browser, call } = await openInstallation()
  const { secret } = (await call('POST', '/totp')).body
  const code = codeOf(secret)
  await call('POST', '/totp/verify', { code })
  const detail = 'Your authenticator app is on already'
  expect(await call('POST', '/totp/verify', { code })).toEqual({ status: 409, body: { detail } })
  const path = '/settings/security/authenticator'
  const on = { status: 303, to: '/settings/security?done=app-on' }
  expect(await browser.submit(`${path}/verify`, { code })).toMatchObject(on)
  expect(await browser.submit(path, { code })).toMatchObject(on)
  expect(await browser.open(path)).toMatchObject(on)
  expect(await browser.read(on.to)).toContain('Make new recovery codes if you have not seen any.')
})

describe('an account that must have a second factor', () => {
  async function openRequired(rule: string, account: object = { role: 'admin' }) {
    const installation = await openInstallation({ env: { REQUIRE_SECOND_FACTOR: rule }, account })
    const open = async (path: string) => {
      const { status, to } = await installation.browser.open(path)
      return [status, to]
    }
    return { ...installation, open }
  }

  test('is led to the set-up from every page, and calls are refused', async () => {
    const { open, ask, owner } = await openRequired('admin')
    const toSetUp = [303, '/settings/security/authenticator']
    const pages = ['/dashboard', '/settings', '/settings/security', '/admin-dashboard', '/admin']
    for (const path of pages) expect([path, ...(await open(path))]).toEqual([path, ...toSetUp])
    expect(await open('/settings/security/authenticator')).toEqual([200, null])
    for (const path of [
      '/api/auth/me',
      '/api/qr/my-qrs',
      '/api/admin/users',
      '/api/account/sessions',
    ]) {
      const answer = await ask('GET', path, { as: owner })
      expect([path, answer.status, await answer.json()]).toEqual([
        path,
        403,
        { detail: 'Please set up a second factor' },
      ])
    }
    expect(await open('/login')).toEqual([200, null])
    expect(await open('/terms')).toEqual([200, null])
  })

  test('is shown no link to a page that leads back', async () => {
    const { open, browser, advance } = await openRequired('admin')
    const links = (html: string) =>
      [...html.matchAll(/<a [^>]*href="(\/[^"]*)"/g)].flatMap(([, path = '']) =>
        path === '/settings/security/authenticator' ? [] : path,
      )
    const path = '/settings/security/authenticator'
    const setUp = await browser.read(path)
    expect([links(setUp), setUp.includes('action="/logout"')]).toEqual([[], true])
    advance(601)
    const { html: asked } = await browser.submit(path)
    expect([links(asked), asked.includes('Please confirm that it is you')]).toEqual([[], true])
    expect(await open('/dashboard')).toEqual([303, '/settings/security/authenticator'])
  })

  test('can log out', async () => {
    const { call, browser } = await openRequired('all', {})
    expect((await call('POST', '/totp')).status).toBe(200)
    expect((await browser.submit('/logout')).status).toBe(303)
    expect((await call('POST', '/totp')).status).toBe(401)
  })

  test('has everything again once it is set up, with the sessions that were open', async () => {
    const { call, open, ask, owner } = await openRequired('admin')
    const { secret } = (await call('POST', '/totp')).body
    expect((await call('POST', '/totp/verify', { code: codeOf(secret) })).status).toBe(200)
    expect(await open('/dashboard')).toEqual([200, null])
    expect((await ask('GET', '/api/admin/users', { as: owner })).status).toBe(200)
    expect((await call('DELETE', '/totp')).status).toBe(200)
    expect((await ask('GET', '/api/admin/users', { as: owner })).status).toBe(403)
  })

  test('confirms its identity again for the set-up, after ten minutes', async () => {
    const { call, browser, advance } = await openRequired('admin')
    advance(601)
    expect((await call('POST', '/totp')).body).toMatchObject({ confirm: true })
    expect((await call('POST', '/confirm', { password: PASSWORD })).status).toBe(200)
    const path = '/settings/security/authenticator'
    expect((await browser.submit(path)).to).toBe(path)
  })

  test('has an API key that waits as well', async () => {
    const { ask, owner, db } = await openRequired('admin', { subscription_plan: 'enterprise' })
    const made = await ask('POST', '/api/api-keys', { as: owner, json: { name: 'Key' } })
    const as = { bearerToken: (await made.json()).key }
    expect((await ask('GET', '/api/qr/my-qrs', { as })).status).toBe(200)
    await db.updateTable('accounts').set({ role: 'admin' }).execute()
    expect((await ask('GET', '/api/qr/my-qrs', { as })).status).toBe(403)
  })

  test('is an admin in production, unless the settings say otherwise', async () => {
    const env = { PUBLIC_URL: 'https://qr.example.in' }
    expect((await openTestApp({ env })).deps.config.requireSecondFactor).toBe('admin')
    const none = { ...env, REQUIRE_SECOND_FACTOR: 'none' }
    expect((await openTestApp({ env: none })).deps.config.requireSecondFactor).toBe('none')
    expect((await openTestApp()).deps.config.requireSecondFactor).toBe('none')
  })
})

test.each(['after', 'before'])(
  'an email that is taken back takes off the app that was turned on since, begun %s the change',
  async (begun) => {
    const { call, mails, login, ask, db, advance } = await openInstallation({ env: WITH_MAIL.env })
    const begin = async (): Promise<string> => (await call('POST', '/totp')).body.secret
    const early = begun === 'before' && (await begin())
    advance(1)
    await call('POST', '/email', { email: 'thief@example.in' })
    await call('POST', '/email/verify', { otp: mailedOtp({ mails }) })
    const secret = early || (await begin())
    await call('POST', '/totp/verify', { code: codeOf(secret) })
    expect((await ask('POST', wayBackIn({ mails }), { headers: { Origin: 'null' } })).status).toBe(
      303,
    )
    expect(await db.selectFrom('authenticators').selectAll().execute()).toEqual([])
    expect((await login()).status).toBe(401)
  },
)

test.each([
  ['ends the recovery codes that were made since', true],
  ['leaves the recovery codes from before', false],
])('an email that is taken back %s', async (_, areNew) => {
  const { call, mails, ask, db, advance, owner } = await openWithApp({ env: WITH_MAIL.env })
  await call('POST', '/email', { email: 'thief@example.in' })
  await call('POST', '/email/verify', { otp: mailedOtp({ mails }) })
  advance(1)
  if (areNew) expect((await call('POST', '/recovery-codes')).status).toBe(200)
  const device = { account_id: owner.id, device_id: 'd', trusted_until: '2027' }
  await db.insertInto('trusted_devices').values(device).execute()
  expect((await ask('POST', wayBackIn({ mails }), { headers: { Origin: 'null' } })).status).toBe(
    303,
  )
  const listRows = (table: 'authenticators' | 'recovery_codes' | 'trusted_devices') =>
    db.selectFrom(table).select('account_id').execute()
  expect(await listRows('authenticators')).toHaveLength(1)
  expect(await listRows('recovery_codes')).toHaveLength(areNew ? 0 : 10)
  expect(await listRows('trusted_devices')).toEqual([])
})
