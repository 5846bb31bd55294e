import { describe, expect, test } from 'vitest'
import { removeDeleted } from '#actions/accounts/deletion.ts'
import { getAccount } from '#db/accounts/accounts.ts'
import { EMAIL, mailedOtp, post, WITH_MAIL, wayBackIn, wrongOtp } from '#tests/support/accounts.ts'
import { openTestApp, PASSWORD } from '#tests/support/app.ts'
import { raceStatuses } from '#tests/support/races.ts'

const NEW = 'asha.new@example.in'
const HOUR = 3600

async function openInstallation(account: object = {}) {
  const app = await openTestApp(WITH_MAIL)
  const owner = await app.signUp({ email: EMAIL, ...account })
  type As = { bearerToken: string }
  const call = async (path: string, json: object, as: As = owner) => {
    const answer = await app.ask('POST', `/api/account/email${path}`, { as, json })
    return { status: answer.status, body: await answer.json() }
  }
  const change = async (email = NEW, as: As = owner) => {
    expect((await call('', { email }, as)).status).toBe(200)
    return call('/verify', { otp: mailedOtp(app) }, as)
  }
  const emailOf = async () => (await getAccount(app.db, owner.id)).email
  const wayBack = () => wayBackIn(app)
  const takeBack = (path = wayBack()) => app.ask('POST', path, { headers: { Origin: 'null' } })
  return { ...app, owner, call, change, emailOf, wayBack, takeBack }
}

describe('another email', () => {
  test('takes a code that is mailed to it, and the earlier one is mailed the way back', async () => {
    const { change, emailOf, mails, call } = await openInstallation()
    expect((await call('', { email: ` ${NEW.toUpperCase()} ` })).status).toBe(200)
    expect(mails.at(-1)).toMatchObject({
      to: NEW,
      subject: expect.stringMatching(/^\d{6} is your DriveQR OTP for a new email$/),
    })
    expect(await emailOf()).toBe(EMAIL)
    expect(await call('/verify', { otp: mailedOtp({ mails }) })).toMatchObject({
      status: 200,
      body: { user: { email: NEW } },
    })
    expect(await emailOf()).toBe(NEW)
    const [toNew, toOld] = [NEW, EMAIL].map((to) => mails.findLast((mail) => mail.to === to))
    expect(toNew?.subject).toBe('Your DriveQR email was changed')
    expect(toOld?.subject).toBe('Your DriveQR account has another email now')
    expect(toOld?.text).toContain('a…@example.in')
    expect(toOld?.text).not.toContain(NEW)
    expect(toOld?.text).toMatch(/within 72\s+hours/)
    expect((await change('third@example.in')).status).toBe(200)
  })

  test('signs in from then on, and the earlier one does not', async () => {
    const { change, ask } = await openInstallation()
    await change()
    const login = async (contact: string) =>
      (await post({ ask }, 'login', { contact, password: PASSWORD })).status
    expect([await login(EMAIL), await login(NEW)]).toEqual([401, 200])
  })

  test('needs the right code, five tries at most, and of this account', async () => {
    const { call, mails, signUp, emailOf } = await openInstallation()
    await call('', { email: NEW })
    const otp = mailedOtp({ mails })
    const stranger = await signUp()
    expect((await call('/verify', { otp }, stranger)).status).toBe(400)
    for (let n = 1; n <= 5; n++) {
      expect(await call('/verify', { otp: wrongOtp(otp, n) })).toEqual({
        status: 400,
        body: { detail: 'Invalid or expired OTP' },
      })
    }
    expect((await call('/verify', { otp })).status).toBe(400)
    expect(await emailOf()).toBe(EMAIL)
  })

  test('needs it within ten minutes', async () => {
    const { call, mails, advance, emailOf, deps, owner } = await openInstallation()
    await call('', { email: NEW })
    const otp = mailedOtp({ mails })
    advance(601)
    const fresh = await deps.sessions.start(owner)
    expect((await call('/verify', { otp }, fresh)).status).toBe(400)
    expect(await emailOf()).toBe(EMAIL)
  })

  test('that has an account is answered alike, and its holder is mailed that alone', async () => {
    const { call, signUp, mails, emailOf } = await openInstallation()
    await signUp({ email: NEW })
    const taken = await call('', { email: NEW })
    const free = await call('', { email: 'free@example.in' })
    expect(taken).toEqual(free)
    const mail = mails.find(({ to }) => to === NEW)
    expect(mail?.subject).toBe('You already have a DriveQR account')
    expect(mail?.text).not.toMatch(/\b\d{6}\b/)
    expect(await emailOf()).toBe(EMAIL)
  })

  test('that got an account in the meantime is refused', async () => {
    const { call, signUp, mails, emailOf } = await openInstallation()
    await call('', { email: NEW })
    const otp = mailedOtp({ mails })
    await signUp({ email: NEW })
    expect(await call('/verify', { otp })).toEqual({
      status: 409,
      body: { detail: 'An account with this email already exists' },
    })
    expect(await emailOf()).toBe(EMAIL)
  })

  test.each([
    ['', 'Please enter your email address'],
    ['asha', 'Please enter a valid email address'],
    [EMAIL, 'This is your email address already'],
  ])('is not “%s”: %s', async (email, detail) => {
    const { call } = await openInstallation()
    expect(await call('', { email })).toEqual({ status: 400, body: { detail } })
  })

  test('has no more mails sent to it than a stranger could, from a known device neither', async () => {
    const { call, mails, advance, deps, owner } = await openInstallation()
    const statuses: number[] = []
    for (let n = 0; n < 6; n++) {
      const fresh = await deps.sessions.start(owner)
      statuses.push((await call('', { email: NEW }, fresh)).status)
      advance(601)
    }
    expect(statuses).toEqual([200, 200, 200, 200, 429, 429])
    expect(mails.filter(({ to }) => to === NEW)).toHaveLength(4)
  })

  test('of twenty uses of a code at once, one changes it', async () => {
    const { call, mails, wayBack, db } = await openInstallation()
    await call('', { email: NEW })
    const otp = mailedOtp({ mails })
    expect(await raceStatuses(() => call('/verify', { otp }))).toEqual({ 200: 1, 400: 19 })
    expect(await db.selectFrom('email_ways_back').selectAll().execute()).toHaveLength(1)
    expect(wayBack()).not.toBe('')
  })

  test('ends what the earlier mailbox opened: its codes, and sign-ins with Google', async () => {
    const { change, db, owner, ask } = await openInstallation()
    await post({ ask }, 'forgot-password', { contact: EMAIL })
    const identity = { issuer: 'https://accounts.example', subject: '1', account_id: owner.id }
    await db
      .insertInto('google_identities')
      .values({ ...identity, created_at: '2026' })
      .execute()
    await change()
    expect(await db.selectFrom('google_identities').selectAll().execute()).toEqual([])
    expect(await db.selectFrom('one_time_codes').selectAll().execute()).toEqual([])
  })
})

describe('the first verified email of an account', () => {
  test('ends the password of the person who registered it, and keeps the session that typed the code', async () => {
    const { change, db, owner, ask, deps, mails } = await openInstallation({
      email_verified_at: null,
    })
    const other = await deps.sessions.start(owner)
    expect((await change()).status).toBe(200)
    const row = await db.selectFrom('accounts').selectAll().executeTakeFirstOrThrow()
    expect(row).toMatchObject({ email: NEW, password_hash: null })
    expect(row.email_verified_at).not.toBeNull()
    expect((await ask('GET', '/api/auth/me', { as: owner })).status).toBe(200)
    expect((await ask('GET', '/api/auth/me', { as: other })).status).toBe(401)
    expect(mails.map(({ to }) => to)).not.toContain(EMAIL)
  })

  test('waits while a reset by the owner of the code is not confirmed', async () => {
    const { call, db, owner, emailOf } = await openInstallation({ email_verified_at: null })
    const at = '2026-11-20T09:00:00.000Z'
    const question = { account_id: owner.id, approved_by: 'Ravi', reset_at: at, devices_before: at }
    await db
      .insertInto('reset_questions')
      .values({ ...question, denied_at: null })
      .execute()
    const { status, body } = await call('', { email: NEW })
    expect(status).toBe(403)
    expect(body.detail).toMatch(/^Your password was reset, and nobody has confirmed it yet/)
    expect(await emailOf()).toBe(EMAIL)
  })
})

describe('the way back', () => {
  test('opens a page that changes nothing, and its button gives the address back', async () => {
    const { change, emailOf, ask, wayBack, takeBack, owner, mails } = await openInstallation()
    await change()
    const page = await ask('GET', wayBack())
    expect(page.headers.get('Referrer-Policy')).toBe('no-referrer')
    expect(await page.text()).toContain(EMAIL)
    expect(await emailOf()).toBe(NEW)
    const taken = await takeBack()
    expect([taken.status, taken.headers.get('Location')]).toEqual([303, '/login?taken_back=1'])
    expect(await emailOf()).toBe(EMAIL)
    expect((await ask('GET', '/api/auth/me', { as: owner })).status).toBe(401)
    const { status } = await post({ ask }, 'login', { contact: EMAIL, password: PASSWORD })
    expect(status).toBe(401)
    expect(mails.at(-1)).toMatchObject({
      to: EMAIL,
      subject: 'Your DriveQR account has this email again',
    })
  })

  test('works for 72 hours', async () => {
    const { change, advance, ask, wayBack, takeBack, emailOf } = await openInstallation()
    await change()
    advance(72 * HOUR - 1)
    expect((await ask('GET', wayBack())).status).toBe(200)
    advance(1)
    expect((await ask('GET', wayBack())).status).toBe(404)
    expect((await takeBack()).status).toBe(404)
    expect(await emailOf()).toBe(NEW)
  })

  test('of twenty presses at once one works, and none later', async () => {
    const { change, takeBack, wayBack } = await openInstallation({})
    await change()
    const path = wayBack()
    expect(await raceStatuses(() => takeBack(path), 9)).toEqual({ 303: 1, 404: 8 })
    expect((await takeBack(path)).status).not.toBe(303)
  })

  test('of the first of several changes undoes them all, and of a later one not the first', async () => {
    const { change, wayBack, takeBack, emailOf, advance, deps, owner } = await openInstallation()
    await change()
    const first = wayBack()
    advance(HOUR)
    const fresh = await deps.sessions.start({ ...owner })
    expect((await change('thief@example.in', fresh)).status).toBe(200)
    const second = wayBack()
    expect((await takeBack(second)).status).toBe(303)
    expect(await emailOf()).toBe(NEW)
    expect((await takeBack(first)).status).toBe(303)
    expect(await emailOf()).toBe(EMAIL)
  })

  test('keeps an account that was deleted since, which its later address alone was mailed about', async () => {
    const { change, takeBack, ask, owner, wayBack, advance, deps, mails } = await openInstallation()
    await change()
    const path = wayBack()
    const deletion = { as: owner, json: { email: NEW } }
    expect((await ask('POST', '/api/account/deletion', deletion)).status).toBe(200)
    expect((await takeBack(path)).status).toBe(303)
    const sent = await post({ ask }, 'forgot-password', { contact: EMAIL })
    expect(sent.status).toBe(200)
    const otp = mailedOtp({ mails })
    const reset = { contact: EMAIL, otp, password: 'another horse' }
    expect((await post({ ask }, 'reset-password', reset)).status).toBe(200)
    advance(8 * 24 * HOUR)
    await removeDeleted(deps)
    const login = await post({ ask }, 'login', { contact: EMAIL, password: 'another horse' })
    expect(login.status).toBe(200)
  })

  test('is not in the database, nor in the log', async () => {
    const { change, wayBack, db, logged } = await openInstallation()
    await change()
    const token = wayBack().split('/').at(-1) ?? ''
    expect(token).toHaveLength(43)
    expect(
      JSON.stringify(await db.selectFrom('email_ways_back').selectAll().execute()),
    ).not.toContain(token)
    expect(logged.join()).not.toContain(token)
  })
})
