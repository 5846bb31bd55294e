import { describe, expect, test } from 'vitest'
import { openAdmin } from '#tests/support/admin.ts'
import { FREE, PREMIUM } from '#tests/support/money.ts'
import { addPromoCode } from '#tests/support/promo.ts'

async function openScreens() {
  const app = await openAdmin({ env: { SMTP_URL: 'smtp://127.0.0.1:25' } })
  const asha = await app.signUp({ name: 'Asha <Patil>', email: 'asha@example.in' })
  const manage = (query: string, as = app.root) =>
    app.browse('GET', `/admin-dashboard?${query}`, undefined, as)
  const submitManaged = (path: string, fields: Record<string, string> = {}) =>
    app.browse('POST', `/admin-dashboard/${path}`, new URLSearchParams(fields))
  const entitlement = () =>
    app.db
      .selectFrom('accounts')
      .select(['subscription_plan', 'qr_limit', 'child_qr_quota'])
      .where('id', '=', asha.id)
      .executeTakeFirstOrThrow()
  const codes = () => app.db.selectFrom('promo_codes').selectAll().execute()
  async function askUpgrade(json: object = {}, as = asha) {
    const answer = await app.ask('POST', '/api/subscription/upgrade', { as, json })
    return (await answer.json()).request_id as string
  }
  async function redeem(code: string, as = asha): Promise<string> {
    await app.ask('POST', '/api/promo/redeem', { as, json: { promo_code: code } })
    const rows = await app.db.selectFrom('promo_redemptions').selectAll().execute()
    return rows.at(-1)?.id ?? ''
  }
  return { ...app, asha, manage, submitManaged, entitlement, codes, askUpgrade, redeem }
}

describe('the promo codes of the management page', () => {
  test('are shown with all that is known of them', async () => {
    const app = await openScreens()
    expect((await app.manage('tab=promo-codes')).html).toContain('No promo codes found')
    await addPromoCode(app, {
      code: 'FLEET10',
      description: 'Client QR Creation',
      subscription_plan: null,
      child_qr_quantity: 3,
      usage_limit: 3000,
      expires_at: '2026-11-20T10:00:00.000Z',
    })
    await app.db.updateTable('promo_codes').set({ usage_count: 1236, is_active: 0 }).execute()
    const { html } = await app.manage('tab=promo-codes')
    for (const text of [
      'FLEET10',
      'Client QR Creation',
      'Expired',
      '1,236/3,000 · 41.2%',
      '20 Nov 2026',
      'Activate<',
    ]) {
      expect(html).toContain(text)
    }
    expect(html).toMatch(/Child QR slots<\/dt><dd>3</)
    expect(
      html.match(/<span class="badge[^>]*>[^<]*/g)?.filter((badge) => /ctive|Expired/.test(badge)),
    ).toEqual(['<span class="badge badge-stop">Expired'])
  })

  test('expire, as it says, on the last day on which they can be used', async () => {
    const app = await openScreens()
    await addPromoCode(app, { code: 'DIWALI', expires_at: '2026-12-31T18:30:00.000Z' })
    const { html } = await app.manage('tab=promo-codes')
    expect(html).toMatch(/Expiry<\/dt><dd>31 Dec 2026</)
  })

  test('are made by a form without script, which sends what the page gives', async () => {
    const app = await openScreens()
    const { html } = await app.manage('tab=promo-codes&create=1')
    expect(html).toContain('Create promo code')
    expect(html).toMatch(/name="child_qr_quantity"[^>]*value="0"/)
    expect(html).toMatch(
      /min="1"[^>]*name="child_qr_quantity"|name="child_qr_quantity"[^>]*min="1"/,
    )
    const made = await app.submitManaged('promo-codes', {
      code: 'fleet10',
      child_qr_quantity: '3',
      expiry_date: '2026-12-31T18:30',
    })
    expect(made.status).toBe(303)
    expect(made.to).toMatch('/admin-dashboard?tab=promo-codes&done=created&at=promo-')
    expect(await app.codes()).toMatchObject([
      {
        code: 'FLEET10',
        description: 'Client QR Creation',
        discount_type: 'percentage',
        discount_value: 10,
        usage_limit: 1000,
        child_qr_quantity: 3,
        expires_at: '2026-12-31T13:00:00.000Z',
        requires_approval: 0,
      },
    ])
    const after = await app.manage('tab=promo-codes&done=created')
    expect(after.html).toContain('Promo code created successfully')
  })

  test.each([
    ['no code', { code: '' }, 400, 'Please enter a promo code'],
    ['no child codes', { child_qr_quantity: '0' }, 400, 'Child QR quantity must be at least 1'],
    ['a code there is', { code: 'old' }, 409, 'This promo code already exists'],
  ])('say why none is made with %s, and keep what was typed', async (_, wrong, status, text) => {
    const app = await openScreens()
    await addPromoCode(app, { code: 'OLD' })
    const sent = { code: 'fleet10', child_qr_quantity: '3', expiry_date: '2026-12-31T18:30' }
    const refused = await app.submitManaged('promo-codes', { ...sent, ...wrong })
    expect(refused.status).toBe(status)
    expect(refused.html).toContain(text)
    expect(refused.html).toContain('value="2026-12-31T18:30"')
    expect(await app.codes()).toHaveLength(1)
  })

  test('are switched off and on by a form without script', async () => {
    const app = await openScreens()
    const { id } = await addPromoCode(app)
    const { to } = await app.submitManaged(`promo-codes/${id}/toggle`)
    expect(to).toBe(`/admin-dashboard?tab=promo-codes&done=toggled&at=promo-${id}`)
    expect(await app.codes()).toMatchObject([{ is_active: 0 }])
    expect((await app.manage('tab=promo-codes&done=toggled')).html).toContain(
      'Promo code status updated',
    )
  })

  test('are off once their form is sent twice', async () => {
    const app = await openScreens()
    const { id } = await addPromoCode(app)
    expect((await app.manage('tab=promo-codes')).html).toContain('name="is_active" value="false"')
    for (const _ of [1, 2])
      await app.submitManaged(`promo-codes/${id}/toggle`, { is_active: 'false' })
    expect(await app.codes()).toMatchObject([{ is_active: 0 }])
  })

  test('come by the page and are found', async () => {
    const app = await openScreens()
    for (let i = 0; i < 25; i++) await addPromoCode(app, { code: `CODE${i}` })
    expect((await app.manage('tab=promo-codes')).html).toContain('Page 1 of 2')
    const last = await app.manage('tab=promo-codes&page=9')
    expect(last.to).toBe('/admin-dashboard?tab=promo-codes&page=2')
    const found = await app.manage('tab=promo-codes&q=code24&state=active')
    expect(found.html.match(/<article/g)).toHaveLength(1)
    expect((await app.manage('tab=promo-codes&state=expired')).html).toContain('another status')
  })
})

describe('the redemptions of the management page', () => {
  async function openPending() {
    const app = await openScreens()
    const admin = await app.signUp({ name: 'Gurmeet Kaur', role: 'admin' })
    await addPromoCode(app, { requires_approval: true })
    const id = await app.redeem('MONSOON50')
    const decide = (action: string) =>
      app.browse(
        'POST',
        `/admin-dashboard/promo-codes/redemptions/${id}`,
        new URLSearchParams({ action }),
        admin,
      )
    const redemptions = 'tab=promo-codes&show=redemptions'
    return { ...app, admin, id, decide, redemptions }
  }

  test('are decided by an admin who is no super admin, by a form without script', async () => {
    const { admin, id, decide, manage, redemptions, entitlement } = await openPending()
    const { html } = await manage('tab=promo-codes', admin)
    expect(html).toContain('href="/admin-dashboard?tab=promo-codes&amp;show=redemptions"')
    expect(html).toMatch(/Promo Codes<span class="count">1</)
    const list = (await manage(redemptions, admin)).html
    expect(list).toContain('1 redemption is pending')
    expect(list).toContain(
      `href="/admin-dashboard?tab=promo-codes&amp;show=redemptions&amp;approve=${id}"`,
    )
    const asked = (await manage(`${redemptions}&approve=${id}`, admin)).html
    expect(asked).toContain('Approve MONSOON50?')
    expect(asked).toContain('Premium plan')
    expect(asked).toContain(`action="/admin-dashboard/promo-codes/redemptions/${id}"`)
    expect((await manage(`${redemptions}&reject=${id}`, admin)).html).toContain('Reject MONSOON50?')
    const done = await decide('approve')
    const outcome = `done=redemption-approve&at=redemption-${id}&kept=${id}`
    const to = `/admin-dashboard?${redemptions}&${outcome}`
    expect(done).toMatchObject({ status: 303, to })
    expect((await manage(`${redemptions}&approve=${id}`, admin)).status).toBe(409)
    expect((await manage(`${redemptions}&approve=none`, admin)).status).toBe(404)
    expect(await entitlement()).toEqual(PREMIUM)
    const after = (await manage(to.split('?')[1] ?? '', admin)).html
    expect(after).toContain('Redemption approved successfully!')
    expect(after).not.toContain(`approve=${id}`)
  })

  test('say why a decision was refused', async () => {
    const { decide } = await openPending()
    await decide('reject')
    const late = await decide('approve')
    expect(late.status).toBe(409)
    expect(late.html).toContain('This redemption has already been decided')
    expect(late.html).toContain('Asha &lt;Patil&gt;')
    expect((await decide('think')).status).toBe(400)
  })

  test('are searched and narrowed where they stand', async () => {
    const { admin, manage, redemptions } = await openPending()
    const none = await manage(`${redemptions}&q=nobody&status=pending`, admin)
    expect(none.html).toContain('No redemptions found')
    const past = await manage(`${redemptions}&status=pending&page=9`, admin)
    expect(past.to).toBe(`/admin-dashboard?${redemptions}&status=pending`)
  })
})

describe('the upgrade requests of the management page', () => {
  const PAID = { payment_method: 'UPI', payment_reference: '4172 8890', notes: 'From <me>' }

  test('show the user and the plan, and can be decided while pending', async () => {
    const app = await openScreens()
    expect((await app.manage('tab=upgrade-requests')).html).toContain('No upgrade requests found')
    const id = await app.askUpgrade(PAID)
    const { html } = await app.manage('tab=upgrade-requests')
    for (const text of [
      'Asha &lt;Patil&gt;',
      'asha@example.in',
      'Pending',
      'UPI',
      '4172 8890',
      '20 Nov 2026, 3:30 pm',
      'From &lt;me&gt;',
      `approve=${id}`,
      '1 pending',
    ]) {
      expect(html).toContain(text)
    }
    await app.submitManaged(`upgrade-requests/${id}`, { action: 'reject' })
    const decided = (await app.manage('tab=upgrade-requests')).html
    expect(decided).toContain('Rejected')
    expect(decided).not.toContain(`approve=${id}`)
  })

  test.each([
    ['upi', 'UPI'],
    ['bank', 'Bank transfer'],
    ['cheque', 'cheque'],
  ])('name the payment method %s as %s', async (payment_method, label) => {
    const app = await openScreens()
    await app.askUpgrade({ ...PAID, payment_method })
    const { html } = await app.manage('tab=upgrade-requests')
    expect(html).toMatch(new RegExp(`>Method</dt><dd[^>]*>${label}<`))
  })

  test('show the rest in their details, with the decision after it is made', async () => {
    const app = await openScreens()
    const id = await app.askUpgrade(PAID)
    const open = (await app.manage(`tab=upgrade-requests&request=${id}`)).html
    for (const text of [
      'Upgrade Request Details',
      '₹999 for 1 month',
      `DriveQR ${id.slice(0, 8)}`,
      'Approve Upgrade',
      'Reject Request',
      `reject=${id}`,
    ]) {
      expect(open).toContain(text)
    }
    const { to } = await app.submitManaged(`upgrade-requests/${id}`, {
      action: 'approve',
      notes: 'Thank you',
      requested_plan: 'premium',
    })
    expect(to).toMatch('/admin-dashboard?tab=upgrade-requests&done=upgrade-approve&at=request-')
    expect(await app.entitlement()).toEqual(PREMIUM)
    expect(app.mails).toHaveLength(1)
    const decided = (await app.manage(`tab=upgrade-requests&request=${id}`)).html
    for (const text of ['Approved by', 'Nandini Rao', 'Thank you']) expect(decided).toContain(text)
    expect(decided).not.toContain('Approve Upgrade')
    expect((await app.manage('tab=upgrade-requests&request=nothing')).status).toBe(404)
  })

  test('name months and amount before an approval, and ask for a tick without a reference', async () => {
    const app = await openScreens()
    const id = await app.askUpgrade({ months: 12 })
    expect((await app.manage('tab=upgrade-requests')).html).toMatch(
      />Reference<\/dt><dd>none given</,
    )
    const ask = `tab=upgrade-requests&approve=${id}`
    const { html } = await app.manage(ask)
    for (const text of [
      'Approve Premium?',
      'Amount for 12 months',
      '<b class="num">₹11,988</b>',
      'No payment reference.',
      'I saw ₹11,988 arrive',
      'name="requested_plan" value="premium"',
      'name="amount" value="11988"',
    ]) {
      expect(html).toContain(text)
    }
    expect(html).toMatch(/required="" name="payment_seen"/)
    const sent = { action: 'approve', amount: '11988', months: '6', notes: 'Seen <today>' }
    const refused = await app.submitManaged(`upgrade-requests/${id}`, sent)
    expect(refused.status).toBe(400)
    expect(refused.html).toContain('confirm that you saw ₹11,988 arrive')
    expect(refused.html).toMatch(/<option value="6"[^>]* selected=""/)
    expect(refused.html).toContain('Seen &lt;today&gt;')
    expect(await app.entitlement()).toEqual(FREE)
    await app.askUpgrade({ ...PAID, months: 12 })
    expect((await app.manage(ask)).html).not.toContain('payment_seen')
    const done = await app.submitManaged(`upgrade-requests/${id}`, sent)
    expect(done.status).toBe(303)
    expect((await app.manage(ask)).status).toBe(409)
  })

  test('keep the place of a decided card among those that wait', async () => {
    const app = await openScreens()
    const ids: string[] = []
    for (const name of ['First Owner', 'Second Owner', 'Third Owner']) {
      ids.unshift(await app.askUpgrade(PAID, await app.signUp({ name })))
      app.advance(60)
    }
    const order = (html: string) =>
      [...html.matchAll(/<article[^>]*id="request-([^"]+)"/g)].map(([, id]) => id)
    const [newest = '', middle = '', oldest = ''] = ids
    const place = 'tab=upgrade-requests&status=pending'
    expect(order((await app.manage(place)).html)).toEqual(ids)
    const path = (id: string) => `/admin-dashboard/upgrade-requests/${id}`
    const decide = (id: string, action: string, from: string) =>
      app.ask('POST', path(id), {
        body: new URLSearchParams({ action, months: '1' }),
        headers: {
          Cookie: app.root.cookie,
          'Sec-Fetch-Site': 'same-origin',
          Referer: `http://localhost:3000/admin-dashboard?${from}`,
        },
      })
    const first = (await decide(newest, 'approve', place)).headers.get('Location') ?? ''
    expect(first).toContain(`kept=${newest}`)
    const second = (await decide(middle, 'reject', first.split('?')[1] ?? '')).headers
    const kept = new URLSearchParams((second.get('Location') ?? '').split('?')[1])
    expect(kept.get('kept')).toBe(`${newest},${middle}`)
    const { html } = await app.manage(`${place}&kept=${newest},${middle}`)
    expect(order(html)).toEqual(ids)
    expect(html).toContain('Approved for 1 month, until 20 Dec 2026. It stays here until you leave')
    expect(html).toContain('Rejected. It stays here until you leave the page.')
    expect(order((await app.manage(place)).html)).toEqual([oldest])
  })

  test('say why a decision was refused', async () => {
    const app = await openScreens()
    const id = await app.askUpgrade()
    await app.askUpgrade({ requested_plan: 'enterprise' })
    const sent = { action: 'approve', requested_plan: 'premium' }
    const other = await app.submitManaged(`upgrade-requests/${id}`, sent)
    expect(other.status).toBe(409)
    expect(other.html).toContain('This request is for another plan by now')
    expect(await app.entitlement()).toEqual(FREE)
    await app.submitManaged(`upgrade-requests/${id}`, { action: 'reject' })
    const late = await app.submitManaged(`upgrade-requests/${id}`, { action: 'approve' })
    expect(late.html).toContain('This request has already been decided')
    const odd = await app.submitManaged(`upgrade-requests/${id}`, { action: 'ponder' })
    expect(odd.status).toBe(400)
  })

  test('come by the page, by status and by the typed search', async () => {
    const app = await openScreens()
    for (let i = 0; i < 25; i++) {
      await app.askUpgrade({}, await app.signUp({ name: `Owner ${i}` }))
    }
    expect((await app.manage('tab=upgrade-requests')).html).toContain('Page 1 of 2')
    const found = await app.manage('tab=upgrade-requests&q=owner+24&status=pending')
    expect(found.html.match(/<article/g)).toHaveLength(1)
    expect((await app.manage('tab=upgrade-requests&status=approved')).html).toContain(
      'another status',
    )
  })
})

describe('the promo-code management screen', () => {
  test('lists the codes, makes one with its plan, and keeps what was refused', async () => {
    const app = await openScreens()
    const form = (await app.open('?tab=promo-codes&create=1')).html
    expect(form).toContain('Requires approval')
    expect(form).toMatch(/type="checkbox"[^>]*name="requires_approval"[^>]*checked/)
    const sent = {
      code: 'monsoon50',
      subscription_plan: 'enterprise',
      usage_limit: '7',
      expires_at: '',
      requires_approval: 'off',
    }
    const { to } = await app.submit('/promo-codes', sent)
    expect(to).toMatch('/admin?tab=promo-codes&done=created&at=promo-')
    expect(await app.codes()).toMatchObject([
      { code: 'MONSOON50', subscription_plan: 'enterprise', usage_limit: 7, requires_approval: 0 },
    ])
    const list = (await app.open('?tab=promo-codes&done=created')).html
    for (const text of ['Promo code created successfully', 'MONSOON50', 'Enterprise plan', '0/7']) {
      expect(list).toContain(text)
    }
    const again = await app.submit('/promo-codes', { ...sent, usage_limit: '0', code: 'NEXT' })
    expect(again.status).toBe(400)
    expect(again.html).toContain('Usage limit must be at least 1')
    expect(again.html).toContain('value="NEXT"')
  })

  test('asks before it deletes', async () => {
    const app = await openScreens()
    const { id } = await addPromoCode(app)
    const { html } = await app.open(`?tab=promo-codes&delete=${id}`)
    expect(html).toContain('Are you sure you want to delete this promo code?')
    expect(await app.codes()).toHaveLength(1)
    const { to } = await app.submit(`/promo-codes/${id}/delete`)
    expect(to).toBe('/admin?tab=promo-codes&done=deleted')
    expect((await app.open('?tab=promo-codes&done=deleted')).html).toContain('Promo code deleted')
    expect(await app.codes()).toEqual([])
    expect((await app.open(`?tab=promo-codes&delete=${id}`)).status).toBe(404)
  })

  test('decides redemptions, and counts those that wait', async () => {
    const app = await openScreens()
    const open = () => app.open('?tab=promo-codes&show=redemptions')
    expect((await open()).html).toContain('No redemptions found')
    await addPromoCode(app, { requires_approval: true })
    const id = await app.redeem('MONSOON50')
    await app.redeem('MONSOON50', await app.signUp())
    const waiting = (await open()).html
    for (const text of ['2 redemptions are pending', 'Asha &lt;Patil&gt;', 'MONSOON50']) {
      expect(waiting).toContain(text)
    }
    const { to } = await app.submit(`/promo-codes/redemptions/${id}`, { action: 'approve' })
    expect(to).toMatch('/admin?tab=promo-codes&show=redemptions&done=redemption-approve&at=')
    expect(await app.entitlement()).toEqual(PREMIUM)
    expect((await open()).html).toContain('1 redemption is pending')
    const late = await app.submit(`/promo-codes/redemptions/${id}`, { action: 'reject' })
    expect(late.status).toBe(409)
    expect(late.html).toContain('This redemption has already been decided')
    expect(await app.entitlement()).toEqual(PREMIUM)
  })
})
