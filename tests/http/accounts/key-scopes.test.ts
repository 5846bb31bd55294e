import { describe, expect, test } from 'vitest'
import { type KeyScopes, SCOPES, type Scope } from '#domain/accounts/api-key.ts'
import { openTestApp } from '#tests/support/app.ts'
import { browserOf } from '#tests/support/browser.ts'
import { thingsOf } from '#tests/support/things.ts'
import { fileForm, picture } from '#tests/support/uploads.ts'

type Operation = {
  security: { api_key?: string[] }[]
  requestBody?: { content: Record<string, { example?: unknown }> }
}

async function openKeys() {
  const app = await openTestApp({ env: { RATE_LIMITS: 'off' } })
  const owner = await app.signUp({ subscription_plan: 'enterprise' })
  const make = (json: object) => app.ask('POST', '/api/api-keys', { as: owner, json })
  const keyWith = async (scopes: KeyScopes | undefined): Promise<string> =>
    (await (await make({ name: String(scopes), scopes })).json()).key
  const withKey = (key: string, method: string, path: string, json?: unknown) =>
    app.ask(method, path, { as: { bearerToken: key }, json, headers: PROBLEM })
  return { ...app, owner, make, keyWith, withKey }
}

const PROBLEM = { Accept: 'application/problem+json' }

/** The scope that a call needs, by its address. */
const NEEDED: [RegExp, Scope][] = [
  [/^GET \/api\/(qr|scan|popup-images)(\/|$)/, 'codes:read'],
  [/^\w+ \/api\/(qr|popup-images)(\/|$)/, 'codes:write'],
  [/^\w+ \/api\/(documents|due|gallery)(\/|$)/, 'papers'],
  [/^\w+ \/api\/conversations(\/|$)/, 'messages'],
]

/** The keys, with all that each may do. */
const KEYS: [KeyScopes, Scope[]][] = [
  [null, ['codes:read', 'codes:write', 'papers']],
  [['codes:read'], ['codes:read']],
  [['codes:write'], ['codes:read', 'codes:write']],
  [['papers'], ['papers']],
  [['messages'], ['messages']],
]

async function readCalls({ ask }: Awaited<ReturnType<typeof openKeys>>) {
  const { paths } = await (await ask('GET', '/api/openapi.json')).json()
  return Object.entries<Record<string, Operation>>(paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, { security, requestBody }]) => ({
      method: method.toUpperCase(),
      path,
      isForKeys: security.some(({ api_key }) => api_key),
      isOpen: security.some((each) => Object.keys(each).length === 0),
      isPublic: security.length === 0,
      scopes: security.flatMap(({ api_key = [] }) => api_key),
      json: requestBody?.content['application/json']?.example,
    })),
  )
}

describe('the scopes of an API key', () => {
  test('are described at every call that accepts one', async () => {
    const calls = (await readCalls(await openKeys())).filter(({ isForKeys }) => isForKeys)
    expect(calls.length).toBeGreaterThan(40)
    for (const { method, path, scopes, isOpen } of calls) {
      const call = `${method} ${path}`
      const needed = NEEDED.find(([pattern]) => pattern.test(call))?.[1]
      const expected = isOpen ? ['codes:read', 'papers', 'messages'] : [needed]
      expect([call, scopes]).toEqual([call, expected])
    }
    expect(calls.filter(({ isOpen }) => isOpen).map(({ path }) => path)).toEqual([
      '/api/files/{name}',
    ])
  })

  test('allow the calls that name them, and a refusal names the missing one', {
    tags: 'slow',
  }, async () => {
    const app = await openKeys()
    const calls = (await readCalls(app)).filter(({ isPublic }) => !isPublic)
    for (const [scopes, held] of KEYS) {
      const key = await app.keyWith(scopes)
      for (const { method, path, json, isOpen, isForKeys, scopes: needed } of calls) {
        const answer = await app.withKey(key, method, path.replaceAll(/{\w+}/g, 'none'), json)
        const { code, detail } =
          answer.status === 403 ? await answer.json() : { code: undefined, detail: undefined }
        const call = [scopes, method, path]
        // Calls that are open to all ignore a key that is not for them.
        if (!isForKeys && !isOpen) expect([...call, code]).toEqual([...call, 'forbidden.api_key'])
        else if (isOpen || held.some((scope) => needed.includes(scope))) {
          expect([...call, answer.status]).not.toEqual([...call, 403])
        } else {
          const refusal = ['forbidden.scope', `This API key lacks the scope ${needed[0]}`]
          expect([...call, code, detail]).toEqual([...call, ...refusal])
        }
      }
    }
  })

  test('are listed, each once, and those of a key made without are null', async () => {
    const { make, keyWith, ask, owner } = await openKeys()
    const twice = ['papers', 'codes:read', 'papers']
    const made = await (await make({ name: 'Twice', scopes: twice })).json()
    expect(made.scopes).toEqual(['codes:read', 'papers'])
    await keyWith(undefined)
    await keyWith(null)
    const listed = await (await ask('GET', '/api/api-keys', { as: owner })).json()
    const scopesOf = Object.fromEntries(
      listed.map(({ name, scopes }: { name: string; scopes: KeyScopes }) => [name, scopes]),
    )
    const all = { Twice: ['codes:read', 'papers'], undefined: null, null: null }
    expect(scopesOf).toEqual(all)
  })

  test.each([
    [[], 'Please choose what the key may do'],
    [['codes'], 'Scopes must be codes:read, codes:write, papers or messages'],
    ['papers', 'Scopes must be a list'],
  ])('cannot be %j', async (scopes, detail) => {
    const { make, ask, owner } = await openKeys()
    const refused = await make({ name: 'Key', scopes })
    expect([refused.status, await refused.json()]).toEqual([400, { detail }])
    expect(await (await ask('GET', '/api/api-keys', { as: owner })).json()).toEqual([])
  })

  test('decide which files a key opens', async () => {
    const app = await openKeys()
    const things = thingsOf(app, app.owner)
    const document = `/api/files/${await things.file()}`
    const talk = `/api/conversations/${await things.conversation()}`
    const { thumbnail_url, photo_url } = await (
      await app.ask('GET', talk, { as: app.owner })
    ).json()
    const body = fileForm(await picture())
    const uploaded = await app.ask('POST', '/api/popup-images/upload', { as: app.owner, body })
    const { url } = await uploaded.json()
    await app.db.updateTable('popup_images').set({ is_active: 0 }).execute()
    const paths = [document, thumbnail_url, photo_url, url]
    const opened = async (scopes: KeyScopes) => {
      const key = await app.keyWith(scopes)
      return Promise.all(paths.map(async (path) => (await app.withKey(key, 'GET', path)).status))
    }
    expect(await opened(null)).toEqual([200, 404, 403, 200])
    expect(await opened(['papers'])).toEqual([200, 404, 403, 404])
    expect(await opened(['messages'])).toEqual([404, 200, 200, 404])
    expect(await opened(['codes:write'])).toEqual([404, 404, 403, 200])
  })
})

describe('the form of a new key', () => {
  const PAGE = '/settings/api-keys'
  const TICK = /<input type="checkbox"[^>]*name="([\w:]+)"[^>]*checked/g
  const ticked = (html: string) => [...html.matchAll(TICK)].map(([, name]) => name)

  test('allows everything at first, and makes what is ticked', async () => {
    const app = await openKeys()
    const { read, submit } = browserOf(app, app.owner)
    expect(ticked(await read(PAGE))).toEqual([...SCOPES])
    await submit(PAGE, { name: 'Gate', 'codes:write': 'on', messages: 'on' })
    const [made] = await (await app.ask('GET', '/api/api-keys', { as: app.owner })).json()
    expect(made.scopes).toEqual(['codes:write', 'messages'])
    expect(await read(PAGE)).toContain('Change codes, Messages')
  })

  test('refuses a key that may do nothing, and keeps the name', async () => {
    const app = await openKeys()
    const { submit } = browserOf(app, app.owner)
    const { status, html } = await submit(PAGE, { name: 'Gate' })
    expect(status).toBe(400)
    expect(html).toContain('Please choose what the key may do')
    expect(html).toContain('value="Gate"')
    expect(ticked(html)).toEqual([])
  })
})
