import { describe, expect, test } from 'vitest'
import type { PlanId } from '#domain/plans/plan.ts'
import { containedTax, receiptNumber } from '#domain/plans/receipt.ts'
import {
  assertMonths,
  effectOf,
  endOfPlan,
  nextTerm,
  type Plans,
  planNow,
  withPlanNow,
} from '#domain/plans/term.ts'
import { likelyPlan, plansOnOffer, planToRequest } from '#domain/plans/upgrade.ts'
import { addMonths } from '#domain/time.ts'

const INDIA = 'Asia/Kolkata'
const END = '2026-12-20T10:00:00.000Z'
const before = new Date('2026-12-20T09:59:59.999Z')
const after = new Date(END)

function account(lasting: PlanId, term: Plans['term_plan'] = null) {
  return {
    subscription_plan: lasting,
    qr_limit: lasting === 'free' ? 1 : 50,
    child_qr_quota: 3,
    term_plan: term,
    term_ends_at: term && END,
    term_child_quota: term ? 40 : 0,
  }
}

describe('a month', () => {
  test.each([
    ['2026-11-20T10:00:00.000Z', 1, '2026-12-20T10:00:00.000Z'],
    ['2026-01-31T10:00:00.123Z', 1, '2026-02-28T10:00:00.123Z'],
    ['2028-01-31T10:00:00.000Z', 1, '2028-02-29T10:00:00.000Z'],
    ['2026-10-31T10:00:00.000Z', 1, '2026-11-30T10:00:00.000Z'],
    ['2026-01-31T10:00:00.000Z', 2, '2026-03-31T10:00:00.000Z'],
    ['2028-02-29T10:00:00.000Z', 12, '2029-02-28T10:00:00.000Z'],
    ['2026-12-15T10:00:00.000Z', 1, '2027-01-15T10:00:00.000Z'],
    ['2026-11-20T10:00:00.000Z', 36, '2029-11-20T10:00:00.000Z'],
  ])('from %s, %i times, ends at %s', (from, months, until) => {
    expect(addMonths(new Date(from), months, INDIA).toISOString()).toBe(until)
  })

  test('is one of the time zone: the 31st of India is still the 30th in UTC', () => {
    const lateOnJan30 = new Date('2026-01-30T20:00:00.000Z')
    expect(addMonths(lateOnJan30, 1, INDIA).toISOString()).toBe('2026-02-27T20:00:00.000Z')
    expect(addMonths(lateOnJan30, 1, 'UTC').toISOString()).toBe('2026-02-28T20:00:00.000Z')
  })

  test('ends at the same time of the day where the clocks change', () => {
    const noon = new Date('2026-03-15T11:00:00.000Z')
    expect(addMonths(noon, 1, 'Europe/Berlin').toISOString()).toBe('2026-04-15T10:00:00.000Z')
  })
})

describe('the plan of an account', () => {
  test('is that of its term until the instant of its end', () => {
    expect(planNow(account('free', 'premium'), before)).toBe('premium')
    expect(planNow(account('free', 'premium'), after)).toBe('free')
  })

  test('is the higher one of that without end and the term', () => {
    expect(planNow(account('enterprise', 'premium'), before)).toBe('enterprise')
    expect(planNow(account('premium', 'enterprise'), before)).toBe('enterprise')
    expect(planNow(account('premium', 'enterprise'), after)).toBe('premium')
    expect(planNow(account('premium'), after)).toBe('premium')
  })

  test('comes with its quotas and its end, which sleep after it', () => {
    expect(withPlanNow(account('free', 'premium'), before)).toMatchObject({
      subscription_plan: 'premium',
      qr_limit: 50,
      child_qr_quota: 40,
      subscription_ends_at: END,
      subscription_ended: null,
    })
    expect(withPlanNow(account('free', 'premium'), after)).toMatchObject({
      subscription_plan: 'free',
      qr_limit: 1,
      child_qr_quota: 3,
      subscription_ends_at: null,
      subscription_ended: { plan: 'premium', at: END },
    })
  })

  test('has not ended for an account to which a permission gives as much', () => {
    const { subscription_ended } = withPlanNow(account('premium', 'premium'), after)
    expect(subscription_ended).toBeNull()
  })

  test.each([before, after])('is the same when it is asked for twice, at %s', (now) => {
    for (const lasting of ['free', 'premium', 'enterprise'] as const) {
      for (const term of [null, 'premium', 'enterprise'] as const) {
        const once = withPlanNow(account(lasting, term), now)
        expect(withPlanNow(once, now)).toEqual(once)
      }
    }
  })
})

describe('the next term', () => {
  const one = (plan: 'premium' | 'enterprise', term: Plans['term_plan'], now: Date) => {
    const { from, until } = nextTerm(
      account('free', term),
      { plan, months: 1 },
      { now, timezone: INDIA },
    )
    return [from.toISOString(), until.toISOString()]
  }

  test('of the same plan begins where the last one ends', () => {
    expect(one('premium', 'premium', before)).toEqual([END, '2027-01-20T10:00:00.000Z'])
  })

  test('of another plan, or after the end, begins now', () => {
    const now = [after.toISOString(), '2027-01-20T10:00:00.000Z']
    expect(one('enterprise', 'premium', after)).toEqual(now)
    expect(one('premium', 'premium', after)).toEqual(now)
    expect(one('enterprise', 'premium', before)[0]).toBe(before.toISOString())
  })

  test('says what becomes of the present one', () => {
    expect(effectOf('premium', 'premium', '20 Dec 2026')).toBe(
      'Added to your Premium plan, which runs until 20 Dec 2026',
    )
    expect(effectOf('enterprise', 'premium', '20 Dec 2026')).toBe(
      'Starts at once. What is left of Premium, until 20 Dec 2026, is lost',
    )
  })
})

describe('an end that is typed', () => {
  const now = new Date('2026-11-20T10:00:00.000Z')

  test('as a day is the last one with the plan', () => {
    expect(endOfPlan('2026-12-31', INDIA, now).toISOString()).toBe('2026-12-31T18:29:59.999Z')
  })

  test('as an instant is that instant', () => {
    expect(endOfPlan('2026-12-31T18:30:00Z', INDIA, now).toISOString()).toBe(
      '2026-12-31T18:30:00.000Z',
    )
  })

  test.each([
    ['2026-11-19', 'The end must be in the future'],
    ['next week', 'The end must be a date or a time'],
  ])('as %s is refused', (typed, why) => {
    expect(() => endOfPlan(typed, INDIA, now)).toThrow(why)
  })
})

test.each([0, 37, -1, 1.5, Number.NaN])('%s months are refused', (months) => {
  expect(() => assertMonths(months)).toThrow('months must be between 1 and 36')
})

test('1 to 36 months, and no end, are taken', () => {
  for (const months of [null, 1, 36]) expect(() => assertMonths(months)).not.toThrow()
})

describe('on offer', () => {
  const held = (lasting: PlanId, term: Plans['term_plan'], now: Date) =>
    withPlanNow(account(lasting, term), now)

  test('are the plans above the present one, and both when it ends', () => {
    expect(plansOnOffer(held('free', null, before))).toEqual(['premium', 'enterprise'])
    expect(plansOnOffer(held('premium', null, before))).toEqual(['enterprise'])
    expect(plansOnOffer(held('enterprise', null, before))).toEqual([])
    expect(plansOnOffer(held('free', 'enterprise', before))).toEqual(['premium', 'enterprise'])
  })

  test('is no plan that goes on without end beneath one with an end', () => {
    const both = held('premium', 'enterprise', before)
    expect(plansOnOffer(both)).toEqual(['enterprise'])
    expect(plansOnOffer(withPlanNow(both, before))).toEqual(['enterprise'])
    expect(() => planToRequest(both, 'premium', undefined)).toThrow(
      'You already have the Premium plan',
    )
  })

  test('is the plan that a permission gives beneath one with an end', () => {
    const permitted = { plan: 'premium', ends_at: '2027-01-01T00:00:00.000Z' } as const
    const both = { ...held('premium', 'enterprise', before), permitted }
    expect(plansOnOffer(both)).toEqual(['premium', 'enterprise'])
  })

  test('the plan that is there or has ended comes first', () => {
    expect(likelyPlan(held('free', 'enterprise', before))).toBe('enterprise')
    expect(likelyPlan(held('free', 'enterprise', after))).toBe('enterprise')
    expect(likelyPlan(held('free', null, before))).toBe('premium')
  })

  test('is no plan that is there without end', () => {
    const premium = held('premium', null, before)
    expect(() => planToRequest(premium, 'premium', undefined)).toThrow(
      'You already have the Premium plan',
    )
    expect(planToRequest(held('free', 'premium', before), undefined, undefined)).toBe('premium')
  })
})

test('the tax that an amount contains is worked out from its rate', () => {
  expect(containedTax(118, 18)).toBe(1800)
  expect(containedTax(999, 18)).toBe(15239)
  expect(containedTax(999, 0)).toBe(0)
})

test('receipts are numbered by year with six digits', () => {
  expect(receiptNumber(2026, 123)).toBe('R-2026-000123')
  expect(receiptNumber(2026, 1_234_567)).toBe('R-2026-1234567')
})
