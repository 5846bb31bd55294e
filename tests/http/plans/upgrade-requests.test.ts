import { describe, expect, test } from 'vitest'
import { openTestApp, type TestApp } from '#tests/support/app.ts'
import { addDiscount } from '#tests/support/promo.ts'
import { fileForm, filesIn, PDF, picture } from '#tests/support/uploads.ts'

const PAYMENT = {
  UPI_ID: 'driveqr@examplebank',
  BANK_ACCOUNT_NAME: 'DriveQR Services',
  BANK_ACCOUNT_NUMBER: '001234567890',
  BANK_IFSC: 'EXMP0001234',
  BANK_NAME: 'Example Bank',
  SUPPORT_EMAIL: 'pay@example.in',
  SUPPORT_PHONE: '+91 90000 12345',
}

async function openUpgrading({
  env = PAYMENT as Record<string, string>,
  account = {} as Parameters<TestApp['signUp']>[0],
} = {}) {
  const app = await openTestApp({ env })
  const asha = await app.signUp(account)
  async function upgrade(json?: unknown) {
    const answer = await app.ask('POST', '/api/subscription/upgrade', { as: asha, json })
    return { status: answer.status, body: await answer.json() }
  }
  const requests = () => app.db.selectFrom('upgrade_requests').selectAll().execute()
  const decide = (status: 'approved' | 'rejected') =>
    app.db.updateTable('upgrade_requests').set({ status }).execute()
  async function redeem(code: string) {
    await app.ask('POST', '/api/subscription/redeem-code', { as: asha, json: { code } })
  }
  return { ...app, asha, upgrade, requests, decide, redeem }
}

describe('asking for an upgrade', () => {
  test('with an empty body requests premium and returns the payment details', async () => {
    const { upgrade, requests, asha } = await openUpgrading()
    const { status, body } = await upgrade()
    expect(status).toBe(200)
    const { upi_url } = body.payment_methods
    expect(body).toEqual({
      request_id: expect.any(String),
      months: 1,
      payment_methods: {
        upi_id: 'driveqr@examplebank',
        upi_url,
        account_details: {
          account_name: 'DriveQR Services',
          account_number: '001234567890',
          ifsc: 'EXMP0001234',
          bank: 'Example Bank',
        },
      },
      contact: { email: 'pay@example.in', phone: '+91 90000 12345' },
      amount: 999,
    })
    expect(upi_url).toMatch(
      /^upi:\/\/pay\?pa=driveqr@examplebank&pn=DriveQR%20Services&am=999&cu=INR&tn=DriveQR%20[\w-]{8}$/,
    )
    expect(await requests()).toMatchObject([
      {
        id: body.request_id,
        account_id: asha.id,
        current_plan: 'free',
        requested_plan: 'premium',
        amount: 999,
        status: 'pending',
        requested_at: '2026-11-20T10:00:00.000Z',
      },
    ])
  })

  test.each([
    ['an empty object', { json: {} }],
    ['empty fields', { json: { requested_plan: '', months: '', payment_method: '', notes: null } }],
    ['fields that are null', { json: { requested_plan: null, months: null } }],
    ['no body but its type', { headers: { 'content-type': 'application/json' } }],
  ])('reads %s as an empty request', async (_, request) => {
    const { ask, asha } = await openUpgrading()
    const answer = await ask('POST', '/api/subscription/upgrade', { as: asha, ...request })
    expect(answer.status).toBe(200)
  })

  test('again changes the sent fields of that request, and keeps the others', async () => {
    const { upgrade, requests, advance } = await openUpgrading()
    const first = await upgrade({ requested_plan: 'enterprise', payment_method: ' upi ' })
    advance(60)
    const second = await upgrade({ payment_reference: '4123 9876', notes: 'paid\r\ntoday' })
    expect(second.body).toMatchObject({ request_id: first.body.request_id, amount: 9999 })
    const told = { payment_method: 'upi', payment_reference: '4123 9876' }
    expect(await requests()).toMatchObject([{ ...told, requested_plan: 'enterprise' }])
    await upgrade({ requested_plan: 'premium', payment_reference: '' })
    expect(await requests()).toMatchObject([
      { requested_plan: 'premium', amount: 999, payment_method: 'upi', payment_reference: null },
    ])
  })

  test('twenty times at once is one request', async () => {
    const { upgrade, requests } = await openUpgrading()
    const answers = await Promise.all(Array.from({ length: 20 }, () => upgrade()))
    expect(answers.every(({ status }) => status === 200)).toBe(true)
    expect(new Set(answers.map(({ body }) => body.request_id)).size).toBe(1)
    expect(await requests()).toHaveLength(1)
  })

  test('returns no way to pay where none is configured, and null for missing details', async () => {
    const { upgrade, requests } = await openUpgrading({ env: {} })
    expect(await upgrade()).toMatchObject({
      status: 200,
      body: { payment_methods: null, contact: { email: null, phone: null } },
    })
    expect(await requests()).toMatchObject([{ status: 'pending' }])
    const bank = await openUpgrading({ env: { BANK_ACCOUNT_NUMBER: '001234567890' } })
    expect((await bank.upgrade()).body.payment_methods).toEqual({
      upi_id: null,
      upi_url: null,
      account_details: {
        account_name: null,
        account_number: '001234567890',
        ifsc: null,
        bank: null,
      },
    })
  })

  test.each([
    [
      'a plan there is not',
      { requested_plan: 'gold' },
      'requested_plan must be premium or enterprise',
    ],
    ['the free plan', { requested_plan: 'free' }, 'requested_plan must be premium or enterprise'],
    ['long notes', { notes: 'x'.repeat(2001) }, 'notes must be at most 2000 characters'],
    ['the plan that is there', { requested_plan: 'premium' }, 'You already have the Premium plan'],
  ])('for %s is refused', async (_, json, detail) => {
    const { upgrade, requests } = await openUpgrading({ account: { subscription_plan: 'premium' } })
    expect(await upgrade(json)).toEqual({ status: 400, body: { detail } })
    expect(await requests()).toEqual([])
  })

  test('is for the next plan on premium, and for none on enterprise', async () => {
    const premium = await openUpgrading({ account: { subscription_plan: 'premium' } })
    await premium.upgrade()
    expect(await premium.requests()).toMatchObject([{ requested_plan: 'enterprise' }])
    const enterprise = await openUpgrading({ account: { subscription_plan: 'enterprise' } })
    expect((await enterprise.upgrade()).body.detail).toBe('You already have the Enterprise plan')
  })
})

describe('a percentage from a promo code', () => {
  test('lowers the amount of the next upgrade, the best one first, and is used once', async () => {
    const app = await openUpgrading()
    const { upgrade, redeem, decide, db } = app
    for (const percent of [10, 50]) {
      await upgrade()
      await addDiscount(app, percent)
      await redeem(`OFF${percent}`)
    }
    expect((await upgrade()).body.amount).toBe(500)
    expect((await upgrade({ requested_plan: 'enterprise' })).body.amount).toBe(5000)
    await decide('approved')
    expect((await upgrade()).body.amount).toBe(899)
    const used = await db.selectFrom('promo_redemptions').select('discount_used_by').execute()
    expect(new Set(used.map(({ discount_used_by }) => discount_used_by)).size).toBe(2)
  })

  test('comes back when the upgrade is rejected', async () => {
    const app = await openUpgrading()
    await addDiscount(app, 50)
    await app.redeem('OFF50')
    const first = await app.upgrade()
    await app.decide('rejected')
    const second = await app.upgrade()
    expect(second.body.request_id).not.toBe(first.body.request_id)
    expect(second.body.amount).toBe(500)
  })

  test('of a hundred leaves nothing to pay, and no link to pay it with', async () => {
    const app = await openUpgrading()
    await addDiscount(app, 100)
    await app.redeem('OFF100')
    const { amount, payment_methods } = (await app.upgrade()).body
    expect({ amount, upi_url: payment_methods.upi_url }).toEqual({ amount: 0, upi_url: null })
  })
})

describe('taking a request back', () => {
  test('removes it with its screenshot, once, and gives its discount back', async () => {
    const app = await openUpgrading()
    const { ask, asha, upgrade, requests, redeem, dataDir } = app
    const takeBack = () => ask('DELETE', '/api/subscription/upgrade', { as: asha })
    expect((await takeBack()).status).toBe(404)
    await addDiscount(app, 50)
    await redeem('OFF50')
    const { request_id } = (await upgrade()).body
    await ask('POST', `/api/subscription/upgrade/${request_id}/screenshot`, {
      as: asha,
      body: fileForm(await picture()),
    })
    const answer = await takeBack()
    expect([answer.status, await answer.json()]).toEqual([
      200,
      { message: 'Upgrade request taken back' },
    ])
    expect(await requests()).toEqual([])
    expect(filesIn({ dataDir }).stored).toEqual([])
    expect((await takeBack()).status).toBe(404)
    expect((await upgrade()).body.amount).toBe(500)
  })

  test('is refused once it is decided, and reaches nobody else’s', async () => {
    const { ask, asha, upgrade, requests, decide, signUp } = await openUpgrading()
    await upgrade()
    const stranger = await ask('DELETE', '/api/subscription/upgrade', { as: await signUp() })
    expect(stranger.status).toBe(404)
    await decide('approved')
    const late = await ask('DELETE', '/api/subscription/upgrade', { as: asha })
    expect([late.status, await late.json()]).toEqual([
      409,
      { detail: 'This request has already been decided' },
    ])
    expect(await requests()).toHaveLength(1)
  })
})

describe('the screenshot of a payment', () => {
  async function openPaid() {
    const app = await openUpgrading()
    const { request_id } = (await app.upgrade()).body
    async function send(file: Uint8Array | null, as = app.asha, id = request_id) {
      const answer = await app.ask('POST', `/api/subscription/upgrade/${id}/screenshot`, {
        as,
        body: fileForm(file, {}, 'paid.png'),
      })
      return { status: answer.status, body: await answer.json() }
    }
    return { ...app, send }
  }

  test('is kept with the request, in place of an earlier one, for its sender alone', async () => {
    const { send, ask, asha, signUp, dataDir, requests } = await openPaid()
    expect((await send(await picture())).status).toBe(201)
    const { status, body } = await send(await picture({ width: 50 }))
    expect(status).toBe(201)
    const [request] = await requests()
    expect(body).toEqual({
      request_id: request?.id,
      url: `/api/files/${request?.screenshot_name}`,
    })
    expect(filesIn({ dataDir }).stored).toEqual([request?.screenshot_name])
    const seen = await ask('GET', body.url, { as: asha })
    expect(seen.headers.get('content-type')).toBe('image/webp')
    expect((await ask('GET', body.url, { as: await signUp() })).status).toBe(404)
    expect((await ask('GET', body.url)).status).toBe(404)
  })

  test('is refused, and no file stays, when it is none, not yours or too late', async () => {
    const { send, signUp, decide, dataDir } = await openPaid()
    const image = await picture()
    expect((await send(null)).status).toBe(400)
    expect(await send(PDF)).toEqual({
      status: 415,
      body: { detail: 'Only JPG, PNG and WebP images are accepted' },
    })
    expect((await send(image, await signUp())).status).toBe(404)
    await decide('approved')
    expect((await send(image)).body.detail).toBe('This request has already been decided')
    expect(filesIn({ dataDir })).toEqual({ stored: [], incoming: [] })
  })
})
