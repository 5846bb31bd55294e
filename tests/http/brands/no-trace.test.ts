import { describe, expect, test } from 'vitest'
import { removeDeleted } from '#actions/accounts/deletion.ts'
import { remindOfDue } from '#actions/papers/digests.ts'
import { insertAccount } from '#db/accounts/accounts.ts'
import { replaceQrCode } from '#db/codes/replacing.ts'
import type { Account } from '#db/schema.ts'
import type { Mail } from '#domain/mail.ts'
import { QUICK_HASH } from '#tests/support/app.ts'
import { readSections, type Section } from '#tests/support/authorisation.ts'
import {
  HOST,
  openAlone,
  openBrand,
  PUBLIC_URL,
  traceIn,
  traceInAnswer,
} from '#tests/support/brands.ts'
import { callOn } from '#tests/support/calls.ts'
import { insertCode } from '#tests/support/codes.ts'
import { CHILD, UNCLAIMED } from '#tests/support/families.ts'
import { insertPaper } from '#tests/support/papers.ts'
import { send } from '#tests/support/principals.ts'
import { newEmail, thingsOf } from '#tests/support/things.ts'
import { fileForm, PDF } from '#tests/support/uploads.ts'

const ENV = { UPI_ID: 'keys@examplebank', SUPPORT_EMAIL: 'help@example.in', RATE_LIMITS: 'off' }
const NAME = 'NeelRath Cabs'
const STRANGER = 'meenakshi@example.in'

/**
 * No page of a child user leads to the manifest, and a stream has no end. A person who registers
 * again has no parent.
 */
const APART = [
  'GET /manifest.webmanifest',
  'GET /api/conversations/events',
  'GET /c/:token/events',
  'POST /api/auth/send-otp',
]

/** An application where an account hides the product, and child users of it. */
async function openFamily(env: Record<string, string> = {}) {
  return withChildren(await openAlone({ ...ENV, ...env }))
}

function withChildren(app: Awaited<ReturnType<typeof openBrand>>) {
  const others = { parent_id: app.owner.id } as const

  function newChild(fields: Partial<Account> = {}): Promise<Account> {
    const email_verified_at = app.deps.clock().toISOString()
    const someone = { name: 'Gurleen', email: newEmail(), email_verified_at, password_hash: null }
    const child = { ...someone, ...others, subscription_plan: 'enterprise', ...fields } as const
    return insertAccount(app.db, child, app.deps.clock())
  }

  async function headersOf(account: Account, path: string): Promise<Record<string, string>> {
    const { cookieToken, bearerToken } = await app.deps.sessions.start(account)
    if (path.startsWith('/api/') && path !== '/api/docs') {
      return { Authorization: `Bearer ${bearerToken}` }
    }
    const Cookie = `__Host-driveqr=${cookieToken}`
    return { Cookie, 'Sec-Fetch-Site': 'same-origin', Host: 'driveqr.example' }
  }

  /** The mails since the last time, but those to the support and to accounts without a parent. */
  async function mailsToHidden(): Promise<Mail[]> {
    const plain = await app.db
      .selectFrom('accounts')
      .select('email')
      .where('parent_id', 'is', null)
      .execute()
    const known = [ENV.SUPPORT_EMAIL, ...plain.map(({ email }) => email)]
    return app.mails.splice(0).filter(({ to }) => !known.includes(to))
  }

  /**
   * Makes each call as a new child user. Returns the answers with a trace of the product, and the
   * number of allowed ones.
   */
  async function walk({ rows }: Section) {
    const found: unknown[] = []
    let allowed = 0
    for (const { call } of rows.filter((row) => !APART.includes(row.call))) {
      const child = await newChild()
      const sent = await callOn(thingsOf(app, child, others), call)
      app.mails.splice(0)
      const answer = await send(app, sent, await headersOf(child, sent.path))
      const body = Buffer.from(await answer.arrayBuffer())
      const inMails = traceIn(JSON.stringify(await mailsToHidden()))
      const trace = traceInAnswer(answer.headers, body) ?? inMails
      if (trace !== undefined) found.push([call, answer.status, trace])
      if (answer.status < 400) allowed++
    }
    return { found, allowed }
  }
  return { ...app, newChild, headersOf, mailsToHidden, walk }
}

const sections = readSections().filter(({ title }) => !/admin|Moderation/i.test(title))
const settings = sections.find(({ title }) => title === 'Pages and forms of Settings') as Section

test.each(sections)('a child user is never told the product’s name: $title', async (section) => {
  const { walk } = await openFamily()
  const { found, allowed } = await walk(section)
  expect(found).toEqual([])
  expect(allowed).toBeGreaterThan(0)
})

test('the walk finds the product where it is not hidden', async () => {
  const { walk } = withChildren(await openBrand({ env: { PUBLIC_URL, ...ENV } }))
  const { found } = await walk(settings)
  expect(found.length).toBeGreaterThan(10)
})

describe('a child user reads no name of the product', () => {
  test('where something is refused', async () => {
    const { ask, newChild, headersOf, advance } = await openFamily()
    const child = await newChild({ password_hash: QUICK_HASH })
    const headers = await headersOf(child, '/')
    const form = (fields: Record<string, string>) => new URLSearchParams(fields)
    const refusals: [number, () => Promise<Response>][] = [
      [
        403,
        () => ask('POST', '/logout', { headers: { ...headers, 'Sec-Fetch-Site': 'cross-site' } }),
      ],
      [413, () => ask('POST', '/dashboard/qr', { headers, body: form({ a: 'a'.repeat(70_000) }) })],
      [404, () => ask('GET', '/dashboard/qr/KK7QXD4H8NPT/image', { headers })],
      [404, () => ask('GET', `/shared/${'A'.repeat(43)}`, { headers })],
      [404, () => ask('GET', `/way-back/${'A'.repeat(43)}`, { headers })],
      [404, () => ask('GET', `/transfer/${'A'.repeat(43)}`, { headers })],
      [405, () => ask('DELETE', '/dashboard', { headers })],
    ]
    for (const [status, refused] of refusals) {
      const answer = await refused()
      expect([answer.status, traceIn(await answer.text())]).toEqual([status, undefined])
    }
    const elsewhere = await ask('GET', '/no-such-page', { headers })
    const home = await ask('GET', elsewhere.headers.get('Location') ?? '', { headers })
    expect([home.status, home.headers.get('Location')]).toEqual([302, '/dashboard'])
    advance(601)
    const asked = await ask('POST', '/settings/security/authenticator', { headers })
    const html = await asked.text()
    expect([asked.status, html.includes('data-confirm'), traceIn(html)]).toEqual([
      403,
      true,
      undefined,
    ])
    const held = /name="held" value="([^"]+)"/.exec(html)?.[1] ?? ''
    const wrong = await ask('POST', '/confirm', { headers, body: form({ held, password: 'no' }) })
    expect([wrong.status, traceIn(await wrong.text())]).toEqual([401, undefined])
  })

  test('before they have the second factor that is asked for', async () => {
    const { ask, newChild, headersOf, deps } = await openFamily()
    Object.assign(deps.config, { requireSecondFactor: 'all' })
    const headers = await headersOf(await newChild(), '/')
    const led = await ask('GET', '/dashboard', { headers })
    expect(led.headers.get('Location')).toBe('/settings/security/authenticator')
    expect((await ask('POST', '/settings/security/authenticator', { headers })).status).toBe(303)
    const page = await ask('GET', '/settings/security/authenticator', { headers })
    const html = await page.text()
    expect([page.status, traceIn(html)]).toEqual([200, undefined])
    expect(html).toContain(`Add ${NAME} to your app`)
    expect(decodeURIComponent(html)).toContain(`otpauth://totp/${NAME} (driveqr.example):`)
  })

  test('in the pages of the API, which stay the product’s for everybody else', async () => {
    const { ask, newChild, headersOf } = await openFamily()
    const headers = await headersOf(await newChild(), '/')
    for (const path of ['/api/docs', '/api/openapi.json']) {
      const own = await ask('GET', path, { headers })
      expect(own.headers.get('Cache-Control') ?? '').not.toContain('public')
      expect([path, (await own.text()).includes(`${NAME} API`)]).toEqual([path, true])
      const plain = await ask('GET', path)
      expect([path, (await plain.text()).includes('DriveQR API')]).toEqual([path, true])
    }
  })

  test('in the calendar and its file', async () => {
    const app = await openFamily()
    const child = await app.newChild()
    const path = `/calendar/${await thingsOf(app, child).calendar()}`
    const { qr_id } = await insertCode(app.db, child.id)
    const owned = { qr_id, account_id: child.id }
    await insertPaper(app.db, owned, { expires_on: '2026-12-01' })
    const answer = await app.ask('GET', path)
    const text = await answer.text()
    expect(text).toContain(`PRODID:-//${NAME}//${NAME}//EN`)
    expect(text).toContain('BEGIN:VEVENT')
    expect(answer.headers.get('Content-Disposition')).toBe('inline; filename="QR.ics"')
    expect(traceIn(text)).toBeUndefined()
    const own = await app.ask('GET', `/calendar/${await thingsOf(app, app.owner).calendar()}`)
    expect(await own.text()).toContain('PRODID:-//DriveQR//DriveQR//EN')
    expect(own.headers.get('Content-Disposition')).toBe('inline; filename="DriveQR.ics"')
  })

  test('in the digest of dues', async () => {
    const app = await openFamily()
    const child = await app.newChild()
    const { qr_id } = await insertCode(app.db, child.id)
    await insertPaper(app.db, { qr_id, account_id: child.id }, { expires_on: '2026-11-27' })
    expect(await remindOfDue(app.deps)).toBe(1)
    await app.sender.settled()
    const [mail, ...more] = await app.mailsToHidden()
    expect([mail?.to, mail?.sender, more]).toEqual([child.email, NAME, []])
    expect(traceIn(JSON.stringify(mail))).toBeUndefined()
  })

  test('when the email is changed: in the code, at both addresses, on the way back and after it', async () => {
    const app = await openFamily()
    const child = await app.newChild()
    const headers = await app.headersOf(child, '/api/account')
    const call = (path: string, json: object) =>
      app.ask('POST', `/api/account/email${path}`, { headers, json })
    expect((await call('', { email: STRANGER })).status).toBe(200)
    const [code] = await app.mailsToHidden()
    expect([code?.to, code?.subject]).toEqual([
      STRANGER,
      expect.stringContaining(`is your ${NAME} OTP for a new email`),
    ])
    expect(traceIn(JSON.stringify(code))).toBeUndefined()
    const otp = /Your OTP: (\d+)/.exec(code?.text ?? '')?.[1]
    expect((await call('/verify', { otp })).status).toBe(200)
    const mails = await app.mailsToHidden()
    expect(mails.map(({ to }) => to).sort()).toEqual([child.email, STRANGER].sort())
    expect(traceIn(JSON.stringify(mails))).toBeUndefined()
    const path = /\/way-back\/[\w-]{43}/.exec(JSON.stringify(mails))?.[0] ?? ''
    const page = await app.look(path)
    expect([page.status, traceIn(page.html)]).toEqual([200, undefined])
    expect(page.html).toContain(`${NAME}</title>`)
    expect((await app.ask('POST', path, { headers: { Origin: 'null' } })).status).toBe(303)
    const back = await app.mailsToHidden()
    expect(back.map(({ to, subject }) => [to, subject])).toEqual([
      [child.email, `Your ${NAME} account has this email again`],
    ])
    expect(traceIn(JSON.stringify(back))).toBeUndefined()
  })

  test('in the tests of a channel', async () => {
    const app = await openFamily()
    const child = await app.newChild()
    const headers = await app.headersOf(child, '/api/notifications')
    const path = '/api/notifications/channels/email/test'
    expect((await app.ask('POST', path, { headers })).status).toBe(200)
    const [mail] = await app.mailsToHidden()
    expect([mail?.subject, mail?.sender]).toEqual([`Test from ${NAME}`, NAME])
    expect(traceIn(JSON.stringify(mail))).toBeUndefined()
  })

  test('on a receipt of an operator without a name', async () => {
    const app = await openFamily()
    const child = await app.newChild()
    const file = await thingsOf(app, child).receipt()
    const path = `/settings/plan/receipts/${file}`
    const answer = await app.ask('GET', path, { headers: await app.headersOf(child, path) })
    const pdf = Buffer.from(await answer.arrayBuffer())
    expect([answer.status, traceInAnswer(answer.headers, pdf)]).toEqual([200, undefined])
    expect(pdf.toString('latin1')).toContain('driveqr.example')
  })
})

describe('a person outside an account that hides the product reads the name of the brand', () => {
  test('when a code is handed over: in the mail, and on the page before and after the login', async () => {
    const app = await openFamily()
    const { ask, owner, qr_id, look, mails, signUp } = app
    const json = { email: STRANGER, include_documents: false }
    const begun = await ask('POST', `/api/qr/${qr_id}/transfer`, { as: owner, json })
    expect(begun.status).toBe(201)
    const [mail] = await app.mailsToHidden()
    expect([mail?.to, mail?.sender, traceIn(JSON.stringify(mail))]).toEqual([
      STRANGER,
      NAME,
      undefined,
    ])
    const path = /\/transfer\/[\w-]{43}/.exec(mail?.text ?? '')?.[0] ?? ''
    const Cookie = (await signUp({ email: STRANGER })).cookie.replace('driveqr=', '__Host-driveqr=')
    for (const headers of [{}, { Cookie }] as Record<string, string>[]) {
      for (const lang of ['en', 'ta']) {
        const page = await look(path, { ...headers, 'Accept-Language': lang })
        expect([page.status, traceIn(page.html)]).toEqual([200, undefined])
        expect(page.html).toContain(`${NAME}</title>`)
        expect(page.html).not.toContain('href="/"')
      }
    }
    const form = { owner_name: '', contact_phone: '98765 43210' }
    const headers = { Cookie, 'Sec-Fetch-Site': 'same-origin', Host: 'driveqr.example' }
    const refused = await ask('POST', path, { headers, body: new URLSearchParams(form) })
    expect([refused.status, traceIn(await refused.text())]).toEqual([400, undefined])
    const body = new URLSearchParams({ ...form, owner_name: 'Meenakshi' })
    mails.splice(0)
    expect((await ask('POST', path, { headers, body })).status).toBe(303)
    // Both have an account of their own now.
    expect(mails.map(({ to }) => to).sort()).toEqual([owner.email, STRANGER].sort())
    expect(mails.filter(({ sender }) => sender)).toEqual([])
  })

  test('when a child user hands a code over, and nothing else when it is declined', async () => {
    const app = await openFamily()
    const child = await app.newChild()
    const { qr_id } = await insertCode(app.db, child.id)
    const headers = await app.headersOf(child, '/api/qr')
    const json = { email: STRANGER, include_documents: false }
    await app.ask('POST', `/api/qr/${qr_id}/transfer`, { headers, json })
    const [mail] = await app.mailsToHidden()
    expect([mail?.sender, traceIn(JSON.stringify(mail))]).toEqual([NAME, undefined])
    const path = /\/transfer\/[\w-]{43}/.exec(mail?.text ?? '')?.[0] ?? ''
    const to = await app.signUp({ email: STRANGER })
    expect(
      (await app.ask('POST', `/api${path.replace('transfer', 'transfers')}/decline`, { as: to }))
        .status,
    ).toBe(200)
    const [declined] = await app.mailsToHidden()
    expect([declined?.to, declined?.sender]).toEqual([child.email, NAME])
    expect(traceIn(JSON.stringify(declined))).toBeUndefined()
  })

  test('when a document is shared by mail', async () => {
    const app = await openFamily()
    const child = await app.newChild()
    for (const account of [app.owner, child]) {
      const headers = await app.headersOf(account, '/api/gallery')
      const { qr_id } = await insertCode(app.db, account.id)
      const upload = { headers, body: fileForm(PDF, { document_type: 'puc' }) }
      const kept = await app.ask('POST', `/api/documents/upload/${qr_id}`, upload)
      const { id } = await kept.json()
      const json = { share_method: 'email', recipient: STRANGER }
      const shared = await app.ask('POST', `/api/gallery/share/${id}`, { headers, json })
      expect(shared.status).toBe(200)
      const [mail] = await app.mailsToHidden()
      expect([mail?.to, mail?.sender]).toEqual([STRANGER, NAME])
      expect(traceIn(JSON.stringify(mail))).toBeUndefined()
    }
  })

  test('on the page of a tag that was replaced', async () => {
    const app = await openFamily()
    const { owner, qr_id } = app
    await replaceQrCode(app.db, { id: owner.id, parent_id: null }, qr_id, app.deps.clock())
    for (const path of [`/scan/${qr_id}`, `/scan/${qr_id}/message`, `/police/${qr_id}`]) {
      const page = await app.look(path)
      expect([path, traceIn(page.html)]).toEqual([path, undefined])
      expect([path, page.html.includes(`${NAME}</title>`)]).toEqual([path, true])
    }
  })
})

describe('when an account that hides the product is deleted', () => {
  async function openLeaving() {
    const app = await openFamily()
    const { db, owner, ask, mails } = app
    const child = await app.newChild()
    const registered = { child_account_id: child.id, is_child_registered: 1 } as const
    const used = await insertCode(db, owner.id, { ...registered, qr_type: 'child' })
    const { qr_id } = await insertCode(db, owner.id, UNCLAIMED)
    const claim = { owner_name: 'Meenakshi', contact_phone: '98765 43210', email: STRANGER }
    expect((await ask('POST', '/api/qr/claim', { json: { qr_id, ...claim } })).status).toBe(200)
    mails.splice(0)
    const { email } = owner
    const left = await ask('POST', '/api/account/deletion', { as: owner, json: { email } })
    expect(left.status).toBe(200)

    /** Returns the mails to others since the last time. */
    async function toOthers(): Promise<Mail[]> {
      await app.sender.settled()
      return mails.splice(0).filter(({ to }) => to !== owner.email)
    }
    return { ...app, child, used, toOthers }
  }

  const told = (mails: Mail[]) => mails.map(({ to, sender }) => [to, sender]).sort()

  test('its child users and claimers are told by its name, at the beginning and at the end', async () => {
    const { child, toOthers, advance, deps } = await openLeaving()
    const first = await toOthers()
    const both = [
      [child.email, NAME],
      [STRANGER, NAME],
    ].sort()
    expect(told(first)).toEqual(both)
    expect(traceIn(JSON.stringify(first))).toBeUndefined()
    expect(first.find(({ to }) => to === STRANGER)?.html).toContain('background-color: #0f4c96')
    advance(8 * 86_400)
    await removeDeleted(deps)
    const last = await toOthers()
    expect(told(last)).toEqual(both)
    expect(traceIn(JSON.stringify(last))).toBeUndefined()
  })

  test('until then its codes and its child users’ pages, calls and mails are as before', async () => {
    const { qr_id, used, look, walk, giveAddress } = await openLeaving()
    await giveAddress()
    for (const [id, Host] of [
      [used.qr_id, HOST],
      [used.qr_id, 'driveqr.example'],
      [qr_id, 'driveqr.example'],
    ] as const) {
      const page = await look(`/scan/${id}`, { Host })
      expect([id, Host, traceIn(page.html)]).toEqual([id, Host, undefined])
      expect(page.html).toContain(NAME)
    }
    const { found } = await walk(settings)
    expect(found).toEqual([])
  })

  test('a block that is set meanwhile puts its brand to sleep, as any block does', async () => {
    const { db, used, look } = await openLeaving()
    await db.updateTable('account_deletions').set({ is_active: 0 }).execute()
    expect(traceIn((await look(`/scan/${used.qr_id}`)).html)).toBeDefined()
  })
})

test('a child user who is not of age reads its name until the guardian agrees, and after that', async () => {
  const app = await openFamily()
  const { ask, db, owner, headersOf } = app
  const guardian = await app.newChild({ child_qr_quota: 1 })
  for (const holder of [owner, guardian]) {
    const { qr_id } = await insertCode(db, holder.id, CHILD)
    const contact = newEmail()
    const who = { name: 'Gurleen', contact, contact_type: 'email', password: 'first horse' }
    const json = { qr_id, adult: false, ...who }
    expect((await ask('POST', '/api/qr/child-register', { json })).status).toBe(201)
    const asked = app.mails.splice(0)
    expect(asked.map(({ to, sender }) => [to, sender])).toEqual([
      [holder.email, holder === owner ? undefined : NAME],
    ])
    if (holder !== owner) expect(traceIn(JSON.stringify(asked))).toBeUndefined()
    const login = { contact, password: 'first horse' }
    const waits = await ask('POST', '/api/auth/login', { json: login })
    expect([waits.status, traceIn(await waits.text())]).toEqual([403, undefined])
    const proven = { email_verified_at: app.deps.clock().toISOString() }
    const { id } = await db
      .updateTable('accounts')
      .set(proven)
      .where('email', '=', contact)
      .returning('id')
      .executeTakeFirstOrThrow()
    const headers = await headersOf(holder as Account, '/')
    const agreed = await ask('POST', `/dashboard/guardian/${id}`, { headers })
    expect(agreed.status).toBe(303)
    const [mail, ...more] = app.mails.splice(0)
    expect([mail?.to, mail?.sender, more]).toEqual([contact, NAME, []])
    expect([mail?.subject, traceIn(JSON.stringify(mail))]).toEqual([
      `Your ${NAME} account works now`,
      undefined,
    ])
  }
})

test('a claimer reads its name when the claim is made and when it is undone', async () => {
  const { ask, db, owner, mails } = await openFamily()
  const { qr_id } = await insertCode(db, owner.id, UNCLAIMED)
  const claim = { owner_name: 'Meenakshi', contact_phone: '98765 43210', email: STRANGER }
  await ask('POST', '/api/qr/claim', { json: { qr_id, ...claim } })
  await ask('POST', `/api/qr/${qr_id}/undo-claim`, { as: owner })
  const sent = mails.filter(({ to }) => to === STRANGER)
  expect(sent.map(({ sender }) => sender)).toEqual([NAME, NAME])
  expect(traceIn(JSON.stringify(sent))).toBeUndefined()
})
