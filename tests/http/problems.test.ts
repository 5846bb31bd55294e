import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { createWorkerApp } from '#app.ts'
import { RATE_LIMITS } from '#domain/rate-limits.ts'
import { STATUS } from '#routes/_http/problems.ts'
import { openTestApp } from '#tests/support/app.ts'
import { insertCode } from '#tests/support/codes.ts'

const PROBLEM = 'application/problem+json'
const asked = { Accept: `application/json, ${PROBLEM}` }

test('a refusal is a problem for a client that asks for one, and { detail } for others', async () => {
  const { ask, signUp } = await openTestApp()
  const as = await signUp()
  const json = { owner_name: 'Asha Patil', contact_phone: '98765 43210', pin: 'x' }
  await ask('POST', '/api/qr/create', { as, json })
  const problem = await ask('POST', '/api/qr/create', { as, json, headers: asked })
  expect(problem.headers.get('Content-Type')).toBe(PROBLEM)
  expect([problem.status, await problem.json()]).toEqual([
    402,
    {
      type: 'about:blank',
      title: 'Payment Required',
      status: 402,
      detail: expect.stringContaining('1'),
      code: problem.headers.get('Refusal'),
      current_count: 1,
      limit: 1,
    },
  ])
  for (const Accept of ['application/json', '*/*', `${PROBLEM};q=0`]) {
    const plain = await ask('POST', '/api/qr/create', { as, json, headers: { Accept } })
    expect(plain.headers.get('Content-Type')).toBe('application/json')
    expect(await plain.json()).toEqual({
      detail: { message: expect.any(String), current_count: 1, limit: 1 },
    })
  }
})

test.each([
  ['/api/auth/login', { contact: 5 }, 400, 'invalid.must_be', 'contact'],
  ['/api/auth/send-otp', { email: 'nobody' }, 400, 'invalid.email', 'email'],
  [
    '/api/qr/create',
    { owner_name: 'Asha', contact_phone: 'x' },
    400,
    'invalid.mobile',
    'contact_phone',
  ],
  [
    '/api/account/password',
    { current_password: '', password: 'x' },
    400,
    'invalid.password_short',
    'password',
  ],
  [
    '/api/qr/child-register',
    { qr_id: '7K3MQ9WD4XTP', name: 'Asha', contact: 'asha@example.in' },
    400,
    'invalid.child_mobile',
    'contact',
  ],
  [
    '/api/qr/child-register',
    { qr_id: '7K3MQ9WD4XTP', name: 'Asha', contact: 'asha', contact_type: 'email' },
    400,
    'invalid.child_email',
    'contact',
  ],
  [
    '/api/qr/child-register',
    {
      ...{ qr_id: '7K3MQ9WD4XTP', name: 'Asha', contact: '9876543210' },
      ...{ password: 'correct horse', emergency_contact_phone: '12' },
    },
    400,
    'invalid.emergency_phone',
    'emergency_contact_phone',
  ],
  ['/api/qr/7K3MQ9WD4XTP/replace', {}, 404, 'not_found.qr_code', undefined],
  ['/api/nothing', {}, 404, 'not_found.path', undefined],
  ['/api/auth/me', {}, 405, 'not_allowed.method', undefined],
])('%s of %j is %i %s about %s', async (path, json, status, code, field) => {
  const { ask, signUp } = await openTestApp()
  const answer = await ask('POST', path, { as: await signUp(), json, headers: asked })
  const problem = await answer.json()
  expect({ status: answer.status, code: problem.code, field: problem.field }).toEqual({
    status,
    code,
    field,
  })
  expect(problem).toMatchObject({ status, detail: expect.any(String), title: expect.any(String) })
})

test('a body that is not JSON and a fault of the server have a code too', async () => {
  const { ask, deps } = await openTestApp()
  const headers = { ...asked, 'Content-Type': 'application/json' }
  const broken = await ask('POST', '/api/auth/login', { body: '{', headers })
  expect(await broken.json()).toMatchObject({ status: 400, code: 'invalid.json' })
  deps.sessions.findByBearer = () => Promise.reject(new Error('a secret of the server'))
  const Authorization = `Bearer ${'x'.repeat(43)}`
  const fault = await ask('GET', '/api/auth/me', { headers: { ...asked, Authorization } })
  expect(await fault.json()).toEqual({
    type: 'about:blank',
    title: 'Internal Server Error',
    status: 500,
    detail: 'Something went wrong',
    code: 'fault.server',
  })
})

test('an unknown page is 404 to a client that asks for JSON, and leads a person home', async () => {
  const { ask } = await openTestApp()
  for (const Accept of ['application/json', 'application/vnd.api+json', PROBLEM]) {
    const answer = await ask('GET', '/nothing', { headers: { Accept } })
    expect([answer.status, (await answer.json()).detail]).toEqual([404, 'Not found'])
  }
  for (const Accept of [
    '*/*',
    '',
    'text/html, application/json',
    'image/png',
    'application/json;q=0',
  ]) {
    const answer = await ask('GET', '/nothing', { headers: { Accept } })
    expect([Accept, answer.status, answer.headers.get('Location')]).toEqual([Accept, 302, '/'])
  }
})

test('a wrong method on a page is a problem to a client that asks for one', async () => {
  const { ask } = await openTestApp()
  const answer = await ask('DELETE', '/login', { headers: asked })
  expect(answer.headers.get('Allow')).toBe('GET, POST')
  expect(await answer.json()).toMatchObject({ status: 405, code: 'not_allowed.method' })
})

test('a worker answers a page with a problem too', async () => {
  const { deps } = await openTestApp()
  const answer = await createWorkerApp(deps).request('/dashboard', { headers: asked })
  expect(await answer.json()).toMatchObject({ status: 404, code: 'not_found.worker' })
})

test('a page that answers 401 names the scheme, as calls do', async () => {
  const { browse } = await openTestApp()
  const form = new URLSearchParams({ contact: 'nobody@example.in', password: 'wrong horse' })
  const refused = await browse('POST', '/login?mode=password', form)
  expect([refused.status, refused.headers.get('WWW-Authenticate')]).toEqual([401, 'Bearer'])
})

test('the limit of an API key is in every answer to it, and a refusal says which limit it was', async () => {
  const { ask, signUp, advance } = await openTestApp()
  const as = await signUp({ subscription_plan: 'enterprise' })
  const made = await ask('POST', '/api/api-keys', { as, json: { name: 'Till' } })
  const key = { bearerToken: (await made.json()).key }
  const { count } = RATE_LIMITS['api-key']
  const first = await ask('GET', '/api/due', { as: key })
  expect(first.headers.get('RateLimit-Policy')).toBe(`"api-key";q=${count};w=60`)
  expect(first.headers.get('RateLimit')).toBe(`"api-key";r=${count - 1};t=60`)
  advance(20)
  for (let n = 1; n < count; n++) await ask('GET', '/api/due', { as: key })
  const refused = await ask('GET', '/api/due', { as: key })
  expect([refused.status, refused.headers.get('Retry-After')]).toEqual([429, '40'])
  expect(refused.headers.get('RateLimit')).toBe('"api-key";r=0;t=40')
  expect(refused.headers.get('RateLimit-Policy')).toBe(`"api-key";q=${count};w=60`)
}, 30_000)

test('a limit that the database counts is told without its policy', async () => {
  const { ask } = await openTestApp()
  const json = { email: 'asha@example.in' }
  await ask('POST', '/api/auth/send-otp', { json })
  const refused = await ask('POST', '/api/auth/send-otp', { json })
  expect([refused.status, refused.headers.get('RateLimit')]).toEqual([429, '"tries";r=0;t=600'])
  expect(refused.headers.get('RateLimit-Policy')).toBeNull()
})

test('a page of a list links the others, and keeps the rest of the query', async () => {
  const { ask, db, signUp } = await openTestApp()
  const as = await signUp({ role: 'admin' })
  for (let n = 0; n < 5; n++) await insertCode(db, as.id, { owner_name: 'Asha & co' })
  const linksOf = async (query: string, path = '/api/qr/my-qrs') => {
    const answer = await ask('GET', `${path}${query}`, { as })
    expect(answer.status).toBe(200)
    const links = answer.headers.get('Link')?.matchAll(/<([^>]*)>; rel="(\w+)"/g) ?? []
    return Object.fromEntries([...links].map(([, href, rel]) => [rel, href]))
  }
  const at = (page: number) => `http://localhost:3000/api/qr/my-qrs?page=${page}&limit=2&search=%26`
  const [first, last] = [at(1), at(3)]
  expect(await linksOf('?page=1&limit=2&search=%26')).toEqual({ first, next: at(2), last })
  expect(await linksOf('?page=2&limit=2&search=%26')).toEqual({
    first,
    prev: at(1),
    next: last,
    last,
  })
  expect(await linksOf('?page=3&limit=2&search=%26')).toEqual({ first, prev: at(2), last })
  expect(await linksOf('?page=9&limit=2&search=%26')).toEqual({ first, prev: last, last })
  expect(await linksOf('')).toEqual({})
})

type Lists = Record<string, { get?: { parameters?: { name: string; in: string }[] } }>

/** Returns the calls with a parameter in their query, and an account that may make them. */
async function openLists(parameter: string) {
  const { ask, db, signUp } = await openTestApp()
  const as = await signUp({ role: 'super_admin', subscription_plan: 'enterprise' })
  const { qr_id } = await insertCode(db, as.id)
  const { paths }: { paths: Lists } = await (await ask('GET', '/api/openapi.json')).json()
  const lists = Object.entries(paths)
    .filter(([, { get }]) => get?.parameters?.some(({ name }) => name === parameter))
    .map(([path]) => path.replace('{qr_id}', qr_id))
  return { lists, read: (url: string) => ask('GET', url, { as, headers: asked }) }
}

test('every list with pages links them', async () => {
  const { lists, read } = await openLists('page')
  for (const list of lists) {
    const links = (await read(`${list}?page=1`)).headers.get('Link') ?? ''
    expect([list, links.match(/rel="\w+"/g)]).toEqual([list, ['rel="first"', 'rel="last"']])
  }
  expect(lists.length).toBeGreaterThan(8)
})

test.each(['0', '101', '-1', '1.5', 'many', '0x10'])('a limit of %s is refused', async (limit) => {
  const { lists, read } = await openLists('limit')
  for (const list of lists) {
    const problem = await (await read(`${list}?limit=${limit}`)).json()
    expect([list, problem]).toMatchObject([list, { status: 400, field: 'limit' }])
    expect(problem.detail).toBe('limit must be a whole number from 1 to 100')
  }
  expect(lists.length).toBeGreaterThan(9)
})

test('docs/api/README.md lists every kind of refusal with its status', () => {
  const table = readFileSync('docs/api/README.md', 'utf8').matchAll(/^\| (\d+) \| `(\w+)` \|/gm)
  const listed = [...table].map(([, status, kind]) => [kind, Number(status)])
  expect(Object.fromEntries(listed)).toEqual(STATUS)
})
