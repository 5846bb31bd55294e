import { describe, expect, test } from 'vitest'
import { VERSION } from '#config.ts'
import { openTestApp } from '#tests/support/app.ts'
import { testOnSqlite } from '#tests/support/database.ts'

describe('the ground floor', () => {
  test('/healthz answers while the database does, and 503 when it does not', async () => {
    const { ask, db } = await openTestApp()
    const well = await ask('GET', '/healthz')
    expect([well.status, await well.json()]).toEqual([200, { status: 'ok' }])
    await db.destroy()
    const down = await ask('GET', '/healthz')
    expect([down.status, await down.json()]).toEqual([503, { status: 'unavailable' }])
  })

  test('/healthz is 503 also with a session, and shows the version only to admins', async () => {
    const { ask, db, signUp } = await openTestApp()
    const admin = await signUp({ role: 'admin' })
    const owner = await signUp()
    const read = async (headers: Record<string, string>) =>
      (await ask('GET', '/healthz', { headers })).json()
    expect(await read({ cookie: admin.cookie })).toEqual({ status: 'ok', version: VERSION })
    expect(await read({ cookie: owner.cookie })).toEqual({ status: 'ok' })
    expect(await read({})).toEqual({ status: 'ok' })
    await db.destroy()
    expect((await ask('GET', '/healthz', { headers: { cookie: admin.cookie } })).status).toBe(503)
  })

  test('an unknown page leads home', async () => {
    const { ask } = await openTestApp()
    for (const path of [
      '/nowhere',
      '/debug',
      '/preview',
      '/comprehensive',
      '/upload-test',
      '/.env',
      '/admin/nowhere',
      '/admin-dashboard/nowhere',
      '/settings/nowhere',
    ]) {
      const answer = await ask('GET', path)
      expect([answer.status, answer.headers.get('Location')]).toEqual([302, '/'])
    }
  })

  test('a path of slashes is looked through once, however long it is', async () => {
    // A parser that searches for its end at each slash would exceed the time limit.
    const { ask } = await openTestApp()
    const answer = await ask('GET', `/x${'/'.repeat(1_000_000)}x`)
    expect([answer.status, answer.headers.get('Location')]).toEqual([302, '/'])
  })

  test('a page with a slash too many leads to the page', async () => {
    const { ask } = await openTestApp()
    for (const [path, target] of [
      ['/scan/7K3MQ9WD4XTP/', '/scan/7K3MQ9WD4XTP'],
      ['/police/7K3MQ9WD4XTP//?from=tag', '/police/7K3MQ9WD4XTP?from=tag'],
      ['/login/', '/login'],
      ['/scan/%E0%A4%A8%0A/', '/scan/%E0%A4%A8%0A'],
      ['/nowhere/', '/'],
      ['//elsewhere.example/', '/'],
    ] as const) {
      const answer = await ask('GET', path)
      expect([answer.status, answer.headers.get('Location')]).toEqual([302, target])
    }
  })

  test('an unknown call is a JSON error', async () => {
    const { ask } = await openTestApp()
    for (const path of ['/api', '/api/', '/api/nothing', '/api/auth/nothing']) {
      const answer = await ask('GET', path)
      expect([answer.status, await answer.json()]).toEqual([404, { detail: 'Not found' }])
    }
  })

  test('a known call by a wrong method is 405 and says which methods there are', async () => {
    const { ask } = await openTestApp()
    const answer = await ask('GET', '/api/auth/login')
    expect(answer.status).toBe(405)
    expect(answer.headers.get('Allow')).toBe('POST')
    expect(await answer.json()).toEqual({ detail: 'Method not allowed' })
    expect((await ask('DELETE', '/api/auth/login')).status).toBe(405)
  })

  test('malformed JSON is 400, and a body without the right type changes nothing', async () => {
    const { ask } = await openTestApp()
    const headers = { 'Content-Type': 'application/json' }
    const broken = await ask('POST', '/api/auth/login', { body: '{"contact":', headers })
    expect([broken.status, await broken.json()]).toEqual([
      400,
      { detail: 'The request is not valid JSON' },
    ])
    const plain = await ask('POST', '/api/auth/login', {
      body: '{"contact":"a","password":"b"}',
      headers: { 'Content-Type': 'text/plain' },
    })
    expect([plain.status, await plain.json()]).toEqual([
      415,
      { detail: 'The request must be sent as application/json' },
    ])
  })

  test('a body over 64 KB is 413, with a length and without', async () => {
    const { ask } = await openTestApp()
    const headers = { 'Content-Type': 'application/json' }
    const big = JSON.stringify({ contact: 'x'.repeat(70_000), password: 'x' })
    expect((await ask('POST', '/api/auth/login', { body: big, headers })).status).toBe(413)
    const stream = new Blob([big]).stream()
    const { app } = await openTestApp()
    const chunked = new Request('http://localhost/api/auth/login', {
      method: 'POST',
      headers,
      body: stream,
      duplex: 'half',
    } as RequestInit)
    expect((await app.request(chunked)).status).toBe(413)
  })

  test('a server fault shows only its request id, and the log has the cause', async () => {
    const { ask, db, logged } = await openTestApp()
    await db.schema.dropTable('one_time_codes').execute()
    const answer = await ask('POST', '/api/auth/send-otp', { json: { email: 'a@example.in' } })
    expect([answer.status, await answer.json()]).toEqual([500, { detail: 'Something went wrong' }])
    const requestId = answer.headers.get('X-Request-Id')
    const line = logged.find((each) => each.includes('request failed')) ?? ''
    expect(JSON.parse(line)).toMatchObject({ requestId, err: { message: /one_time_codes/ } })
  })

  test('request ids are short, and two of them say nothing about how many came between', async () => {
    const { ask } = await openTestApp()
    const read = async () => (await ask('GET', '/healthz')).headers.get('X-Request-Id') ?? ''
    const ids = [await read(), await read(), await read()]
    for (const id of ids) expect(id).toMatch(/^[\w-]{16}$/)
    expect(new Set(ids.map((id) => id.slice(0, 6))).size).toBe(3)
    expect(new Set(ids.map((id) => id.slice(-6))).size).toBe(3)
  })

  test('every answer has the security headers', async () => {
    const { ask } = await openTestApp()
    for (const path of ['/', '/login', '/api/nothing', '/nowhere']) {
      const { headers } = await ask('GET', path)
      expect(headers.get('X-Content-Type-Options')).toBe('nosniff')
      expect(headers.get('Content-Security-Policy')).toMatch(/^default-src 'none'/)
      expect(headers.get('Content-Security-Policy')).not.toMatch(/unsafe|\*/)
      expect(headers.get('Referrer-Policy')).toBeTruthy()
      expect(headers.get('Cache-Control')).toBeTruthy()
      expect(headers.get('Strict-Transport-Security')).toBeNull()
      expect(headers.get('X-Powered-By')).toBeNull()
    }
    const https = await openTestApp({ env: { PUBLIC_URL: 'https://keys.example.in' } })
    const { headers } = await https.ask('GET', '/')
    expect(headers.get('Strict-Transport-Security')).toContain('max-age=31536000')
  })

  test('a page is compressed on request, with the same content', async () => {
    const { ask } = await openTestApp()
    const plain = await ask('GET', '/')
    const zipped = await ask('GET', '/', { headers: { 'Accept-Encoding': 'gzip, br' } })
    expect(plain.headers.get('Content-Encoding')).toBeNull()
    expect(zipped.headers.get('Content-Encoding')).toBe('gzip')
    const { gunzipSync } = await import('node:zlib')
    const unzipped = gunzipSync(Buffer.from(await zipped.arrayBuffer())).toString()
    expect(unzipped).toBe(await plain.text())
  })

  test('the landing page loads no script', async () => {
    const { ask } = await openTestApp()
    const html = await (await ask('GET', '/')).text()
    expect(html).not.toContain('<script')
    expect(html).toContain('Create My QR Code')
  })
})

describe('requests from other sites', () => {
  const login = { contact: 'a@example.in', password: 'secret' }

  test.each<Record<string, string>>([
    { 'Sec-Fetch-Site': 'cross-site' },
    { 'Sec-Fetch-Site': 'same-site' },
    { 'Sec-Fetch-Site': 'cross-site', Origin: 'http://localhost:3000' },
    { Origin: 'https://evil.example' },
    { Origin: 'https://localhost:3000' },
    { Origin: 'null' },
    { Cookie: 'driveqr=something' },
  ])('%j is refused', async (headers) => {
    const { ask } = await openTestApp()
    const answer = await ask('POST', '/api/auth/login', { json: login, headers })
    expect([answer.status, await answer.json()]).toEqual([
      403,
      { detail: 'This request came from another site' },
    ])
  })

  test.each<Record<string, string>>([
    {},
    { 'Sec-Fetch-Site': 'same-origin' },
    { 'Sec-Fetch-Site': 'none' },
    { Origin: 'http://localhost:3000', Cookie: 'driveqr=something' },
  ])('%j is let through', async (headers) => {
    const { ask } = await openTestApp()
    const answer = await ask('POST', '/api/auth/login', { json: login, headers })
    expect(answer.status).toBe(401)
  })
})

testOnSqlite('a full disk refuses what is to be kept, and says why', async () => {
  const { ask, signUp, connection, logged } = await openTestApp()
  const as = await signUp({ subscription_plan: 'enterprise' })
  // SQLite accepts no less than the database's present size.
  connection.pragma('max_page_count = 1')
  const json = {
    owner_name: 'Asha',
    contact_phone: '9876543210',
    notes_instructions: 'n'.repeat(900),
  }
  let answer = await ask('POST', '/api/qr/create', { as, json })
  for (let i = 0; i < 20 && answer.status === 201; i++) {
    answer = await ask('POST', '/api/qr/create', { as, json })
  }
  expect(answer.status).toBe(503)
  expect(await answer.json()).toEqual({ detail: 'Storage is full' })
  expect(logged.join('')).toContain('SQLITE_FULL')
  expect((await ask('GET', '/api/qr/my-qrs', { as })).status).toBe(200)
})
