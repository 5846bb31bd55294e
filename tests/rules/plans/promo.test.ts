import { describe, expect, test } from 'vitest'
import {
  benefitText,
  type NewPromoCode,
  newPromoCodeProblem,
  type PromoCode,
  toPromoCodeView,
} from '#domain/plans/promo.ts'
import { textOf } from '#tests/support/refusals.ts'

const NEW: NewPromoCode = {
  code: 'DIWALI',
  description: null,
  subscription_plan: 'premium',
  child_qr_quantity: 0,
  discount_value: 0,
  usage_limit: 1,
  expires_at: null,
  requires_approval: true,
}

describe('a new promo code', () => {
  test.each<[string, Partial<NewPromoCode>, string]>([
    ['no name', { code: ' ' }, 'Please enter a promo code'],
    ['a space in it', { code: 'NEW YEAR' }, 'A promo code has no spaces'],
    ['a name too long', { code: 'X'.repeat(41) }, 'Promo code must be at most 40 characters'],
    ['the free plan', { subscription_plan: 'free' as never }, 'Plan must be premium or enterprise'],
    ['no uses', { usage_limit: 0 }, 'Usage limit must be at least 1'],
    ['half a use', { usage_limit: 1.5 }, 'Usage limit must be at least 1'],
    ['debts', { child_qr_quantity: -1 }, 'Child QR quantity must be between 0 and 1000'],
    ['too many', { child_qr_quantity: 1001 }, 'Child QR quantity must be between 0 and 1000'],
    [
      'no number',
      { child_qr_quantity: Number.NaN },
      'Child QR quantity must be between 0 and 1000',
    ],
    ['too much off', { discount_value: 101 }, 'Discount must be between 0 and 100'],
    [
      'nothing to give',
      { subscription_plan: null },
      'A promo code must give a plan, child QR codes or a discount',
    ],
  ])('with %s is refused', (_, fields, problem) => {
    expect(textOf(newPromoCodeProblem({ ...NEW, ...fields }))).toBe(problem)
  })

  test.each<Partial<NewPromoCode>>([
    {},
    { subscription_plan: null, child_qr_quantity: 1000 },
    { subscription_plan: null, discount_value: 10, usage_limit: 1_000_000 },
    { code: 'SAVE-10%_ÉTÉ' },
  ])('with %j is taken', (fields) => {
    expect(newPromoCodeProblem({ ...NEW, ...fields })).toBeUndefined()
  })
})

test('a benefit is written in words, with a singular for one', () => {
  const nothing = { subscription_plan: null, child_qr_quantity: 0, discount_value: 0 }
  expect(benefitText({ ...nothing, subscription_plan: 'enterprise' })).toBe('Enterprise plan')
  expect(benefitText({ ...nothing, child_qr_quantity: 1, discount_value: 5 })).toBe(
    '1 extra child QR code and 5% off the next upgrade',
  )
  expect(benefitText({ ...nothing, child_qr_quantity: 1000 })).toBe('1,000 extra child QR codes')
})

test('a listed code has the field names of both admin pages', () => {
  const promo: PromoCode = {
    ...NEW,
    id: 'p1',
    discount_type: null,
    usage_limit: 3,
    usage_count: 1,
    is_active: true,
    expires_at: '2026-12-01T00:00:00.000Z',
    created_at: '2026-11-01T00:00:00.000Z',
  }
  expect(toPromoCodeView(promo, new Date('2026-11-30T23:59:59.999Z'))).toEqual({
    ...promo,
    plan_months: null,
    max_uses: 3,
    used_count: 1,
    usage_percentage: 33.3,
    expiry_date: promo.expires_at,
    is_expired: false,
  })
  expect(toPromoCodeView(promo, new Date('2026-12-01T00:00:00Z')).is_expired).toBe(true)
})
