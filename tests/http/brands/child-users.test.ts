import { describe, expect, onTestFinished, test } from 'vitest'
import { makePageToken } from '#actions/conversations/page-token.ts'
import { getAccount } from '#db/accounts/accounts.ts'
import { addChannel } from '#db/alerts/channels.ts'
import { toPushTarget } from '#domain/alerts/push.ts'
import { vapidKeys } from '#mail/channels/vapid-keys.ts'
import { HOST, openAlone, openBrand, PUBLIC_URL, traceIn } from '#tests/support/brands.ts'
import { insertCode } from '#tests/support/codes.ts'
import { registeredChild, signInChild } from '#tests/support/families.ts'
import { contentsOf } from '#tests/support/pdf.ts'
import { startPushService } from '#tests/support/push-service.ts'
import { trustLoopback } from '#tests/support/trust-loopback.ts'

trustLoopback()

const EMAIL = 'gurleen@example.in'
const PAYMENT = {
  UPI_ID: 'keys@examplebank',
  SUPPORT_EMAIL: 'help@example.in',
  OPERATOR_NAME: 'Sai Key Services',
}

/** A child user of an account that hides the product. */
async function openChild(env: Record<string, string> = {}) {
  const app = await openAlone({ ...PAYMENT, REQUIRE_SECOND_FACTOR: 'none', ...env })
  const code = await registeredChild(app, app.owner.id, {
    contact: { kind: 'email', email: EMAIL },
  })
  const id = code.child_account_id ?? ''
  const account = await getAccount(app.db, id)
  const { cookieToken, bearerToken } = await app.deps.sessions.start(account)
  const see = (path: string) => app.look(path, { Cookie: `__Host-driveqr=${cookieToken}` })

  /** Approves a new password of the child, and returns the owner's page. */
  async function approveReset(): Promise<string> {
    const { db, ask, owner } = app
    const json = { qr_id: code.qr_id, contact: EMAIL }
    expect((await ask('POST', '/api/qr/forgot-password', { json })).status).toBe(200)
    const request = await db
      .selectFrom('password_reset_requests')
      .select('id')
      .executeTakeFirstOrThrow()
    const answer = await ask('POST', `/dashboard/password-requests/${request.id}`, {
      headers: {
        Cookie: owner.cookie.replace('driveqr=', '__Host-driveqr='),
        'Sec-Fetch-Site': 'same-origin',
      },
      body: new URLSearchParams({ action: 'approve' }),
    })
    return answer.text()
  }
  return { ...app, child: { id, bearerToken, qr_id: code.qr_id }, see, approveReset }
}

describe('nothing names the product that a child user sees', () => {
  test('neither the pages', async () => {
    const { child, see, ask } = await openChild()
    const json = { requested_plan: 'premium' }
    expect((await ask('POST', '/api/subscription/upgrade', { as: child, json })).status).toBe(200)
    const paths = [
      '/dashboard',
      `/dashboard?show=${child.qr_id}`,
      `/dashboard?edit=${child.qr_id}`,
      `/dashboard?labels=${child.qr_id}`,
      '/dashboard?tab=documents',
      '/dashboard?tab=messages',
      '/dashboard?tab=popup-images',
      '/dashboard?tab=gallery',
      '/dashboard?tab=analytics',
      '/dashboard?upgrade=1',
      '/dashboard?upgrade=promo',
      '/settings',
      '/settings/notifications',
      '/settings/branding',
      '/settings/branding/domain',
      '/settings/api-keys',
      '/settings/plan',
      '/settings/support',
      `/scan/${child.qr_id}`,
      `/scan/${child.qr_id}?preview=1`,
    ]
    for (const path of paths) {
      const { html, status } = await see(path)
      expect([path, status, traceIn(html)]).toEqual([path, 200, undefined])
    }
    const missing = await see('/scan/KK7QXD4H8NPT')
    expect([missing.status, traceIn(missing.html)]).toEqual([404, undefined])
  })

  test('nor the page of a link to a new password, used or not', async () => {
    const { approveReset, look, ask } = await openChild()
    const token = /reset-password\?token=([\w-]+)/.exec(await approveReset())?.[1]
    for (const status of [200, 400]) {
      for (const lang of ['en', 'ta']) {
        const page = await look(`/reset-password?token=${token}`, { 'Accept-Language': lang })
        expect([page.status, traceIn(page.html)]).toEqual([status, undefined])
        expect(page.html).toContain('NeelRath Cabs</title>')
      }
      await ask('POST', '/api/auth/reset-password', { json: { token, password: 'new horse' } })
    }
  })

  test('nor the message with which its owner passes the link on', async () => {
    const { approveReset } = await openChild()
    const html = await approveReset()
    expect(html).toContain('Set%20your%20new%20NeelRath%20Cabs%20password%20here')
    expect(html).not.toContain('DriveQR%20password')
  })

  test('nor its mails', async () => {
    const { ask, mails, db, deps, child } = await openChild()
    const proven = { email_verified_at: deps.clock().toISOString() }
    await db.updateTable('accounts').set(proven).where('id', '=', child.id).execute()
    await ask('POST', '/api/auth/send-login-otp', { json: { contact: EMAIL } })
    const mail = mails.find(({ to }) => to === EMAIL)
    expect(mail?.subject).toMatch(/^\d{6} is your NeelRath Cabs login OTP$/)
    expect(mail?.sender).toBe('NeelRath Cabs')
    expect(traceIn(JSON.stringify(mail))).toBeUndefined()
  })

  test('nor its pushes, which have no mark', async () => {
    const service = await startPushService()
    onTestFinished(service.stop)
    const { deps, db, child, ask } = await openChild({ ALLOW_PRIVATE_TARGETS: '1' })
    const browser = service.subscribe(vapidKeys(deps.secretKey).publicKey)
    const target = toPushTarget(browser.subscription)
    const channel = { kind: 'push', name: 'Phone', address: target.endpoint, target } as const
    await addChannel(db, deps.secretKey, child.id, channel, deps.clock())
    const at = new Date(deps.clock().getTime() - 5_000)
    const page_token = makePageToken(deps.secretKey, child.qr_id, at)
    const json = { page_token, reason: 'found', text: 'At the gate' }
    await ask('POST', `/api/scan/${child.qr_id}/messages`, { json })
    await expect.poll(() => browser.pushes).toMatchObject([{ payload: { isUnmarked: true } }])
    expect(traceIn(JSON.stringify(browser.pushes[0]?.payload))).toBeUndefined()
  })

  test('nor what it pays and gets a receipt for', async () => {
    const { ask, child, signUp } = await openChild()
    const admin = await signUp({ role: 'admin' })
    const json = { requested_plan: 'premium' }
    const asked = await ask('POST', '/api/subscription/upgrade', { as: child, json })
    const payment = await asked.json()
    expect(payment.payment_methods.upi_url).toMatch(/&tn=QR%20[\w-]{8}$/)
    expect(traceIn(JSON.stringify(payment))).toBeUndefined()
    const note = encodeURIComponent(`QR ${payment.request_id.slice(0, 8)}`)
    const found = await ask('GET', `/api/admin/upgrade-requests?search=${note}`, { as: admin })
    expect((await found.json()).total_count).toBe(1)
    const path = `/api/admin/upgrade-requests/${payment.request_id}/approve`
    const decision = { months: 1, payment_seen: true }
    const approved = await ask('POST', path, { as: admin, json: decision })
    const { receipt_number: number } = (await approved.json()).upgrade_request
    const receipt = await ask('GET', `/api/subscription/receipts/${number}.pdf`, { as: child })
    expect(receipt.headers.get('Content-Disposition')).toContain(`QR-${number}.pdf`)
    const pdf = Buffer.from(await receipt.arrayBuffer())
    expect(traceIn(pdf.toString('latin1'))).toBeUndefined()
    const whole = await ask('GET', `/api/subscription/receipts/${number}.pdf`, { as: admin })
    const marked = Buffer.from(await whole.arrayBuffer())
    // Nothing but the mark is drawn with curves.
    const hasMark = (file: Buffer) => / c$/m.test(contentsOf(file)[0] ?? '')
    expect([hasMark(pdf), hasMark(marked)]).toEqual([false, true])
  })
})

describe('a child user of a child user', () => {
  async function openGrandchild() {
    const app = await openBrand()
    await app.save({ hide_product_name: true })
    await app.giveAddress()
    const child = await registeredChild(app, app.owner.id)
    const grandchild = await registeredChild(app, child.child_account_id ?? '', {
      contact: { kind: 'email', email: EMAIL },
    })
    const own = await insertCode(app.db, grandchild.child_account_id ?? '')
    return { ...app, child, grandchild, own }
  }

  test('has codes that have the brand of the account above them all', async () => {
    const { grandchild, own, look } = await openGrandchild()
    for (const { qr_id } of [grandchild, own]) {
      const { html } = await look(`/scan/${qr_id}`)
      expect(html).toContain('NeelRath Cabs</title>')
      expect(traceIn(html)).toBeUndefined()
    }
  })

  test('has codes that are found by that account’s own address, and by no other', async () => {
    const app = await openGrandchild()
    const other = await app.signUp({ subscription_plan: 'enterprise' })
    await app.giveAddress('tags.other.example', other.id)
    const taken = await insertCode(app.db, other.id, {
      created_by: app.grandchild.child_account_id ?? '',
    })
    for (const { qr_id } of [app.grandchild, app.own, taken]) {
      expect((await app.look(`/scan/${qr_id}`, { Host: HOST })).status).toBe(200)
    }
    const elsewhere = { Host: 'tags.other.example' }
    expect((await app.look(`/scan/${app.own.qr_id}`, elsewhere)).status).toBe(404)
  })

  test('prints its own codes without that address, which is another account’s', async () => {
    const { grandchild, own, db, deps, ask, call } = await openGrandchild()
    const as = await deps.sessions.start(await getAccount(db, grandchild.child_account_id ?? ''))
    const answer = await ask('GET', `/api/qr/${own.qr_id}/download?format=svg`, { as })
    expect((await answer.json()).filename).toMatch(/^QR-/)
    expect((await call('GET', '/domain')).body.printed).toBe(0)
  })
})

describe('the own address of a parent', () => {
  /** A child user of an account with an own address. `send` writes to the child as a finder does. */
  async function openTalk() {
    const app = await openBrand({ env: { PUBLIC_URL, SMTP_URL: 'smtp://127.0.0.1:25' } })
    await app.giveAddress()
    const code = await registeredChild(app, app.owner.id)
    const { bearerToken } = await signInChild(app, code)
    const send = (host: string, qr_id = code.qr_id) => {
      const page_token = makePageToken(app.deps.secretKey, qr_id, app.deps.clock())
      app.advance(30)
      const json = { reason: 'found', text: 'Found', page_token, reply_to: EMAIL }
      const headers = { Host: host }
      return app.ask('POST', `/api/scan/${qr_id}/messages`, { json, headers, isStream: true })
    }
    const PUBLIC = new URL(PUBLIC_URL).host
    const start = async (qr_id?: string) =>
      (await (await send(PUBLIC, qr_id)).json()).conversation_url
    return { ...app, code, child: { bearerToken }, send, start }
  }

  test('is in no address of a child’s conversation, and takes no message to the child', async () => {
    const app = await openTalk()
    const url = await app.start()
    expect(url).toMatch(new RegExp(`^${PUBLIC_URL}/c/[\\w-]+$`))
    const { pathname } = new URL(url)
    expect((await app.send(HOST)).status).toBe(404)
    for (const path of [`/scan/${app.code.qr_id}/message`, pathname]) {
      const led = await app.look(path, { Host: HOST })
      expect([led.status, led.headers.get('Location')]).toEqual([302, PUBLIC_URL + path])
    }
    const body = new URLSearchParams({ text: 'Here' })
    const headers = { Host: HOST, Origin: 'null' }
    const answered = await app.ask('POST', pathname, { body, headers, isStream: true })
    expect(answered.status).toBe(404)
    expect((await app.look(`/scan/${app.code.qr_id}`, { Host: HOST })).status).toBe(200)
  })

  test('is in no mail to a finder who wrote to the child', async () => {
    const app = await openTalk()
    const { pathname } = new URL(await app.start())
    const [{ id }] = (await (await app.ask('GET', '/api/conversations', { as: app.child })).json())
      .conversations
    await app.ask('POST', `/api/conversations/${id}/messages`, {
      as: app.child,
      json: { text: 'Thanks' },
    })
    await app.sender.settled()
    const mail = app.mails.findLast(({ to }) => to === EMAIL)
    expect(mail?.text).toContain(PUBLIC_URL + pathname)
    expect(mail?.text).not.toContain(HOST)
  })

  test('stays in the conversations of the parent’s own codes', async () => {
    const app = await openTalk()
    expect(await app.start(app.qr_id)).toMatch(new RegExp(`^https://${HOST}/c/`))
    expect((await app.send(HOST, app.qr_id)).status).toBe(201)
  })

  test('takes no message to somebody who claimed a code of its account', async () => {
    const app = await openTalk()
    const claimer = await app.signUp()
    const issued = await insertCode(app.db, claimer.id, { created_by: app.owner.id })
    expect((await app.look(`/scan/${issued.qr_id}`, { Host: HOST })).status).toBe(200)
    expect((await app.send(HOST, issued.qr_id)).status).toBe(404)
    expect((await app.look(`/scan/${issued.qr_id}/message`, { Host: HOST })).status).toBe(302)
  })
})
