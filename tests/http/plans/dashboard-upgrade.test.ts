import { describe, expect, test } from 'vitest'
import { openTestApp, type TestApp } from '#tests/support/app.ts'
import { insertCode } from '#tests/support/codes.ts'
import { addDiscount, addPromoCode } from '#tests/support/promo.ts'
import { fileForm, picture } from '#tests/support/uploads.ts'

const UPI = { UPI_ID: 'driveqr@examplebank', SUPPORT_EMAIL: 'pay@example.in' }

async function openDialogs({
  env = UPI as Record<string, string>,
  account = {} as Parameters<TestApp['signUp']>[0],
} = {}) {
  const app = await openTestApp({ env })
  const owner = await app.signUp(account)
  async function browse(method: string, path: string, body?: BodyInit) {
    const { html, ...answer } = await app.browse(method, `/dashboard${path}`, body, owner)
    return { ...answer, html: html.replaceAll('&amp;', '&') }
  }
  const open = (query = 'upgrade=1') => browse('GET', `?${query}`)
  const send = (path: string, body: BodyInit) => browse('POST', `/upgrade${path}`, body)
  const post = (path: string, form: Record<string, string>) => send(path, new URLSearchParams(form))
  return { ...app, owner, open, send, post }
}

describe('the Upgrade dialog', () => {
  test('compares the plans at the prices of this installation, and opens no request by itself', async () => {
    const { open, db } = await openDialogs({ env: { ...UPI, PRICE_PREMIUM: '1499' } })
    const { html } = await open()
    expect(html).toContain('You have the Free plan: <a href="/dashboard?tab=my-qrs">1 QR code</a>')
    expect(html).toContain('₹1,499')
    expect(html).toContain('₹9,999')
    const text = html.replaceAll(/<[^>]+>/g, '')
    expect(text).toContain('50 QR codes, 50 child QR codes, Loss & Found, Custom branding')
    expect(html).toContain('Continue to payment')
    expect(await db.selectFrom('upgrade_requests').selectAll().execute()).toEqual([])
  })

  test('opens over every tab, and is rendered only on request', async () => {
    const { open } = await openDialogs()
    expect((await open('tab=analytics&upgrade=1')).html).toContain('Promo Code</label>')
    expect((await open('tab=my-qrs')).html).not.toContain('Promo Code</label>')
  })

  test('shows how to pay once a plan is chosen, as a picture and as a link', async () => {
    const { open, post } = await openDialogs()
    const sent = await post('', { requested_plan: 'enterprise' })
    expect(sent).toMatchObject({ status: 303, to: '/dashboard?upgrade=1' })
    const { html } = await open()
    expect(html).toContain('Your Enterprise upgrade is requested')
    expect(html).toContain('Your account is upgraded within 24 hours.')
    expect(html).toContain('href="upi://pay?pa=driveqr@examplebank&pn=DriveQR&am=9999&cu=INR')
    expect(html).toContain('Pay ₹9,999 in your UPI app')
    expect(html).toContain('src="data:image/svg+xml;base64,')
    expect(html).not.toContain('<summary>How to pay')
    await post('', { payment_reference: '4123 9876' })
    const { html: paid } = await open()
    expect(paid).toContain('We check your payment.')
    expect(paid, 'nobody pays twice').toContain('<summary>How to pay</summary>')
  })

  test('takes what is said of a payment, and its picture', async () => {
    const { open, post, send, db } = await openDialogs()
    await post('', {})
    const told = { payment_method: 'UPI', payment_reference: '4123 9876', notes: '' }
    await post('', told)
    const [request] = await db.selectFrom('upgrade_requests').selectAll().execute()
    expect(request).toMatchObject({ ...told, notes: null, requested_plan: 'premium' })
    const { to } = await send(`/${request?.id}/screenshot`, fileForm(await picture()))
    expect(to).toBe('/dashboard?upgrade=1&done=screenshot-sent')
    const { html } = await open()
    expect(html).toContain('value="4123 9876"')
    expect(html).toContain('We check your payment.')
    expect(html).toContain('Send another screenshot')
  })

  test('shows the problem of a picture or a plan beside the form', async () => {
    const { post, send, db } = await openDialogs()
    await post('', {})
    const { id } = await db.selectFrom('upgrade_requests').select('id').executeTakeFirstOrThrow()
    const wrong = await send(`/${id}/screenshot`, fileForm(Buffer.from('no picture')))
    expect(wrong.status).toBe(415)
    expect(wrong.html).toContain('Only JPG, PNG and WebP images are accepted')
    const gold = await post('', { requested_plan: 'gold' })
    expect(gold.status).toBe(400)
    expect(gold.html).toContain('requested_plan must be premium or enterprise')
  })

  test('without payment details asks for nothing: the operator writes first', async () => {
    const env = { OPERATOR_NAME: 'Pune Key Service', SUPPORT_PHONE: '+91 90000 12345' }
    const { open, post, owner } = await openDialogs({ env })
    const { html: first } = await open()
    expect(first).toContain(
      'Pune Key Service has not said how to pay. Ask first: they write to you',
    )
    expect(first).toContain('Ask for this plan</button>')
    expect(first).not.toContain('Continue to payment')
    await post('', { requested_plan: 'premium', months: '12' })
    const { html } = await open()
    expect(html).toContain('You asked for Premium on 20 Nov 2026')
    expect(html).toContain(
      `Pune Key Service, who runs this site, sees your request and writes to ${owner.email} how to pay. You pay nothing before that.`,
    )
    expect(html).toContain('href="tel:+919000012345"')
    expect(html).not.toContain('11,988')
    expect(html).not.toContain('within 24 hours')
    await post('', { payment_reference: '4123 9876' })
    const { html: paid } = await open()
    expect(paid).toContain('Pune Key Service, who runs this site, checks your payment.')
    expect(paid).not.toContain('You pay nothing before that')
    const nobody = await openDialogs({ env: {} })
    const { html: unnamed } = await nobody.open()
    expect(unnamed).toContain('The operator of this site has not said how to pay.')
    expect(unnamed).not.toContain('UPI_ID')
  })

  test('takes a request back, and says when it is too late', async () => {
    const { open, post, db } = await openDialogs()
    await post('', {})
    expect((await open()).html).toContain('Take it back</button>')
    const { to } = await post('/take-back', {})
    expect(to).toBe('/dashboard?upgrade=1&done=upgrade-taken-back')
    const { html } = await open('upgrade=1&done=upgrade-taken-back')
    expect(html).toContain('Upgrade request taken back')
    expect(html).toContain('Continue to payment')
    await post('', {})
    await db.updateTable('upgrade_requests').set({ status: 'approved' }).execute()
    const late = await post('/take-back', {})
    expect(late.status).toBe(409)
    expect(late.html).toContain('This request has already been decided')
  })

  test('says that the last request was rejected, and lets another one be made', async () => {
    const { open, post, db } = await openDialogs()
    await post('', {})
    const rejected = { status: 'rejected', decision_notes: 'No payment came in.' } as const
    await db.updateTable('upgrade_requests').set(rejected).execute()
    const { html } = await open()
    expect(html).toContain('No payment came in.')
    expect(html).toContain('Your last upgrade request was not approved')
    expect(html).toContain('mailto:pay@example.in')
    expect(html).toContain('Continue to payment')
  })

  test('takes a percentage off, down to nothing to pay', async () => {
    const app = await openDialogs()
    await addDiscount(app, 50)
    await app.post('/redeem', { code: 'off50' })
    const { html } = await app.open()
    expect(html).toContain('₹500')
    expect(html).toContain('₹999 without your promo code')
    await addDiscount(app, 100)
    await app.post('/redeem', { code: 'OFF100' })
    await app.post('', {})
    const free = await app.open()
    expect(free.html).toContain('Nothing to pay')
    expect(free.html).not.toContain('When you have paid')
  })

  test('offers the higher plan alone to premium, and promo codes alone to enterprise', async () => {
    const premium = await openDialogs({ account: { subscription_plan: 'premium' } })
    const { html } = await premium.open()
    expect(html).toContain('value="enterprise"')
    expect(html).not.toContain('value="premium"')
    const enterprise = await openDialogs({ account: { subscription_plan: 'enterprise' } })
    const top = await enterprise.open()
    expect(top.html).toContain('You have the Enterprise plan, which has everything.')
    expect(top.html).toContain('Redeem')
  })

  test('opens over a form that reached the limit, which keeps what was typed', async () => {
    const { ask, owner, db } = await openDialogs()
    await insertCode(db, owner.id)
    const body = new URLSearchParams({ owner_name: 'Ramesh', contact_phone: '98765 43210' })
    const answer = await ask('POST', '/dashboard/qr', {
      body,
      headers: { cookie: owner.cookie, 'sec-fetch-site': 'same-origin' },
    })
    expect(answer.status).toBe(402)
    const html = await answer.text()
    expect(html).toContain('value="Ramesh"')
    expect(html).toMatch(/note-stop.*QR limit reached \(1\/1\).*Continue to payment/s)
  })

  test('mentions mails where they are sent', async () => {
    const silent = await openDialogs()
    expect((await silent.open()).html).not.toContain('We send you an email')
    const mailing = await openDialogs({ env: { SMTP_URL: 'smtp://127.0.0.1:25' } })
    expect((await mailing.open()).html).toContain('We send you an email')
  })

  test('says of a promo code that was used before what came of it', async () => {
    const { post, db } = await openDialogs()
    await addPromoCode({ db }, { plan_months: 3 })
    expect((await post('/redeem', { code: 'monsoon50' })).to).toContain('done=promo-approved')
    const { status, html } = await post('/redeem', { code: ' monsoon50' })
    expect(status).toBe(409)
    const text = html.replaceAll(/<[^>]+>/g, ' ')
    expect(text).toContain('You have already used this promo code')
    expect(text).toContain('Promo code redeemed successfully!')
    expect(text).toContain('MONSOON50, on 20 Nov 2026')
    expect(text).toContain(': Premium plan for 3 months')
  })
})

describe('redeeming without script', () => {
  test('gives the plan and reports it on the dashboard', async () => {
    const app = await openDialogs()
    await addPromoCode(app)
    const { status, to } = await app.post('/redeem', { code: 'monsoon50' })
    expect(status).toBe(303)
    const page = await app.ask('GET', to ?? '', { headers: { cookie: app.owner.cookie } })
    const html = await page.text()
    expect(html).toContain('Promo code redeemed successfully!')
    expect(html).toContain('badge-premium')
    expect(html).not.toContain('>Upgrade<')
  })

  test('offers the notice of each code to the browser that keeps it', async () => {
    const app = await openDialogs()
    await addPromoCode(app, { requires_approval: true })
    const { to } = await app.post('/redeem', { code: 'MONSOON50' })
    const open = async (path = '/dashboard') =>
      (await app.ask('GET', path, { headers: { cookie: app.owner.cookie } })).text()
    const notice = async () =>
      /<template data-code="MONSOON50">.*?<\/template>/.exec(await open())?.[0]
    expect(await open(to ?? '')).toMatch(/data-made="[^"]*MONSOON50[^"]*pending/)
    expect(await open()).not.toContain('data-made')
    expect(await notice()).toContain('Your promo code is waiting for approval, about 24-48 hours.')
    await app.db.updateTable('promo_redemptions').set({ status: 'rejected' }).execute()
    expect(await notice()).toContain('Your promo code was not approved.')
  })

  test('reports that a code is waiting for approval', async () => {
    const app = await openDialogs()
    await addPromoCode(app, { requires_approval: true })
    const { to } = await app.post('/redeem', { code: 'MONSOON50' })
    const page = await app.ask('GET', to ?? '', { headers: { cookie: app.owner.cookie } })
    const waiting = 'Your promo code is waiting for approval, about 24-48 hours.'
    expect(await page.text()).toContain(waiting)
    const { html } = await app.open()
    expect(html).toContain(waiting)
    expect(html).toContain('MONSOON50: Premium plan')
    await app.db.updateTable('promo_redemptions').set({ status: 'approved' }).execute()
    expect((await app.open()).html).not.toContain(waiting)
  })

  test.each([
    ['', 400, 'Please enter a promo code'],
    ['<b>NOSUCH', 404, 'Invalid promo code'],
  ])('says why %j cannot be redeemed, beside what was typed', async (code, status, problem) => {
    const { post } = await openDialogs()
    const answer = await post('/redeem', { code })
    expect(answer.status).toBe(status)
    expect(answer.html).toContain(problem)
    expect(answer.html).not.toContain('<b>NOSUCH')
  })
})
