import { describe, expect, test } from 'vitest'
import { FREE, openMoney, PREMIUM, tally } from '#tests/support/money.ts'
import { addPromoCode } from '#tests/support/promo.ts'

async function openPending() {
  const app = await openMoney({ SUPPORT_EMAIL: 'help@example.in' })
  const promo = await addPromoCode(app, { requires_approval: true, usage_limit: 1 })
  const redeem = (as = app.asha) =>
    app.call('POST', '/promo/redeem', { promo_code: promo.code }, as)
  await redeem()
  const list = async (query = '') => (await app.call('GET', `/admin/code-redemptions${query}`)).body
  const [{ id }] = (await list()).redemptions
  const decide = (action: 'approve' | 'reject') =>
    app.call('POST', `/admin/${action}-redemption/${id}`)
  const used = async () =>
    (await app.db.selectFrom('promo_codes').select('usage_count').executeTakeFirst())?.usage_count
  return { ...app, id, promo, redeem, list, decide, used }
}

describe('the list of redemptions', () => {
  test('shows account, code and time of each, with waiting ones first', async () => {
    const app = await openPending()
    await addPromoCode(app, { code: 'NOW' })
    app.advance(60)
    await app.call('POST', '/promo/redeem', { promo_code: 'NOW' }, app.asha)
    expect(await app.list()).toMatchObject({
      total_count: 2,
      redemptions: [
        {
          id: app.id,
          code: 'MONSOON50',
          user_id: app.asha.id,
          user_name: 'Asha Patil',
          user_email: app.asha.email,
          status: 'pending',
          redeemed_at: '2026-11-20T10:00:00.000Z',
          decided_by: null,
        },
        { code: 'NOW', status: 'approved' },
      ],
    })
  })

  test('comes by the page, by status and by the typed search', async () => {
    const app = await openPending()
    await addPromoCode(app, { code: 'NOW', usage_limit: 30 })
    for (let i = 0; i < 22; i++) {
      const who = await app.signUp({ name: `Owner ${i}` })
      await app.call('POST', '/promo/redeem', { promo_code: 'NOW' }, who)
    }
    expect(await app.list('?page=2&limit=20')).toMatchObject({
      total_count: 23,
      redemptions: { length: 3 },
    })
    expect(await app.list('?status=pending')).toMatchObject({ total_count: 1 })
    expect(await app.list('?search=owner 21')).toMatchObject({
      total_count: 1,
      redemptions: [{ user_name: 'Owner 21' }],
    })
    expect(await app.list('?search=monsoon')).toMatchObject({ total_count: 1 })
    expect((await app.list('?status=lost')).detail).toBe(
      'status must be pending, approved or rejected',
    )
  })
})

describe('a redemption that waits', () => {
  test('gives its plan once approved, which is noted and mailed', async () => {
    const app = await openPending()
    const { status, body } = await app.decide('approve')
    expect(status).toBe(200)
    expect(body).toMatchObject({
      message: 'Redemption approved successfully!',
      redemption: {
        status: 'approved',
        decided_by: 'Nandini Rao',
        decided_at: '2026-11-20T10:00:00.000Z',
      },
    })
    expect(await app.entitlement()).toEqual(PREMIUM)
    expect((await app.acts()).at(-1)).toMatchObject({
      action: 'redemption.approved',
      actor: 'Nandini Rao',
      subject_id: app.id,
      before: FREE,
      after: PREMIUM,
    })
    expect(app.mails).toMatchObject([
      { to: app.asha.email, subject: 'Your DriveQR promo code is approved' },
    ])
    expect(app.mails[0]?.text).toMatch(/MONSOON50 is approved\.\s+It gives you: Premium plan\./)
    expect(app.mails[0]?.text).toContain('http://localhost:3000/dashboard')
  })

  test('gives its use back when rejected, which is noted and mailed', async () => {
    const app = await openPending()
    expect(await app.used()).toBe(1)
    expect((await app.redeem(await app.signUp())).body.detail).toBe(
      'This promo code has reached its usage limit',
    )
    const { body } = await app.decide('reject')
    expect(body).toMatchObject({
      message: 'Redemption rejected',
      redemption: { status: 'rejected' },
    })
    expect(await app.entitlement()).toEqual(FREE)
    expect(await app.used()).toBe(0)
    expect((await app.redeem(await app.signUp())).status).toBe(200)
    expect((await app.acts()).at(-1)).toMatchObject({
      action: 'redemption.rejected',
      before: { status: 'pending' },
      after: { status: 'rejected' },
    })
    expect(app.mails[0]).toMatchObject({
      to: app.asha.email,
      subject: 'Your DriveQR promo code was not approved',
      text: expect.stringContaining('ask help@example.in'),
    })
  })

  test('has one outcome of twenty decisions at once', async () => {
    const app = await openPending()
    const answers = await Promise.all(
      Array.from({ length: 20 }, (_, i) => app.decide(i % 2 ? 'approve' : 'reject')),
    )
    expect(tally(answers)).toEqual({ 200: 1, 409: 19 })
    const refused = answers.find(({ status }) => status === 409)
    expect(refused?.body.detail).toBe('This redemption has already been decided')
    const { redemptions } = await app.list()
    const approved = redemptions[0].status === 'approved'
    expect(await app.entitlement()).toEqual(approved ? PREMIUM : FREE)
    expect(await app.used()).toBe(approved ? 1 : 0)
    expect(app.mails).toHaveLength(1)
    const decisions = (await app.acts()).filter(({ action }) => action.startsWith('redemption.'))
    expect(decisions).toHaveLength(1)
  })

  test('is not found where nothing waits', async () => {
    const { call } = await openPending()
    const missing = await call('POST', '/admin/approve-redemption/nothing')
    expect(missing).toMatchObject({ status: 404, body: { detail: 'Redemption not found' } })
  })
})

test('twenty redemptions, approvals and rejections at once never pass the limit of a code', async () => {
  const app = await openMoney()
  await addPromoCode(app, { requires_approval: true, usage_limit: 5 })
  const people = await Promise.all(Array.from({ length: 20 }, () => app.signUp()))
  const redeem = { promo_code: 'MONSOON50' }
  await Promise.all(people.map((who) => app.call('POST', '/promo/redeem', redeem, who)))
  const { body } = await app.call('GET', '/admin/code-redemptions?status=pending')
  expect(body.total_count).toBe(5)
  const decisions = body.redemptions.flatMap(({ id }: { id: string }) => [
    app.call('POST', `/admin/approve-redemption/${id}`),
    app.call('POST', `/admin/reject-redemption/${id}`),
  ])
  const late = people.map((who) => app.call('POST', '/promo/redeem', redeem, who))
  const answers = await Promise.all([...decisions, ...late])
  expect(tally(answers.slice(0, 10))).toEqual({ 200: 5, 409: 5 })
  const rows = await app.db.selectFrom('promo_redemptions').select('status').execute()
  const [promo] = await app.db.selectFrom('promo_codes').select('usage_count').execute()
  expect(promo?.usage_count).toBe(rows.filter(({ status }) => status !== 'rejected').length)
  expect(promo?.usage_count).toBeLessThanOrEqual(5)
})
