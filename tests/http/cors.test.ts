import { expect, test } from 'vitest'
import { openTestApp } from '#tests/support/app.ts'
import { insertCode } from '#tests/support/codes.ts'

const ORIGIN = 'https://shop.example.in'
const LOCAL = 'http://localhost:5173'

async function openShop(API_ORIGINS = `${ORIGIN}, ${LOCAL}/`) {
  const app = await openTestApp({ env: { API_ORIGINS } })
  const owner = await app.signUp({ subscription_plan: 'enterprise' })
  const as = owner
  const made = await app.ask('POST', '/api/api-keys', { as, json: { name: 'Shop' } })
  const { key } = await made.json()
  const withKey = (path: string, Origin: string, init: { method?: string; json?: object } = {}) =>
    app.ask(init.method ?? 'GET', path, {
      headers: { Origin, Authorization: `Bearer ${key}`, 'Sec-Fetch-Site': 'cross-site' },
      json: init.json,
    })
  const preflight = (Origin: string, more: Record<string, string> = {}, path = '/api/qr/create') =>
    app.app.request(path, {
      method: 'OPTIONS',
      headers: { Host: 'localhost', ...ASKED, Origin, ...more },
    })
  return { ...app, owner, key, withKey, preflight }
}

const ASKED = {
  'Access-Control-Request-Method': 'POST',
  'Access-Control-Request-Headers': 'authorization,content-type,idempotency-key',
}

const SITES: Record<string, string>[] = [{}, { 'Sec-Fetch-Site': 'cross-site' }]

/** The headers of an answer that concern other sites. */
function sharedBy({ headers }: Response) {
  return Object.fromEntries([...headers].filter(([name]) => name.startsWith('access-control-')))
}

test.each([ORIGIN, LOCAL])('a page of %s reads the answers to its key', async (origin) => {
  const { withKey, owner, db } = await openShop()
  await insertCode(db, owner.id)
  const listed = await withKey('/api/qr/my-qrs?page=1&limit=1', origin)
  expect([listed.status, listed.headers.get('Vary')]).toEqual([200, 'Origin'])
  const shared = sharedBy(listed)
  expect(Object.keys(shared).toSorted()).toEqual([
    'access-control-allow-origin',
    'access-control-expose-headers',
  ])
  expect(shared['access-control-allow-origin']).toBe(origin)
  const exposed = shared['access-control-expose-headers']?.split(', ') ?? []
  expect(exposed).toEqual(
    expect.arrayContaining(['Link', 'RateLimit', 'RateLimit-Policy', 'Refusal', 'Retry-After']),
  )
  const json = { owner_name: 'Asha', contact_phone: '9876543210' }
  expect((await withKey('/api/qr/create', origin, { method: 'POST', json })).status).toBe(201)
})

test('a page reads refusals too, and a key that is unknown', async () => {
  const { withKey, ask } = await openShop()
  for (const path of ['/api/auth/me', '/api/nothing', '/api/documents/none']) {
    const refused = await withKey(path, ORIGIN)
    expect([path, refused.status]).not.toEqual([path, 200])
    expect([path, sharedBy(refused)]).toEqual([
      path,
      expect.objectContaining({ 'access-control-allow-origin': ORIGIN }),
    ])
  }
  const headers = { Origin: ORIGIN, Authorization: 'Bearer dqk_wrong' }
  const unknown = await ask('GET', '/api/qr/my-qrs', { headers })
  expect([unknown.status, sharedBy(unknown)]).toEqual([
    401,
    expect.objectContaining({ 'access-control-allow-origin': ORIGIN }),
  ])
})

test.each([
  'https://evil.example',
  'null',
  `${ORIGIN}:8443`,
  'http://shop.example.in',
  'https://shop.example.in.evil.example',
  `${ORIGIN}/`,
  ORIGIN.toUpperCase(),
])('a page of %s reads nothing, and its preflight is refused', async (origin) => {
  const { withKey, preflight } = await openShop()
  const answered = await withKey('/api/qr/my-qrs', origin)
  expect([sharedBy(answered), answered.headers.get('Vary')]).toEqual([{}, 'Origin'])
  const asked = await preflight(origin)
  expect([asked.status, sharedBy(asked), asked.headers.get('Vary')]).toEqual([405, {}, 'Origin'])
})

test('a preflight is answered without the database, for calls and for paths that are none', async () => {
  const { preflight, deps } = await openShop()
  Object.defineProperty(deps, 'db', { get: () => expect.unreachable() })
  for (const path of ['/api/qr/create', '/api/nothing']) {
    const answered = await preflight(ORIGIN, {}, path)
    expect([answered.status, await answered.text()]).toEqual([204, ''])
    expect(sharedBy(answered)).toEqual({
      'access-control-allow-origin': ORIGIN,
      'access-control-allow-methods': 'GET, POST, PUT, PATCH, DELETE',
      'access-control-allow-headers': 'Authorization, Content-Type, Idempotency-Key',
      'access-control-max-age': '7200',
    })
  }
})

test('a preflight of a request without a key is refused', async () => {
  const { preflight } = await openShop()
  const asked = await preflight(ORIGIN, { 'Access-Control-Request-Headers': 'content-type' })
  expect([asked.status, sharedBy(asked)]).toEqual([405, {}])
})

test('a listed page reads nothing by a cookie or a session’s token, and changes nothing by a cookie', async () => {
  const { ask, owner, db } = await openShop()
  const json = { owner_name: 'Asha', contact_phone: '9876543210' }
  const headers = { Origin: ORIGIN, Cookie: owner.cookie }
  for (const site of SITES) {
    const read = await ask('GET', '/api/qr/my-qrs', { headers: { ...headers, ...site } })
    expect(sharedBy(read)).toEqual({})
    const made = await ask('POST', '/api/qr/create', { headers: { ...headers, ...site }, json })
    expect([made.status, sharedBy(made)]).toEqual([403, {}])
  }
  const byToken = await ask('GET', '/api/qr/my-qrs', { as: owner, headers: { Origin: ORIGIN } })
  expect([byToken.status, sharedBy(byToken)]).toEqual([200, {}])
  expect(await db.selectFrom('qr_codes').selectAll().execute()).toEqual([])
})

test('pages share nothing, and the description varies by origin and encoding', async () => {
  const { withKey } = await openShop()
  const page = await withKey('/login', ORIGIN)
  expect([page.status, sharedBy(page)]).toEqual([200, {}])
  const described = await withKey('/api/openapi.json', ORIGIN)
  expect(described.headers.get('Vary')).toBe('Origin, Accept-Encoding')
})

test('without API_ORIGINS nothing is shared, and no answer varies by origin', async () => {
  const { withKey, preflight } = await openShop('')
  const answered = await withKey('/api/qr/my-qrs', ORIGIN)
  expect([sharedBy(answered), answered.headers.get('Vary')]).toEqual([{}, null])
  const asked = await preflight(ORIGIN)
  expect([asked.status, sharedBy(asked)]).toEqual([405, {}])
})
