import { describe, expect, test } from 'vitest'
import { sweepTables } from '#actions/retention.ts'
import { reserveKey } from '#db/idempotency/idempotency-keys.ts'
import { keyedHash } from '#db/secrets.ts'
import { RATE_LIMITS } from '#domain/rate-limits.ts'
import { openTestApp } from '#tests/support/app.ts'
import { insertCode } from '#tests/support/codes.ts'
import { countEach, RACERS } from '#tests/support/races.ts'
import { fileForm } from '#tests/support/uploads.ts'

const PATH = '/api/qr/create'
const CODE = { owner_name: 'Asha Patil', contact_phone: '98765 43210' }
/** An address that nothing is sent to. */
const PUBLIC = 'https://93.184.216.34'
const DAY = 86_400
const ENTERPRISE = { subscription_plan: 'enterprise' } as const
const keyed = (key: string) => ({ 'Idempotency-Key': key })

/** An application, an account with every plan's codes, and the number of its codes. */
async function openOwner() {
  const app = await openTestApp()
  const as = await app.signUp(ENTERPRISE)
  const create = (key: string, json: object = CODE, by = as) =>
    app.ask('POST', PATH, { as: by, json, headers: keyed(key) })
  const countCodes = async () => (await app.db.selectFrom('qr_codes').select('id').execute()).length
  return { ...app, as, create, countCodes }
}

async function codeOf(answer: Response) {
  return { status: answer.status, code: answer.headers.get('Refusal') }
}

test('the same call with the same key makes one thing, and has the same answer', async () => {
  const { create, countCodes, db } = await openOwner()
  const [first, again] = [await create('k1'), await create('k1')]
  const made = await first.text()
  expect([first.status, again.status, await again.text()]).toEqual([201, 201, made])
  expect(again.headers.get('Content-Type')).toBe(first.headers.get('Content-Type'))
  expect(await countCodes()).toBe(1)
  const [kept] = await db.selectFrom('idempotency_keys').selectAll().execute()
  expect(JSON.stringify(kept)).not.toMatch(/Asha|98765|owner_name/)
  await create('k2')
  expect(await countCodes()).toBe(2)
})

test('a call without the header keeps nothing', async () => {
  const { ask, as, db } = await openOwner()
  expect((await ask('POST', PATH, { as, json: CODE })).status).toBe(201)
  expect(await db.selectFrom('idempotency_keys').selectAll().execute()).toEqual([])
})

test('another body with the same key is 422, and changes nothing', async () => {
  const { create, countCodes } = await openOwner()
  await create('k1')
  const other = await create('k1', { ...CODE, owner_name: 'Ravi' })
  expect(await codeOf(other)).toEqual({ status: 422, code: 'unprocessable.idempotency_key' })
  expect(await countCodes()).toBe(1)
})

test('a key belongs to one session or API key, and one path', async () => {
  const { ask, as, create, countCodes, signUp, deps } = await openOwner()
  const stranger = await signUp(ENTERPRISE)
  const { bearerToken } = await deps.sessions.start(as)
  await create('k1')
  await create('k1', CODE, stranger)
  await create('k1', CODE, { ...as, bearerToken })
  const { key } = await (await ask('POST', '/api/api-keys', { as, json: { name: 'Till' } })).json()
  await create('k1', CODE, { ...as, bearerToken: key })
  await ask('POST', '/api/qr/child-create', { as, json: { quantity: 2 }, headers: keyed('k1') })
  expect(await countCodes()).toBe(6)
})

test('a refused call frees its key', async () => {
  const { create, countCodes } = await openOwner()
  const refused = await create('k1', { ...CODE, contact_phone: 'none' })
  expect(await codeOf(refused)).toEqual({ status: 400, code: 'invalid.mobile' })
  expect((await create('k1')).status).toBe(201)
  expect(await countCodes()).toBe(1)
})

test('a caller who may not make the call any more gets no earlier answer', async () => {
  const { ask, as, create, db } = await openOwner()
  const { id, key } = await (
    await ask('POST', '/api/api-keys', { as, json: { name: 'Till' } })
  ).json()
  const till = { ...as, bearerToken: key }
  expect((await create('k1', CODE, till)).status).toBe(201)
  const plan = (subscription_plan: 'free' | 'enterprise') =>
    db.updateTable('accounts').set({ subscription_plan }).execute()
  await plan('free')
  expect((await create('k1', CODE, till)).status).toBe(403)
  await plan('enterprise')
  await ask('DELETE', `/api/api-keys/${id}`, { as })
  expect((await create('k1', CODE, till)).status).toBe(401)
})

describe('an answer with a secret', () => {
  const SECRETS: [string, object][] = [
    ['/api/api-keys', { name: 'Till' }],
    ['/api/notifications/channels', { type: 'webhook', url: `${PUBLIC}/hook` }],
    ['/api/qr/bulk-create', { quantity: 1, activation: true }],
    ['/api/calendar', {}],
  ]

  test.each(SECRETS)('of %s is not given again', async (path, json) => {
    const { ask, as, db } = await openOwner()
    const call = () => ask('POST', path, { as, json, headers: keyed('k1') })
    expect((await call()).status).toBe(201)
    const again = await call()
    expect((await again.json()).detail).toBe('This key was used; its secret was shown once')
    expect(await codeOf(again)).toEqual({ status: 409, code: 'conflict.idempotency_secret' })
    const [kept] = await db.selectFrom('idempotency_keys').select('answer').execute()
    expect(kept).toEqual({ answer: null })
  })

  test.each([
    ['/api/notifications/channels', { type: 'ntfy', url: `${PUBLIC}/keys` }],
    ['/api/qr/bulk-create', { quantity: 2 }],
  ])('is told from one without by %s', async (path, json) => {
    const { ask, as } = await openOwner()
    const call = () => ask('POST', path, { as, json, headers: keyed('k1') })
    const made = await (await call()).json()
    const again = await call()
    expect([again.status, await again.json()]).toEqual([201, made])
  })
})

test(`${RACERS} calls at once with one key make one thing, and have one answer`, async () => {
  const { create, countCodes } = await openOwner()
  const answers = await Promise.all(Array.from({ length: RACERS }, () => create('k1')))
  expect(countEach(answers.map(({ status }) => status))).toEqual({ 201: RACERS })
  const bodies = await Promise.all(answers.map((answer) => answer.text()))
  expect(new Set(bodies).size).toBe(1)
  expect(await countCodes()).toBe(1)
})

test('of different calls at once with one key one is made', async () => {
  const { create, countCodes } = await openOwner()
  const calls = Array.from({ length: RACERS }, (_, n) =>
    create('k1', { ...CODE, owner_name: `Asha ${'abcdefghijklmnopqrst'[n]}` }),
  )
  const statuses = (await Promise.all(calls)).map(({ status }) => status)
  expect(countEach(statuses)).toEqual({ 201: 1, 422: RACERS - 1 })
  expect(await countCodes()).toBe(1)
})

describe('a call that did not finish', () => {
  test('is 409 until the key is a day old', { tags: 'slow' }, async () => {
    const { as, create, countCodes, db, deps, advance } = await openOwner()
    const session = await db.selectFrom('sessions').select('id').executeTakeFirstOrThrow()
    const parts = ['Idempotency-Key', 'session', session.id, PATH, 'k1']
    const id = keyedHash(deps.secretKey, ...parts)
    const body_hash = keyedHash(deps.secretKey, 'Idempotency-Key', '', JSON.stringify(CODE))
    await reserveKey(db, { id, account_id: as.id, body_hash }, deps.clock())
    expect(await codeOf(await create('k1'))).toEqual({
      status: 409,
      code: 'conflict.idempotency_unfinished',
    })
    expect(await countCodes()).toBe(0)
    advance(DAY)
    expect((await create('k1')).status).toBe(201)
  })

  test('may have done its work if the database was lost, and keeps its key', async () => {
    const { ask, as, db, deps } = await openOwner()
    const { check } = deps.rateLimits
    deps.rateLimits.check = (name, ...rest) => {
      if (name !== 'batch') return check(name, ...rest)
      throw Object.assign(new Error('lost'), { code: 'DATABASE_UNREACHABLE' })
    }
    const json = { quantity: 1 }
    const lost = await ask('POST', '/api/qr/child-create', { as, json, headers: keyed('k1') })
    expect(lost.status).toBe(503)
    const kept = await db.selectFrom('idempotency_keys').select('answered_at').execute()
    expect(kept).toEqual([{ answered_at: null }])
  })
})

test('a key is free after a day, and swept', async () => {
  const { create, countCodes, deps, db, advance } = await openOwner()
  await create('k1')
  advance(DAY - 1)
  await create('k1')
  await create('k2')
  await sweepTables(deps)
  expect(await countCodes()).toBe(2)
  advance(1)
  await create('k1')
  expect(await countCodes()).toBe(3)
  advance(DAY - 0.5)
  await sweepTables(deps)
  expect(await db.selectFrom('idempotency_keys').select('id').execute()).toHaveLength(1)
})

test.each(['', 'a key', 'clé', 'a, b', 'k'.repeat(256)])('%j is no key', async (key) => {
  const { ask, as, countCodes } = await openOwner()
  const headers = new Headers({ 'Idempotency-Key': '' })
  if (!key.includes('é')) headers.set('Idempotency-Key', key)
  else headers.set('Idempotency-Key', Buffer.from(key).toString('latin1'))
  const answer = await ask('POST', PATH, { as, json: CODE, headers: Object.fromEntries(headers) })
  expect(await codeOf(answer)).toEqual({ status: 400, code: 'invalid.idempotency_key' })
  expect(await countCodes()).toBe(0)
})

test('the longest key and every visible character are taken', async () => {
  const { create } = await openOwner()
  const visible = String.fromCharCode(...Array.from({ length: 94 }, (_, n) => n + 33))
  expect((await create(visible)).status).toBe(201)
  expect((await create('k'.repeat(255))).status).toBe(201)
})

test.each(['/api/popup-images/upload', '/api/qr/import', '/api/support/tickets'])(
  '%s with a file takes no key',
  async (path) => {
    const { ask, as, db } = await openOwner()
    const body = fileForm(Buffer.from('owner_name\nAsha'))
    const answer = await ask('POST', path, { as, body, headers: keyed('k1') })
    expect(await codeOf(answer)).toEqual({ status: 400, code: 'invalid.idempotency_file' })
    expect(await db.selectFrom('idempotency_keys').select('id').execute()).toEqual([])
  },
)

test('a call without an account ignores the key', async () => {
  const { ask, as, db } = await openOwner()
  const { qr_id } = await insertCode(db, as.id)
  const report = () =>
    ask('POST', `/api/scan/${qr_id}/report`, { json: { reason: 'spam' }, headers: keyed('a b') })
  expect([(await report()).status, (await report()).status]).toEqual([201, 201])
  expect(await db.selectFrom('idempotency_keys').select('id').execute()).toEqual([])
})

test('an account has a limit of new keys, and repeated calls are still answered', async () => {
  const { as, create, deps } = await openOwner()
  expect((await create('k1')).status).toBe(201)
  const { count } = RATE_LIMITS['idempotency-key']
  for (let n = 1; n < count; n++) deps.rateLimits.add('idempotency-key', as.id, deps.clock())
  expect((await create('k2')).status).toBe(429)
  expect((await create('k1')).status).toBe(201)
})

test('every call with a sign-in that creates something takes the key, and describes it', async () => {
  const { ask } = await openOwner()
  const { paths } = await (await ask('GET', '/api/openapi.json')).json()
  const calls = Object.entries<Record<string, Described>>(paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, call]) => ({ name: `${method} ${path}`, method, call })),
  )
  const takes = calls.filter(({ call }) => call.parameters?.some(isKey))
  const creates = calls.filter(
    ({ method, call: { security, responses, requestBody } }) =>
      method === 'post' &&
      security.length > 0 &&
      responses[201] &&
      (!requestBody || 'application/json' in requestBody.content),
  )
  const names = (some: { name: string }[]) => some.map(({ name }) => name)
  expect(names(takes)).toEqual(expect.arrayContaining(names(creates)))
  expect(creates.length).toBeGreaterThan(10)
  for (const { name, method, call } of takes) {
    expect([name, method, call.security.length > 0]).toEqual([name, 'post', true])
    expect(Object.keys(call.responses)).toEqual(expect.arrayContaining(['400', '409', '422']))
  }
})

type Described = {
  security: object[]
  parameters?: { name: string; in: string }[]
  responses: Record<string, object>
  requestBody?: { content: object }
}

function isKey({ name, in: where }: { name: string; in: string }): boolean {
  return where === 'header' && name === 'Idempotency-Key'
}
