import { describe, expect, test } from 'vitest'
import { countScans } from '#db/scans/scans.ts'
import { RATE_LIMITS } from '#domain/rate-limits.ts'
import { WITH_MAIL } from '#tests/support/accounts.ts'
import { openTestApp, type TestApp } from '#tests/support/app.ts'
import { browserOf } from '#tests/support/browser.ts'
import { insertCode } from '#tests/support/codes.ts'
import { raceStatuses } from '#tests/support/races.ts'

const NO_ACCESS = { detail: 'API access is available on the Enterprise plan' }
const KEY = /^dqk_[A-Za-z0-9_-]{43}$/

async function openEnterprise(env = {}) {
  const app = await openTestApp({ env })
  const owner = await app.signUp({ subscription_plan: 'enterprise' })
  const make = async (name: unknown = 'Stock program') => {
    const answer = await app.ask('POST', '/api/api-keys', { as: owner, json: { name } })
    return { status: answer.status, body: await answer.json() }
  }
  const list = async () => (await app.ask('GET', '/api/api-keys', { as: owner })).json()
  const withKey = (key: string, method: string, path: string, json?: object) =>
    app.ask(method, path, { as: { bearerToken: key }, json })
  return { ...app, owner, make, list, withKey }
}

function setPlan({ db }: TestApp, id: string, set: object) {
  return db.updateTable('accounts').set(set).where('id', '=', id).execute()
}

describe('an API key', () => {
  test('is shown once, named, and listed without its secret', async () => {
    const { make, list } = await openEnterprise()
    const { status, body } = await make(' Stock program ')
    expect(status).toBe(201)
    expect(body).toEqual({
      id: expect.any(String),
      name: 'Stock program',
      key: expect.stringMatching(KEY),
      created_at: '2026-11-20T10:00:00.000Z',
      last_used_at: null,
      scopes: null,
    })
    const { key: _, ...listed } = body
    expect(await list()).toEqual([listed])
  })

  test('is nowhere in the database or the log', async () => {
    const { make, withKey, db, logged } = await openEnterprise()
    const { body } = await make()
    await withKey(body.key, 'GET', '/api/qr/my-qrs')
    const rows = JSON.stringify(await db.selectFrom('api_keys').selectAll().execute())
    expect(rows).not.toContain(body.key.slice(4))
    expect(logged.join()).not.toContain(body.key.slice(4))
  })

  test.each([[''], ['   '], [null], [7], ['x'.repeat(121)]])(
    'is not made with the name %j',
    async (name) => {
      const { make, list } = await openEnterprise()
      expect((await make(name)).status).toBe(400)
      expect(await list()).toEqual([])
    },
  )

  test('is one of at most twenty, also for parallel requests', async () => {
    const { make, list } = await openEnterprise()
    expect(await raceStatuses((n) => make(`key ${n}`), 25)).toEqual({ 201: 20, 409: 5 })
    expect(await list()).toHaveLength(20)
  })

  test('does with codes what its owner does', async () => {
    const { make, withKey, owner, db } = await openEnterprise()
    const { key } = (await make()).body
    const json = { owner_name: 'Asha', contact_phone: '9876543210' }
    const created = await withKey(key, 'POST', '/api/qr/create', json)
    const { qr_id, owner_id } = await created.json()
    expect([created.status, owner_id]).toEqual([201, owner.id])
    const calls: [string, string, object?][] = [
      ['GET', '/api/qr/my-qrs'],
      ['PUT', `/api/qr/${qr_id}`, { city_area: 'Pune' }],
      ['GET', `/api/qr/${qr_id}/download?format=svg`],
      ['GET', `/api/qr/codes.zip?ids=${qr_id}`],
      ['GET', `/api/documents/${qr_id}`],
      ['GET', `/api/gallery/${qr_id}`],
      ['GET', '/api/popup-images'],
      ['GET', `/api/scan/${qr_id}/analytics`],
      ['DELETE', `/api/qr/${qr_id}`],
    ]
    for (const [method, path, json] of calls) {
      const { status } = await withKey(key, method, path, json)
      expect([method, path, status]).toEqual([method, path, 200])
    }
    expect(await db.selectFrom('qr_codes').selectAll().execute()).toEqual([])
  })

  test.each([
    ['GET', '/api/auth/me'],
    ['POST', '/api/auth/logout'],
    ['GET', '/api/api-keys'],
    ['POST', '/api/api-keys'],
    ['POST', '/api/subscription/upgrade'],
    ['POST', '/api/promo/redeem'],
    ['GET', '/api/client/password-reset-requests'],
    ['GET', '/api/admin/statistics'],
  ])('may not make the call %s %s, a super admin’s neither', async (method, path) => {
    const app = await openEnterprise()
    const { key } = (await app.make()).body
    await setPlan(app, app.owner.id, { role: 'super_admin' })
    const answer = await app.withKey(key, method, path)
    expect([answer.status, await answer.json()]).toEqual([
      403,
      { detail: 'API keys may not make this call' },
    ])
  })

  test('makes a public call like a caller without an account', async () => {
    const { make, withKey, owner, db } = await openEnterprise()
    const { key } = (await make()).body
    const open = await insertCode(db, owner.id)
    const blank = await insertCode(db, owner.id, { is_claimed: 0 })
    const scanned = await withKey(key, 'GET', `/api/scan/${open.qr_id}`)
    expect(scanned.status).toBe(200)
    // Its owner's own look would not count.
    expect(await countScans(db, [open.qr_id])).toEqual(new Map([[open.qr_id, 1]]))
    const json = { qr_id: blank.qr_id, owner_name: 'Ravi', contact_phone: '9876543210' }
    const claimed = await withKey(key, 'POST', '/api/qr/claim', json)
    expect([claimed.status, (await claimed.json()).take_url]).toEqual([200, expect.any(String)])
  })

  test('makes such a call also while the plan has no API access, and ignores a cookie', async () => {
    const app = await openEnterprise()
    const { key } = (await app.make()).body
    await setPlan(app, app.owner.id, { subscription_plan: 'premium' })
    const other = await app.signUp()
    const { qr_id } = await insertCode(app.db, app.owner.id, { is_claimed: 0 })
    const headers = { Cookie: other.cookie, Authorization: `Bearer ${key}` }
    const json = { qr_id, owner_name: 'Ravi', contact_phone: '9876543210' }
    const claimed = await app.ask('POST', '/api/qr/claim', { headers, json })
    expect([claimed.status, (await claimed.json()).take_url]).toEqual([200, expect.any(String)])
  })

  test('does not hide that a call is not there', async () => {
    const { make, withKey } = await openEnterprise()
    const { key } = (await make()).body
    expect((await withKey(key, 'GET', '/api/nothing')).status).toBe(404)
    expect((await withKey(key, 'PATCH', '/api/qr/my-qrs')).status).toBe(405)
  })

  test('takes precedence over a cookie, also from another site, because no browser sends one', async () => {
    const { make, ask, signUp } = await openEnterprise()
    const { key } = (await make()).body
    const other = await signUp()
    const headers = {
      Cookie: other.cookie,
      Authorization: `Bearer ${key}`,
      'Sec-Fetch-Site': 'cross-site',
    }
    const json = { owner_name: 'Asha', contact_phone: '9876543210' }
    expect((await ask('POST', '/api/qr/create', { headers, json })).status).toBe(201)
  })

  test('does not work after it is revoked, and only its owner can revoke it', async () => {
    const { make, list, withKey, ask, owner, signUp } = await openEnterprise()
    const { id, key } = (await make()).body
    const other = await signUp({ subscription_plan: 'enterprise' })
    expect((await ask('DELETE', `/api/api-keys/${id}`, { as: other })).status).toBe(404)
    expect((await withKey(key, 'GET', '/api/qr/my-qrs')).status).toBe(200)
    const revoked = await ask('DELETE', `/api/api-keys/${id}`, { as: owner })
    expect([revoked.status, await revoked.json()]).toEqual([200, { message: 'API key revoked' }])
    expect(await list()).toEqual([])
    const answer = await withKey(key, 'GET', '/api/qr/my-qrs')
    expect([answer.status, await answer.json()]).toEqual([401, { detail: 'Not authenticated' }])
    expect((await ask('DELETE', `/api/api-keys/${id}`, { as: owner })).status).toBe(404)
  })

  test.each([
    ['unknown', `dqk_${'A'.repeat(43)}`],
    ['too short', 'dqk_abc'],
    ['empty', 'dqk_'],
    ['with something after it', `dqk_${'A'.repeat(43)}%00`],
  ])('that is %s opens nothing, not even what needs no key', async (_, key) => {
    const { withKey } = await openEnterprise()
    for (const path of ['/api/qr/my-qrs', '/api/subscription/plans']) {
      expect((await withKey(key, 'GET', path)).status).toBe(401)
    }
  })

  test('works only while the plan has API access', async () => {
    const app = await openEnterprise()
    const { key } = (await app.make()).body
    await setPlan(app, app.owner.id, { subscription_plan: 'premium' })
    const asleep = await app.withKey(key, 'GET', '/api/qr/my-qrs')
    expect([asleep.status, await asleep.json()]).toEqual([403, NO_ACCESS])
    await setPlan(app, app.owner.id, { subscription_plan: 'enterprise' })
    expect((await app.withKey(key, 'GET', '/api/qr/my-qrs')).status).toBe(200)
  })

  test('says when it was last used, noted once an hour and not with every call', async () => {
    const { make, list, withKey, advance } = await openEnterprise()
    const { key } = (await make()).body
    const use = async (seconds: number) => {
      advance(seconds)
      await withKey(key, 'GET', '/api/qr/my-qrs')
      return (await list())[0].last_used_at
    }
    expect(await use(60)).toBe('2026-11-20T10:01:00.000Z')
    expect(await use(3599)).toBe('2026-11-20T10:01:00.000Z')
    expect(await use(1)).toBe('2026-11-20T11:01:00.000Z')
  })

  test('has a rate limit of its own', async () => {
    const { make, withKey, advance } = await openEnterprise()
    const [first, second] = [(await make()).body, (await make()).body]
    const use = async ({ key }: { key: string }) =>
      (await withKey(key, 'GET', '/api/popup-images')).status
    for (let n = 0; n < RATE_LIMITS['api-key'].count; n++) expect(await use(first)).toBe(200)
    expect([await use(first), await use(second)]).toEqual([429, 200])
    const open = await withKey(first.key, 'GET', '/api/subscription/plans')
    expect(open.status).toBe(429)
    advance(60)
    expect(await use(first)).toBe(200)
  })
})

describe('the page in Settings', () => {
  const PAGE = '/settings/api-keys'

  test('of a form whose answer was lost takes the place of the one that nobody saw', async () => {
    const app = await openEnterprise(WITH_MAIL.env)
    const { owner, list, withKey, mails } = app
    const { read, submit } = browserOf(app, owner)
    const form_key = /name="form_key" value="([\w-]{43})"/.exec(await read(PAGE))?.[1] ?? ''
    const send = async (name = 'Stock') => {
      const made = await submit(PAGE, { name, form_key, papers: 'on', 'codes:read': 'on' })
      return /value="(dqk_[\w-]{43})"/.exec(made.html)?.[1] ?? ''
    }
    const statusOf = async (key: string) => (await withKey(key, 'GET', '/api/qr/my-qrs')).status
    const lost = await Promise.all([send(), send()])
    const seen = await send()
    expect(await Promise.all([...lost, seen].map(statusOf))).toEqual([401, 401, 200])
    expect([(await list()).length, mails.length]).toEqual([1, 1])
    // One that was used was seen.
    const another = await send()
    expect([await statusOf(seen), await statusOf(another)]).toEqual([200, 200])
    await send('Gate')
    expect(await list()).toHaveLength(3)
    const refused = await submit(PAGE, { name: '', form_key })
    expect(refused.html).toContain(`name="form_key" value="${form_key}"`)
  })

  test('makes a key without script, shows it once, and revokes it after a question', async () => {
    const app = await openEnterprise()
    const { owner, list } = app
    const { read, submit } = browserOf(app, owner)
    const made = await submit(PAGE, { name: 'Stock program', papers: 'on' })
    expect(made.headers.get('Cache-Control')).toBe('no-store')
    expect(made.html).toMatch(/value="dqk_[\w-]{43}"/)
    const [{ id }] = await list()
    const listed = await read(PAGE)
    expect(listed).toContain('Stock program')
    expect(listed).toContain('never used')
    expect(listed).not.toMatch(/dqk_[\w-]{43}/)
    const question = await read(`${PAGE}?revoke=${id}`)
    expect(question).toContain('Revoke this API key?')
    expect(question).toContain(`action="/settings/api-keys/${id}/revoke"`)
    expect((await submit(`${PAGE}/${id}/revoke`)).to).toBe(`${PAGE}?done=key-revoked`)
    expect(await list()).toEqual([])
  })

  test('says beside the field why a key was not made', async () => {
    const app = await openEnterprise()
    const { submit } = browserOf(app, app.owner)
    const { status, html } = await submit(PAGE, { name: 'x'.repeat(121) })
    expect(status).toBe(400)
    expect(html).toContain('Name must be at most 120 characters')
    expect(html).toContain(`value="${'x'.repeat(121)}"`)
  })

  test('of another plan names the plan with API access, and links to it', async () => {
    const app = await openTestApp()
    const { read, submit } = browserOf(app, await app.signUp({ subscription_plan: 'premium' }))
    const html = await read(PAGE)
    expect(html).toContain(NO_ACCESS.detail)
    expect(html).toContain('href="/dashboard?upgrade=1"')
    expect(html).not.toContain('action="/settings/api-keys"')
    expect((await submit(PAGE, { name: 'x' })).status).toBe(403)
  })

  test('revokes a key after the plan has ended too, before it can wake', async () => {
    const app = await openEnterprise()
    const { owner, make, withKey } = app
    const { read, submit } = browserOf(app, owner)
    const { id, key } = (await make()).body
    await setPlan(app, owner.id, { subscription_plan: 'free' })
    const page = await read(PAGE)
    expect(page).toContain('Your keys work again once your plan is Enterprise.')
    expect(page).toContain(`href="${PAGE}?revoke=${id}"`)
    expect(await read(`${PAGE}?revoke=${id}`)).toContain('Revoke this API key?')
    expect((await submit(`${PAGE}/${id}/revoke`)).to).toBe(`${PAGE}?done=key-revoked`)
    expect(await read(PAGE)).not.toContain('Your keys work again once your plan is Enterprise.')
    await setPlan(app, owner.id, { subscription_plan: 'enterprise' })
    expect((await withKey(key, 'GET', '/api/qr/my-qrs')).status).toBe(401)
  })

  test('shows no confirmation for another account’s key', async () => {
    const app = await openEnterprise()
    const { id } = (await app.make()).body
    const { open } = browserOf(app, await app.signUp({ subscription_plan: 'enterprise' }))
    expect((await open(`${PAGE}?revoke=${id}`)).status).toBe(404)
  })

  test('is where the address leads that the keys had before, to the same question', async () => {
    const app = await openEnterprise()
    const { open } = browserOf(app, app.owner)
    for (const [before, now] of [
      ['/dashboard?api-keys=1', PAGE],
      ['/dashboard?tab=my-qrs&api-keys=KEY', `${PAGE}?revoke=KEY`],
    ] as const) {
      expect(await open(before)).toMatchObject({ status: 301, to: now })
    }
  })
})
