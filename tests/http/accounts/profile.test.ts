import { describe, expect, test } from 'vitest'
import { EMAIL, mailedOtp, post, WITH_MAIL } from '#tests/support/accounts.ts'
import { openTestApp, PASSWORD } from '#tests/support/app.ts'
import { browserOf } from '#tests/support/browser.ts'
import { countEach } from '#tests/support/races.ts'

async function openInstallation(account: object = {}) {
  const app = await openTestApp(WITH_MAIL)
  const owner = await app.signUp({ email: EMAIL, ...account })
  const patch = async (json: unknown) => {
    const answer = await app.ask('PATCH', '/api/account', { as: owner, json })
    return { status: answer.status, body: await answer.json() }
  }
  const browser = browserOf(app, owner)
  const form = (path: string, fields: Record<string, string>) =>
    browser.submit(`/settings/profile${path}`, fields)
  const read = () => browser.read('/settings/profile')
  return { ...app, owner, patch, form, read }
}

describe('a profile', () => {
  test('gets another name or number, and a missing field stays', async () => {
    const { patch } = await openInstallation()
    const named = await patch({ name: ' Asha  Kale ' })
    expect(named).toMatchObject({ status: 200, body: { user: { email: EMAIL, mobile: null } } })
    const numbered = await patch({ mobile: '98765 43210' })
    expect(numbered.body.user).toMatchObject({
      name: named.body.user.name,
      mobile: '+919876543210',
    })
    expect((await patch({})).body.user.mobile).toBe('+919876543210')
    expect((await patch({ mobile: null })).body.user.mobile).toBeNull()
  })

  test('lets its new number sign in, and mails that it was changed', async () => {
    const { patch, mails, ask } = await openInstallation()
    await patch({ mobile: '9876543210' })
    const contact = '+91 98765 43210'
    const { status } = await post({ ask }, 'login', { contact, password: PASSWORD })
    expect(status).toBe(200)
    expect(mails[0]).toMatchObject({ to: EMAIL, subject: 'Your DriveQR mobile number was changed' })
    expect(mails[0]?.text).not.toContain('98765')
  })

  test.each([
    [{ name: 'x'.repeat(121) }, 'Name must be at most 120 characters'],
    [{ name: 7 }, 'name must be text'],
    [{ mobile: {} }, 'mobile must be text'],
    [[], 'The request must be a JSON object'],
  ])('is not changed to %j: %s', async (json, detail) => {
    const { patch } = await openInstallation()
    expect(await patch(json)).toEqual({ status: 400, body: { detail } })
  })

  test('does not get another account’s number, and cannot try many', async () => {
    const { patch, signUp } = await openInstallation()
    await signUp({ mobile: '+919876543210' })
    const statuses: number[] = []
    for (let n = 0; n < 12; n++) statuses.push((await patch({ mobile: '9876543210' })).status)
    expect(countEach(statuses)).toEqual({ 409: 10, 429: 2 })
  })

  test('does not lose the number that is its only way in', async () => {
    const { patch } = await openInstallation({ email: null, mobile: '+919876543210' })
    expect(await patch({ mobile: null })).toEqual({
      status: 400,
      body: { detail: 'You sign in with your mobile number: add an email first' },
    })
  })

  test('does not get another number while a reset by the owner of its code is not confirmed', async () => {
    const { patch, db, owner } = await openInstallation({ email: null, mobile: '+919876543210' })
    const at = '2026-11-20T09:00:00.000Z'
    const question = { account_id: owner.id, approved_by: 'Ravi', reset_at: at, devices_before: at }
    await db
      .insertInto('reset_questions')
      .values({ ...question, denied_at: null })
      .execute()
    expect((await patch({ mobile: '9000012345' })).status).toBe(403)
    expect((await patch({ name: 'Gurleen' })).status).toBe(200)
  })

  test('is not changed by a session that ended while the request arrived', async () => {
    const { ask, owner, deps, db } = await openInstallation()
    const body = new ReadableStream(
      {
        async pull(controller) {
          const session = await deps.sessions.findByBearer(owner.bearerToken)
          await deps.sessions.end(session?.id ?? '')
          controller.enqueue(new TextEncoder().encode('{"name":"Thief"}'))
          controller.close()
        },
      },
      { highWaterMark: 0 },
    )
    const headers = { 'Content-Type': 'application/json', 'Content-Length': '16' }
    expect((await ask('PATCH', '/api/account', { as: owner, body, headers })).status).toBe(401)
    const { name } = await db.selectFrom('accounts').select('name').executeTakeFirstOrThrow()
    expect(name).toBe('Asha Patil')
  })
})

describe('the page of the profile', () => {
  test('shows name, email and number, and says that numbers are not verified', async () => {
    const { read } = await openInstallation({ mobile: '+919876543210' })
    const html = await read()
    for (const text of ['value="Asha Patil"', EMAIL, 'Verified', 'value="+91 98765 43210"']) {
      expect(html).toContain(text)
    }
    expect(html).toContain('Not verified: we send no SMS. You can sign in with it.')
  })

  test('changes each by a form of its own, without script', async () => {
    const { form, read, mails } = await openInstallation()
    const locations = [
      (await form('', { name: 'Asha Kale' })).to,
      (await form('/mobile', { mobile: '9876543210' })).to,
    ]
    expect(locations).toEqual([
      '/settings/profile?done=profile-saved',
      '/settings/profile?done=mobile-changed',
    ])
    const sent = (await form('/email', { email: 'new@example.in' })).html
    expect(sent).toContain('Sent to new@example.in, if nobody else has it')
    expect(await read()).toContain('Sent to new@example.in')
    const wrong = await form('/email/verify', { otp: 'x' })
    expect(wrong.status).toBe(400)
    expect(wrong.html).toContain('Please enter the 6-digit OTP')
    const changed = await form('/email/verify', { otp: mailedOtp({ mails }) })
    expect(changed.to).toBe('/settings/profile?done=email-changed')
    expect(await read()).toContain('new@example.in')
  })

  test('says beside its field what was refused, and keeps what was typed', async () => {
    const { form } = await openInstallation()
    for (const [path, fields, text] of [
      ['', { name: '' }, 'Please enter your name'],
      ['/mobile', { mobile: '12' }, 'Please enter a valid mobile number'],
      ['/email', { email: 'asha' }, 'Please enter a valid email address'],
    ] as const) {
      const { status, html } = await form(path, fields)
      expect([status, html]).toEqual([400, expect.stringContaining(text)])
    }
    expect((await form('/mobile', { mobile: '12' })).html).toContain('value="12"')
  })
})
