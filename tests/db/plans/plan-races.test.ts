import { describe, expect, test } from 'vitest'
import { createPromoCode, togglePromoCode } from '#db/plans/promo-changes.ts'
import { redeemPromoCode } from '#db/plans/promo-redemptions.ts'
import { decideRedemption } from '#db/plans/redemption-decisions.ts'
import { decideUpgradeRequest } from '#db/plans/upgrade-decisions.ts'
import { attachScreenshot, requestUpgrade, takeBackUpgrade } from '#db/plans/upgrade-requests.ts'
import { FREE, openMoney, PREMIUM } from '#tests/support/money.ts'
import { ACTOR, addDiscount, addPromoCode } from '#tests/support/promo.ts'
import { countEach, RACERS, race } from '#tests/support/races.ts'

const PRICES = { premium: 499, enterprise: 1999 }
const USED = 'invalid: This promo code has reached its usage limit'

async function openPlans() {
  const app = await openMoney()
  const now = app.deps.clock()
  const promos = () => app.db.selectFrom('promo_codes').selectAll().execute()
  const redemptions = () => app.db.selectFrom('promo_redemptions').selectAll().execute()
  const requests = () => app.db.selectFrom('upgrade_requests').selectAll().execute()
  const redeem = (id: string, code = 'MONSOON50') => redeemPromoCode(app.db, id, code, now)
  const wish = (plan?: 'premium' | 'enterprise') =>
    requestUpgrade(app.db, app.asha.id, { requested_plan: plan }, PRICES, now)
  return { ...app, now, promos, redemptions, requests, redeem, wish }
}

describe('a promo code', () => {
  test('is made once by twenty at once', async () => {
    const { db, promos, acts } = await openPlans()
    const { won, refused } = await race((n) => addPromoCode({ db }, { description: `No ${n}` }))
    expect(refused).toEqual({ 'conflict: This promo code already exists': 19 })
    expect(await promos()).toMatchObject([{ description: won[0]?.description }])
    expect((await acts()).map(({ action }) => action)).toEqual(['promo.created'])
  })

  test('is redeemed as often as it may be, however many accounts come at once', async () => {
    const { signUp, redeem, promos, redemptions, entitlement, ...app } = await openPlans()
    await addPromoCode(app, { usage_limit: 7 })
    const people = await Promise.all(Array.from({ length: RACERS }, () => signUp()))
    const { won, refused } = await race((n) => redeem(people[n]?.id ?? ''))
    expect([won.length, refused]).toEqual([7, { [USED]: 13 }])
    expect(await promos()).toMatchObject([{ usage_count: 7 }])
    const winners = new Set((await redemptions()).map(({ account_id }) => account_id))
    expect(winners.size).toBe(7)
    for (const { id } of people) {
      expect(await entitlement(id)).toEqual(winners.has(id) ? PREMIUM : FREE)
    }
  })

  test('gives an account its benefit once', async () => {
    const { asha, redeem, promos, redemptions, entitlement, ...app } = await openPlans()
    await addPromoCode(app, { subscription_plan: null, child_qr_quantity: 5, usage_limit: 20 })
    const { won, refused } = await race(() => redeem(asha.id))
    expect(refused).toEqual({ 'conflict: You have already used this promo code': 19 })
    expect([won.length, (await redemptions()).length]).toEqual([1, 1])
    expect(await promos()).toMatchObject([{ usage_count: 1 }])
    expect(await entitlement()).toEqual({ ...FREE, child_qr_quota: 5 })
  })

  test('adds to the benefits that others give at the same time', async () => {
    const { asha, redeem, entitlement, ...app } = await openPlans()
    for (let n = 0; n < RACERS; n++) {
      await addPromoCode(app, { code: `SLOTS${n}`, subscription_plan: null, child_qr_quantity: 1 })
    }
    const { won } = await race((n) => redeem(asha.id, `SLOTS${n}`))
    expect(won).toHaveLength(20)
    expect(await entitlement()).toEqual({ ...FREE, child_qr_quota: 20 })
  })

  test('is switched as often as it is asked for', async () => {
    const { db, now, promos, acts, ...app } = await openPlans()
    const { id } = await addPromoCode({ ...app, db })
    const { won } = await race(() => togglePromoCode(db, id, ACTOR, now), 21)
    expect(countEach(won.map(({ is_active }) => is_active))).toEqual({ true: 10, false: 11 })
    expect(await promos()).toMatchObject([{ is_active: 0 }])
    expect(await acts()).toHaveLength(22)
  })
})

test('of twenty decisions about a redemption one counts, and gives or gives back once', async () => {
  const { db, asha, redeem, now, promos, redemptions, entitlement, acts, ...app } =
    await openPlans()
  const slots = { subscription_plan: null, child_qr_quantity: 5, requires_approval: true }
  await addPromoCode({ ...app, db }, slots)
  const { id } = await redeem(asha.id)
  const told: string[] = []
  const { won, refused } = await race((n) => {
    const action = n % 2 ? 'approve' : 'reject'
    return decideRedemption(db, { id, action }, ACTOR, now, async () => {
      told.push(action)
    })
  })
  expect(refused).toEqual({ 'conflict: This redemption has already been decided': 19 })
  const isApproved = won[0]?.status === 'approved'
  expect(await redemptions()).toMatchObject([{ status: won[0]?.status }])
  expect(await promos()).toMatchObject([{ usage_count: isApproved ? 1 : 0 }])
  expect(await entitlement()).toEqual({ ...FREE, child_qr_quota: isApproved ? 5 : 0 })
  const decided = (await acts()).filter(({ action }) => action.startsWith('redemption.'))
  expect(decided).toMatchObject([{ action: `redemption.${won[0]?.status}` }])
  expect(told).toContain(isApproved ? 'approve' : 'reject')
})

describe('an upgrade', () => {
  test('that is asked for twenty times at once is one request', async () => {
    const { wish, requests, redemptions, asha, redeem, ...app } = await openPlans()
    await addDiscount(app, 50)
    await redeem(asha.id, 'OFF50')
    const { won } = await race((n) => wish(n % 2 ? 'premium' : 'enterprise'))
    expect(new Set(won.map(({ id }) => id)).size).toBe(1)
    const [request, ...others] = await requests()
    expect(others).toEqual([])
    const amount = Math.round(PRICES[request?.requested_plan ?? 'premium'] / 2)
    expect(Math.abs((request?.amount ?? 0) - amount)).toBeLessThanOrEqual(1)
    expect(await redemptions()).toMatchObject([{ discount_used_by: request?.id }])
  })

  test('that twenty decide at once is decided once, and gives what was decided', async () => {
    const { db, wish, now, requests, entitlement, acts } = await openPlans()
    const { id } = await wish('premium')
    const { won, refused } = await race((n) => {
      const decision = {
        id,
        action: n % 2 ? 'approve' : 'reject',
        notes: `By ${n}`,
        payment_seen: true,
      } as const
      return decideUpgradeRequest(db, decision, ACTOR, now, async () => {})
    })
    expect(refused).toEqual({ 'conflict: This request has already been decided': 19 })
    const [{ status, decision_notes }] = won as [(typeof won)[number]]
    expect(await requests()).toMatchObject([{ status, decision_notes }])
    expect(await entitlement()).toEqual(status === 'approved' ? PREMIUM : FREE)
    expect(await acts()).toMatchObject([{ action: `upgrade.${status}` }])
  })

  test('that changes while it is decided gives the plan that the admin saw', async () => {
    const { db, wish, now, requests, entitlement } = await openPlans()
    const { id } = await wish('premium')
    const { won, refused } = await race(async (n): Promise<string> => {
      if (n % 2) return (await wish('enterprise')).status
      const decision = { id, action: 'approve', notes: null, payment_seen: true } as const
      const seen = { ...decision, requested_plan: 'premium' } as const
      return (await decideUpgradeRequest(db, seen, ACTOR, now, async () => {})).status
    })
    const { subscription_plan } = await entitlement()
    const decided = (await requests()).find((request) => request.id === id)
    expect(won.filter((status) => status === 'approved')).toHaveLength(
      subscription_plan === 'free' ? 0 : 1,
    )
    if (subscription_plan === 'free') {
      expect(decided).toMatchObject({ status: 'pending', requested_plan: 'enterprise' })
      expect(refused).toEqual({ 'conflict: This request is for another plan by now': 10 })
    } else {
      expect(subscription_plan).toBe('premium')
      expect(decided).toMatchObject({ status: 'approved', requested_plan: 'premium' })
    }
  })

  test('names each screenshot that another replaces once', async () => {
    const { db, asha, wish, requests } = await openPlans()
    const { id } = await wish('premium')
    const { won } = await race((n) => attachScreenshot(db, asha.id, id, `shot${n}.webp`))
    const replaced = won.flatMap(({ stored_names }) => stored_names)
    const [request] = await requests()
    const all = Array.from({ length: RACERS }, (_, n) => `shot${n}.webp`)
    expect([...replaced, request?.screenshot_name].toSorted()).toEqual(all.toSorted())
  })

  test('that names no payment is approved without a seen payment only after it names one, in whichever order the calls come', async () => {
    const { db, asha, now, wish, requests, entitlement } = await openPlans()
    const { id } = await wish('premium')
    const name = (payment_reference: string | null) =>
      requestUpgrade(db, asha.id, { payment_reference }, PRICES, now)
    const approval = { id, action: 'approve', notes: null } as const
    const { won, refused } = await race(async (n): Promise<string> => {
      if (n % 2) return (await name(n % 4 === 1 ? '4172 8890' : null)).status
      return (await decideUpgradeRequest(db, approval, ACTOR, now, async () => {})).status
    })
    const decided = (await requests()).find((request) => request.id === id)
    const isApproved = won.includes('approved')
    expect(decided?.status).toBe(isApproved ? 'approved' : 'pending')
    if (isApproved) expect(decided?.payment_reference).toBe('4172 8890')
    else
      expect(
        refused['invalid: Without a payment reference, confirm that you saw ₹499 arrive'],
      ).toBe(10)
    expect(await entitlement()).toEqual(isApproved ? PREMIUM : FREE)
  })

  test('is taken back once or approved once, never both', async () => {
    const { db, asha, now, wish, requests, entitlement } = await openPlans()
    const { id } = await wish()
    const approval = { id, action: 'approve', notes: null, payment_seen: true } as const
    const { won } = await race(async (n): Promise<string> => {
      if (n % 2) return String((await takeBackUpgrade(db, asha.id)).stored_names)
      return (await decideUpgradeRequest(db, approval, ACTOR, now, async () => {})).status
    })
    expect(won).toHaveLength(1)
    const isApproved = won[0] === 'approved'
    expect((await requests()).map(({ status }) => status)).toEqual(isApproved ? won : [])
    expect(await entitlement()).toEqual(isApproved ? PREMIUM : FREE)
  })
})

test('a promo code can be made while it is redeemed and its maker sees one outcome', async () => {
  const { db, asha, now, promos } = await openPlans()
  const promo = { description: null, subscription_plan: 'premium', child_qr_quantity: 0 } as const
  const limits = { discount_value: 0, usage_limit: 1, expires_at: null, requires_approval: false }
  const { won, refused } = await race(async (n): Promise<string> => {
    if (n % 2) return (await redeemPromoCode(db, asha.id, 'NEW', now)).status
    return (await createPromoCode(db, { code: 'new', ...promo, ...limits }, ACTOR, now)).code
  })
  expect(won.filter((each) => each === 'NEW')).toHaveLength(1)
  expect(refused['conflict: This promo code already exists']).toBe(9)
  const uses = won.filter((each) => each === 'approved').length
  expect(uses).toBeLessThanOrEqual(1)
  expect(await promos()).toMatchObject([{ usage_count: uses }])
})
