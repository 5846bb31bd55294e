import { describe, expect, test } from 'vitest'
import { setBlocked, setPlan } from '#db/accounts/account-changes.ts'
import { hashToken, randomToken } from '#db/secrets.ts'
import { PASSWORD } from '#tests/support/app.ts'
import { insertCode } from '#tests/support/codes.ts'
import { openMoney, type Signed } from '#tests/support/money.ts'
import { addPromoCode } from '#tests/support/promo.ts'

const DAY = 86_400
const MONTH = 30 * DAY
const END = '2026-12-20T10:00:00.000Z'
const CODE = { owner_name: 'Asha Patil', contact_phone: '98765 43210' }

/** The test's clock stands at 20 Nov 2026, 15:30 in India. */
async function openPlans() {
  const app = await openMoney({ UPI_ID: 'driveqr@examplebank' })
  const { asha, call } = app

  async function request(requested_plan = 'premium', months?: unknown, as: Signed = asha) {
    const { body, status } = await call(
      'POST',
      '/subscription/upgrade',
      { requested_plan, months },
      as,
    )
    return { status, body, id: body.request_id as string }
  }
  const approve = (id: string, months?: unknown) =>
    call('POST', `/admin/upgrade-requests/${id}/approve`, { months, payment_seen: true })
  async function buy(plan = 'premium', months: number | null = 1, as: Signed = asha) {
    const { id } = await request(plan, months ?? 1, as)
    const { status, body } = await approve(id, months)
    expect(status).toBe(200)
    return body.upgrade_request
  }
  const me = async (as: Signed = asha) => (await call('GET', '/auth/me', undefined, as)).body.user
  const permit = async (permission_type: string, expires_at: string | null = null) => {
    await call('POST', '/account/confirm', { password: PASSWORD })
    const permission = { user_id: asha.id, permission_type, expires_at }
    return call('POST', '/admin/users/permissions', permission)
  }
  const page = (path: string, as: Signed = asha) => app.browse('GET', path, undefined, as)
  const plan = async () => (await me()).subscription_plan
  /** Lets time pass, in which sessions are used. */
  async function pass(seconds: number) {
    for (let left = seconds; left > 0; left -= 10 * DAY) {
      app.advance(Math.min(left, 10 * DAY))
      await me(asha)
      await me(app.admin)
    }
  }
  return { ...app, request, approve, buy, me, permit, page, plan, pass }
}

const inDays = (days: number) =>
  new Date(Date.parse('2026-11-20T10:00:00.000Z') + days * DAY * 1000).toISOString()

describe('an approval', () => {
  test('for months gives the plan until the same day of the month', async () => {
    const { buy, me } = await openPlans()
    expect(await buy('premium', 1)).toMatchObject({ status: 'approved', months: 1 })
    expect(await me()).toMatchObject({
      subscription_plan: 'premium',
      subscription_ends_at: END,
      subscription_ended: null,
      qr_limit: 50,
      child_qr_quota: 50,
    })
  })

  test('by the API without months gives the plan without end, as before', async () => {
    const { request, approve, me, pass } = await openPlans()
    const { body } = await approve((await request()).id)
    expect(body.upgrade_request).toMatchObject({ months: null })
    const premium = { subscription_plan: 'premium', subscription_ends_at: null }
    expect(await me()).toMatchObject(premium)
    await pass(150 * DAY)
    expect(await me()).toMatchObject(premium)
  })

  test.each([0, 'two', {}])('for %j months is refused and changes nothing', async (months) => {
    const { request, approve, me, db } = await openPlans()
    const { status, body } = await approve((await request()).id, months)
    expect([status, body.detail]).toEqual([400, 'months must be between 1 and 36'])
    expect(await me()).toMatchObject({ subscription_plan: 'free' })
    expect(await db.selectFrom('receipts').selectAll().execute()).toEqual([])
  })

  test('of a renewal adds to the end', async () => {
    const { buy, me, pass } = await openPlans()
    await buy('premium', 1)
    await pass(10 * DAY)
    await buy('premium', 2)
    expect(await me()).toMatchObject({ subscription_ends_at: '2027-02-20T10:00:00.000Z' })
  })

  test('of another plan starts at once, and the rest of the old one is lost', async () => {
    const { buy, me, pass } = await openPlans()
    await buy('premium', 12)
    await buy('enterprise', 1)
    expect(await me()).toMatchObject({
      subscription_plan: 'enterprise',
      subscription_ends_at: END,
    })
    await pass(31 * DAY)
    expect(await me()).toMatchObject({
      subscription_plan: 'free',
      subscription_ended: { plan: 'enterprise', at: END },
    })
    await buy('enterprise', 6)
    await buy('premium', 1)
    expect(await me()).toMatchObject({
      subscription_plan: 'premium',
      subscription_ends_at: '2027-01-21T10:00:00.000Z',
    })
  })

  test('of a plan with an end leaves a lower one without end beneath it', async () => {
    const { buy, me, pass } = await openPlans()
    await buy('premium', null)
    await buy('enterprise', 1)
    expect(await me()).toMatchObject({ subscription_plan: 'enterprise' })
    await pass(31 * DAY)
    expect(await me()).toMatchObject({
      subscription_plan: 'premium',
      subscription_ends_at: null,
      subscription_ended: { plan: 'enterprise', at: END },
    })
  })
})

describe('an upgrade', () => {
  test('costs the price of its months, less the discount of a promo code', async () => {
    const { request, call, asha, ...app } = await openPlans()
    expect((await request('premium', 3)).body).toMatchObject({ months: 3, amount: 2997 })
    await addPromoCode(app, { code: 'OFF20', subscription_plan: null, discount_value: 20 })
    await call('POST', '/promo/redeem', { promo_code: 'OFF20' }, asha)
    expect((await request('premium', 3)).body).toMatchObject({ amount: 2398 })
  })

  test.each([0, 37, 'x'])('for %j months is refused', async (months) => {
    const { request } = await openPlans()
    const { status, body } = await request('premium', months)
    expect([status, body.detail]).toEqual([400, 'months must be between 1 and 36'])
  })

  test('to the plan that one has is refused only without an end', async () => {
    const { request, buy } = await openPlans()
    await buy('premium', 1)
    expect((await request('premium')).status).toBe(200)
    await buy('premium', null)
    const { status, body } = await request('premium')
    expect([status, body.detail]).toEqual([400, 'You already have the Premium plan'])
  })

  test('to the plan that goes on without end beneath another is not sold', async () => {
    const { request, buy, page } = await openPlans()
    await buy('premium', null)
    await buy('enterprise', 1)
    const { html } = await page('/dashboard?upgrade=1')
    expect(html).toContain('Added to your Enterprise plan, which runs until 20 Dec 2026')
    expect(html).not.toContain('What is left of Enterprise')
    const { status, body } = await request('premium')
    expect([status, body.detail]).toEqual([400, 'You already have the Premium plan'])
    expect((await request('enterprise')).status).toBe(200)
  })

  test('leaves the plan of another account until its end, and so does a promo code', async () => {
    const { buy, me, call, asha, signUp, db } = await openPlans()
    const other = await signUp({ name: 'Vikram Deshmukh' })
    await buy('premium', 1, other)
    const before = await me(other)
    await buy('premium', 1)
    await addPromoCode({ db }, { code: 'FIVE', subscription_plan: null, child_qr_quantity: 5 })
    expect((await call('POST', '/promo/redeem', { promo_code: 'FIVE' }, asha)).status).toBe(200)
    await buy('premium', null)
    expect(await me(other)).toEqual(before)
  })
})

/** Opens the features of a plan, called by programs with the keys of the account. */
async function openGifts() {
  const app = await openPlans()
  const { asha, db, call } = app
  const { qr_id } = await insertCode(db, asha.id)
  const key = `dqk_${randomToken()}`
  const row = { id: 'key', account_id: asha.id, name: 'Stock', key_hash: hashToken(key) }
  await db
    .insertInto('api_keys')
    .values({ ...row, created_at: inDays(0), last_used_at: null })
    .execute()
  async function statuses() {
    const calls = {
      create: await call('POST', '/qr/create', CODE, asha),
      bulk: await call('POST', '/qr/bulk-create', { quantity: 2 }, asha),
      child: await call('POST', '/qr/child-create', { quantity: 1 }, asha),
      gallery: await call('GET', `/gallery/${qr_id}`, undefined, asha),
      analytics: await call('GET', `/scan/${qr_id}/analytics`, undefined, asha),
      keys: await call('GET', '/api-keys', undefined, asha),
      byKey: await call('GET', '/qr/my-qrs', undefined, { ...asha, bearerToken: key }),
      lost: await call('PUT', `/qr/${qr_id}/lost`, { lost: true }, asha),
    }
    return Object.fromEntries(Object.entries(calls).map(([name, { status }]) => [name, status]))
  }
  return { ...app, qr_id, statuses }
}

const AWAKE = {
  create: 201,
  bulk: 201,
  child: 201,
  gallery: 200,
  analytics: 200,
  keys: 200,
  byKey: 200,
  lost: 200,
}
const ASLEEP = {
  create: 402,
  bulk: 402,
  child: 402,
  gallery: 403,
  analytics: 403,
  keys: 403,
  byKey: 403,
  lost: 403,
}

describe('after the end', () => {
  test('the benefits of the plan stop from that instant, and return with a renewal', async () => {
    const { buy, statuses, pass } = await openGifts()
    await buy('enterprise', 1)
    expect(await statuses()).toEqual(AWAKE)
    await pass(MONTH - 1)
    expect(await statuses()).toEqual(AWAKE)
    await pass(1)
    expect(await statuses()).toEqual(ASLEEP)
    await buy('enterprise', 1)
    expect(await statuses()).toEqual(AWAKE)
  })

  test('nothing is deleted, finders reach every code, and children keep theirs', async () => {
    const { buy, db, pass, call, asha, qr_id } = await openGifts()
    await buy('premium', 1)
    const made = await call('POST', '/qr/bulk-create', { quantity: 5 }, asha)
    const children = await call('POST', '/qr/child-create', { quantity: 2 }, asha)
    const child = children.body.qr_codes[0].qr_id
    const registration = {
      qr_id: child,
      name: 'Gurleen',
      contact_type: 'email',
      contact: 'gurleen@example.in',
      password: 'correct horse',
    }
    expect((await call('POST', '/qr/child-register', registration, null)).status).toBe(201)
    const count = () =>
      db
        .selectFrom('qr_codes')
        .select(({ fn }) => fn.countAll<number>().as('n'))
        .executeTakeFirstOrThrow()
    const before = await count()
    await pass(MONTH)
    expect(await count()).toEqual(before)
    expect(made.body.created_count).toBe(5)
    expect((await call('GET', `/scan/${child}`, undefined, null)).status).toBe(200)
    expect((await call('GET', `/scan/${qr_id}`, undefined, null)).status).toBe(200)
    const login = await call(
      'POST',
      '/auth/login',
      { contact: 'gurleen@example.in', password: 'correct horse' },
      null,
    )
    expect(login.status).toBe(200)
    expect((await call('GET', '/qr/my-qrs', undefined, asha)).body).toHaveLength(8)
  })

  test('stepping down and up again finds everything as it was', async () => {
    const { buy, me, call, asha, pass } = await openGifts()
    await buy('premium', 1)
    await call('POST', '/qr/child-create', { quantity: 7 }, asha)
    const { subscription_ends_at: _, ...before } = await me()
    expect(before).toMatchObject({ child_qr_quota: 43, qr_limit: 50 })
    await pass(MONTH)
    expect(await me()).toMatchObject({ child_qr_quota: 0, qr_limit: 1 })
    await buy('premium', 1)
    const { subscription_ends_at: __, ...after } = await me()
    expect(after).toEqual(before)
  })

  test('child codes that are deleted meanwhile can be made again after a renewal, not before', async () => {
    const { buy, call, asha, me, pass } = await openPlans()
    await buy()
    const { body } = await call('POST', '/qr/child-create', { quantity: 7 }, asha)
    await pass(MONTH)
    for (const { qr_id } of body.qr_codes.slice(0, 3)) {
      expect((await call('DELETE', `/qr/${qr_id}`, undefined, asha)).status).toBe(200)
    }
    expect(await me()).toMatchObject({ subscription_plan: 'free', child_qr_quota: 0 })
    await buy()
    expect(await me()).toMatchObject({ subscription_plan: 'premium', child_qr_quota: 46 })
  })

  test('child codes that a promo code gives work at once, and are there after a renewal', async () => {
    const { buy, me, call, asha, pass, db } = await openGifts()
    await buy('premium', 1)
    await call('POST', '/qr/child-create', { quantity: 7 }, asha)
    await pass(MONTH)
    await addPromoCode({ db }, { code: 'FIVE', subscription_plan: null, child_qr_quantity: 5 })
    await call('POST', '/promo/redeem', { promo_code: 'FIVE' }, asha)
    expect(await me()).toMatchObject({ child_qr_quota: 5 })
    expect((await call('POST', '/qr/child-create', { quantity: 2 }, asha)).status).toBe(201)
    expect(await me()).toMatchObject({ child_qr_quota: 3 })
    await buy('premium', 1)
    expect(await me()).toMatchObject({ child_qr_quota: 46 })
  })

  test('the banner says so and leads to the renewal, which has the plan chosen', async () => {
    const { buy, page, pass } = await openPlans()
    await buy('enterprise', 1)
    expect((await page('/dashboard')).html).toContain('Until 20 Dec 2026')
    await pass(MONTH)
    const { html } = await page('/dashboard')
    expect(html).toContain('Enterprise ended on 20 Dec 2026.')
    expect(html).toContain('href="/dashboard?upgrade=1&amp;plan=enterprise"')
    const dialog = await page('/dashboard?upgrade=1&plan=enterprise')
    expect(dialog.html).toMatch(/value="enterprise"[^>]*checked|checked=""[^>]*value="enterprise"/)
  })
})

describe('the banner of a plan that ended', () => {
  test('counts child codes among those that stay reachable', async () => {
    const { buy, page, call, asha, pass, db } = await openPlans()
    await buy('premium', 1)
    await call('POST', '/qr/child-create', { quantity: 2 }, asha)
    await insertCode(db, asha.id)
    await pass(MONTH)
    expect((await page('/dashboard')).html).toContain('All 3 codes stay reachable')
    // Not only those that a search finds.
    expect((await page('/dashboard?q=nothing')).html).toContain('All 3 codes stay reachable')
  })
})

describe('the Upgrade dialog', () => {
  test('names the end that a renewal extends, and the days that another plan loses', async () => {
    const { buy, page } = await openPlans()
    await buy('premium', 1)
    const { html } = await page('/dashboard?upgrade=1')
    expect(html).toContain('Added to your Premium plan, which runs until 20 Dec 2026')
    expect(html).toContain('Starts at once. What is left of Premium, until 20 Dec 2026, is lost')
  })

  test('asks for the price of its months without script', async () => {
    const { page, asha, ...app } = await openPlans()
    const body = new URLSearchParams('requested_plan=premium&months=3')
    await app.browse('POST', '/dashboard/upgrade', body, asha)
    const { html } = await page('/dashboard?upgrade=1')
    expect(html).toContain('₹2,997')
    expect(html).toContain('For 3 months.')
  })
})

describe('the question before an approval', () => {
  test('preselects the months that were asked for and shows the day on which they end', async () => {
    const { request, page, admin } = await openPlans()
    const { id } = await request('premium', 12)
    const { html } = await page(`/admin-dashboard?tab=upgrade-requests&approve=${id}`, admin)
    expect(html).toMatch(
      /<option value="12"[^>]* selected="">12 months, until 20 Nov 2027<\/option>/,
    )
    expect(html).toMatch(/Approve<span class="needs-script"[^>]*> 12 months<\/span>/)
    expect(html).toContain('<small>Amount for 12 months</small><b class="num">₹11,988</b>')
    expect(html).toContain('36 months, until 20 Nov 2029')
    expect(html).toMatch(/<option value=""[^>]*>No end<\/option>/)
  })

  test('names the days that another plan loses', async () => {
    const { request, buy, page, admin } = await openPlans()
    await buy('premium', 2)
    const { id } = await request('enterprise')
    const { html } = await page(`/admin-dashboard?tab=upgrade-requests&approve=${id}`, admin)
    expect(html).toContain('What is left of Premium, until 20 Jan 2027, is lost.')
  })

  test('approves without script for the months that were chosen', async () => {
    const { request, me, admin, ...app } = await openPlans()
    const { id } = await request()
    const body = new URLSearchParams(
      'action=approve&requested_plan=premium&months=2&payment_seen=on',
    )
    await app.browse('POST', `/admin-dashboard/upgrade-requests/${id}`, body, admin)
    expect(await me()).toMatchObject({ subscription_ends_at: '2027-01-20T10:00:00.000Z' })
  })
})

describe('a permission and a plan with an end', () => {
  test('a permission inside the plan changes nothing of it', async () => {
    const { buy, permit, me, pass } = await openPlans()
    await buy('premium', 2)
    await permit('premium', inDays(10))
    expect(await me()).toMatchObject({ role: 'premium', subscription_plan: 'premium' })
    await pass(11 * DAY)
    expect(await me()).toMatchObject({
      role: 'client',
      subscription_plan: 'premium',
      subscription_ends_at: '2027-01-20T10:00:00.000Z',
      child_qr_quota: 50,
    })
    await pass(60 * DAY)
    expect(await me()).toMatchObject({ subscription_plan: 'free' })
  })

  test('a plan that ends inside the permission leaves what the permission gives', async () => {
    const { buy, permit, me, pass } = await openPlans()
    await buy('premium', 1)
    await permit('premium', inDays(60))
    await pass(MONTH)
    expect(await me()).toMatchObject({
      subscription_plan: 'premium',
      qr_limit: 50,
      child_qr_quota: 50,
      subscription_ended: null,
    })
    await pass(31 * DAY)
    expect(await me()).toMatchObject({
      role: 'client',
      subscription_plan: 'free',
      qr_limit: 1,
      child_qr_quota: 0,
      subscription_ended: { plan: 'premium', at: END },
    })
  })

  test('a higher plan that ends inside the permission leaves the lower one', async () => {
    const { buy, permit, plan, pass } = await openPlans()
    await buy('enterprise', 1)
    await permit('premium', inDays(60))
    expect(await plan()).toBe('enterprise')
    await pass(MONTH)
    expect(await plan()).toBe('premium')
    await pass(31 * DAY)
    expect(await plan()).toBe('free')
  })

  test('a plan bought inside the permission outlives it', async () => {
    const { buy, permit, me, plan, pass } = await openPlans()
    await permit('premium', inDays(10))
    await buy('enterprise', 1)
    expect(await plan()).toBe('enterprise')
    await pass(11 * DAY)
    expect(await me()).toMatchObject({
      role: 'client',
      subscription_plan: 'enterprise',
      child_qr_quota: 1000,
    })
    await pass(MONTH)
    expect(await plan()).toBe('free')
  })

  test('the plan of a permission is bought before its end, from which its months count', async () => {
    const { request, approve, permit, me, page, plan, pass, admin } = await openPlans()
    await permit('premium', inDays(10))
    const settings = (await page('/settings/plan')).html
    expect(settings).toContain('Until 30 Nov 2026')
    expect(settings).toContain('Months that you buy now begin after it.')
    const dialog = (await page('/dashboard?upgrade=renew')).html
    expect(dialog).toContain('Added to your Premium plan, which runs until 30 Nov 2026')
    const { status, id } = await request('premium', 1)
    expect(status).toBe(200)
    const details = `/admin-dashboard?tab=upgrade-requests&approve=${id}`
    expect((await page(details, admin)).html).toContain('1 month, until 30 Dec 2026')
    const { receipt_number } = (await approve(id, 1)).body.upgrade_request
    expect(receipt_number).toBe('R-2026-000001')
    expect((await page('/settings/plan')).html).toContain('30 Nov 2026 to 30 Dec 2026')
    expect(await me()).toMatchObject({ subscription_ends_at: '2026-12-30T10:00:00.000Z' })
    await pass(11 * DAY)
    expect(await me()).toMatchObject({ role: 'client', subscription_plan: 'premium' })
    await pass(29 * DAY)
    expect(await plan()).toBe('free')
  })

  test('a permission without end offers no renewal', async () => {
    const { request, permit } = await openPlans()
    await permit('premium')
    const { status, body } = await request('premium', 1)
    expect([status, body.detail]).toEqual([400, 'You already have the Premium plan'])
  })

  test('child codes made inside both count once against each', async () => {
    const { buy, permit, me, call, asha, pass } = await openPlans()
    await buy('premium', 2)
    await permit('premium', inDays(10))
    await call('POST', '/qr/child-create', { quantity: 20 }, asha)
    expect(await me()).toMatchObject({ child_qr_quota: 30 })
    await pass(11 * DAY)
    expect(await me()).toMatchObject({ child_qr_quota: 30 })
  })

  test('a permanent permission goes beneath the plan, and is not bought with it', async () => {
    const { buy, permit, plan, pass } = await openPlans()
    await buy('premium', 2)
    await permit('premium')
    await permit('client')
    expect(await plan()).toBe('premium')
    await pass(62 * DAY)
    expect(await plan()).toBe('free')
    await permit('premium')
    expect(await plan()).toBe('premium')
    await permit('client')
    expect(await plan()).toBe('free')
  })

  test('another role leaves the plan and its end', async () => {
    const { buy, permit, me } = await openPlans()
    await buy('premium', 1)
    await permit('moderator', inDays(10))
    expect(await me()).toMatchObject({
      role: 'moderator',
      subscription_plan: 'premium',
      subscription_ends_at: END,
    })
  })

  test('a block and its end in between leave the plan, which runs on', async () => {
    const { buy, db, permit, deps, pass, asha } = await openPlans()
    await buy('premium', 1)
    await permit('blocked', inDays(5))
    await pass(6 * DAY)
    const contact = asha.email ?? ''
    await setBlocked(db, { contact, isBlocked: true }, deps.clock())
    await setBlocked(db, { contact, isBlocked: false }, deps.clock())
    const { term_plan, term_ends_at } = await db
      .selectFrom('accounts')
      .select(['term_plan', 'term_ends_at'])
      .where('id', '=', asha.id)
      .executeTakeFirstOrThrow()
    expect([term_plan, term_ends_at]).toEqual(['premium', END])
  })

  test('a plan set on the command line leaves what a permission gives', async () => {
    const { db, deps, permit, plan, asha, pass } = await openPlans()
    await permit('premium', inDays(60))
    const contact = asha.email ?? ''
    await setPlan(db, { contact, plan: 'premium', end: { months: 1 } }, deps.clock())
    await pass(MONTH)
    expect(await plan()).toBe('premium')
    await pass(31 * DAY)
    expect(await plan()).toBe('free')
  })
})

describe('a promo code', () => {
  const redeem = async (
    { call, asha, db }: Awaited<ReturnType<typeof openPlans>>,
    code: string,
    promo: Parameters<typeof addPromoCode>[1],
  ) => {
    await addPromoCode({ db }, { code, ...promo })
    return (await call('POST', '/promo/redeem', { promo_code: code }, asha)).body
  }

  test('gives a plan for its months, and says so', async () => {
    const app = await openPlans()
    const body = await redeem(app, 'TRY', { plan_months: 3 })
    expect(body).toMatchObject({ benefit: 'Premium plan for 3 months' })
    expect(await app.me()).toMatchObject({ subscription_ends_at: '2027-02-20T10:00:00.000Z' })
  })

  test('never lowers a plan', async () => {
    const app = await openPlans()
    await app.buy('enterprise', 1)
    await redeem(app, 'TRY', { plan_months: 12 })
    expect(await app.me()).toMatchObject({
      subscription_plan: 'enterprise',
      subscription_ends_at: END,
    })
  })

  test('with months gives no end to the same plan without one', async () => {
    const app = await openPlans()
    await app.buy('premium', null)
    await redeem(app, 'TRY', { plan_months: 2 })
    expect(await app.me()).toMatchObject({
      subscription_plan: 'premium',
      subscription_ends_at: null,
    })
  })

  test('without months gives its plan for good, beneath a higher one', async () => {
    const app = await openPlans()
    await app.buy('enterprise', 1)
    await redeem(app, 'FOREVER', {})
    expect(await app.plan()).toBe('enterprise')
    await app.pass(MONTH)
    expect(await app.plan()).toBe('premium')
  })

  test.each([
    [{ plan_months: 0 }, 'plan_months must be between 1 and 36'],
    [{ plan_months: 37 }, 'plan_months must be between 1 and 36'],
    [{ plan_months: 1, subscription_plan: null, child_qr_quantity: 1 }, 'plan_months needs a plan'],
  ])('with %j is refused', async (fields, why) => {
    const { call } = await openPlans()
    const promo = { code: 'ODD', subscription_plan: 'premium', usage_limit: 1, ...fields }
    const { status, body } = await call('POST', '/admin/promo-codes', promo)
    expect([status, body.detail]).toEqual([400, why])
  })
})

test('admin lists show the plan of now and its end', async () => {
  const { buy, call, page, admin, pass, db, asha } = await openPlans()
  await buy('premium', 1)
  await db.updateTable('accounts').set({ role: 'super_admin' }).where('id', '=', admin.id).execute()
  const listed = async () => {
    const { body } = await call('GET', '/admin/users')
    return body.find(({ id }: { id: string }) => id === asha.id)
  }
  expect(await listed()).toMatchObject({ subscription_plan: 'premium', subscription_ends_at: END })
  expect((await page('/admin?tab=users&plan=premium', admin)).html).toContain('until 20 Dec 2026')
  expect((await call('GET', '/admin/statistics')).body.subscriptionBreakdown.premium).toBe(1)
  await pass(MONTH)
  expect(await listed()).toMatchObject({ subscription_plan: 'free', subscription_ends_at: null })
  expect((await page('/admin?tab=users&plan=premium', admin)).html).toContain('No users found')
  expect((await call('GET', '/admin/statistics')).body.subscriptionBreakdown.premium).toBe(0)
})
