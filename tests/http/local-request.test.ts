import { once } from 'node:events'
import { createServer, type Server } from 'node:http'
import { type AddressInfo, connect } from 'node:net'
import { text } from 'node:stream/consumers'
import { createAdaptorServer } from '@hono/node-server'
import { describe, expect, onTestFinished, test } from 'vitest'
import { EMAIL, mailedOtp, post } from '#tests/support/accounts.ts'
import { openTestApp, type TestApp } from '#tests/support/app.ts'

type From = { peer?: string; headers?: Record<string, string> }

const LOCAL: [string, From][] = [
  ['IPv4', {}],
  ['another address of the loopback network', { peer: '127.8.9.1' }],
  ['IPv6', { peer: '::1', headers: { Host: '[::1]:3000' } }],
  ['IPv4 on a socket for both', { peer: '::ffff:127.0.0.1', headers: { Host: '127.0.0.1:3000' } }],
  ['a host in capitals', { headers: { Host: 'LOCALHOST:3000' } }],
]

const REMOTE: [string, From][] = [
  ['a neighbour in the network', { peer: '192.168.1.30' }],
  ['a neighbour on a socket for both', { peer: '::ffff:192.168.1.30' }],
  ['a neighbour with IPv6', { peer: 'fe80::1%eth0' }],
  ['a socket that is gone', { peer: '' }],
  ['a foreign name that leads to this machine', { headers: { Host: 'evil.example:3000' } }],
  ['a name that begins like ours', { headers: { Host: 'localhost.evil.example' } }],
  ['an address that begins like ours', { headers: { Host: '127.0.0.1.evil.example:3000' } }],
  ['two hosts', { headers: { Host: 'localhost, evil.example' } }],
  ['a host with a user before it', { headers: { Host: 'localhost@evil.example' } }],
  ['no host', { headers: { Host: '' } }],
  ...[
    'X-Forwarded-For',
    'X-Forwarded-Host',
    'X-Forwarded-Proto',
    'X-Forwarded-Anything',
    'Forwarded',
    'X-Real-IP',
    'Via',
  ].map((name): [string, From] => [`a proxy that sends ${name}`, { headers: { [name]: '::1' } }]),
]

const CALLS = ['send-otp', 'send-login-otp', 'forgot-password']
const GRANT = '/api/admin/grant-super-admin'

const sendOtp = async (app: TestApp, call: string, from: From) => {
  const response = await app.ask('POST', `/api/auth/${call}`, {
    json: { email: EMAIL, contact: EMAIL },
    ...from,
  })
  return { status: response.status, body: await response.json() }
}

describe('test mode', () => {
  test.each(LOCAL)('shows one-time codes to this machine: %s', async (_, from) => {
    const app = await openTestApp()
    const { status, body } = await sendOtp(app, 'send-otp', from)
    expect([status, body]).toMatchObject([200, { test_otp: expect.stringMatching(/^\d{6}$/) }])
  })

  test.each(REMOTE)('shows none to others, and stores none for them: %s', async (_, from) => {
    const app = await openTestApp()
    await app.signUp({ email: EMAIL })
    for (const call of CALLS) {
      const answer = await sendOtp(app, call, from)
      expect(answer).toEqual({ status: 503, body: { detail: 'Email is not configured' } })
    }
    expect(await app.db.selectFrom('one_time_codes').selectAll().execute()).toEqual([])
  })

  test('mails them to others where there is a mail server, and shows them nothing', async () => {
    const app = await openTestApp({ env: { SMTP_URL: 'smtp://127.0.0.1:25', TEST_MODE: '1' } })
    await app.signUp({ email: EMAIL })
    const { status, body } = await sendOtp(app, 'send-login-otp', { peer: '192.168.1.30' })
    expect([status, body]).toEqual([200, { success: true }])
    const otp = mailedOtp(app)
    expect((await post(app, 'login-otp', { contact: EMAIL, otp })).status).toBe(200)
  })

  test('shows others none on the login page either', async () => {
    const app = await openTestApp()
    const body = new URLSearchParams({ email: EMAIL })
    const path = '/login?mode=register'
    const shown = await (await app.ask('POST', path, { body })).text()
    expect(shown).toContain('Test mode:')
    const refused = await app.ask('POST', path, { body, peer: '192.168.1.30' })
    expect(refused.status).toBe(503)
    expect(await refused.text()).not.toContain('Test mode:')
  })
})

describe('making oneself a super admin', () => {
  test.each(REMOTE)('is refused to others: %s', async (_, from) => {
    const { ask, signUp, db } = await openTestApp()
    const as = await signUp({ role: 'admin' })
    const answer = await ask('POST', GRANT, { as, ...from })
    expect([answer.status, await answer.json()]).toEqual([
      403,
      { detail: 'Granting super admin is disabled' },
    ])
    const page = await ask('POST', '/grant-admin', asBrowser(as, from))
    expect(page.status).toBe(403)
    expect(await page.text()).not.toContain('Grant Super Admin Access')
    const management = await ask('GET', '/admin-dashboard', asBrowser(as, from))
    expect(await management.text()).not.toContain('href="/grant-admin"')
    const { role } = await db.selectFrom('accounts').select('role').executeTakeFirstOrThrow()
    expect(role).toBe('admin')
  })

  test('is offered and done on this machine', async () => {
    const { ask, signUp } = await openTestApp()
    const as = await signUp({ role: 'admin' })
    const management = await ask('GET', '/admin-dashboard', asBrowser(as))
    expect(await management.text()).toContain('href="/grant-admin"')
    expect((await ask('POST', GRANT, { as })).status).toBe(200)
  })
})

/** Pages accept only the cookie. */
function asBrowser({ cookie }: { cookie: string }, from: From = {}) {
  const headers = { ...from.headers, Cookie: cookie, 'Sec-Fetch-Site': 'same-origin' }
  return { ...from, headers }
}

/** The application on a real socket of loopback. */
async function serve(app: TestApp) {
  const options = { fetch: app.app.fetch, overrideGlobalObjects: false }
  return listen(createAdaptorServer(options) as Server)
}

async function listen(server: Server): Promise<number> {
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  onTestFinished(() => void server.close())
  return (server.address() as AddressInfo).port
}

const JSON_BODY = JSON.stringify({ email: EMAIL })

describe('on a socket', () => {
  test.each([
    ['localhost', 200],
    ['evil.example', 503],
  ])('the host %s is answered %i', async (host, status) => {
    const port = await serve(await openTestApp())
    const socket = connect(port, '127.0.0.1')
    socket.write(
      `POST /api/auth/send-otp HTTP/1.1\r\nHost: ${host}:${port}\r\nConnection: close\r\n` +
        `Content-Type: application/json\r\nContent-Length: ${JSON_BODY.length}\r\n\r\n${JSON_BODY}`,
    )
    expect(await text(socket)).toMatch(new RegExp(`^HTTP/1.1 ${status} `))
  })

  test.each([
    ['HTTP/1.0, as nginx asks', '/', 'HTTP/1.0', 'Host: localhost', 503],
    ['HTTP/1.0 without a host', '/', 'HTTP/1.0', 'Accept: */*', 400],
    [
      'a whole address beside a foreign host',
      'http://localhost/',
      'HTTP/1.1',
      'Host: evil.example',
      503,
    ],
    ['a host with a user', '/', 'HTTP/1.1', 'Host: evil@localhost', 400],
    ['a host with a dot behind it', '/', 'HTTP/1.1', 'Host: localhost.', 503],
    ['a host with two ports', '/', 'HTTP/1.1', 'Host: localhost:80:80', 400],
    ['a host in capitals with a port', '/', 'HTTP/1.1', 'Host: LOCALHOST:80', 200],
  ])('%s is answered by its host', async (_, base, version, header, status) => {
    const port = await serve(await openTestApp())
    const socket = connect(port, '127.0.0.1')
    socket.write(
      `POST ${base}api/auth/send-otp ${version}\r\n${header}\r\nConnection: close\r\n` +
        `Content-Type: application/json\r\nContent-Length: ${JSON_BODY.length}\r\n\r\n${JSON_BODY}`,
    )
    expect(await text(socket)).toMatch(new RegExp(`^HTTP/1.1 ${status} `))
  })

  test('a request through a proxy on this machine gets no code', async () => {
    const target = await serve(await openTestApp())
    const proxy = createServer(async (incoming, outgoing) => {
      const headers = { 'Content-Type': 'application/json', 'X-Forwarded-For': '203.0.113.9' }
      const body = await text(incoming)
      const url = `http://127.0.0.1:${target}${incoming.url}`
      const { status } = await fetch(url, { method: 'POST', headers, body })
      outgoing.writeHead(status).end()
    })
    const port = await listen(proxy)
    const url = `http://127.0.0.1:${port}/api/auth/send-otp`
    const { status } = await fetch(url, { method: 'POST', body: JSON_BODY })
    expect(status).toBe(503)
  })
})
