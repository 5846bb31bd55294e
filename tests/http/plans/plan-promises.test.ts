import { describe, expect, test } from 'vitest'
import { PLAN_IDS, type PlanId } from '#domain/plans/plan.ts'
import { insertCode } from '#tests/support/codes.ts'
import { openMoney, type Signed } from '#tests/support/money.ts'
import { setAccount } from '#tests/support/rows.ts'
import { fileForm, PDF } from '#tests/support/uploads.ts'

type Statuses = Record<PlanId, number>

const GALLERY = 'Upgrade to Premium to use the document gallery'
const ANALYTICS = 'Upgrade to Premium to see scan analytics'
const API_ACCESS = 'API access is available on the Enterprise plan'
const CODE = { owner_name: 'Asha Patil', contact_phone: '98765 43210' }

const paid = (refused: number, done: number): Statuses => ({
  free: refused,
  premium: done,
  enterprise: done,
})
const enterpriseOnly = (done: number): Statuses => ({ free: 403, premium: 403, enterprise: done })

/** The calls of an account with one code and one document on each plan, and their refusals. */
const PROMISES: { call: string; json?: object; is: Statuses; why: string }[] = [
  { call: 'POST /api/qr/create', json: CODE, is: paid(402, 201), why: 'QR limit reached (1/1)' },
  {
    call: 'POST /api/qr/bulk-create',
    json: { quantity: 2 },
    is: paid(402, 201),
    why: 'QR limit reached (1/1)',
  },
  {
    call: 'POST /api/qr/child-create',
    json: { quantity: 2 },
    is: paid(402, 201),
    why: 'Child QR limit reached (0/0)',
  },
  { call: 'GET /api/gallery/{qr_id}', is: paid(403, 200), why: GALLERY },
  ...['download', 'whatsapp', 'email'].map((share_method) => ({
    call: 'POST /api/gallery/share/{doc_id}',
    json: { share_method, ...(share_method === 'email' && { recipient: 'ravi@example.in' }) },
    is: paid(403, 200),
    why: GALLERY,
  })),
  { call: 'GET /api/scan/{qr_id}/analytics', is: paid(403, 200), why: ANALYTICS },
  { call: 'GET /api/api-keys', is: enterpriseOnly(200), why: API_ACCESS },
  { call: 'POST /api/api-keys', json: { name: 'Stock' }, is: enterpriseOnly(201), why: API_ACCESS },
]

/** The same by the forms that need no script. */
const FORMS: { path: string; fields: Record<string, string>; is: Statuses }[] = [
  { path: '/dashboard/qr', fields: CODE, is: paid(402, 303) },
  { path: '/dashboard/qr/bulk', fields: { quantity: '2' }, is: paid(402, 303) },
  { path: '/dashboard/qr/child', fields: { quantity: '2' }, is: paid(402, 303) },
  {
    path: '/dashboard/gallery/{doc_id}/share',
    fields: { share_method: 'download' },
    is: paid(403, 200),
  },
  { path: '/settings/api-keys', fields: { name: 'Stock', papers: 'on' }, is: enterpriseOnly(200) },
]

/** The calls of every plan. */
const FOR_ALL = [
  'GET /api/qr/my-qrs',
  'GET /api/qr/{qr_id}/download',
  'GET /api/documents/{qr_id}',
  'GET /api/documents/{qr_id}/police',
  'GET /api/popup-images',
  'GET /api/scan/{qr_id}',
  'GET /api/gallery/shares',
  'GET /dashboard?tab=gallery',
  'GET /dashboard?tab=analytics',
]

/** A new account on this plan, in a shared application. */
async function openOn(plan: PlanId, opened?: Awaited<ReturnType<typeof openMoney>>) {
  const app = opened ?? (await openMoney())
  const owner = await app.signUp({ subscription_plan: plan })
  const { qr_id } = await insertCode(app.db, owner.id)
  const body = fileForm(PDF, { document_type: 'puc', is_public: 'true' }, 'puc.pdf')
  const stored = await app.ask('POST', `/api/documents/upload/${qr_id}`, { as: owner, body })
  const { id } = await stored.json()
  const named = (path: string) => path.replace('{qr_id}', qr_id).replace('{doc_id}', id)
  async function perform({ call, json }: { call: string; json?: object }, as: Signed = owner) {
    const [method = '', path = ''] = call.split(' ')
    const cookie = path.startsWith('/api') ? {} : { headers: { Cookie: as.cookie } }
    const answer = await app.ask(method, named(path), { ...(json && { json }), as, ...cookie })
    return { status: answer.status, text: await answer.text() }
  }
  async function submit({ path, fields }: { path: string; fields: Record<string, string> }) {
    const headers = { Cookie: owner.cookie, 'Sec-Fetch-Site': 'same-origin' }
    const body = new URLSearchParams(fields)
    return (await app.ask('POST', named(path), { headers, body })).status
  }
  return { ...app, owner, qr_id, perform, submit }
}

function reasonIn(text: string): string {
  const { detail } = JSON.parse(text)
  return detail.message ?? detail
}

describe.each(PLAN_IDS)('the %s plan', (plan) => {
  test('does what it promises by each call, and says why not', async () => {
    const opened = await openMoney()
    for (const promise of PROMISES) {
      const app = await openOn(plan, opened)
      const { status, text } = await app.perform(promise)
      expect([promise.call, status]).toEqual([promise.call, promise.is[plan]])
      if (status >= 400) expect([promise.call, reasonIn(text)]).toEqual([promise.call, promise.why])
    }
  })

  test('does the same by each form', async () => {
    const opened = await openMoney()
    for (const form of FORMS) {
      const app = await openOn(plan, opened)
      expect([form.path, await app.submit(form)]).toEqual([form.path, form.is[plan]])
    }
  })

  test('has what every plan has', async () => {
    const app = await openOn(plan)
    for (const call of FOR_ALL) {
      expect([call, (await app.perform({ call })).status]).toEqual([call, 200])
    }
  })
})

test('the calls that may answer that a plan allows no more are the ones listed here', async () => {
  const app = await openMoney()
  const { paths } = await (await app.ask('GET', '/api/openapi.json')).json()
  const limited = Object.entries<Record<string, { responses: object }>>(paths).flatMap(
    ([path, methods]) =>
      Object.entries(methods)
        .filter(([, { responses }]) => '402' in responses)
        .map(([method]) => `${method.toUpperCase()} ${path}`),
  )
  const sameForAll = [
    'POST /api/admin/support/tickets/{id}/messages',
    'POST /api/documents/upload/{qr_id}',
    'POST /api/popup-images/upload',
    'POST /api/support/tickets/{id}/messages',
  ]
  // Like a new code; but these take a table, and another account's transfer.
  const alike = ['POST /api/qr/import', 'POST /api/transfers/{token}/accept']
  // Tested with the people of an owner.
  const people = ['POST /api/people', 'POST /api/people/invitations/{token}/accept']
  const listed = PROMISES.filter(({ is }) => is.free === 402).map(({ call }) => call)
  expect(limited.toSorted()).toEqual([...listed, ...alike, ...people, ...sameForAll].toSorted())
})

describe('the numbers of a plan', () => {
  test.each([
    ['free', 1, 0],
    ['premium', 50, 50],
  ] as const)('%s holds %i codes and %i child codes, no more', async (plan, most, children) => {
    const app = await openMoney()
    const as = await app.signUp({ subscription_plan: plan })
    const create = () => app.call('POST', '/qr/create', CODE, as)
    for (let n = 1; n < most; n++) await insertCode(app.db, as.id)
    expect((await create()).status).toBe(201)
    expect(await create()).toMatchObject({
      status: 402,
      body: { detail: { current_count: most, limit: most } },
    })
    const child = () => app.call('POST', '/qr/child-create', { quantity: children || 1 }, as)
    if (children > 0) expect((await child()).status).toBe(201)
    expect((await child()).status).toBe(402)
  })

  test('enterprise has no limit of codes', async () => {
    const app = await openMoney()
    const as = await app.signUp({ subscription_plan: 'enterprise' })
    for (const _ of [1, 2]) {
      expect((await app.call('POST', '/qr/bulk-create', { quantity: 50 }, as)).status).toBe(201)
    }
    expect((await app.call('POST', '/qr/create', CODE, as)).status).toBe(201)
    expect((await app.call('POST', '/qr/child-create', { quantity: 50 }, as)).status).toBe(201)
  })
})

describe('an account that falls back to free', () => {
  async function openFallen() {
    const app = await openOn('free')
    const expires_at = '2026-11-20T11:00:00.000Z'
    const permission = { user_id: app.owner.id, permission_type: 'premium', expires_at }
    expect((await app.call('POST', '/admin/users/permissions', permission)).status).toBe(200)
    const made = await app.call('POST', '/qr/bulk-create', { quantity: 3 }, app.owner)
    const children = await app.call('POST', '/qr/child-create', { quantity: 2 }, app.owner)
    const key = { share_method: 'download' }
    const [{ id }] = JSON.parse(
      (await app.perform({ call: 'GET /api/documents/{qr_id}' })).text,
    ).documents
    const shared = await app.call('POST', `/gallery/share/${id}`, key, app.owner)
    app.advance(3600)
    return { ...app, made: made.body.qr_codes, children: children.body.qr_codes, shared }
  }

  test('may do by each call what the free plan may, and no more', async () => {
    const app = await openFallen()
    for (const promise of PROMISES) {
      const { status } = await app.perform(promise)
      expect([promise.call, status]).toEqual([promise.call, promise.is.free])
    }
    const { status, text } = await app.perform({ call: 'POST /api/qr/create', json: CODE })
    expect([status, reasonIn(text)]).toEqual([402, 'QR limit reached (4/1)'])
    expect(await app.entitlement(app.owner.id)).toMatchObject({
      subscription_plan: 'free',
      qr_limit: 1,
      child_qr_quota: 0,
    })
  })

  test('keeps the codes and the links that it made', async () => {
    const app = await openFallen()
    const mine = await app.call('GET', '/qr/my-qrs', undefined, app.owner)
    expect(mine.body).toHaveLength(6)
    for (const { qr_id } of [...app.made, ...app.children]) {
      expect((await app.call('GET', `/scan/${qr_id}`, undefined, null)).status).toBe(200)
    }
    const edited = await app.call('PUT', `/qr/${app.qr_id}`, { city_area: 'Pune' }, app.owner)
    expect(edited.status).toBe(200)
    const link = new URL(app.shared.body.download_url).pathname
    expect((await app.ask('GET', link)).status).toBe(200)
  })

  test('has API keys that do not work until it is on enterprise again', async () => {
    const app = await openOn('enterprise')
    const { key } = JSON.parse(
      (await app.perform({ call: 'POST /api/api-keys', json: { name: 'Stock' } })).text,
    )
    const byKey = async () =>
      (await app.ask('GET', '/api/qr/my-qrs', { as: { bearerToken: key } })).status
    const put = (subscription_plan: PlanId) =>
      setAccount(app.db, app.owner.id, { subscription_plan })
    expect(await byKey()).toBe(200)
    await put('free')
    expect(await byKey()).toBe(403)
    await put('enterprise')
    expect(await byKey()).toBe(200)
  })
})
