import { describe, expect, test } from 'vitest'
import { openMoney, tally } from '#tests/support/money.ts'
import { addPromoCode } from '#tests/support/promo.ts'

const FROM_ADMIN_SCREEN = {
  code: ' monsoon50 ',
  subscription_plan: 'premium',
  usage_limit: 100,
  expires_at: '2026-12-31T18:30:00.000Z',
  requires_approval: true,
}
const FROM_MANAGEMENT_PAGE = {
  code: 'fleet10',
  description: 'Client QR Creation',
  discount_type: 'percentage',
  discount_value: 10,
  max_uses: 1000,
  child_qr_quantity: 3,
  expiry_date: null,
}

describe('making a promo code', () => {
  test('takes what the admin screen sends', async () => {
    const { call, acts } = await openMoney()
    const { status, body } = await call('POST', '/admin/promo-codes', FROM_ADMIN_SCREEN)
    expect(status).toBe(201)
    expect(body).toEqual({
      id: expect.any(String),
      code: 'MONSOON50',
      description: null,
      plan_months: null,
      subscription_plan: 'premium',
      child_qr_quantity: 0,
      discount_type: null,
      discount_value: 0,
      usage_limit: 100,
      max_uses: 100,
      usage_count: 0,
      used_count: 0,
      usage_percentage: 0,
      expires_at: '2026-12-31T18:30:00.000Z',
      expiry_date: '2026-12-31T18:30:00.000Z',
      requires_approval: true,
      is_active: true,
      is_expired: false,
      created_at: '2026-11-20T10:00:00.000Z',
    })
    expect(await acts()).toMatchObject([
      { action: 'promo.created', actor: 'Nandini Rao', after: { code: 'MONSOON50' } },
    ])
  })

  test('takes what the management page sends, which needs no approval', async () => {
    const { call } = await openMoney()
    const { status, body } = await call('POST', '/admin/promo-codes', FROM_MANAGEMENT_PAGE)
    expect(status).toBe(201)
    expect(body).toMatchObject({
      code: 'FLEET10',
      description: 'Client QR Creation',
      subscription_plan: null,
      child_qr_quantity: 3,
      discount_type: 'percentage',
      discount_value: 10,
      usage_limit: 1000,
      expires_at: null,
      requires_approval: false,
    })
  })

  test('takes fields that are left empty', async () => {
    const { call } = await openMoney()
    const empty = {
      subscription_plan: '',
      discount_type: '',
      expires_at: '',
      requires_approval: null,
    }
    const { status, body } = await call('POST', '/admin/promo-codes', {
      ...FROM_MANAGEMENT_PAGE,
      ...empty,
    })
    expect([status, body.discount_type, body.expires_at]).toEqual([201, 'percentage', null])
  })

  test('needs approval for a plan by default', async () => {
    const { call } = await openMoney()
    const { requires_approval: _, ...rest } = FROM_ADMIN_SCREEN
    const made = await call('POST', '/admin/promo-codes', rest)
    expect(made.body.requires_approval).toBe(true)
    const told = { ...rest, code: 'NOW', requires_approval: false }
    expect((await call('POST', '/admin/promo-codes', told)).body.requires_approval).toBe(false)
  })

  test('takes a day to its end here, and a time of the clocks here', async () => {
    const { call } = await openMoney()
    const ends = ['2026-12-31', '2026-12-31T18:30'].map((expiry_date, i) => ({
      ...FROM_MANAGEMENT_PAGE,
      code: `END${i}`,
      expiry_date,
    }))
    const made = await Promise.all(ends.map((json) => call('POST', '/admin/promo-codes', json)))
    expect(made.map(({ body }) => body.expires_at)).toEqual([
      '2026-12-31T18:30:00.000Z',
      '2026-12-31T13:00:00.000Z',
    ])
  })

  test.each([
    ['another plan', { subscription_plan: 'gold' }, 'Plan must be premium or enterprise'],
    ['no limit', { usage_limit: null }, 'Usage limit must be at least 1'],
    ['a limit that is no number', { usage_limit: 'many' }, 'Usage limit must be at least 1'],
    ['an amount off', { discount_type: 'amount' }, 'discount_type must be percentage'],
    ['an end that is none', { expires_at: 'soon' }, 'Expiry must be a date and a time'],
    [
      'an end that is over',
      { expires_at: '2026-11-20T10:00:00.000Z' },
      'Expiry must be in the future',
    ],
    ['a maybe', { requires_approval: 'maybe' }, 'requires_approval must be true or false'],
    [
      'a long description',
      { description: 'x'.repeat(201) },
      'description must be at most 200 characters',
    ],
  ])('is refused with %s', async (_, wrong, detail) => {
    const { call, db } = await openMoney()
    const sent = { ...FROM_ADMIN_SCREEN, ...wrong }
    expect(await call('POST', '/admin/promo-codes', sent)).toMatchObject({
      status: 400,
      body: { detail },
    })
    expect(await db.selectFrom('promo_codes').selectAll().execute()).toEqual([])
  })

  test('reads a number of child codes that is no number as zero', async () => {
    const { call } = await openMoney()
    const sent = { ...FROM_MANAGEMENT_PAGE, child_qr_quantity: 'a few' }
    expect((await call('POST', '/admin/promo-codes', sent)).body.child_qr_quantity).toBe(0)
  })

  test('twenty times at once, in any letter case, makes one code', async () => {
    const { call } = await openMoney()
    const answers = await Promise.all(
      Array.from({ length: 20 }, (_, i) =>
        call('POST', '/admin/promo-codes', { ...FROM_ADMIN_SCREEN, code: i % 2 ? 'Same' : 'sAME' }),
      ),
    )
    expect(tally(answers)).toEqual({ 201: 1, 409: 19 })
    const refused = answers.find(({ status }) => status === 409)
    expect(refused?.body.detail).toBe('This promo code already exists')
  })
})

describe('the list of promo codes', () => {
  test('is newest first, with the uses of each', async () => {
    const app = await openMoney()
    await addPromoCode(app, { code: 'OLD', expires_at: '2026-11-20T10:00:00.000Z' })
    app.advance(60)
    await addPromoCode(app, { code: 'NEW', usage_limit: 3, child_qr_quantity: 2 })
    await app.call('POST', '/promo/redeem', { promo_code: 'NEW' }, app.asha)
    const { status, body, headers } = await app.call('GET', '/admin/promo-codes')
    expect(status).toBe(200)
    expect(headers.get('X-Total-Count')).toBe('2')
    expect(body).toMatchObject([
      { code: 'NEW', used_count: 1, max_uses: 3, usage_percentage: 33.3, is_expired: false },
      { code: 'OLD', used_count: 0, is_expired: true },
    ])
  })

  test('comes by the page, by state and by the typed search', async () => {
    const app = await openMoney()
    for (let i = 0; i < 23; i++) await addPromoCode(app, { code: `CODE${i}` })
    await addPromoCode(app, { code: 'OLD', expires_at: '2026-11-20T10:00:00.000Z' })
    const off = await addPromoCode(app, { code: 'OFF', description: 'Harvest fair' })
    await app.call('PUT', `/admin/promo-codes/${off.id}/toggle`)
    const list = async (query: string) => {
      const { body, headers } = await app.call('GET', `/admin/promo-codes?${query}`)
      const codes = body.map(({ code }: { code: string }) => code)
      return { codes, total: headers.get('X-Total-Count') }
    }
    const first = await list('page=2&limit=20')
    expect(first).toMatchObject({ total: '25', codes: { length: 5 } })
    expect(await list('state=inactive')).toEqual({ codes: ['OFF'], total: '1' })
    expect(await list('state=expired')).toEqual({ codes: ['OLD'], total: '1' })
    // An expired code is in that state alone.
    expect((await list('state=active')).total).toBe('23')
    expect(await list('search=harvest')).toEqual({ codes: ['OFF'], total: '1' })
    expect(await list('search=code22')).toEqual({ codes: ['CODE22'], total: '1' })
    const wrong = await app.call('GET', '/admin/promo-codes?state=lost')
    expect(wrong).toMatchObject({
      status: 400,
      body: { detail: 'state must be active, inactive or expired' },
    })
  })
})

describe('a promo code', () => {
  test('is switched off and on again, which is noted', async () => {
    const app = await openMoney()
    const { id } = await addPromoCode(app)
    const off = await app.call('PUT', `/admin/promo-codes/${id}/toggle`)
    expect(off).toMatchObject({ status: 200, body: { id, is_active: false } })
    const refused = await app.call('POST', '/promo/redeem', { promo_code: 'MONSOON50' }, app.asha)
    expect(refused.body.detail).toBe('This promo code is not active')
    const on = await app.call('PUT', `/admin/promo-codes/${id}/toggle`)
    expect(on.body.is_active).toBe(true)
    expect((await app.acts()).at(-1)).toMatchObject({
      action: 'promo.toggled',
      actor: 'Nandini Rao',
      before: { is_active: false },
      after: { is_active: true },
    })
  })

  test('is deleted for good; its benefits and redemptions stay', async () => {
    const app = await openMoney()
    const { id } = await addPromoCode(app)
    await app.call('POST', '/promo/redeem', { promo_code: 'MONSOON50' }, app.asha)
    const gone = await app.call('DELETE', `/admin/promo-codes/${id}`)
    expect(gone).toMatchObject({ status: 200, body: { message: 'Promo code deleted' } })
    expect(await app.entitlement()).toMatchObject({ subscription_plan: 'premium' })
    const { body } = await app.call('GET', '/admin/code-redemptions')
    expect(body.redemptions).toMatchObject([{ code: 'MONSOON50', status: 'approved' }])
    for (const [method, path] of [
      ['DELETE', `/admin/promo-codes/${id}`],
      ['PUT', `/admin/promo-codes/${id}/toggle`],
    ] as const) {
      expect(await app.call(method, path)).toMatchObject({
        status: 404,
        body: { detail: 'Promo code not found' },
      })
    }
  })

  test('is deleted by one of twenty calls', async () => {
    const app = await openMoney()
    const { id } = await addPromoCode(app)
    const answers = await Promise.all(
      Array.from({ length: 20 }, () => app.call('DELETE', `/admin/promo-codes/${id}`)),
    )
    expect(tally(answers)).toEqual({ 200: 1, 404: 19 })
  })
})
