import { describe, expect, test } from 'vitest'
import type { Db } from '#db/client.ts'
import { post } from '#tests/support/accounts.ts'
import { openTestApp } from '#tests/support/app.ts'
import { insertCode } from '#tests/support/codes.ts'
import { CHILD, CHILD_PASSWORD, registeredChild, UNCLAIMED } from '#tests/support/families.ts'

async function openPages(env: Record<string, string> = {}) {
  const app = await openTestApp({ env })
  const owner = await app.signUp()
  async function browse(method: string, path: string, form?: object, headers: object = {}) {
    const answer = await app.ask(method, path, {
      ...(form && { body: new URLSearchParams({ ...form }) }),
      headers: { 'Sec-Fetch-Site': 'same-origin', ...headers },
    })
    const { status, headers: answered } = answer
    return { status, to: answered.get('location'), headers: answered, html: await answer.text() }
  }
  const open = (path: string, headers = {}) => browse('GET', path, undefined, headers)
  const submit = (path: string, form: object, headers = {}) => browse('POST', path, form, headers)
  const code = (fields = {}) => insertCode(app.db, owner.id, fields)
  return { ...app, owner, open, submit, code }
}

const valueIn = (html: string, name: string) =>
  html.match(new RegExp(`<input[^>]* name="${name}"[^>]* value="([^"]*)"`))?.[1]
const errors = (html: string) =>
  [...html.matchAll(/<p class="error"[^>]*>.*?<\/svg>(.*?)<\/p>/g)].map(([, text]) => text)

function claimOf(db: Db, qr_id: string) {
  return db
    .selectFrom('qr_codes')
    .select(['contact_phone', 'claimed_at', 'take_token_hash'])
    .where('qr_id', '=', qr_id)
    .executeTakeFirstOrThrow()
}

describe('the pages for codes that others made', () => {
  test.each(['/claim', '/child-register'])('%s without a code leads home', async (path) => {
    const { open, submit } = await openPages()
    for (const query of ['', '?qr=', '?q=1']) {
      expect(await open(path + query)).toMatchObject({ status: 302, to: '/' })
    }
    expect((await submit(path, {})).to).toBe('/')
  })

  test.each(['/claim', '/child-register'])(
    '%s of an unknown or inactive code leads to its page, which is not found',
    async (path) => {
      const { open, code } = await openPages()
      const inactive = await code({ ...UNCLAIMED, is_active: 0 })
      for (const qr of ['7K3MQ9WD4XTP', inactive.qr_id, '"><script>', '../../dashboard']) {
        const { to } = await open(`${path}?qr=${encodeURIComponent(qr)}`)
        expect(to).toBe(`/scan/${encodeURIComponent(qr)}`)
        const page = await open(to ?? '')
        expect([page.status, page.html.includes('QR Code Not Found')]).toEqual([404, true])
      }
    },
  )

  test('are listed nowhere, kept nowhere, and tell no other site their address', async () => {
    const { open, code } = await openPages()
    const [unclaimed, child] = [await code(UNCLAIMED), await code(CHILD)]
    for (const path of [
      `/claim?qr=${unclaimed.qr_id}`,
      `/claim?qr=${child.qr_id}`,
      `/child-register?qr=${child.qr_id}`,
      '/reset-password?token=x',
    ]) {
      const { headers, html } = await open(path)
      expect(headers.get('Referrer-Policy')).toBe('no-referrer')
      expect(headers.get('X-Robots-Tag')).toBe('noindex, noarchive')
      expect(headers.get('Cache-Control')).toBe('no-store')
      expect(html).toContain('<meta name="robots" content="noindex"/>')
    }
  })

  test('take forms that hide where they come from, and none that says another site sent it', async () => {
    const { submit, code } = await openPages()
    const { qr_id } = await code(UNCLAIMED)
    const claim = { owner_name: 'Ayesha', contact_phone: '9845012345' }
    const path = `/claim?qr=${qr_id}`
    const evil = { 'Sec-Fetch-Site': '', Origin: 'https://evil.example' }
    expect((await submit(path, claim, { 'Sec-Fetch-Site': 'cross-site' })).status).toBe(403)
    expect((await submit(path, claim, evil)).status).toBe(403)
    expect((await submit(path, claim, { ...evil, Origin: 'null' })).status).toBe(303)
  })
})

describe('/claim', () => {
  test('shows the code, every field and the next step', async () => {
    const { open, code, owner } = await openPages()
    const { qr_id } = await code(UNCLAIMED)
    const { status, html } = await open(`/claim?qr=${qr_id.toLowerCase()}`)
    expect(status).toBe(200)
    for (const text of [
      'Claim this QR code',
      'You can manage this code after creating an account.',
      'This key belongs to a wonderful human being. Thank you for scanning!</textarea>',
      'href="/">Cancel',
    ]) {
      expect(html).toContain(text)
    }
    const names = [...html.matchAll(/<(?:input|textarea)[^>]* name="(\w+)"/g)].map(([, n]) => n)
    expect([...new Set(names)]).toEqual([
      'form_key',
      'owner_name',
      'contact_phone',
      'email',
      'city_area',
      'emergency_contact_name',
      'emergency_contact_phone',
      'public_message',
      'contact_mode',
      'show_vehicle',
      'show_city',
    ])
    expect(html).toMatch(/<input[^>]*type="tel"[^>]*name="contact_phone"/)
    expect(html).not.toMatch(/<button[^>]*disabled/)
    const signedIn = await open(`/claim?qr=${qr_id}`, { cookie: owner.cookie })
    expect(signedIn.html).toContain('You can manage this code in your dashboard.')
  })

  test('shows the next step for a claimed code and for a child code', async () => {
    const { open, submit, code } = await openPages()
    const [claimed, child] = [await code(), await code(CHILD)]
    for (const ask of [
      open,
      (path: string) => submit(path, { owner_name: 'A', contact_phone: '9845012345' }),
    ]) {
      const taken = await ask(`/claim?qr=${claimed.qr_id}`)
      expect([taken.status, taken.html]).toEqual([
        409,
        expect.stringContaining('This QR code has already been claimed'),
      ])
      expect(taken.html).toContain(`href="/scan/${claimed.qr_id}"`)
      expect(taken.html).toContain('href="/login"')
      const family = await ask(`/claim?qr=${child.qr_id}`)
      expect(family.html).toContain('This QR code must be registered')
      expect(family.html).toContain(`href="/child-register?qr=${child.qr_id}"`)
    }
  })

  test('refuses a form about an inactive code, also with other problems', async () => {
    const { submit, code } = await openPages()
    const { qr_id } = await code({ ...UNCLAIMED, is_active: 0 })
    for (const owner_name of ['Ayesha', '']) {
      const form = { owner_name, contact_phone: '9845012345' }
      const { status, to, html } = await submit(`/claim?qr=${qr_id}`, form)
      expect([status, to]).toEqual([404, null])
      expect(html).toContain('QR code not found')
    }
  })

  test('without script claims with and without a session', async () => {
    const { submit, code, signUp, db } = await openPages()
    const claimer = await signUp()
    for (const [cookie, holder] of [
      [undefined, undefined],
      [claimer.cookie, claimer.id],
    ]) {
      const { qr_id, owner_id } = await code(UNCLAIMED)
      const form = { owner_name: 'Ayesha', contact_phone: '98450 12345', email: '' }
      const { status, to } = await submit(`/claim?qr=${qr_id}`, form, cookie && { cookie })
      expect([status, to]).toEqual([303, `/scan/${qr_id}`])
      const stored = await db
        .selectFrom('qr_codes')
        .selectAll()
        .where('qr_id', '=', qr_id)
        .executeTakeFirstOrThrow()
      expect(stored).toMatchObject({ is_claimed: 1, email: null, owner_id: holder ?? owner_id })
    }
  })

  test('takes the same form again after its answer was lost, with its changed values', async () => {
    const { open, submit, code, mails, db, advance } = await openPages({
      SMTP_URL: 'smtp://127.0.0.1:9',
    })
    const { qr_id } = await code(UNCLAIMED)
    const path = `/claim?qr=${qr_id}`
    const form_key = valueIn((await open(path)).html, 'form_key') ?? ''
    expect(form_key).toMatch(/^[\w-]{43}$/)
    const form = { form_key, owner_name: 'Ayesha', contact_phone: '9845012345', email: 'a@b.in' }
    await submit(path, form)
    const claimed = await claimOf(db, qr_id)
    advance(3600)
    const again = await submit(path, { ...form, contact_phone: '9845054321' })
    expect([again.status, again.to]).toEqual([303, `/scan/${qr_id}`])
    const [cookie = ''] = (again.headers.get('set-cookie') ?? '').split(';')
    const [, take = ''] =
      /href="(\/take\/[^"]+)"/.exec((await open(`/scan/${qr_id}`, { cookie })).html) ?? []
    expect((await open(take)).html).toContain('Keep this QR code')
    expect(await claimOf(db, qr_id)).toEqual({ ...claimed, contact_phone: '9845054321' })
    expect(mails).toHaveLength(1)
    for (const other of ['', 'x']) {
      const { status, headers } = await submit(path, { ...form, form_key: other })
      expect([status, headers.get('set-cookie')]).toEqual([409, null])
    }
  })

  test('takes the same form again of the account that the code belongs to by then', async () => {
    const { open, submit, code, signUp, db } = await openPages()
    const [{ cookie }, other] = [await signUp(), await signUp()]
    const { qr_id } = await code(UNCLAIMED)
    const path = `/claim?qr=${qr_id}`
    const form_key = valueIn((await open(path, { cookie })).html, 'form_key') ?? ''
    const form = { form_key, owner_name: 'Ayesha', contact_phone: '9845012345', public_message: '' }
    for (const _ of ['first', 'again']) {
      const { status, to } = await submit(path, form, { cookie })
      expect([status, to]).toEqual([303, `/scan/${qr_id}`])
    }
    const changed = { ...form, contact_phone: '9845054321' }
    expect((await submit(path, changed, { cookie })).status).toBe(409)
    expect((await submit(path, form, { cookie: other.cookie })).status).toBe(409)
    expect(await claimOf(db, qr_id)).toMatchObject({ contact_phone: '9845012345' })
  })

  test('keeps the key of its form when it is shown again', async () => {
    const { open, submit, code } = await openPages()
    const path = `/claim?qr=${(await code(UNCLAIMED)).qr_id}`
    const form_key = valueIn((await open(path)).html, 'form_key') ?? ''
    for (const form of [{ owner_name: '' }, { owner_name: '', lang: 'hi' }]) {
      expect(valueIn((await submit(path, { form_key, ...form })).html, 'form_key')).toBe(form_key)
    }
  })

  test('without script says at its field what is wrong, and keeps what was typed', async () => {
    const { submit, code } = await openPages()
    const { qr_id } = await code(UNCLAIMED)
    const form = { owner_name: '"><b>Ayesha', contact_phone: '9845012345', city_area: 'Pune' }
    const steps = [
      [{ owner_name: ' ' }, 'Please enter the full name'],
      [{ emergency_contact_phone: 'x' }, 'Please enter a valid emergency contact phone'],
    ] as const
    for (const [broken, words] of steps) {
      const { status, html } = await submit(`/claim?qr=${qr_id}`, { ...form, ...broken })
      expect([status, errors(html)]).toEqual([400, [words]])
      expect(valueIn(html, 'city_area')).toBe('Pune')
      expect(html).not.toContain('"><b>Ayesha')
    }
  })
})

describe('/child-register', () => {
  const FORM = {
    name: 'Gurleen Kaur',
    contact_type: 'mobile',
    contact: '98140 12345',
    password: 'canary horse',
    confirm_password: 'canary horse',
    adult: 'yes',
  }

  test('without script registers, after a problem stood at its field', async () => {
    const { open, submit, code, deps, db } = await openPages()
    const { qr_id } = await code(CHILD)
    const path = `/child-register?qr=${qr_id}`
    const page = await open(path)
    expect(page.html).toContain('No OTP is needed.')
    expect(page.html).toMatch(/<option value="mobile" selected="">/)
    const steps = [
      [{ contact_type: 'email' }, 'Please enter a valid email address'],
      [{ confirm_password: 'x' }, 'Passwords do not match'],
    ] as const
    for (const [broken, words] of steps) {
      const { status, html } = await submit(path, { ...FORM, ...broken })
      expect([status, errors(html)]).toEqual([400, [words]])
      expect(html).not.toContain('canary')
    }
    const done = await submit(path, FORM)
    expect(done).toMatchObject({ status: 303, to: '/login?registered=true' })
    const [kept = ''] = done.headers.getSetCookie()
    expect(kept).toMatch(/^driveqr_contact=.*; Max-Age=600; Path=\/login; HttpOnly; SameSite=Lax$/)
    const login = await open('/login?registered=true', { Cookie: kept.split(';')[0] })
    expect(login.html).toContain('Your QR code is registered.')
    expect(login.html).toContain('<h1>Login</h1>')
    expect(login.html).toMatch(/name="contact" value="98140 12345"/)
    const child = await db
      .selectFrom('accounts')
      .selectAll()
      .where('mobile', '=', '+919814012345')
      .executeTakeFirst()
    expect(child?.created_at).toBe(deps.clock().toISOString())
  })

  test('of a registered code shows its state and lets its user request a new password', async () => {
    const pages = await openPages()
    const { open, submit, owner, ask } = pages
    const { qr_id } = await registeredChild(pages, owner.id)
    const found = await open(`/scan/${qr_id}`)
    expect(found.html).toContain(`href="/child-register?qr=${qr_id}"`)
    const path = `/child-register?qr=${qr_id}`
    const page = await open(path)
    expect(page.status).toBe(200)
    expect(page.html).toContain('This QR code has already been registered')
    expect(page.html).toContain(`href="${path}&amp;forgot=1"`)
    const dialog = await open(`${path}&forgot=1`)
    expect(dialog.html).toMatch(/<dialog[^>]* open=""/)
    expect(dialog.html).toContain('Your request goes to the owner of this QR code for approval.')
    const blank = await submit(`${path}&forgot=1`, { contact: ' ' })
    expect([blank.status, errors(blank.html)]).toEqual([
      400,
      ['Please enter your email or mobile number'],
    ])
    const sent = await submit(`${path}&forgot=1`, { contact: '9814012345' })
    expect(sent.to).toBe(`${path}&sent=1`)
    expect((await open(sent.to ?? '')).html).toContain(
      'Password reset request submitted successfully! The QR owner will review your request and contact you.',
    )
    const requests = await ask('GET', '/api/client/password-reset-requests', { as: owner })
    expect(await requests.json()).toMatchObject([{ status: 'pending' }])
    const late = await submit(path, FORM)
    expect([late.status, late.to]).toEqual([409, null])
  })

  test('of a code that is no child code redirects to its page', async () => {
    const { open, code } = await openPages()
    const { qr_id } = await code(UNCLAIMED)
    const { to } = await open(`/child-register?qr=${qr_id}`)
    expect((await open(to ?? '')).to).toBe(`/claim?qr=${qr_id}`)
  })
})

describe('Reset Requests and the link without script', () => {
  test('an owner approves, is shown the link once, and the child sets a password with it', async () => {
    const pages = await openPages()
    const { open, submit, owner, logged } = pages
    const { qr_id } = await registeredChild(pages, owner.id)
    const cookie = { cookie: owner.cookie }
    const tab = '/dashboard?tab=password-requests'
    expect((await open(tab, cookie)).html).toContain('No reset requests')
    await submit(`/child-register?qr=${qr_id}&forgot=1`, { contact: '9814012345' })

    const { html } = await open(tab, cookie)
    expect(html).toContain('1<span class="vh"> pending</span>')
    for (const text of ['Gurleen Kaur', '+91 98140 12345', 'Pending', '20 Nov 2026', 'N/A']) {
      expect(html).toContain(text)
    }
    expect((await open('/dashboard', cookie)).html).toContain('1<span class="vh"> pending</span>')
    const action = html.match(/action="(\/dashboard\/password-requests\/[^"]+)"/)?.[1] ?? ''
    const approved = await submit(action, { action: 'approve' }, cookie)
    expect([approved.status, approved.headers.get('Cache-Control')]).toEqual([200, 'no-store'])
    const link = approved.html.match(/name="reset_url" value="([^"]+)"/)?.[1] ?? ''
    expect(approved.html).toContain(`wa.me/919814012345?text=`)
    expect(approved.html).not.toContain('data-action="decide-reset"')
    const again = await submit(action, { action: 'reject' }, cookie)
    expect(again.status).toBe(409)
    expect(again.html).toContain(
      'This request has already been decided. If the link is lost, the child can ask again.',
    )
    expect((await open(tab, cookie)).html).not.toContain('reset-password?token')

    const token = new URL(link).searchParams.get('token') ?? ''
    const page = await open(`/reset-password?token=${token}`)
    expect(valueIn(page.html, 'token')).toBe(token)
    const unlike = { token, password: 'canary one', confirm_password: 'canary two' }
    const refused = await submit('/reset-password', unlike)
    expect([refused.status, errors(refused.html)]).toEqual([400, ['Passwords do not match']])
    expect(refused.html).not.toContain('canary')
    const form = { token, password: 'second horse', confirm_password: 'second horse' }
    const done = await submit('/reset-password', form)
    expect([done.status, done.to]).toEqual([303, '/login?mode=password&reset=true'])
    const login = (password: string) => post(pages, 'login', { contact: '9814012345', password })
    expect((await login(CHILD_PASSWORD)).status).toBe(401)
    expect((await login('second horse')).status).toBe(200)
    for (const dead of [
      await submit('/reset-password', form),
      await submit('/reset-password', { password: 'second horse' }),
      await open(`/reset-password?token=${token}`),
      await open('/reset-password'),
    ]) {
      expect(dead.status).toBe(400)
      expect(dead.html).toContain('<h1>This link is no longer valid</h1>')
    }
    expect(logged.join()).toContain('/reset-password')
    expect(logged.join()).not.toContain(token)
  })

  test('an owner rejects', async () => {
    const pages = await openPages()
    const { open, submit, owner, db } = pages
    const { qr_id } = await registeredChild(pages, owner.id)
    await submit(`/child-register?qr=${qr_id}&forgot=1`, { contact: '9814012345' })
    const { id } = await db
      .selectFrom('password_reset_requests')
      .select('id')
      .executeTakeFirstOrThrow()
    const path = `/dashboard/password-requests/${id}`
    const cookie = { cookie: owner.cookie }
    expect((await submit(path, { action: 'eat' }, cookie)).status).toBe(400)
    const { to } = await submit(path, { action: 'reject' }, cookie)
    const { html } = await open(to ?? '', cookie)
    expect(html).toContain('Password reset request rejected')
    expect(html).toContain('Rejected')
    expect(html).not.toContain('data-action="decide-reset"')
  })
})
