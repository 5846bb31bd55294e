import { describe, expect, test } from 'vitest'
import { grantRole } from '#db/accounts/permissions.ts'
import { deletePromoCode, togglePromoCode } from '#db/plans/promo-changes.ts'
import { decideRedemption } from '#db/plans/redemption-decisions.ts'
import { openTestApp, type TestApp } from '#tests/support/app.ts'
import { INSERTED } from '#tests/support/inserted.ts'
import { ACTOR, addPromoCode } from '#tests/support/promo.ts'

type Signed = Awaited<ReturnType<TestApp['signUp']>>

async function openRedeeming(account: Parameters<TestApp['signUp']>[0] = {}) {
  const app = await openTestApp()
  const asha = await app.signUp(account)
  async function redeem(code: unknown, as: Signed = asha) {
    const answer = await app.ask('POST', '/api/subscription/redeem-code', { as, json: { code } })
    return { status: answer.status, body: await answer.json() }
  }
  async function redeemPromo(promo_code: unknown, as: Signed = asha) {
    const answer = await app.ask('POST', '/api/promo/redeem', { as, json: { promo_code } })
    return { status: answer.status, body: await answer.json() }
  }
  const entitlement = (id = asha.id) =>
    app.db
      .selectFrom('accounts')
      .select(['subscription_plan', 'qr_limit', 'child_qr_quota'])
      .where('id', '=', id)
      .executeTakeFirstOrThrow()
  const uses = async () => (await app.db.selectFrom('promo_codes').selectAll().execute())[0]
  return { ...app, asha, redeem, redeemPromo, entitlement, uses }
}

/** Sends no notification. */
const nobody = async () => {}

const FREE = { subscription_plan: 'free', qr_limit: 1, child_qr_quota: 0 }
const PREMIUM = { subscription_plan: 'premium', qr_limit: 50, child_qr_quota: 50 }

describe('a promo code', () => {
  test('gives its plan and quotas at once, however it is typed', async () => {
    const app = await openRedeeming()
    await addPromoCode(app)
    expect(await app.redeem(' monsoon50 ')).toEqual({
      status: 200,
      body: {
        success: true,
        status: 'approved',
        subscription_plan: 'premium',
        requires_approval: false,
        promo_code: 'MONSOON50',
        benefit: 'Premium plan',
        message: 'Promo code redeemed successfully!',
      },
    })
    expect(await app.entitlement()).toEqual(PREMIUM)
    const me = await app.ask('GET', '/api/auth/me', { as: app.asha })
    expect(await me.json()).toMatchObject({ user: PREMIUM })
  })

  test('is the same through the other call, which returns its benefit', async () => {
    const app = await openRedeeming()
    await addPromoCode(app, { subscription_plan: null, child_qr_quantity: 3, discount_value: 10 })
    expect(await app.redeemPromo('MONSOON50')).toMatchObject({
      status: 200,
      body: {
        success: true,
        promo_code: 'MONSOON50',
        benefit: '3 extra child QR codes and 10% off the next upgrade',
        message: 'Promo code redeemed successfully!',
      },
    })
    expect(await app.entitlement()).toEqual({ ...FREE, child_qr_quota: 3 })
    expect(await app.redeem('MONSOON50')).toEqual({
      status: 409,
      body: { detail: 'You have already used this promo code' },
    })
  })

  test.each([
    ['nothing', '   ', 400, 'Please enter a promo code'],
    ['no text', undefined, 400, 'Please enter a promo code'],
    ['what no code is called', 'NOSUCH', 404, 'Invalid promo code'],
    ['one that is switched off', 'OFF', 400, 'This promo code is not active'],
    ['one that is too old', 'OLD', 400, 'This promo code has expired'],
    ['one that is used up', 'USED', 400, 'This promo code has reached its usage limit'],
  ])('refuses %s, in the same words through both calls', async (_, code, status, detail) => {
    const app = await openRedeeming()
    const off = await addPromoCode(app, { code: 'OFF' })
    await togglePromoCode(app.db, off.id, ACTOR, new Date())
    await addPromoCode(app, { code: 'OLD', expires_at: '2026-11-20T10:00:00.000Z' })
    await addPromoCode(app, { code: 'USED', usage_limit: 1 })
    await app.redeem('USED', await app.signUp())
    expect(await app.redeem(code)).toEqual({ status, body: { detail } })
    expect(await app.redeemPromo(code)).toEqual({ status, body: { detail } })
    expect(await app.entitlement()).toEqual(FREE)
  })

  test('never takes a higher plan away', async () => {
    const app = await openRedeeming({ subscription_plan: 'enterprise' })
    await addPromoCode(app, { child_qr_quantity: 5 })
    const { body } = await app.redeem('MONSOON50')
    expect(body).toMatchObject({ status: 'approved', subscription_plan: 'enterprise' })
    expect(await app.entitlement()).toMatchObject({ qr_limit: -1, child_qr_quota: 1005 })
  })

  test('leaves what an earlier one gave, and refills nothing that was used', async () => {
    const app = await openRedeeming()
    await addPromoCode(app, { code: 'SLOTS', subscription_plan: null, child_qr_quantity: 3 })
    await addPromoCode(app)
    await app.redeem('SLOTS')
    await app.ask('POST', '/api/qr/child-create', { as: app.asha, json: { quantity: 2 } })
    await app.redeem('MONSOON50')
    expect(await app.entitlement()).toEqual({ ...PREMIUM, child_qr_quota: 51 })
  })

  test('outlasts a role that was given for a time', async () => {
    const app = await openRedeeming()
    const until = new Date('2026-12-31T00:00:00Z')
    const { email } = app.asha as { email: string }
    await grantRole(app.db, { contact: email, role: 'premium', until }, new Date())
    await addPromoCode(app, { child_qr_quantity: 2 })
    await app.redeem('MONSOON50')
    expect(await app.entitlement()).toEqual({ ...PREMIUM, child_qr_quota: 52 })
    const lasting = await app.db.selectFrom('temporary_permissions').selectAll().execute()
    expect(lasting).toMatchObject([{ ...PREMIUM, child_qr_quota: 52, role: 'client' }])
  })
})

describe('parallel redemptions', () => {
  test('never pass the limit of a code', async () => {
    const app = await openRedeeming()
    await addPromoCode(app, { usage_limit: 7 })
    const people = await Promise.all(Array.from({ length: 20 }, () => app.signUp()))
    const answers = await Promise.all(people.map((who) => app.redeem('MONSOON50', who)))
    const lucky = people.filter((_, i) => answers[i]?.status === 200)
    expect(lucky).toHaveLength(7)
    expect(answers.filter(({ status }) => status === 400)).toHaveLength(13)
    expect(await app.uses()).toMatchObject({ usage_count: 7 })
    const upgraded = await app.db
      .selectFrom('accounts')
      .select('id')
      .where('subscription_plan', '=', 'premium')
      .execute()
    expect(upgraded.map(({ id }) => id).sort()).toEqual(lucky.map(({ id }) => id).sort())
  })

  test('of one account are one redemption, over both calls', async () => {
    const app = await openRedeeming()
    await addPromoCode(app, { subscription_plan: null, child_qr_quantity: 1 })
    const tries = Array.from({ length: 20 }, (_, i) =>
      i % 2 ? app.redeem('MONSOON50') : app.redeemPromo('monsoon50'),
    )
    const statuses = (await Promise.all(tries)).map(({ status }) => status)
    expect(statuses.filter((status) => status === 200)).toHaveLength(1)
    expect(statuses.filter((status) => status === 409)).toHaveLength(19)
    expect(await app.uses()).toMatchObject({ usage_count: 1 })
    expect(await app.entitlement()).toMatchObject({ child_qr_quota: 1 })
  })
})

test('of 40 guesses of an account at once ten are tried, and the right one after them is not', async () => {
  const app = await openRedeeming()
  await addPromoCode(app)
  const guesses = Array.from({ length: 40 }, (_, i) => app.redeem(`GUESS${i}`))
  const answers = await Promise.all([...guesses, app.redeem('MONSOON50')])
  expect(answers.filter(({ status }) => status === 404)).toHaveLength(10)
  expect(answers.at(-1)?.status).toBe(429)
  expect(await app.entitlement()).toEqual(FREE)
})

describe('a code that needs approval', () => {
  async function openPending() {
    const app = await openRedeeming()
    const promo = await addPromoCode(app, { usage_limit: 1, requires_approval: true })
    const { body } = await app.redeem('MONSOON50')
    const [redemption] = await app.db.selectFrom('promo_redemptions').selectAll().execute()
    const admin = await app.signUp({ role: 'admin' })
    const actor = { actor_id: admin.id, actor: admin.name }
    const decide = (action: 'approve' | 'reject') =>
      decideRedemption(
        app.db,
        { id: redemption?.id ?? '', action },
        actor,
        new Date('2026-11-21T10:00:00Z'),
        nobody,
      )
    const acts = () =>
      app.db
        .selectFrom('audit_events')
        .select(['action', 'actor_id', 'after'])
        .orderBy(INSERTED)
        .execute()
    return { ...app, promo, body, admin, decide, acts }
  }

  test('gives its plan when an admin approves, which is noted', async () => {
    const { decide, entitlement, admin, acts, asha } = await openPending()
    expect(await decide('approve')).toMatchObject({
      status: 'approved',
      decided_by: admin.id,
      decided_at: '2026-11-21T10:00:00.000Z',
      user_email: asha.email,
    })
    expect(await entitlement()).toEqual(PREMIUM)
    const act = (await acts()).at(-1)
    expect(act).toMatchObject({ action: 'redemption.approved', actor_id: admin.id })
    expect(JSON.parse(act?.after ?? '')).toMatchObject(PREMIUM)
  })

  test('gives its use back when it is rejected, though not to the same account', async () => {
    const { decide, entitlement, uses, redeem, signUp } = await openPending()
    await decide('reject')
    expect(await entitlement()).toEqual(FREE)
    expect(await uses()).toMatchObject({ usage_count: 0 })
    expect((await redeem('MONSOON50')).status).toBe(409)
    expect((await redeem('MONSOON50', await signUp())).body.status).toBe('pending')
  })

  test('can still be decided when the code is deleted', async () => {
    const { db, promo, decide, entitlement } = await openPending()
    await deletePromoCode(db, promo.id, ACTOR, new Date())
    await decide('approve')
    expect(await entitlement()).toEqual(PREMIUM)
  })
})
