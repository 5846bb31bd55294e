import { describe, expect, test } from 'vitest'
import { createApiKey } from '#db/accounts/api-keys.ts'
import { CONFIRMED_ACTS } from '#domain/accounts/confirmation.ts'
import { EMAIL, WITH_MAIL } from '#tests/support/accounts.ts'
import { openTestApp, PASSWORD, type TestApp } from '#tests/support/app.ts'
import { openUncounted } from '#tests/support/authorisation.ts'
import { newCaller } from '#tests/support/callers.ts'
import { callOn } from '#tests/support/calls.ts'
import { send } from '#tests/support/principals.ts'
import { countEach } from '#tests/support/races.ts'
import { thingsOf } from '#tests/support/things.ts'

const ASKED = { detail: 'Please confirm that it is you', confirm: true }
const ACTS = Object.keys(CONFIRMED_ACTS)
const isApi = (act: string) => act.includes(' /api/')
const toCall = (act: string) => (isApi(act) ? act.replaceAll(/:(\w+)/g, '{$1}') : act)
const PAGE = { 'Sec-Fetch-Site': 'same-origin' }

/** A super admin on the plan Enterprise may do each of the acts. */
async function openSuperAdmin(app: TestApp, account: object = {}) {
  const owner = await app.signUp({
    role: 'super_admin',
    subscription_plan: 'enterprise',
    ...account,
  })
  const headersFor = (
    act: string,
    as: { bearerToken: string; cookie: string } = owner,
  ): Record<string, string> =>
    isApi(act) ? { Authorization: `Bearer ${as.bearerToken}` } : { ...PAGE, Cookie: as.cookie }
  const act = async (name: string, as?: { bearerToken: string; cookie: string }) => {
    const sent = await callOn(thingsOf(app, owner), toCall(name))
    const fields = sent.json ?? sent.form
    // A rejection needs no confirmation.
    if (fields && 'action' in fields) fields.action = 'approve'
    return send(app, sent, headersFor(name, as))
  }
  const confirm = async (json: object, as: { bearerToken: string } = owner) =>
    (await app.ask('POST', '/api/account/confirm', { as, json })).status
  return { owner, act, confirm }
}

/** Opens a super admin who signed in more than ten minutes ago. */
async function openOldSignIn() {
  const app = await openUncounted()
  const { owner } = await openSuperAdmin(app)
  app.advance(601)
  return { ...app, owner }
}

async function asksToConfirm(answer: Response): Promise<boolean> {
  const isJson = answer.headers.get('Content-Type')?.startsWith('application/json')
  const text = await answer.text()
  if (isJson) return answer.status === 403 && JSON.parse(text).confirm === true
  return answer.status === 403 && text.includes('data-confirm')
}

test('every act of CONFIRMED_ACTS has a route', async () => {
  const { app } = await openUncounted()
  const routes = app.routes.map(({ method, path }) => `${method} ${path}`)
  expect(ACTS.filter((act) => !routes.includes(act))).toEqual([])
})

test('CONFIRMED_ACTS has the form of every call, and the call of every form', () => {
  const nextsOf = (acts: string[]) =>
    [...new Set(acts.map((act) => CONFIRMED_ACTS[act]?.next))].toSorted()
  // Downloads are pages without a call.
  const forms = ACTS.filter((act) => !isApi(act) && !CONFIRMED_ACTS[act]?.isDownload)
  expect(nextsOf(ACTS.filter(isApi))).toEqual(nextsOf(forms))
})

test.each(ACTS)(
  '%s asks for a confirmation when the sign-in is older than ten minutes, and not before',
  async (name) => {
    const app = await openUncounted()
    const { act, confirm } = await openSuperAdmin(app, {
      ...(CONFIRMED_ACTS[name]?.isForPasswordless && { password_hash: null }),
    })
    app.advance(600)
    expect(await asksToConfirm(await act(name))).toBe(false)
    const later = await openSuperAdmin(app, {
      ...(CONFIRMED_ACTS[name]?.isForPasswordless && { password_hash: null }),
    })
    app.advance(601)
    expect(await asksToConfirm(await later.act(name))).toBe(true)
    if (CONFIRMED_ACTS[name]?.isForPasswordless) return
    expect(await confirm({ password: PASSWORD }, later.owner)).toBe(200)
    expect(await asksToConfirm(await later.act(name))).toBe(false)
  },
)

test.each([
  ['POST', '/api/client/password-reset-approve', { request_id: 'none', action: 'reject' }, 404],
  ['PATCH', '/api/account', { name: 'Asha Kale' }, 200],
  ['POST', '/api/notifications/channels', { type: 'push' }, 400],
] as const)(
  '%s %s with %j hands nothing over, and needs no confirmation',
  async (method, path, json, status) => {
    const { owner, ...app } = await openOldSignIn()
    expect((await app.ask(method, path, { as: owner, json })).status).toBe(status)
  },
)

test.each(['[]', 'null', '{', ''])(
  'a body of %j is refused as invalid, without asking for a confirmation',
  async (body) => {
    const { owner, ...app } = await openOldSignIn()
    const headers = {
      Authorization: `Bearer ${owner.bearerToken}`,
      'Content-Type': 'application/json',
    }
    const sent = app.ask('PATCH', '/api/account', { headers, body })
    expect((await sent).status).toBe(400)
  },
)

test('an API key may only replace a code, and make no other of these calls', async () => {
  const { owner, ...app } = await openOldSignIn()
  const { key } = await createApiKey(
    app.db,
    await newCaller(app, owner.id),
    'Stock',
    new Date(0),
    async () => {},
  )
  const answers = await Promise.all(
    ACTS.filter(isApi).map(async (name) => {
      const sent = await callOn(thingsOf(app, owner), toCall(name))
      return [name, (await send(app, sent, { Authorization: `Bearer ${key}` })).status] as const
    }),
  )
  expect(answers.filter(([, status]) => status !== 403)).toEqual([
    ['POST /api/qr/:qr_id/replace', 200],
  ])
})

describe('a confirmation', () => {
  test('is valid for ten minutes, in its own session alone', async () => {
    const app = await openUncounted()
    const { owner, act, confirm } = await openSuperAdmin(app)
    const { cookieToken, bearerToken } = await app.deps.sessions.start(owner)
    const other = { bearerToken, cookie: `driveqr=${cookieToken}` }
    app.advance(3600)
    expect(await confirm({ password: PASSWORD })).toBe(200)
    const asked = async (as?: typeof other) => asksToConfirm(await act('POST /api/api-keys', as))
    expect([await asked(), await asked(other)]).toEqual([false, true])
    app.advance(600)
    expect(await asked()).toBe(false)
    app.advance(1)
    expect(await asked()).toBe(true)
  })

  test('is requested from a program by a flag and a sentence', async () => {
    const app = await openUncounted()
    const { act } = await openSuperAdmin(app)
    app.advance(601)
    const answer = await act('POST /api/api-keys')
    expect([answer.status, await answer.json()]).toEqual([403, ASKED])
  })

  test('needs the right password, and its wrong ones count as those of a sign-in', async () => {
    const app = await openTestApp()
    const { confirm, act } = await openSuperAdmin(app)
    app.advance(601)
    const statuses: number[] = []
    for (let n = 0; n < 12; n++) statuses.push(await confirm({ password: `wrong ${n}` }))
    expect(countEach(statuses)).toEqual({ 401: 10, 429: 2 })
    expect(await confirm({ password: PASSWORD })).toBe(429)
    expect(await asksToConfirm(await act('POST /api/api-keys'))).toBe(true)
  })

  test.each([{}, { password: '' }, { password: null }])('is refused for %j', async (json) => {
    const app = await openTestApp()
    const { confirm } = await openSuperAdmin(app)
    expect(await confirm(json)).toBe(400)
  })

  test('does not last longer after the clock was ahead', async () => {
    const app = await openUncounted()
    app.advance(600)
    const { act, confirm } = await openSuperAdmin(app)
    app.advance(-600)
    expect(await asksToConfirm(await act('POST /api/api-keys'))).toBe(true)
    expect(await confirm({ password: PASSWORD })).toBe(200)
    expect(await asksToConfirm(await act('POST /api/api-keys'))).toBe(false)
    app.advance(600)
    expect(await asksToConfirm(await act('POST /api/api-keys'))).toBe(false)
  })
})

describe('without script', () => {
  async function ask(app: TestApp, account: object = {}) {
    const { owner } = await openSuperAdmin(app, account)
    app.advance(601)
    const headers = { ...PAGE, Cookie: owner.cookie }
    const post = (path: string, fields: Record<string, string>, cookie = owner.cookie) =>
      app.ask('POST', path, {
        headers: { ...headers, Cookie: cookie },
        body: new URLSearchParams(fields),
      })
    const asked = await post('/settings/api-keys', { name: 'Stock <b>', papers: 'on' })
    const html = await asked.text()
    const held = /name="held" value="([^"]+)"/.exec(html)?.[1] ?? ''
    return { owner, post, asked, html, held }
  }

  test('the page holds the form encrypted, and sends it after the password', async () => {
    const app = await openTestApp(WITH_MAIL)
    const { asked, html, held, post } = await ask(app, { email: EMAIL })
    expect(asked.status).toBe(403)
    expect(html).toContain('Please confirm that it is you')
    expect(html).toContain('Then the key is created.')
    expect(html).not.toContain('Stock')
    const wrong = await post('/confirm', { held, password: 'wrong' })
    const again = await wrong.text()
    expect([wrong.status, again]).toEqual([
      401,
      expect.stringContaining('That password is not right'),
    ])
    expect(again).not.toContain('value="wrong"')
    const done = await post('/confirm', { held, password: PASSWORD })
    expect([done.status, await done.text()]).toEqual([
      200,
      expect.stringContaining('Key for Stock &lt;b&gt;'),
    ])
    const keys = await app.db.selectFrom('api_keys').select('name').execute()
    expect(keys).toEqual([{ name: 'Stock <b>' }])
  })

  test('a held form of another session, a changed one and an expired one are not sent', async () => {
    const app = await openTestApp()
    const { owner, held, post } = await ask(app)
    const stranger = await app.signUp({ subscription_plan: 'enterprise' })
    const { cookieToken } = await app.deps.sessions.start(owner)
    const tries = [
      post('/confirm', { held, password: PASSWORD }, stranger.cookie),
      post('/confirm', { held, password: PASSWORD }, `driveqr=${cookieToken}`),
      post('/confirm', { held: `${held.slice(0, -4)}AAAA`, password: PASSWORD }),
      post('/confirm', { password: PASSWORD }),
    ]
    for (const answer of await Promise.all(tries)) expect(answer.status).toBe(409)
    app.advance(601)
    expect((await post('/confirm', { held, password: PASSWORD })).status).toBe(409)
    expect(await app.db.selectFrom('api_keys').selectAll().execute()).toEqual([])
  })

  test('another site cannot send the held form', async () => {
    const app = await openTestApp()
    const { owner, held } = await ask(app)
    const headers = { Cookie: owner.cookie, 'Sec-Fetch-Site': 'cross-site' }
    const body = new URLSearchParams({ held, password: PASSWORD })
    expect((await app.ask('POST', '/confirm', { headers, body })).status).toBe(403)
  })

  test('an account without a password is asked to sign in again', async () => {
    const app = await openTestApp()
    const { html } = await ask(app, { password_hash: null })
    expect(html).toContain('Your account has no password.')
    expect(html).toContain('action="/logout"')
    expect(html).not.toContain('name="password"')
  })
})
