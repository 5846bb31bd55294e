import { describe, expect, test } from 'vitest'
import { withdrawInvitation } from '#db/invitations/invitations.ts'
import { INVITATION_DAYS } from '#domain/accounts/invitation.ts'
import { DAY } from '#domain/rate-limits.ts'
import { countAccounts, EMAIL, post, registration } from '#tests/support/accounts.ts'
import { openTestApp, PASSWORD, type TestApp } from '#tests/support/app.ts'
import { carrying, inviteIn } from '#tests/support/invitations.ts'
import { openProvider } from '#tests/support/openid-provider.ts'
import { ACTOR } from '#tests/support/promo.ts'
import { raceStatuses } from '#tests/support/races.ts'

const OTHER = 'ravi@example.in'
const FORM = { name: 'Asha Patil', password: PASSWORD, confirm_password: PASSWORD }
const LONG = INVITATION_DAYS * DAY

const openMode = (REGISTRATION: string, env: Record<string, string> = {}) =>
  openTestApp({ env: { REGISTRATION, RATE_LIMITS: 'off', ...env } })

const admin = (app: TestApp) => app.signUp({ role: 'admin' })

/** Each invitation by its name; a browser without one carries a link that was never made. */
const INVITATIONS = {
  none: async () => 'n'.repeat(43),
  'of an admin': async (app: TestApp) =>
    (await inviteIn(app, EMAIL, { by: await admin(app) })).token,
  'of the operator': async (app: TestApp) => (await inviteIn(app, EMAIL)).token,
  expired: async (app: TestApp) => {
    const { token } = await inviteIn(app, EMAIL)
    app.advance(LONG)
    return token
  },
  withdrawn: async (app: TestApp) => {
    const { id, token } = await inviteIn(app, EMAIL)
    await withdrawInvitation(app.db, id, ACTOR, app.deps.clock())
    return token
  },
  'of somebody who is no admin any more': async (app: TestApp) => {
    const by = await admin(app)
    const { token } = await inviteIn(app, EMAIL, { by })
    await app.db.updateTable('accounts').set({ role: 'client' }).where('id', '=', by.id).execute()
    return token
  },
  'of another address': async (app: TestApp) => (await inviteIn(app, OTHER)).token,
}

const OPEN = { door: 'register', code: 200, made: 201, page: 404, accepted: '404' }
const INVITED = { door: 'accept', code: 200, made: 201, page: 200, accepted: '303 /dashboard' }
const BY_INVITATION = {
  ...OPEN,
  door: 'Registration is by invitation',
  code: 403,
  made: 403,
}
const CLOSED = { ...BY_INVITATION, door: 'Registration is closed' }
/** The link makes the account of its own address alone. */
const NOT_THIS = { ...INVITED, code: 403, made: 403 }

const TABLE: [string, keyof typeof INVITATIONS, typeof OPEN][] = [
  ['open', 'none', OPEN],
  ['open', 'of an admin', INVITED],
  ['open', 'of the operator', INVITED],
  ['open', 'expired', OPEN],
  ['open', 'withdrawn', OPEN],
  ['open', 'of somebody who is no admin any more', OPEN],
  ['open', 'of another address', INVITED],
  ['invite', 'none', BY_INVITATION],
  ['invite', 'of an admin', INVITED],
  ['invite', 'of the operator', INVITED],
  ['invite', 'expired', BY_INVITATION],
  ['invite', 'withdrawn', BY_INVITATION],
  ['invite', 'of somebody who is no admin any more', BY_INVITATION],
  ['invite', 'of another address', NOT_THIS],
  ['closed', 'none', CLOSED],
  ['closed', 'of an admin', CLOSED],
  ['closed', 'of the operator', INVITED],
  ['closed', 'expired', CLOSED],
  ['closed', 'withdrawn', CLOSED],
  ['closed', 'of somebody who is no admin any more', CLOSED],
  ['closed', 'of another address', NOT_THIS],
]

function accept(app: TestApp, token: string, fields: Record<string, string> = FORM) {
  return app.browse('POST', `/invite/${token}`, new URLSearchParams(fields))
}

const doorIn = (html: string) =>
  ({ '/login?mode=register': 'register', '/invite': 'accept' })[
    /href="(\/login\?mode=register|\/invite)"/.exec(html)?.[1] ?? ''
  ] ?? /Registration is [\w ]+/.exec(html)?.[0]

describe.each(TABLE)('with REGISTRATION=%s and an invitation %s', (mode, name, expected) => {
  test('the login page and the calls admit whom the rule admits', async () => {
    const app = await openMode(mode)
    const headers = carrying(await INVITATIONS[name](app))
    const before = await countAccounts(app)
    const page = await app.ask('GET', '/login', { headers })
    const door = doorIn(await page.text())
    const step = await app.ask('GET', '/login?mode=register', { headers })
    expect(step.status).toBe(door === 'register' || door === 'accept' ? 200 : 303)
    const sent = await post(app, 'send-otp', { email: EMAIL }, headers)
    const typed = registration(sent.body.test_otp ?? '123456')
    const made = await post(app, 'verify-otp', typed, headers)
    const { door: shown, code, made: status } = expected
    expect({ door, code: sent.status, made: made.status }).toEqual({
      door: shown,
      code,
      made: status,
    })
    expect(await countAccounts(app)).toBe(before + (status === 201 ? 1 : 0))
  })

  test('its link makes an account where the rule admits it', async () => {
    const app = await openMode(mode)
    const token = await INVITATIONS[name](app)
    const before = await countAccounts(app)
    const page = await app.browse('GET', `/invite/${token}`)
    const { status, to } = await accept(app, token)
    const accepted = [status, to].filter(Boolean).join(' ')
    expect({ page: page.status, accepted }).toEqual({
      page: expected.page,
      accepted: expected.accepted,
    })
    expect(await countAccounts(app)).toBe(before + (status === 303 ? 1 : 0))
  })
})

async function accountOf(app: TestApp, email = EMAIL) {
  return app.db.selectFrom('accounts').selectAll().where('email', '=', email).executeTakeFirst()
}

describe('the link of an invitation', () => {
  test('changes nothing when it is opened, and is kept from referrers and search engines', async () => {
    const app = await openMode('invite')
    const { token } = await inviteIn(app, EMAIL)
    for (const method of ['GET', 'HEAD', 'GET']) {
      const { status, headers } = await app.ask(method, `/invite/${token}`)
      expect(status).toBe(200)
      expect(headers.get('Referrer-Policy')).toBe('no-referrer')
      expect(headers.get('X-Robots-Tag')).toContain('noindex')
      expect(headers.get('Cache-Control')).toBe('no-store')
    }
    expect(await countAccounts(app)).toBe(0)
    expect((await accept(app, token)).status).toBe(303)
  })

  test.each([
    [true, 'verifies the address'],
    [false, 'does not verify the address'],
  ])('that was mailed: %s, %s', async (wasMailed) => {
    const app = await openMode('invite')
    const { token } = await inviteIn(app, EMAIL, { wasMailed })
    await accept(app, token)
    const account = await accountOf(app)
    expect(account?.email_verified_at !== null).toBe(wasMailed)
    expect((await post(app, 'login', { contact: EMAIL, password: PASSWORD })).status).toBe(200)
  })

  test('makes an account for no other address than its own', async () => {
    const app = await openMode('invite')
    const { token } = await inviteIn(app, EMAIL, { wasMailed: true })
    await accept(app, token, { ...FORM, email: OTHER })
    expect(await accountOf(app, OTHER)).toBeUndefined()
    expect(await accountOf(app)).toBeDefined()
  })

  test('works once, and makes one account of twenty acceptances at once', async () => {
    const app = await openMode('invite')
    const { token } = await inviteIn(app, EMAIL, { wasMailed: true })
    const { 303: made, ...refused } = await raceStatuses(() => accept(app, token))
    expect(made).toBe(1)
    expect(Object.keys(refused).every((status) => ['404', '409'].includes(status))).toBe(true)
    expect(await countAccounts(app)).toBe(1)
    expect((await accept(app, token)).status).toBe(404)
  })

  test('stops working once the address is invited again', async () => {
    const app = await openMode('invite')
    const first = await inviteIn(app, EMAIL)
    const second = await inviteIn(app, EMAIL)
    expect((await accept(app, first.token)).status).toBe(404)
    expect((await accept(app, second.token)).status).toBe(303)
  })

  test('takes the address off an account that only typed it, if it was mailed', async () => {
    const app = await openMode('invite')
    const typed = await app.signUp({ email: EMAIL, email_verified_at: null })
    const { token } = await inviteIn(app, EMAIL, { wasMailed: true })
    expect((await accept(app, token)).status).toBe(303)
    expect((await accountOf(app))?.id).not.toBe(typed.id)
    await expect(inviteIn(app, EMAIL)).rejects.toThrow('already exists')
  })

  test('is kept when the address was taken meanwhile, and the page says so', async () => {
    const app = await openMode('invite')
    const { token } = await inviteIn(app, EMAIL, { wasMailed: true })
    await app.signUp({ email: EMAIL })
    const { status, html } = await accept(app, token)
    expect(status).toBe(409)
    expect(html).toContain('An account with this email already exists. Please log in.')
    expect(await countAccounts(app)).toBe(1)
  })

  test.each([
    [{ ...FORM, name: ' ' }, 'Please enter your name'],
    [{ ...FORM, password: '12345' }, 'Password must be at least 6 characters long'],
    [{ ...FORM, confirm_password: 'another horse' }, 'Passwords do not match'],
  ])('with %j changes nothing and says why', async (fields, why) => {
    const app = await openMode('invite')
    const { token } = await inviteIn(app, EMAIL)
    const { status, html } = await accept(app, token, fields)
    expect(status).toBe(400)
    expect(html).toContain(why)
    expect(html).not.toContain(fields.password)
    expect(await countAccounts(app)).toBe(0)
    expect((await accept(app, token)).status).toBe(303)
  })

  test('asks somebody who is logged in to log out, and makes no account for them', async () => {
    const app = await openMode('invite')
    const { cookie } = await app.signUp({ email: OTHER })
    const { token } = await inviteIn(app, EMAIL)
    const headers = { Cookie: cookie, 'Sec-Fetch-Site': 'same-origin' }
    const type = { 'Content-Type': 'application/x-www-form-urlencoded' }
    const body = new URLSearchParams(FORM).toString()
    const form = await app.ask('POST', `/invite/${token}`, {
      body,
      headers: { ...headers, ...type },
    })
    expect(await form.text()).toContain('You are logged in as')
    expect(await countAccounts(app)).toBe(1)
  })

  test('leads from the login page back to it, in the browser that opened it', async () => {
    const app = await openMode('invite')
    const { token } = await inviteIn(app, EMAIL)
    const page = await app.ask('GET', `/invite/${token}`)
    expect(page.headers.get('Set-Cookie')).toMatch(`driveqr-invite=${token}; Max-Age=3600;`)
    expect(page.headers.get('Set-Cookie')).toContain('HttpOnly')
    const login = await app.ask('GET', '/login', { headers: carrying(token) })
    expect(await login.text()).not.toContain(token)
    const back = await app.ask('GET', '/invite', { headers: carrying(token) })
    expect(back.headers.get('Location')).toBe(`/invite/${token}`)
    expect((await app.browse('GET', '/invite')).to).toBe('/login')
  })
})

describe('REGISTRATION_DOMAINS', () => {
  test.each([
    ['open', 404],
    ['invite', 404],
    ['closed', 303],
  ])('counts for invitations in open and invite: in %s one is %i', async (mode, status) => {
    const app = await openMode(mode, { REGISTRATION_DOMAINS: 'example.org' })
    const { token } = await inviteIn(app, EMAIL)
    expect((await accept(app, token)).status).toBe(status)
  })
})

describe('a sign-in provider', () => {
  test.each([
    [EMAIL, true],
    [OTHER, false],
  ])('makes the account of an invitation of %s: %s', async (invited, isMade) => {
    const provider = await openProvider()
    const app = await openMode('invite', provider.env)
    const { token } = await inviteIn(app, invited)
    const begun = await app.ask('GET', '/api/auth/google')
    const cookie = (begun.headers.get('Set-Cookie') ?? '').split(';')[0] ?? ''
    const path = provider.signIn(begun.headers.get('Location') ?? '')
    const Cookie = `${cookie}; driveqr-invite=${token}`
    const back = await app.ask('GET', path, { headers: { Cookie } })
    const to = back.headers.get('Location') ?? ''
    expect(to.startsWith('/dashboard#')).toBe(isMade)
    expect(await countAccounts(app)).toBe(isMade ? 1 : 0)
    expect((await app.db.selectFrom('invitations').select('email').execute()).length).toBe(
      isMade ? 0 : 1,
    )
  })
})

test('an address that registers without its link has no open invitation any more', async () => {
  const app = await openMode('open')
  await inviteIn(app, EMAIL)
  const sent = await post(app, 'send-otp', { email: EMAIL })
  await post(app, 'verify-otp', registration(sent.body.test_otp))
  expect(await app.db.selectFrom('invitations').selectAll().execute()).toEqual([])
})
