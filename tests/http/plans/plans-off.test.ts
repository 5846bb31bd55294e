// @module-tag slow
import { expect, test } from 'vitest'
import { remindOfEnds } from '#actions/plans/reminders.ts'
import { getAccount, insertAccount, type NewAccount } from '#db/accounts/accounts.ts'
import { grantRole } from '#db/accounts/permissions.ts'
import { ADMIN_TABS, adminHref } from '#domain/admin/admin.ts'
import { MANAGEMENT_TABS, managementHref } from '#domain/admin/management.ts'
import { tabHref, tabsOf } from '#domain/dashboard.ts'
import { switchPlans } from '#domain/plans/offer.ts'
import { withPlanNow } from '#domain/plans/term.ts'
import { openTestApp, type TestApp } from '#tests/support/app.ts'
import { CALLERS, readSections } from '#tests/support/authorisation.ts'
import { callOn } from '#tests/support/calls.ts'
import { answerTo, identify, type Principal } from '#tests/support/principals.ts'
import { thingsOf } from '#tests/support/things.ts'

const OFF = { PLANS: 'off', RATE_LIMITS: 'off' }
const WORDS =
  /\b(plans?|pric(e|es|ing)|upgrad\w*|premium|enterprise|promo|receipts?|rupees?|revenue|free)\b|₹/gi

const ABOUT_PLANS = /upgrade|promo|redemption|redeem|subscription|settings\/plan/

const openOff = (env = {}) => openTestApp({ env: { ...OFF, ...env } })

/** Finds the words about plans on a page, also those for screen readers and scripts. */
function wordsIn(html: string): string[] {
  const said = html.replaceAll(/<style.*?<\/style>/gs, '').replaceAll(/ (class|id)="[^"]*"/g, '')
  return [...said.matchAll(new RegExp(`.{0,60}(${WORDS.source}).{0,40}`, 'gi'))].map(([at]) => at)
}

const WALKERS: Record<string, Partial<NewAccount>> = {
  owner: {},
  'premium user': { role: 'premium', subscription_plan: 'premium' },
  moderator: { role: 'moderator' },
  admin: { role: 'admin' },
  'super admin': { role: 'super_admin' },
}

async function signUpAs(app: TestApp, walker: string) {
  if (walker !== 'child') return app.signUp(WALKERS[walker])
  const { id } = await app.signUp()
  return app.signUp({ parent_id: id })
}

/** The tabs and dialogs of the pages, which are queries. */
function queriesFor(qrId: string, accountId: string): string[] {
  const dialogs = ['create', 'bulk', 'child', 'import'].map((name) => `/dashboard?${name}=1`)
  const ofCode = ['edit', 'labels', 'lost', 'transfer'].map((name) => `/dashboard?${name}=${qrId}`)
  return [
    ...tabsOf('moderator').map(({ id }) => tabHref(id)),
    ...MANAGEMENT_TABS.map(({ id }) => managementHref(id)),
    ...ADMIN_TABS.map(({ id }) => adminHref(id)),
    ...[...dialogs, ...ofCode, '/dashboard?upgrade=1', '/dashboard?upgrade=limit'],
    ...['/settings/data?delete=1', '/admin?tab=users&plan=premium&q=nobody'],
    managementHref('users', { permissions: accountId }),
  ]
}

test.each(['nobody', 'child', ...Object.keys(WALKERS)])(
  'no page tells %s of plans where there are none',
  async (walker) => {
    const app = await openOff()
    const someone = await insertAccount(
      app.db,
      { name: 'Ravi', email: 'ravi@example.in', password_hash: null, role: 'premium' },
      new Date(),
    )
    const account = await signUpAs(app, walker)
    const things = thingsOf(app, account)
    const pages = readSections()
      .flatMap(({ rows }) => rows)
      .map(({ call }) => call)
      .filter((call) => /^GET \/(?!api\/|internal|metrics)/.test(call))
    const paths = queriesFor(await things.code(), someone.id)
    for (const call of pages) paths.push((await callOn(things, call)).path)
    let seen = 0
    const found: string[] = []
    for (const path of paths) {
      const { cookie } = await signUpAgain(app, account)
      const headers: Record<string, string> = walker === 'nobody' ? {} : { Cookie: cookie }
      const answer = await app.ask('GET', path, { headers })
      if (!answer.headers.get('Content-Type')?.startsWith('text/html')) {
        await answer.body?.cancel()
        continue
      }
      // A receipt from before stays when its account is deleted, and the page says so.
      const html = (await answer.text()).replaceAll(/1 receipt with your name[^<]*/g, '')
      seen += 1
      found.push(...wordsIn(html).map((words) => `${path}: ${words}`))
    }
    expect(found).toEqual([])
    expect(seen).toBeGreaterThan(walker === 'nobody' ? 10 : 20)
  },
)

/** A new session, because a page may end one. */
async function signUpAgain({ deps }: TestApp, account: Parameters<typeof deps.sessions.start>[0]) {
  const { cookieToken } = await deps.sessions.start(account)
  return { cookie: `driveqr=${cookieToken}` }
}

test('pages of plans are paths that do not exist, and so are the calls, which nobody describes', async () => {
  const on = (await openTestApp()).app.routes
  const { app, ask, signUp } = await openOff()
  const root = await signUp({ role: 'super_admin' })
  const keyOf = ({ method, path }: { method: string; path: string }) => `${method} ${path}`
  const still = new Set(app.routes.map(keyOf))
  const gone = on.filter((route) => !still.has(keyOf(route)) && route.method !== 'ALL')
  expect(gone.length).toBeGreaterThan(30)
  for (const { method, path } of gone) {
    expect(path).toMatch(ABOUT_PLANS)
    const isCall = path.startsWith('/api/')
    const headers = {
      'Sec-Fetch-Site': 'same-origin',
      ...(isCall ? {} : { Cookie: root.cookie }),
    }
    const answer = await ask(method, path.replaceAll(/:\w+/g, 'a1'), {
      headers,
      ...(isCall && { as: root }),
    })
    const expected = isCall ? [404, null] : [302, '/']
    expect([path, answer.status, answer.headers.get('Location')]).toEqual([path, ...expected])
  }
  const described = await (await ask('GET', '/api/openapi.json')).json()
  const paths = Object.keys(described.paths).join()
  expect(paths).not.toMatch(/upgrade|promo|redemption|subscription/)
  const said = JSON.stringify([described.tags, described.components.securitySchemes])
  expect(said).not.toMatch(/plan|enterprise|premium/i)
  const whole = JSON.stringify(described)
  expect(whole).not.toMatch(/"enum":\[[^\]]*"(free|premium)"|plan allows|₹/)
  expect(described.components.schemas.User.properties.subscription_plan.enum).toEqual([
    'enterprise',
  ])
  const page = await (await ask('GET', '/api/docs')).text()
  expect(page).not.toMatch(/&quot;premium&quot;|the plan allows|Premium|₹/)
})

test('everybody has everything of Enterprise without limits, and rows keep the plans', async () => {
  const { db, ask, signUp } = await openOff()
  const owner = await signUp()
  const stored = () => db.selectFrom('accounts').selectAll().where('id', '=', owner.id).execute()
  const before = await stored()
  const me = async () => (await (await ask('GET', '/api/auth/me', { as: owner })).json()).user
  expect(await me()).toMatchObject({
    subscription_plan: 'enterprise',
    qr_limit: -1,
    subscription_ends_at: null,
    subscription_ended: null,
  })
  for (const [path, quantity] of [
    ['/api/qr/bulk-create', 50],
    ['/api/qr/bulk-create', 50],
    ['/api/qr/child-create', 50],
    ['/api/qr/child-create', 50],
  ] as const) {
    expect([path, (await ask('POST', path, { as: owner, json: { quantity } })).status]).toEqual([
      path,
      201,
    ])
  }
  const tooMany = await ask('POST', '/api/qr/bulk-create', { as: owner, json: { quantity: 51 } })
  expect(tooMany.status).toBe(400)
  for (const path of ['/api/api-keys', '/api/branding', '/api/gallery/shares']) {
    expect([path, (await ask('GET', path, { as: owner })).status]).toEqual([path, 200])
  }
  expect(await stored()).toEqual(before)
  switchPlans(true)
  const later = withPlanNow(await getAccount(db, owner.id), new Date())
  expect(later).toMatchObject({ subscription_plan: 'free', qr_limit: 1, child_qr_quota: 0 })
})

test('a plain account is answered as one on Enterprise is elsewhere', async () => {
  const app = await openOff()
  const differing = readSections()
    .flatMap(({ rows }) => rows)
    .filter(({ call }) => !ABOUT_PLANS.test(call))
    .flatMap(({ call, answers }) => {
      const of = (who: Principal) => answers[CALLERS.indexOf(who)]
      const refused = (['client', 'premium', 'moderator', 'super_admin'] as const).filter(
        (who) => of(who) !== of('enterprise') && (who === 'premium' || of(who) === of('client')),
      )
      return refused.map((who) => ({ call, who, expected: of('enterprise') }))
    })
  expect(differing.length).toBeGreaterThan(20)
  for (const { call, who, expected } of differing) {
    expect([call, who, await answerTo(app, who, call)]).toEqual([call, who, expected])
  }
  const byKey: typeof identify = (opened, _who, account, path) =>
    identify(opened, 'API key', account, path)
  expect(await answerTo(app, 'client', 'GET /api/qr/my-qrs', byKey)).toBe('200')
})

test('a plan that ends meanwhile tells nobody, and tells once when there are plans again', async () => {
  const app = await openOff()
  const ends = ['2026-11-21', '2026-11-24', '2027-06-30'].map((day) => `${day}T10:00:00.000Z`)
  const owners: string[] = []
  for (const term_ends_at of ends) {
    const { id } = await app.signUp()
    const term = { term_plan: 'premium', term_ends_at } as const
    await app.db.updateTable('accounts').set(term).where('id', '=', id).execute()
    owners.push(id)
  }
  app.advance(2 * 86_400)
  expect(await remindOfEnds(app.deps)).toBe(0)
  switchPlans(true)
  // One has ended, one ends within a week, and one long after.
  expect([await remindOfEnds(app.deps), await remindOfEnds(app.deps)]).toEqual([2, 0])
  const kept = await Promise.all(owners.map((id) => getAccount(app.db, id)))
  expect(kept.map(({ term_plan, term_ends_at }) => [term_plan, term_ends_at])).toEqual(
    ends.map((end) => ['premium', end]),
  )
})

test('an admin gives roles beside a plan that is kept, and no plan', async () => {
  const { db, ask, signUp } = await openOff()
  const admin = await signUp({ role: 'super_admin' })
  const paying = await signUp({ role: 'premium', subscription_plan: 'premium' })
  const set = (permission_type: string) =>
    ask('POST', '/api/admin/users/permissions', {
      as: admin,
      json: { user_id: paying.id, permission_type, expires_at: null },
    })
  const listed = await (
    await ask('GET', '/api/admin/users?role_filter=client', { as: admin })
  ).json()
  expect(JSON.stringify(listed)).toContain(paying.id)
  expect((await set('premium')).status).toBe(400)
  expect((await set('client')).status).toBe(200)
  const kept = { role: 'premium', subscription_plan: 'premium', qr_limit: 50 }
  expect(await getAccount(db, paying.id)).toMatchObject(kept)
  expect((await set('moderator')).status).toBe(200)
  const after = { role: 'moderator', subscription_plan: 'premium' }
  expect(await getAccount(db, paying.id)).toMatchObject(after)
})

test('a plan that was given until a day keeps its end, which no admin is shown', async () => {
  const { db, ask, signUp, deps } = await openOff()
  const admin = await signUp({ role: 'super_admin' })
  const { id, email } = await signUp({ email: 'ravi@example.in' })
  const until = new Date('2027-01-01T00:00:00.000Z')
  switchPlans(true)
  await grantRole(db, { contact: email ?? '', role: 'premium', until }, deps.clock())
  switchPlans(false)
  const listed = await (await ask('GET', '/api/admin/users', { as: admin })).json()
  expect(JSON.stringify(listed)).not.toContain('2027-01-01')
  const dialog = managementHref('users', { permissions: id })
  const page = await ask('GET', dialog, { headers: { Cookie: admin.cookie } })
  expect(await page.text()).not.toMatch(/1 Jan 2027|2027-01-01/)
  const json = { user_id: id, permission_type: 'client', expires_at: null }
  const saved = await ask('POST', '/api/admin/users/permissions', { as: admin, json })
  expect(saved.status).toBe(200)
  const ends = await db.selectFrom('temporary_permissions').select('expires_at').execute()
  expect(ends).toEqual([{ expires_at: until.toISOString() }])
  expect(await getAccount(db, id)).toMatchObject({ role: 'premium', subscription_plan: 'premium' })
})
