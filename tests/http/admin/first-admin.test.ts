import { describe, expect, test } from 'vitest'
import { grantFirstAdmin } from '#db/accounts/permissions.ts'
import { openTestApp, type TestApp } from '#tests/support/app.ts'
import { race, raceStatuses } from '#tests/support/races.ts'

const OFFER = 'Make me the admin'
const REFUSED = 'There is another account by now. Use the command line: driveqr admin grant EMAIL'

type From = { peer?: string; headers?: Record<string, string> }

const OTHERS: [string, From][] = [
  ['a neighbour in the network', { peer: '192.168.1.30' }],
  ['another host name', { headers: { Host: 'evil.example:3000' } }],
  ['a proxy on this machine', { headers: { 'X-Forwarded-For': '127.0.0.1' } }],
  ['a proxy that names itself', { headers: { Via: '1.1 caddy' } }],
]

/** Opens pages as the account, and presses the button of the offer. */
function browserOf(app: TestApp, { cookie }: { cookie: string }) {
  const headers = { Cookie: cookie, 'Sec-Fetch-Site': 'same-origin' }
  const browse = (path: string, from: From = {}) =>
    app.ask('GET', path, { ...from, headers: { ...headers, ...from.headers } })
  const press = (from: From = {}) =>
    app.ask('POST', '/grant-admin', {
      ...from,
      headers: { ...headers, ...from.headers },
      body: new URLSearchParams({ first: '1' }),
    })
  const isOffered = async (from: From = {}) =>
    (await (await browse('/dashboard', from)).text()).includes(OFFER)
  return { browse, press, isOffered }
}

async function openFirst(account: Parameters<TestApp['signUp']>[0] = {}, env = {}) {
  const app = await openTestApp({ env })
  const asha = await app.signUp(account)
  const roles = async () =>
    (await app.db.selectFrom('accounts').select('role').orderBy('created_at').execute()).map(
      ({ role }) => role,
    )
  const grants = () =>
    app.db.selectFrom('audit_events').selectAll().where('action', '=', 'role.granted').execute()
  return { ...app, asha, roles, grants, ...browserOf(app, asha) }
}

describe('the first admin', () => {
  test('is the only account, which is offered it until it is done', async () => {
    const { isOffered, browse, press, roles, grants } = await openFirst()
    expect(await isOffered()).toBe(true)
    const done = await press()
    expect([done.status, done.headers.get('Location')]).toEqual([303, '/admin'])
    expect((await browse('/admin')).status).toBe(200)
    expect(await isOffered()).toBe(false)
    expect(await roles()).toEqual(['super_admin'])
    expect(await grants()).toHaveLength(1)
  })

  test('is made once by twenty presses at once', async () => {
    const { press, roles, grants } = await openFirst({}, { RATE_LIMITS: 'off' })
    expect(await raceStatuses(() => press())).toEqual({ 303: 20 })
    expect(await roles()).toEqual(['super_admin'])
    expect(await grants()).toHaveLength(1)
  })

  test('is not made of one of two accounts, by twenty presses neither', async () => {
    const { db, deps, asha, signUp, isOffered, press, roles, grants } = await openFirst()
    await signUp({ email: 'ravi@example.in' })
    expect(await isOffered()).toBe(false)
    const refused = await press()
    expect(refused.status).toBe(403)
    expect(await refused.text()).toContain(REFUSED)
    const { won, refused: all } = await race(() => grantFirstAdmin(db, asha.id, deps.clock()))
    expect([won, all]).toEqual([[], { [`forbidden: ${REFUSED}`]: 20 }])
    expect(await roles()).toEqual(['client', 'client'])
    expect(await grants()).toEqual([])
  })

  test.each(OTHERS)('is neither offered nor made through %s', async (_, from) => {
    const { isOffered, press, roles } = await openFirst()
    expect(await isOffered(from)).toBe(false)
    expect((await press(from)).status).toBe(403)
    expect(await roles()).toEqual(['client'])
  })

  test.each<[string, object, object]>([
    ['in production', {}, { NODE_ENV: 'production' }],
    ['of an unverified address', { email_verified_at: null }, {}],
  ])('is neither offered nor made %s', async (_, account, env) => {
    const { isOffered, press, roles } = await openFirst(account, env)
    expect(await isOffered()).toBe(false)
    expect((await press()).status).not.toBe(303)
    expect(await roles()).toEqual(['client'])
  })

  test('is asked who is there ten minutes after the sign-in', async () => {
    const { advance, press, roles } = await openFirst()
    advance(11 * 60)
    expect((await press()).status).toBe(403)
    expect(await roles()).toEqual(['client'])
  })
})

describe('the login page', () => {
  const page = async (app: TestApp, from: From = {}) =>
    (await app.ask('GET', '/login', from)).text()

  test('says until then that there is no account, and who may become the admin', async () => {
    const app = await openTestApp()
    expect(await page(app)).toContain('Yours will be the first, and can become the admin.')
    const { signUp } = app
    await signUp()
    expect(await page(app)).not.toContain('There is no account here yet.')
  })

  test.each<[string, Record<string, string>, From, string]>([
    ['mails codes', { PUBLIC_URL: 'https://keys.example.in', SMTP_URL: 'smtp://a' }, {}, 'first.'],
    ['is closed', { REGISTRATION: 'closed' }, {}, '<code>driveqr user create EMAIL'],
    ['waits for invitations', { REGISTRATION: 'invite' }, {}, '<code>driveqr user create EMAIL'],
    ['sends no mail', { HOST: '0.0.0.0' }, {}, '<code>driveqr user create EMAIL'],
    ['is opened by a neighbour', {}, { peer: '192.168.1.30' }, '<code>driveqr user create EMAIL'],
  ])('that %s says how the first account is made', async (_, env, from, said) => {
    const html = await page(await openTestApp({ env }), from)
    expect(html).toContain('There is no account here yet.')
    expect(html).toContain(said)
    expect(html).not.toContain('can become the admin')
  })
})
