import { describe, expect, test } from 'vitest'
import { setBlocked } from '#db/accounts/account-changes.ts'
import { setPassword } from '#db/accounts/passwords.ts'
import { openSqlite } from '#db/sqlite/sqlite.ts'
import type { Mail } from '#domain/mail.ts'
import { createMailer } from '#mail/mailer.ts'
import { startSender } from '#mail/sender.ts'
import { EMAIL, post, WITH_MAIL } from '#tests/support/accounts.ts'
import { openTestApp, PASSWORD, type TestApp } from '#tests/support/app.ts'
import { browserOf } from '#tests/support/browser.ts'
import { askSlowly } from '#tests/support/callers.ts'
import { insertCode } from '#tests/support/codes.ts'
import { testOnSqlite } from '#tests/support/database.ts'
import { CHILD_PASSWORD, registeredChild } from '#tests/support/families.ts'
import { deadMailServer } from '#tests/support/mail-server.ts'
import { countEach } from '#tests/support/races.ts'

const MOBILE = '+919814012345'
const DEAD = [400, { detail: 'This link is no longer valid' }]

type As = { bearerToken: string }

async function openFamily(options: Parameters<typeof openTestApp>[0] & { email?: string } = {}) {
  const { email, ...settings } = options
  const app = await openTestApp(settings)
  const owner = await app.signUp()
  const contact = email ? ({ kind: 'email', email } as const) : undefined
  const code = await registeredChild(app, owner.id, contact && { contact })
  const forgot = async (json: object) => {
    const answer = await app.ask('POST', '/api/qr/forgot-password', { json })
    return [answer.status, await answer.json()]
  }
  const requests = async (as: As = owner) =>
    (await app.ask('GET', '/api/client/password-reset-requests', { as })).json()
  const decide = async (request_id: string, action: string, as: As = owner) => {
    const json = { request_id, action }
    const answer = await app.ask('POST', '/api/client/password-reset-approve', { as, json })
    return { status: answer.status, body: await answer.json() }
  }
  /** The child asks, the owner approves. */
  const approve = async () => {
    await forgot({ qr_id: code.qr_id, contact: email ?? MOBILE })
    const [{ id }] = await requests()
    return (await decide(id, 'approve')).body
  }
  /** The token of the link that the owner is shown. */
  const approvedToken = async () => {
    const { reset_url } = await approve()
    return new URL(reset_url).searchParams.get('token') ?? ''
  }
  /** The mails to the child. The owner's are about the requests. */
  const toChild = () => app.mails.filter(({ to }) => to !== owner.email)
  return { ...app, owner, code, forgot, requests, decide, approve, approvedToken, toChild }
}

/** A family whose child has proven its e-mail. */
async function openProven(options: Parameters<typeof openTestApp>[0]) {
  const family = await openFamily({ email: EMAIL, ...options })
  const proven = { email_verified_at: family.deps.clock().toISOString() }
  await family.db.updateTable('accounts').set(proven).where('email', '=', EMAIL).execute()
  return family
}

function mailedToken({ toChild }: { toChild: () => Mail[] }): string {
  return (
    toChild()
      .at(-1)
      ?.text.match(/\/reset-password\?token=([\w-]+)\n/)?.[1] ?? ''
  )
}

async function reset(app: TestApp, token: string, fields: object = {}) {
  const { status, body } = await post(app, 'reset-password', {
    token,
    password: 'second horse',
    ...fields,
  })
  return [status, body]
}

const login = async (app: TestApp, contact: string, password: string) =>
  (await post(app, 'login', { contact, password })).status

describe('forgot-password of a code', () => {
  test('creates a request that the owner sees', async () => {
    const { forgot, requests, code, deps } = await openFamily()
    expect(await forgot({ qr_id: code.qr_id, contact: '098140 12345' })).toEqual([
      200,
      { success: true },
    ])
    expect(await requests()).toEqual([
      {
        id: expect.any(String),
        child_name: 'Gurleen Kaur',
        child_contact: MOBILE,
        qr_id: code.qr_id,
        qr_name: 'Gurleen Kaur',
        status: 'pending',
        requested_at: deps.clock().toISOString(),
        processed_at: null,
        child_answer: null,
      },
    ])
  })

  test('calls the code by its vehicle, where it has one', async () => {
    const { forgot, requests, code, db } = await openFamily()
    const vehicle = { vehicle_make_model: 'Classic 350', city_area: 'Ludhiana' }
    await db.updateTable('qr_codes').set(vehicle).execute()
    await forgot({ qr_id: code.qr_id, contact: MOBILE })
    expect(await requests()).toMatchObject([{ qr_name: 'Classic 350, Ludhiana' }])
  })

  test('answers every contact alike, and creates a request only for the child of that code', async () => {
    const family = await openFamily()
    const { forgot, code, owner, db, signUp } = family
    const stranger = await insertCode(db, owner.id)
    const blocked = await registeredChild(family, (await signUp()).id, {
      contact: { kind: 'email', email: 'blocked@example.in' },
    })
    await db
      .updateTable('accounts')
      .set({ is_active: 0 })
      .where('email', '=', 'blocked@example.in')
      .execute()
    for (const json of [
      { qr_id: code.qr_id, contact: '9814099999' },
      { qr_id: code.qr_id, contact: owner.email },
      { qr_id: code.qr_id, contact: 'anything at all' },
      { qr_id: stranger.qr_id, contact: MOBILE },
      { qr_id: blocked.qr_id, contact: 'blocked@example.in' },
      { qr_id: '7K3MQ9WD4XTP', contact: MOBILE },
      { contact: MOBILE },
    ]) {
      expect(await forgot(json)).toEqual([200, { success: true }])
    }
    expect(await db.selectFrom('password_reset_requests').select('id').execute()).toEqual([])
  })

  test('refuses a blank contact', async () => {
    const { forgot, code } = await openFamily()
    const refusal = [400, { detail: 'Please enter your email or mobile number' }]
    for (const contact of [undefined, '  ']) {
      expect(await forgot({ qr_id: code.qr_id, contact })).toEqual(refusal)
    }
  })

  testOnSqlite(
    'writes to the disk as often for a stranger as for the child, first and second time',
    async () => {
      const { forgot, code, connection } = await openFamily()
      const watcher = openSqlite(connection.name, 0)
      /** Changes with every commit of somebody else that a look at the database finds. */
      const commits = () => {
        watcher.prepare('select count(*) from meta').get()
        return watcher.pragma('data_version', { simple: true }) as number
      }
      for (const contact of [MOBILE, MOBILE, '9814099999', 'nobody@example.in']) {
        const before = commits()
        await forgot({ qr_id: code.qr_id, contact })
        expect([contact, commits() - before]).toEqual([contact, 1])
      }
      watcher.close()
    },
  )

  test('asked twenty times at once leaves one request waiting, and a decided one makes room', async () => {
    const { forgot, requests, code, decide } = await openFamily({ env: { RATE_LIMITS: 'off' } })
    const json = { qr_id: code.qr_id, contact: MOBILE }
    await Promise.all(Array.from({ length: 20 }, () => forgot(json)))
    const [first, ...others] = await requests()
    expect(others).toEqual([])
    await decide(first.id, 'reject')
    await forgot(json)
    const all = await requests()
    expect(all.map(({ status }: { status: string }) => status)).toEqual(['pending', 'rejected'])
  })
})

describe('a decision', () => {
  test('to approve answers the link and its picture, to reject neither', async () => {
    const { forgot, requests, code, decide, advance } = await openFamily()
    const json = { qr_id: code.qr_id, contact: MOBILE }
    await forgot(json)
    advance(60)
    const rejected = await decide((await requests())[0].id, 'reject')
    expect(rejected).toEqual({ status: 200, body: { message: 'Password reset request rejected' } })
    await forgot(json)
    const approved = await decide((await requests())[0].id, 'approve')
    expect(approved.body).toEqual({
      message: 'Password reset request approved',
      reset_url: expect.stringMatching(
        /^http:\/\/localhost:3000\/reset-password\?token=[\w-]{43}$/,
      ),
      reset_qr_image: expect.stringMatching(/^iVBORw0KGgo/),
    })
    const list = await requests()
    expect(list).toMatchObject([{ status: 'approved' }, { status: 'rejected' }])
    expect(JSON.stringify(list)).not.toContain('token')
    expect(list[1].processed_at > list[1].requested_at).toBe(true)
  })

  test('is made once: of twenty at once one wins, and the others change nothing', async () => {
    const { forgot, requests, code, decide, db } = await openFamily()
    await forgot({ qr_id: code.qr_id, contact: MOBILE })
    const [{ id }] = await requests()
    const all = await Promise.all(
      Array.from({ length: 20 }, (_, n) => decide(id, n % 2 ? 'approve' : 'reject')),
    )
    expect(countEach(all.map(({ status }) => status))).toEqual({ 200: 1, 409: 19 })
    const winner = all.find(({ status }) => status === 200)
    const [{ status }] = await requests()
    expect(winner?.body.message).toBe(`Password reset request ${status}`)
    const links = await db.selectFrom('password_reset_tokens').selectAll().execute()
    expect(links).toHaveLength(status === 'approved' ? 1 : 0)
    expect((await decide(id, 'approve')).body).toEqual({
      detail:
        'This request has already been decided. If the link is lost, the child can ask again.',
    })
  })

  test('by a form is made again with the same link until that is used', async () => {
    const family = await openFamily()
    const { forgot, requests, code, owner } = family
    await forgot({ qr_id: code.qr_id, contact: MOBILE })
    const [{ id }] = await requests()
    const send = async (action: string, form_key: string) => {
      const path = `/dashboard/password-requests/${id}`
      const { status, html } = await browserOf(family, owner).submit(path, { action, form_key })
      return { status, token: html.match(/reset-password\?token=[\w-]{43}/)?.[0] }
    }
    const first = await send('approve', 'one')
    expect(first).toEqual({ status: 200, token: expect.any(String) })
    expect(await send('approve', 'one')).toEqual(first)
    const refused = { status: 409, token: undefined }
    expect(await send('approve', 'two')).toEqual(refused)
    expect(await send('reject', 'one')).toEqual(refused)
    const token = first.token?.split('=')[1]
    await post(family, 'reset-password', { token, password: 'a new horse' })
    expect(await send('approve', 'one')).toEqual(refused)
  })

  test('is the owner’s alone: to everybody else the request is not there', async () => {
    const family = await openFamily()
    const { forgot, requests, code, decide, signUp } = family
    await forgot({ qr_id: code.qr_id, contact: MOBILE })
    const [{ id }] = await requests()
    const { body } = await post(family, 'login', { contact: MOBILE, password: CHILD_PASSWORD })
    const child = { bearerToken: body.session_token }
    for (const as of [await signUp({ role: 'admin' }), child]) {
      expect(await requests(as)).toEqual([])
      expect((await decide(id, 'approve', as)).status).toBe(404)
    }
    expect((await decide('unknown', 'approve')).status).toBe(404)
    expect(await requests()).toMatchObject([{ status: 'pending' }])
  })

  test('is to approve or to reject', async () => {
    const { decide } = await openFamily()
    expect(await decide('any', 'delete')).toEqual({
      status: 400,
      body: { detail: 'action must be approve or reject' },
    })
  })
})

describe('the link of an approval', () => {
  test('sets the password once and ends every session of the child, of nobody else', async () => {
    const family = await openFamily()
    const { body } = await post(family, 'login', { contact: MOBILE, password: CHILD_PASSWORD })
    const token = await family.approvedToken()
    expect(await reset(family, token)).toEqual([200, { success: true }])
    const me = async (as: As) => (await family.ask('GET', '/api/auth/me', { as })).status
    expect(await me({ bearerToken: body.session_token })).toBe(401)
    expect(await me(family.owner)).toBe(200)
    expect(await login(family, MOBILE, CHILD_PASSWORD)).toBe(401)
    expect(await login(family, MOBILE, 'second horse')).toBe(200)
    expect(await reset(family, token, { password: 'third horse' })).toEqual(DEAD)
    expect(await login(family, MOBILE, 'second horse')).toBe(200)
  })

  test('opens the account that it was made for, for any sender and with any other fields', async () => {
    const family = await openFamily()
    const token = await family.approvedToken()
    const stranger = await family.signUp({ email: EMAIL })
    const sent = { token, contact: EMAIL, otp: '123456', password: 'second horse' }
    const answer = await family.ask('POST', '/api/auth/reset-password', {
      as: stranger,
      json: sent,
    })
    expect(answer.status).toBe(200)
    expect(await login(family, EMAIL, PASSWORD)).toBe(200)
    expect(await login(family, MOBILE, 'second horse')).toBe(200)
  })

  test('used twenty times at once works once, and a call that the queue refused may be repeated', async () => {
    const family = await openFamily({ env: { RATE_LIMITS: 'off' } })
    const token = await family.approvedToken()
    const all = await Promise.all(
      Array.from({ length: 20 }, (_, n) => reset(family, token, { password: `horse no ${n}` })),
    )
    const {
      200: won,
      400: refused = 0,
      503: sentAway = 0,
    } = countEach(all.map(([status]) => status)) as Record<number, number>
    expect([won, refused + sentAway]).toEqual([1, 19])
    const winner = all.findIndex(([status]) => status === 200)
    expect(await login(family, MOBILE, `horse no ${winner}`)).toBe(200)
  })

  test('lives for 24 hours and not a second longer', async () => {
    const family = await openFamily()
    const token = await family.approvedToken()
    family.advance(24 * 3600 - 1)
    expect(await reset(family, token, { password: '12345' })).toEqual([
      400,
      { detail: 'Password must be at least 6 characters long' },
    ])
    family.advance(1)
    expect(await reset(family, token)).toEqual(DEAD)
  })

  test('that nobody made, or that is another secret’s hash, opens nothing', async () => {
    const family = await openFamily()
    await family.approvedToken()
    const { token_hash } = await family.db
      .selectFrom('password_reset_tokens')
      .selectAll()
      .executeTakeFirstOrThrow()
    for (const token of ['x', token_hash, family.owner.bearerToken]) {
      expect(await reset(family, token)).toEqual(DEAD)
    }
  })

  test('closes when a later one is made, or the password is set in another way', async () => {
    const family = await openFamily({ email: EMAIL })
    const first = await family.approvedToken()
    const second = await family.approvedToken()
    expect(await reset(family, first)).toEqual(DEAD)
    const { body } = await post(family, 'forgot-password', { contact: EMAIL })
    const byOtp = { contact: EMAIL, otp: body.test_otp, password: 'third horse' }
    expect((await post(family, 'reset-password', byOtp)).status).toBe(200)
    expect(await reset(family, second)).toEqual(DEAD)
  })

  test.each([
    ['gets a new password', false],
    ['is blocked', true],
  ])(
    'closes when the owner who approved it %s, and no other owner’s does',
    async (_, isBlocked) => {
      const app = await openFamily()
      const token = await app.approvedToken()
      const other = await app.signUp({ email: 'other@example.in' })
      const set = ({ id: accountId, email }: typeof other) =>
        isBlocked
          ? setBlocked(app.db, { contact: email ?? '', isBlocked }, new Date())
          : setPassword(app.db, app.deps.secretKey, { accountId, passwordHash: 'x' })
      await set(other)
      expect((await app.ask('GET', `/reset-password?token=${token}`)).status).toBe(200)
      await set(app.owner)
      expect(await reset(app, token)).toEqual(DEAD)
    },
  )

  test('is made for no owner whose session ended while the approval arrived', async () => {
    const app = await openFamily()
    await app.forgot({ qr_id: app.code.qr_id, contact: MOBILE })
    const [{ id: request_id }] = await app.requests()
    const json = { request_id, action: 'approve' }
    const logOut = () => app.ask('POST', '/api/auth/logout', { as: app.owner })
    const path = '/api/client/password-reset-approve'
    expect(await askSlowly(app, path, app.owner, json, logOut)).toBe(401)
    expect(await app.db.selectFrom('password_reset_tokens').selectAll().execute()).toEqual([])
  })

  test('is mailed to a child with a proven e-mail, who is told of the change too', async () => {
    const family = await openProven(WITH_MAIL)
    await family.approve()
    expect(family.toChild()).toMatchObject([{ to: EMAIL, subject: 'Set a new DriveQR password' }])
    const token = mailedToken(family)
    await reset(family, token)
    expect(family.toChild()[1]).toMatchObject({
      to: EMAIL,
      subject: 'Your DriveQR password was changed',
    })
    expect(family.toChild()[1]?.text).not.toContain(token)
  })

  test('is mailed to nobody where the child has a number alone or has not proven its e-mail', async () => {
    const byNumber = await openFamily(WITH_MAIL)
    await reset(byNumber, await byNumber.approvedToken())
    expect(byNumber.toChild()).toEqual([])
    const unproven = await openFamily({ email: EMAIL, ...WITH_MAIL })
    expect((await reset(unproven, await unproven.approvedToken()))[0]).toBe(200)
    expect(unproven.toChild()).toEqual([])
  })

  test('waits while the mail server is down, and no log knows it', async () => {
    const family = await openProven({ env: { SMTP_URL: await deadMailServer() } })
    const { mailer } = family.deps
    family.deps.mailer = createMailer(family.deps.config)
    await family.approve()
    await expect.poll(() => family.logged.join()).toContain('mail failed')
    family.deps.mailer = mailer
    family.advance(600)
    const again = startSender(family.deps)
    await again.settled()
    await again.stop()
    const token = mailedToken(family)
    await reset(family, token, { password: 'short' })
    expect((await reset(family, token))[0]).toBe(200)
    await reset(family, token)
    const log = family.logged.join()
    expect(log).toContain('/api/auth/reset-password')
    for (const secret of [token, EMAIL, 'second horse']) expect(log).not.toContain(secret)
  })
})
