import { describe, expect, test } from 'vitest'
import { grantRole } from '#db/accounts/permissions.ts'
import { FREE, openMoney, PREMIUM, type Signed, tally } from '#tests/support/money.ts'
import { addDiscount } from '#tests/support/promo.ts'
import { setAccount } from '#tests/support/rows.ts'
import { fileForm, picture } from '#tests/support/uploads.ts'

async function openAsked(wish: object = {}) {
  const app = await openMoney({ SUPPORT_EMAIL: 'help@example.in', SUPPORT_PHONE: '90000 12345' })
  const ask = (json: object, as: Signed = app.asha) =>
    app.call('POST', '/subscription/upgrade', json, as)
  const id: string = (await ask(wish)).body.request_id
  const list = async (query = '') => (await app.call('GET', `/admin/upgrade-requests${query}`)).body
  const decide = (action: 'approve' | 'reject', more: object = {}) =>
    app.call('POST', `/admin/upgrade-requests/${id}/${action}`, {
      request_id: id,
      action,
      payment_seen: true,
      ...more,
    })
  return { ...app, id, askUpgrade: ask, list, decide }
}

const PAID = { payment_method: 'UPI', payment_reference: '4172 8890', notes: 'Paid today' }

describe('the list of upgrade requests', () => {
  test('shows the user, the plan and the payment', async () => {
    const app = await openAsked(PAID)
    expect(await app.list()).toEqual({
      total_count: 1,
      upgrade_requests: [
        {
          id: app.id,
          user_id: app.asha.id,
          user_name: 'Asha Patil',
          user_email: app.asha.email,
          user_mobile: null,
          current_plan: 'free',
          months: 1,
          receipt_number: null,
          requested_plan: 'premium',
          amount: 999,
          ...PAID,
          screenshot_url: null,
          requested_at: '2026-11-20T10:00:00.000Z',
          status: 'pending',
          approved_by: null,
          approved_at: null,
          decision_notes: null,
        },
      ],
    })
  })

  test('has waiting ones first, then the newest, by the page, by status and by the typed search', async () => {
    const app = await openAsked(PAID)
    app.advance(60)
    for (let i = 0; i < 21; i++) {
      const who = await app.signUp({ name: `Owner ${i}` })
      const { request_id } = (await app.askUpgrade({}, who)).body
      await app.call('POST', `/admin/upgrade-requests/${request_id}/reject`)
    }
    const { upgrade_requests } = await app.list()
    expect(upgrade_requests[0].id).toBe(app.id)
    expect(await app.list('?page=2&limit=20')).toMatchObject({
      total_count: 22,
      upgrade_requests: { length: 2 },
    })
    expect(await app.list('?status=rejected')).toMatchObject({ total_count: 21 })
    expect(await app.list('?search=owner 20')).toMatchObject({ total_count: 1 })
    expect(await app.list('?search=4172')).toMatchObject({ total_count: 1 })
    const note = encodeURIComponent(`DriveQR ${app.id.slice(0, 8)}`)
    expect(await app.list(`?search=${note}`)).toMatchObject({ upgrade_requests: [{ id: app.id }] })
  })

  test('names the screenshot, visible only to admins and its sender', async () => {
    const app = await openAsked()
    const body = fileForm(await picture(), {}, 'paid.png')
    await app.ask('POST', `/api/subscription/upgrade/${app.id}/screenshot`, { as: app.asha, body })
    const { screenshot_url } = (await app.list()).upgrade_requests[0]
    const statusFor = async (as?: Signed) =>
      (await app.ask('GET', screenshot_url, as && { as })).status
    expect(await statusFor(app.admin)).toBe(200)
    expect(await statusFor(await app.signUp({ role: 'super_admin' }))).toBe(200)
    expect(await statusFor(app.asha)).toBe(200)
    expect(await statusFor(await app.signUp({ role: 'moderator' }))).toBe(404)
    expect(await statusFor()).toBe(404)
  })
})

describe('an upgrade request', () => {
  test('gives the plan and its quotas once approved, which is noted and mailed', async () => {
    const app = await openAsked()
    const { status, body } = await app.decide('approve', { notes: ' Thank you ' })
    expect(status).toBe(200)
    expect(body).toMatchObject({
      message: 'Upgrade request approved successfully',
      upgrade_request: {
        status: 'approved',
        approved_by: 'Nandini Rao',
        approved_at: '2026-11-20T10:00:00.000Z',
        decision_notes: 'Thank you',
      },
    })
    expect(await app.entitlement()).toEqual(PREMIUM)
    expect(await app.acts()).toMatchObject([
      {
        action: 'upgrade.approved',
        actor: 'Nandini Rao',
        subject_id: app.id,
        before: FREE,
        after: PREMIUM,
      },
    ])
    expect(app.mails).toMatchObject([
      { to: app.asha.email, subject: 'Your DriveQR account has the Premium plan' },
    ])
    expect(app.mails[0]?.text).toContain('Thank you')
    expect(app.mails[0]?.text).toContain('50 child QR codes')
  })

  test('changes nothing when rejected, which is noted and mailed with the reason', async () => {
    const app = await openAsked()
    const { body } = await app.decide('reject', { notes: 'No payment came in.' })
    expect(body).toMatchObject({
      message: 'Upgrade request rejected successfully',
      upgrade_request: { status: 'rejected', approved_by: 'Nandini Rao' },
    })
    expect(await app.entitlement()).toEqual(FREE)
    expect(await app.acts()).toMatchObject([
      { action: 'upgrade.rejected', before: { status: 'pending' }, after: { status: 'rejected' } },
    ])
    expect(app.mails).toMatchObject([{ subject: 'Your DriveQR upgrade request was not approved' }])
    expect(app.mails[0]?.text).toContain('No payment came in.')
    expect(app.mails[0]?.text).toContain('ask help@example.in or 90000 12345')
  })

  test('is decided without a payload too', async () => {
    const app = await openAsked({ requested_plan: 'enterprise', payment_reference: '4172 8890' })
    const { status } = await app.call('POST', `/admin/upgrade-requests/${app.id}/approve`)
    expect(status).toBe(200)
    const enterprise = { subscription_plan: 'enterprise', qr_limit: -1, child_qr_quota: 1000 }
    expect(await app.entitlement()).toEqual(enterprise)
  })

  test('without a payment reference is approved only by an admin who saw the amount arrive', async () => {
    const app = await openAsked({ months: 12 })
    for (const payment_seen of [undefined, null, false]) {
      expect(await app.decide('approve', { payment_seen })).toMatchObject({
        status: 400,
        body: { detail: 'Without a payment reference, confirm that you saw ₹11,988 arrive' },
      })
    }
    expect(await app.decide('approve', { payment_seen: 'perhaps' })).toMatchObject({ status: 400 })
    expect(await app.entitlement()).toEqual(FREE)
    expect((await app.decide('approve')).status).toBe(200)
    expect(await app.acts()).toMatchObject([{ after: { ...PREMIUM, payment_seen: true } }])
  })

  test('without a payment reference is rejected without that', async () => {
    const app = await openAsked()
    expect((await app.decide('reject', { payment_seen: false })).status).toBe(200)
  })

  test('that costs nothing is approved without that', async () => {
    const app = await openAsked()
    await addDiscount(app, 100)
    await app.call('POST', '/promo/redeem', { promo_code: 'OFF100' }, app.asha)
    expect((await app.askUpgrade({})).body.amount).toBe(0)
    expect((await app.decide('approve', { payment_seen: false })).status).toBe(200)
  })

  test('has one outcome of twenty decisions at once', async () => {
    const app = await openAsked()
    const answers = await Promise.all(
      Array.from({ length: 20 }, (_, i) => app.decide(i % 2 ? 'approve' : 'reject')),
    )
    expect(tally(answers)).toEqual({ 200: 1, 409: 19 })
    const refused = answers.find(({ status }) => status === 409)
    expect(refused?.body.detail).toBe('This request has already been decided')
    const [{ status }] = (await app.list()).upgrade_requests
    expect(await app.entitlement()).toEqual(status === 'approved' ? PREMIUM : FREE)
    expect(await app.acts()).toHaveLength(1)
    expect(app.mails).toHaveLength(1)
  })

  test('is not approved for another plan than the admin saw', async () => {
    const app = await openAsked()
    await app.askUpgrade({ requested_plan: 'enterprise' })
    expect(await app.decide('approve', { requested_plan: 'premium' })).toMatchObject({
      status: 409,
      body: { detail: 'This request is for another plan by now' },
    })
    expect(await app.entitlement()).toEqual(FREE)
    expect((await app.decide('approve', { requested_plan: 'enterprise' })).status).toBe(200)
  })

  test('is not decided for another amount than the admin saw', async () => {
    const app = await openAsked()
    await app.askUpgrade({ months: 36 })
    for (const action of ['approve', 'reject'] as const) {
      expect(await app.decide(action, { requested_plan: 'premium', amount: 999 })).toMatchObject({
        status: 409,
        body: { detail: 'This request is for another amount by now' },
      })
    }
    expect(await app.db.selectFrom('receipts').selectAll().execute()).toEqual([])
    for (const amount of ['many', -1, 1.5]) {
      expect((await app.decide('approve', { amount })).status).toBe(400)
    }
    expect((await app.decide('approve', { amount: 36 * 999 })).status).toBe(200)
  })

  test('never takes a higher plan away, and refills nothing', async () => {
    const app = await openAsked()
    await setAccount(app.db, app.asha.id, {
      subscription_plan: 'enterprise',
      qr_limit: -1,
      child_qr_quota: 7,
    })
    await app.decide('approve')
    expect(await app.entitlement()).toMatchObject({
      subscription_plan: 'enterprise',
      child_qr_quota: 7,
    })
  })

  test('outlasts a role that was given for a time', async () => {
    const app = await openAsked()
    const until = new Date('2026-12-31T00:00:00Z')
    await grantRole(
      app.db,
      { contact: app.asha.email as string, role: 'premium', until },
      new Date(),
    )
    await app.decide('approve')
    const lasting = await app.db.selectFrom('temporary_permissions').selectAll().execute()
    expect(lasting).toMatchObject([{ ...PREMIUM, role: 'client' }])
  })

  test('uses up the percentage that lowered it, once approved', async () => {
    const app = await openAsked()
    await addDiscount(app, 50)
    await app.call('POST', '/promo/redeem', { promo_code: 'OFF50' }, app.asha)
    expect((await app.askUpgrade({})).body.amount).toBe(500)
    await app.decide('approve')
    expect((await app.askUpgrade({})).body.amount).toBe(9999)
  })

  test.each([
    ['another request', { request_id: 'other' }, 'request_id differs from the URL'],
    ['the other action', { action: 'reject' }, 'action differs from the URL'],
    ['no action', { action: 'ponder' }, 'action must be approve or reject'],
    ['another plan', { requested_plan: 'gold' }, 'requested_plan must be premium or enterprise'],
    ['long notes', { notes: 'x'.repeat(2001) }, 'notes must be at most 2000 characters'],
  ])('is not approved by a payload that names %s', async (_, wrong, detail) => {
    const app = await openAsked()
    expect(await app.decide('approve', wrong)).toMatchObject({ status: 400, body: { detail } })
    expect(await app.entitlement()).toEqual(FREE)
  })

  test('is not found without a request', async () => {
    const app = await openAsked()
    const missing = await app.call('POST', '/admin/upgrade-requests/nothing/approve')
    expect(missing).toMatchObject({ status: 404, body: { detail: 'Upgrade request not found' } })
  })
})

test('nothing is mailed to an account without an address', async () => {
  const app = await openMoney()
  const ravi = await app.signUp({ email: null, mobile: '+919876543210' })
  const { body } = await app.call('POST', '/subscription/upgrade', PAID, ravi)
  const decided = await app.call('POST', `/admin/upgrade-requests/${body.request_id}/approve`)
  expect(decided.body.upgrade_request).toMatchObject({
    user_email: null,
    user_mobile: '+919876543210',
  })
  expect(app.mails).toEqual([])
})
