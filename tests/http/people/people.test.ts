import { describe, expect, test } from 'vitest'
import { INVITATION_DAYS } from '#domain/accounts/invitation.ts'
import { DAY } from '#domain/rate-limits.ts'
import { countAccounts, post, WITH_MAIL } from '#tests/support/accounts.ts'
import { openTestApp, PASSWORD, type TestApp } from '#tests/support/app.ts'
import { insertCode } from '#tests/support/codes.ts'

const EMAIL = 'meera@example.in'
const NEW = { name: 'Meera Kulkarni', password: PASSWORD }

/** An owner on premium, and calls that are read. */
async function openPeople(options: Parameters<typeof openTestApp>[0] = {}) {
  const app = await openTestApp(options)
  const owner = await app.signUp({ subscription_plan: 'premium', name: 'Ramesh Kulkarni' })
  const code = await insertCode(app.db, owner.id, { vehicle_registration: 'MH12QX4827' })
  type As = Parameters<TestApp['ask']>[2]
  const call = async (method: string, path: string, options: As = {}) => {
    const answer = await app.ask(method, `/api${path}`, options)
    return { status: answer.status, body: await answer.json() }
  }
  const invite = (json: object = {}, as: object = owner) =>
    call('POST', '/people', {
      as: as as typeof owner,
      json: { email: EMAIL, role: 'member', scope: 'all', ...json },
    })
  const people = async () => (await call('GET', '/people', { as: owner })).body
  const tokenIn = (url: string) => `/people/invitations/${url.split('/').at(-1)}`
  const mailedToken = () =>
    tokenIn(/\/invite\/[\w-]{43}/.exec(app.mails.at(-1)?.text ?? '')?.[0] ?? '')
  const accountOf = (email = EMAIL) =>
    app.db.selectFrom('accounts').selectAll().where('email', '=', email).executeTakeFirst()
  return { ...app, owner, code, call, invite, people, tokenIn, mailedToken, accountOf }
}

describe('a person', () => {
  test('is invited, looks, accepts, is changed and leaves', async () => {
    const { call, invite, people, owner, code, tokenIn, signUp } = await openPeople()
    const made = await invite({
      email: ' Meera@EXAMPLE.in ',
      scope: { qr_id: code.qr_id.toLowerCase() },
    })
    expect(made).toMatchObject({ status: 201, body: { email: EMAIL } })
    const link = tokenIn(made.body.url)
    const scope = { qr_id: code.qr_id }
    expect((await people()).invitations).toMatchObject([
      { email: EMAIL, role: 'member', scope, was_mailed: false },
    ])
    expect(await call('GET', link)).toMatchObject({
      status: 200,
      body: {
        owner_name: 'Ramesh Kulkarni',
        role: 'member',
        scope,
        vehicle_registration: 'MH12QX4827',
      },
    })
    const meera = await signUp({ email: EMAIL, name: 'Meera' })
    const ravi = await signUp()
    expect((await call('POST', `${link}/accept`, { as: ravi })).status).toBe(403)
    expect((await call('POST', `${link}/accept`, { as: meera })).status).toBe(200)
    expect((await call('GET', link)).status).toBe(404)
    const [person] = (await people()).people
    expect(person).toMatchObject({
      name: 'Meera',
      email: EMAIL,
      role: 'member',
      scope,
      is_asleep: false,
    })
    const seen = (as: typeof meera) => call('GET', '/people', { as })
    expect((await seen(meera)).body.helping).toMatchObject([
      { owner_name: 'Ramesh Kulkarni', role: 'member', scope },
    ])
    const change = { as: owner, json: { role: 'manager', scope: 'all' } }
    expect((await call('PATCH', `/people/${person.id}`, change)).status).toBe(200)
    expect((await people()).people).toMatchObject([{ role: 'manager', scope: 'all' }])
    expect((await call('DELETE', `/shared/${person.id}`, { as: ravi })).status).toBe(404)
    expect((await call('DELETE', `/shared/${person.id}`, { as: meera })).status).toBe(200)
    expect((await people()).people).toEqual([])
  })

  test.each([
    [{ scope: 'some' }, 400, 'scope must be'],
    [{ scope: { qr_id: 'AAAA2222', company_fleet_name: 'x' } }, 400, 'scope must be'],
    [{ role: 'owner' }, 400, 'role must be manager, member or viewer'],
    [{ email: 'nobody' }, 400, 'email'],
    [{ scope: { qr_id: 'nothing' } }, 404, 'QR code not found'],
    [{ scope: { company_fleet_name: 'Nobody' } }, 404, 'No code has this company'],
  ])('is not invited with %j', async (json, status, detail) => {
    const { invite, people } = await openPeople()
    const refused = await invite(json)
    expect(refused.status).toBe(status)
    expect(refused.body.detail).toContain(detail)
    expect((await people()).invitations).toEqual([])
  })

  test('above the number of the plan is refused with the count and the limit', async () => {
    const { invite, signUp } = await openPeople()
    const free = await signUp()
    expect((await invite({}, free)).status).toBe(201)
    expect(await invite({ email: 'ravi@example.in' }, free)).toMatchObject({
      status: 402,
      body: { detail: { message: 'People limit reached (1/1)', current_count: 1, limit: 1 } },
    })
  })

  test('counts without a limit where there are no plans', async () => {
    const { invite, signUp } = await openPeople({ env: { PLANS: 'off' } })
    const free = await signUp()
    for (let n = 0; n < 7; n++) {
      expect((await invite({ email: `p${n}@example.in` }, free)).status).toBe(201)
    }
  })
})

describe('the link of an invitation', () => {
  test('is mailed and not shown, and makes an account with a verified address', async () => {
    const { call, invite, people, mails, mailedToken, accountOf } = await openPeople(WITH_MAIL)
    expect((await invite()).body.url).toBeNull()
    expect(mails.at(-1)).toMatchObject({
      to: EMAIL,
      subject: 'You are asked to help with QR codes',
    })
    expect((await call('POST', `${mailedToken()}/accept`)).status).toBe(400)
    expect((await call('POST', `${mailedToken()}/accept`, { json: NEW })).status).toBe(200)
    expect(await accountOf()).toMatchObject({ name: NEW.name })
    expect((await accountOf())?.email_verified_at).not.toBeNull()
    expect((await people()).people).toMatchObject([{ name: NEW.name, role: 'member' }])
    expect(mails.at(-1)?.subject).toBe('A person helps you now')
  })

  test('that is shown ends the mailed one, and makes an account with an unproven address', async () => {
    const app = await openPeople(WITH_MAIL)
    const { call, invite, owner, mailedToken, tokenIn, accountOf } = app
    const { id } = (await invite()).body
    const first = mailedToken()
    const { body } = await call('POST', `/people/${id}/link`, { as: owner })
    expect((await call('POST', `${first}/accept`, { json: NEW })).status).toBe(404)
    expect((await call('POST', `${tokenIn(body.url)}/accept`, { json: NEW })).status).toBe(200)
    expect((await accountOf())?.email_verified_at).toBeNull()
    expect((await post(app, 'login', { contact: EMAIL, password: PASSWORD })).status).toBe(200)
  })

  test('changes nothing when it is opened, and is declined without an account', async () => {
    const { call, invite, people, owner, mails, mailedToken } = await openPeople(WITH_MAIL)
    await invite()
    const link = mailedToken()
    for (let n = 0; n < 3; n++) expect((await call('GET', link)).status).toBe(200)
    expect((await call('POST', `${link}/decline`)).status).toBe(200)
    expect((await call('POST', `${link}/decline`)).status).toBe(404)
    expect(await people()).toEqual({ people: [], helping: [], invitations: [] })
    expect(mails.at(-1)).toMatchObject({ to: owner.email, subject: 'Your invitation was declined' })
  })

  test('makes no account for an address that has one, and no second account', async () => {
    const app = await openPeople(WITH_MAIL)
    await app.invite()
    await app.signUp({ email: EMAIL })
    const before = await countAccounts(app)
    expect(await app.call('POST', `${app.mailedToken()}/accept`, { json: NEW })).toMatchObject({
      status: 409,
      body: { detail: 'An account with this email already exists. Please log in.' },
    })
    expect(await countAccounts(app)).toBe(before)
  })

  test.each([
    ['open', 200],
    ['invite', 200],
    ['closed', 403],
  ])('with REGISTRATION=%s answers a new person %i', async (REGISTRATION, status) => {
    const app = await openPeople({ env: { ...WITH_MAIL.env, REGISTRATION } })
    await app.invite()
    expect((await app.call('POST', `${app.mailedToken()}/accept`, { json: NEW })).status).toBe(
      status,
    )
    expect((await app.accountOf()) !== undefined).toBe(status === 200)
  })

  test('ends after seven days', async () => {
    const { call, invite, advance, mailedToken } = await openPeople(WITH_MAIL)
    await invite()
    const link = mailedToken()
    advance(INVITATION_DAYS * DAY)
    expect((await call('GET', link)).status).toBe(404)
    expect((await call('POST', `${link}/accept`, { json: NEW })).status).toBe(404)
  })

  test('is the same to mail whether the address has an account, a blocked one, or none', async () => {
    const { db, invite, signUp } = await openPeople(WITH_MAIL)
    await signUp({ email: 'has@example.in' })
    const { id } = await signUp({ email: 'blocked@example.in' })
    await db.updateTable('accounts').set({ is_active: 0 }).where('id', '=', id).execute()
    const answers = []
    for (const name of ['has', 'blocked', 'none']) {
      const { status, body } = await invite({ email: `${name}@example.in` })
      answers.push({ status, fields: Object.keys(body), url: body.url })
    }
    expect(answers[1]).toEqual(answers[0])
    expect(answers[2]).toEqual(answers[0])
  })
})

test('both sides are mailed when a share changes and when it ends', async () => {
  const { call, invite, people, owner, signUp, mails, mailedToken } = await openPeople(WITH_MAIL)
  const meera = await signUp({ email: EMAIL, name: 'Meera' })
  await invite()
  await call('POST', `${mailedToken()}/accept`, { as: meera })
  const [{ id }] = (await people()).people
  const told = async (act: () => Promise<unknown>) => {
    const before = mails.length
    await act()
    return mails.slice(before).map(({ to, subject }) => [to, subject])
  }
  const both = (subject: string) => [
    [owner.email, subject],
    [EMAIL, subject],
  ]
  const change = { as: owner, json: { role: 'viewer' } }
  expect(await told(() => call('PATCH', `/people/${id}`, change))).toEqual(
    both('Shared QR codes: the help was changed'),
  )
  expect(mails.at(-1)?.text).toContain('You help “Ramesh” with all QR codes as a viewer now.')
  expect(await told(() => call('DELETE', `/people/${id}`, { as: owner }))).toEqual(
    both('Shared QR codes: the help has ended'),
  )
})

test('the shares of a person who is blocked end, and those of a blocked owner sleep', async () => {
  const { db, call, invite, owner, signUp, mailedToken, ask } = await openPeople(WITH_MAIL)
  const admin = await signUp({ role: 'admin' })
  const meera = await signUp({ email: EMAIL, name: 'Meera' })
  await invite()
  await call('POST', `${mailedToken()}/accept`, { as: meera })
  const set = (user_id: string, permission_type: string) =>
    ask('POST', '/api/admin/users/permissions', { as: admin, json: { user_id, permission_type } })
  await set(owner.id, 'blocked')
  expect((await db.selectFrom('shares').selectAll().execute()).length).toBe(1)
  await set(owner.id, 'client')
  await set(meera.id, 'blocked')
  expect(await db.selectFrom('shares').selectAll().execute()).toEqual([])
})
