import { readFileSync } from 'node:fs'
import { gunzipSync } from 'node:zlib'
import { describe, expect, onTestFinished, test, vi } from 'vitest'
import { SUBJECTS } from '#routes/api/_subjects.ts'
import { openTestApp, type TestApp } from '#tests/support/app.ts'

type Json = { [key: string]: Json } & { $ref?: string }
type Parameter = { name: string; in: string; required?: boolean }
type Operation = {
  parameters?: Parameter[]
  responses: Record<string, { description?: string }>
  security: Record<string, string[]>[]
  operationId: string
  summary: string
  description: string
  tags: string[]
  requestBody?: {
    content: Record<string, { schema: Payload; example?: Record<string, unknown> }>
  }
}
type Document = {
  openapi: string
  info: { title: string; version: string; license: { name: string }; contact: object }
  servers: { url: string }[]
  paths: Record<string, Record<string, Operation>>
  components: { securitySchemes: Json; schemas: Json }
}

async function read({ ask }: TestApp): Promise<Document> {
  const answer = await ask('GET', '/api/openapi.json')
  expect(answer.status).toBe(200)
  expect(answer.headers.get('Content-Type')).toContain('application/json')
  return answer.json()
}

function operationsOf({ paths }: Document) {
  return Object.entries(paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, operation]) => ({
      call: `${method.toUpperCase()} ${path}`,
      path,
      operation,
    })),
  )
}

test('the document lists every call that the application has, and no other', async () => {
  const opened = await openTestApp()
  const routes = opened.app.routes.filter(
    ({ path, method }) => path.startsWith('/api/') && path !== '/api/docs' && method !== 'ALL',
  )
  const calls = routes.map(({ method, path }) => `${method} ${path.replace(/:(\w+)/g, '{$1}')}`)
  const described = operationsOf(await read(opened)).map(({ call }) => call)
  expect(described).toContain('PUT /api/qr/{qr_id}')
  expect(described.toSorted()).toEqual([...new Set(calls)].toSorted())
})

test('a list ignores empty fields of its query', async () => {
  const opened = await openTestApp()
  const as = await opened.signUp({ role: 'super_admin', subscription_plan: 'enterprise' })
  const lists = operationsOf(await read(opened)).filter(
    ({ operation: { parameters = [] }, path }) =>
      parameters.some(({ name }) => name === 'page') && !path.includes('{'),
  )
  expect(lists.length).toBeGreaterThan(5)
  for (const { path, operation } of lists) {
    const names = (operation.parameters ?? []).filter((each) => each.in === 'query')
    const query = names.map(({ name }) => `${name}=`).join('&')
    const [answer, plain] = await Promise.all(
      [`${path}?${query}`, path].map(async (url) => (await opened.ask('GET', url, { as })).json()),
    )
    expect([path, answer]).toEqual([path, plain])
  }
})

test('the document is made once, compressed for clients that accept gzip, and answered 304 while unchanged', async () => {
  const { ask } = await openTestApp()
  const serialize = vi.spyOn(JSON, 'stringify')
  onTestFinished(() => serialize.mockRestore())
  const read = (headers: Record<string, string> = {}) =>
    ask('GET', '/api/openapi.json', { headers })
  const plain = await read()
  const packed = await read({ 'Accept-Encoding': 'gzip' })
  expect(packed.headers.get('Content-Encoding')).toBe('gzip')
  const unpacked = gunzipSync(Buffer.from(await packed.arrayBuffer()))
  expect(unpacked.toString()).toBe(await plain.text())
  const tags = [plain, packed].map(({ headers }) => headers.get('ETag') ?? '')
  expect(new Set(tags).size).toBe(2)
  for (const [i, encoding] of ['identity', 'gzip'].entries()) {
    const again = { 'Accept-Encoding': encoding, 'If-None-Match': tags[i] ?? '' }
    const known = await read(again)
    expect([known.status, await known.text()]).toEqual([304, ''])
  }
  expect((await read({ 'If-None-Match': '"another"' })).status).toBe(200)
  expect(plain.headers.get('Cache-Control')).toBe('public, max-age=0, must-revalidate')
  expect(plain.headers.get('Vary')).toBe('Accept-Encoding')
  const made = serialize.mock.calls.filter(([value]) => value?.openapi)
  expect(made).toHaveLength(1)
})

test('the document is OpenAPI 3.1 about this installation', async () => {
  const opened = await openTestApp({ env: { PUBLIC_URL: 'https://keys.example.in' } })
  const { openapi, info, servers, components } = await read(opened)
  expect(openapi).toBe('3.1.0')
  expect(info).toMatchObject({ title: 'DriveQR API', version: expect.any(String) })
  expect(servers).toEqual([{ url: 'https://keys.example.in' }])
  expect(components.securitySchemes).toMatchObject({
    cookie: { type: 'apiKey', in: 'cookie', name: '__Host-driveqr' },
    bearer: { type: 'http', scheme: 'bearer' },
  })
})

test('every call describes its answers and the parameters of its path', async () => {
  for (const { call, path, operation } of operationsOf(await read(await openTestApp()))) {
    const { parameters = [], responses } = operation
    const named = [...path.matchAll(/{(\w+)}/g)].map(([, name]) => name)
    const inPath = parameters.filter((each) => each.in === 'path')
    expect([call, inPath.map(({ name }) => name)]).toEqual([call, named])
    expect([call, inPath.every(({ required }) => required)]).toEqual([call, true])
    const statuses = Object.keys(responses)
    expect([call, statuses.some((status) => /^[23]\d\d$/.test(status))]).toEqual([call, true])
    for (const status of statuses) expect(responses[status]?.description).toMatch(/\w/)
  }
})

test('every reference resolves, and every security scheme is described', async () => {
  const document = await read(await openTestApp())
  for (const reference of referencesIn(document as unknown as Json)) {
    const steps = reference.replace(/^#\//, '').split('/')
    const target = steps.reduce<Json | undefined>(
      (at, step) => at?.[step],
      document as unknown as Json,
    )
    expect([reference, typeof target]).toEqual([reference, 'object'])
  }
  const used = operationsOf(document).flatMap(({ operation }) => operation.security)
  const names = new Set(used.flatMap((scheme) => Object.keys(scheme)))
  expect([...names].toSorted()).toEqual(['api_key', 'bearer', 'cookie'])
})

function referencesIn(value: Json): string[] {
  if (typeof value !== 'object' || value === null) return []
  const own = typeof value.$ref === 'string' ? [value.$ref] : []
  return [...own, ...Object.values(value).flatMap((each) => referencesIn(each as Json))]
}

test('every call has a unique name, a title, a subject and its security schemes', async () => {
  const operations = operationsOf(await read(await openTestApp()))
  for (const { call, operation } of operations) {
    const { operationId, summary, description, tags, security } = operation
    expect([call, operationId]).toEqual([call, expect.stringMatching(/^[a-z]+([A-Z][a-z]*)+$/)])
    expect([call, summary]).toEqual([call, expect.stringMatching(/^[A-Z]/)])
    expect([call, description]).toEqual([call, expect.stringMatching(/\w/)])
    expect([call, tags, security]).toEqual([call, [expect.any(String)], expect.any(Array)])
    expect(Object.keys(SUBJECTS)).toContain(tags[0])
  }
  const names = operations.map(({ operation }) => operation.operationId)
  expect(new Set(names).size).toBe(names.length)
})

test('the document names its licence and a contact', async () => {
  const contactOf = async (env: Record<string, string>) =>
    (await read(await openTestApp({ env }))).info.contact
  expect(await contactOf({ SUPPORT_EMAIL: 'help@example.in' })).toEqual({
    email: 'help@example.in',
  })
  expect(await contactOf({})).toEqual({ url: 'http://localhost:3000' })
  const { info } = await read(await openTestApp())
  expect(info.license.name).toBe(JSON.parse(readFileSync('package.json', 'utf8')).license)
})

/** Matches the refusals of codes, links and addresses that the examples make up. */
const MADE_UP = /^(Invalid or expired|This link is no longer valid|That address cannot be used)/

test('every call accepts the example of its payload', async () => {
  const { ask, signUp, ...app } = await openTestApp()
  const owner = await signUp({ role: 'admin' })
  const document = await read({ ask, signUp, ...app })
  const refused: string[] = []
  for (const { call, path, operation } of operationsOf(document)) {
    const json = operation.requestBody?.content['application/json']?.example
    if (json === undefined) continue
    const [method = ''] = call.split(' ')
    const answer = await ask(method, path.replace(/{\w+}/, '…'), {
      as: owner,
      json,
    })
    const { detail } = await answer.json()
    // The example's address is not that of the account.
    if (detail === 'Type the email of your account to confirm') continue
    if (answer.status === 400 && !MADE_UP.test(detail)) refused.push(`${call}: ${detail}`)
  }
  expect(refused).toEqual([])
})

test('the description declares which calls need a session or accept an API key', async () => {
  const { paths } = await read(await openTestApp())
  const session = [{ cookie: [] }, { bearer: [] }]
  expect(paths['/api/auth/me']?.get?.security).toEqual(session)
  expect(paths['/api/qr/my-qrs']?.get?.security).toEqual([...session, { api_key: ['codes:read'] }])
  expect(paths['/api/subscription/plans']?.get?.security).toEqual([])
})

describe('a payload', () => {
  /** The calls that need one of several fields. */
  const CHOICES = [
    'POST /api/auth/reset-password',
    'POST /api/account/password',
    'POST /api/account/confirm',
    'POST /api/auth/second-factor',
    'POST /api/admin/promo-codes',
    'POST /api/qr/bulk',
    'POST /api/conversations/{id}/messages',
    'POST /api/notifications/channels',
  ]
  /** The calls that check their token before the rest of the payload. */
  const OF_RECIPIENT = ['POST /api/transfers/{token}/accept', 'DELETE /api/account/deletion']
  /** Ids, which answer not_found if they are missing, and a field that tells how to read another one. */
  const NOT_TRIED = /_id$|^contact_type$/

  test('needs the fields that are described as required, and no others', async () => {
    const { ask, signUp, ...app } = await openTestApp({ env: { RATE_LIMITS: 'off' } })
    const admin = await signUp({ role: 'admin' })
    const enterprise = await signUp({ subscription_plan: 'enterprise' })
    const wrong: string[] = []
    let sent = 0
    for (const { call, path, operation } of operationsOf(await read({ ask, signUp, ...app }))) {
      const json = operation.requestBody?.content['application/json']
      if (!json?.example || [...CHOICES, ...OF_RECIPIENT].includes(call)) continue
      const [method = ''] = call.split(' ')
      const as = /^\/api\/(api-keys|support\/)/.test(path) ? enterprise : admin
      const isRefused = async (payload: object) => {
        const answer = await ask(method, path.replace(/{\w+}/, '…'), { as, json: payload })
        const { detail } = await answer.json()
        return answer.status === 400 && !MADE_UP.test(detail)
      }
      const required = requiredOf(json.schema)
      for (const name of new Set([...Object.keys(json.example), ...required])) {
        if (NOT_TRIED.test(name)) continue
        const { [name]: _, ...without } = json.example
        const isNeeded = required.includes(name)
        if ((await isRefused(without)) !== isNeeded) wrong.push(`${call} without ${name}`)
        if (isNeeded && !(await isRefused({ ...without, [name]: null }))) {
          wrong.push(`${call} with ${name} null`)
        }
        sent++
      }
    }
    expect(sent).toBeGreaterThan(25)
    expect(wrong).toEqual([])
  })

  test('has a maximum length, a choice or a pattern for each of its texts', async () => {
    const open: string[] = []
    for (const { call, operation } of operationsOf(await read(await openTestApp()))) {
      const schema = operation.requestBody?.content['application/json']?.schema
      for (const [name, field] of Object.entries(fieldsOf(schema))) {
        const isText = [field.type].flat().includes('string')
        const isBounded = 'maxLength' in field || 'enum' in field || 'pattern' in field
        if (isText && !isBounded) open.push(`${call} ${name}`)
      }
    }
    expect(open).toEqual([])
  })
})

type Field = { type?: string | string[]; maxLength?: number; enum?: unknown[]; pattern?: string }
type Payload = { properties?: Record<string, Field>; required?: string[]; allOf?: Payload[] }

function requiredOf({ required = [], allOf = [] }: Payload): string[] {
  return [...required, ...allOf.flatMap(requiredOf)]
}

function fieldsOf({ properties = {}, allOf = [] }: Payload = {}): Record<string, Field> {
  return Object.assign({}, properties, ...allOf.map(fieldsOf))
}
