import { describe, expect, it } from 'vitest'
import { DomainError } from '#domain/error.ts'
import { formatRupees } from '#domain/number.ts'
import {
  assertChildQuota,
  assertQrQuota,
  canSeeAnalytics,
  canShare,
  canUseGallery,
  creationWays,
  hasApiAccess,
  PLAN_IDS,
  PLANS,
  planViews,
} from '#domain/plans/plan.ts'

function refusalOf(act: () => void): DomainError {
  try {
    act()
  } catch (error) {
    if (error instanceof DomainError) return error
    throw error
  }
  throw new Error('nothing was refused')
}

describe('the plans', () => {
  it('have the limits that owners are shown', () => {
    expect(PLAN_IDS.map((id) => [PLANS[id].qr_limit, PLANS[id].child_qr_limit])).toEqual([
      [1, 0],
      [50, 50],
      [-1, 1000],
    ])
  })

  it('are offered cheapest first, at the configured prices', () => {
    const views = planViews({ premium: 999, enterprise: 9999 })
    expect(views.map(({ id, name, price }) => [id, name, price])).toEqual([
      ['free', 'Free', 0],
      ['premium', 'Premium', 999],
      ['enterprise', 'Enterprise', 9999],
    ])
    for (const view of views) {
      expect(Object.keys(view).sort()).toEqual(
        ['child_qr_limit', 'features', 'id', 'name', 'price', 'qr_limit'].sort(),
      )
      expect(view.features.length).toBeGreaterThan(0)
    }
  })

  it('say in words what their limits are', () => {
    expect(PLANS.free.features).toContain('1 QR code')
    expect(PLANS.premium.features).toEqual(
      expect.arrayContaining(['50 QR codes', '50 child QR codes', 'Loss & Found']),
    )
    expect(PLANS.enterprise.features).toEqual(
      expect.arrayContaining(['Unlimited QR codes', 'White-label', 'API access']),
    )
  })

  it.each([
    ['free', false, false],
    ['premium', true, false],
    ['enterprise', true, true],
  ] as const)('%s: gallery, sharing and analytics %s, API %s', (plan, paid, api) => {
    expect([canUseGallery(plan), canShare(plan), canSeeAnalytics(plan)]).toEqual([paid, paid, paid])
    expect(hasApiAccess(plan)).toBe(api)
  })
})

describe('the limit of QR codes', () => {
  it.each([
    [0, 1, 1],
    [49, 50, 1],
    [0, 50, 50],
    [100_000, -1, 50],
  ])('lets %i of %i grow by %i', (count, limit, adding) => {
    expect(() => assertQrQuota({ count, limit, adding })).not.toThrow()
  })

  it.each([
    [1, 1, 1],
    [50, 50, 1],
    [41, 50, 10],
    [60, 50, 1],
  ])('does not let %i of %i grow by %i, and says so', (count, limit, adding) => {
    const refusal = refusalOf(() => assertQrQuota({ count, limit, adding }))
    expect(refusal.kind).toBe('plan_limit')
    expect(refusal.message).toBe(`QR limit reached (${count}/${limit})`)
    expect(refusal.planLimit).toEqual({ current_count: count, limit })
  })
})

describe('the quota of child codes', () => {
  it('is enough while anything is left', () => {
    expect(() => assertChildQuota({ count: 49, left: 1 })).not.toThrow()
  })

  it('is a plan limit when nothing is', () => {
    const refusal = refusalOf(() => assertChildQuota({ count: 50, left: 0 }))
    expect(refusal.kind).toBe('plan_limit')
    expect(refusal.message).toBe('Child QR limit reached (50/50)')
    expect(refusal.planLimit).toEqual({ current_count: 50, limit: 50 })
  })
})

describe('the ways to make codes', () => {
  const child = {
    parent_id: 'p',
    subscription_plan: 'premium',
    qr_limit: 50,
    child_qr_quota: 1,
  } as const

  it('are all offered to an owner, also beyond the limit', () => {
    const owner = { ...child, parent_id: null, qr_limit: 1, child_qr_quota: 0 }
    expect(creationWays(owner, 7)).toEqual({ create: true, bulk: true, child: true })
  })

  it.each([
    ['with room', child, 49, { create: true, bulk: true, child: true }],
    ['without room', child, 50, { create: false, bulk: false, child: true }],
    ['without a limit', { ...child, qr_limit: -1 }, 999, { create: true, bulk: true, child: true }],
    [
      'on the free plan',
      { ...child, subscription_plan: 'free', child_qr_quota: 0 } as const,
      0,
      { create: true, bulk: false, child: false },
    ],
  ])('are those that a child user %s has room for', (_, account, count, ways) => {
    expect(creationWays(account, count)).toEqual(ways)
  })
})

describe('rupees', () => {
  it.each([
    [0, '₹0'],
    [999, '₹999'],
    [9999, '₹9,999'],
    [124870, '₹1,24,870'],
    [12345678, '₹1,23,45,678'],
  ])('%i are written %s', (amount, text) => expect(formatRupees(amount)).toBe(text))
})
