import { expect, test } from 'vitest'
import { EMAIL, post } from '#tests/support/accounts.ts'
import { openTestApp, PASSWORD } from '#tests/support/app.ts'
import { insertCode } from '#tests/support/codes.ts'
import { CHILD, UNCLAIMED } from '#tests/support/families.ts'
import { countEach } from '#tests/support/races.ts'

const FORM = { name: 'Gurleen Kaur', contact: '98140 12345', password: 'first horse' }
const TAKEN = [409, { detail: 'An account with this contact already exists' }]

async function openChildCode(fields = {}) {
  const app = await openTestApp()
  const parent = await app.signUp({ subscription_plan: 'premium' })
  const { qr_id } = await insertCode(app.db, parent.id, { ...CHILD, ...fields })
  const register = async (json: object = {}, peer?: string) => {
    const sent = { qr_id, ...FORM, ...json }
    const answer = await app.ask('POST', '/api/qr/child-register', { json: sent, peer })
    return [answer.status, await answer.json()]
  }
  const accounts = () => app.db.selectFrom('accounts').selectAll().orderBy('created_at').execute()
  const login = async (contact: string, password = 'first horse') => {
    const { status, body } = await post(app, 'login', { contact, password })
    return { status, as: { bearerToken: body.session_token }, user: body.user }
  }
  const stored = () =>
    app.db.selectFrom('qr_codes').selectAll().where('qr_id', '=', qr_id).executeTakeFirstOrThrow()
  return { ...app, parent, qr_id, register, accounts, login, stored }
}

test('a child registers with a mobile number and signs in with it in any spelling', async () => {
  const { register, login, ask, parent, qr_id } = await openChildCode()
  expect(await register()).toEqual([201, { success: true }])
  const { user, as } = await login('+91 98140-12345')
  expect(user).toMatchObject({
    name: 'Gurleen Kaur',
    mobile: '+919814012345',
    email: null,
    parent_id: parent.id,
    role: 'client',
    subscription_plan: 'free',
  })
  const own = await (await ask('GET', '/api/qr/my-qrs', { as })).json()
  expect(own).toMatchObject([{ qr_id, is_child_registered: true, is_claimed: true }])
  const seen = await (await ask('GET', '/api/qr/my-qrs', { as: parent })).json()
  expect(seen).toMatchObject([{ qr_id, child_name: 'Gurleen Kaur', owner_id: parent.id }])
  const page = await (await ask('GET', `/api/scan/${qr_id}`)).json()
  expect(page).toMatchObject({ owner_name: 'Gurleen Kaur', contact_phone: '+919814012345' })
})

test.each(['', null])('an empty contact type is a mobile number: %j', async (contact_type) => {
  const { register, login } = await openChildCode()
  expect((await register({ contact_type }))[0]).toBe(201)
  expect((await login('98140 12345')).user.mobile).toBe('+919814012345')
})

test('a child registers with an e-mail, which finders see and no number', async () => {
  const { register, login, stored } = await openChildCode()
  const sent = { contact_type: 'email', contact: ' Gurleen@Example.in ', city_area: 'Ludhiana' }
  expect((await register(sent))[0]).toBe(201)
  expect((await login('GURLEEN@example.in')).status).toBe(200)
  expect(await stored()).toMatchObject({
    email: 'gurleen@example.in',
    contact_phone: null,
    city_area: 'Ludhiana',
  })
})

test('fields of the parent stay on the code where the child writes nothing', async () => {
  const { register, stored } = await openChildCode({
    vehicle_registration: 'PB10AB1234',
    emergency_contact_name: 'Imran',
    owner_name: 'For Gurleen',
  })
  await register({ city_area: 'Ludhiana' })
  expect(await stored()).toMatchObject({
    vehicle_registration: 'PB10AB1234',
    emergency_contact_name: 'Imran',
    owner_name: 'Gurleen Kaur',
    city_area: 'Ludhiana',
    public_message: 'This key belongs to a wonderful human being. Thank you for scanning!',
  })
})

test('the first broken rule answers, in the order of the specification', async () => {
  const { register, accounts } = await openChildCode()
  const email = { contact_type: 'email' }
  const steps: [object, string][] = [
    [{ name: '  ', contact: '', password: '' }, 'Please enter your name'],
    [{ contact: ' ', password: '' }, 'Please enter your mobile number or email'],
    [{ ...email, contact: 'gurleen@', password: '' }, 'Please enter a valid email address'],
    [{ contact: '98140', password: '' }, 'Please enter a valid mobile number'],
    [{ contact: 'gurleen@example.in' }, 'Please enter a valid mobile number'],
    [{ contact: '++++++++++' }, 'Please enter a valid mobile number'],
    [{ password: '' }, 'Please enter a password'],
    [{ password: '12345' }, 'Password must be at least 6 characters long'],
    [{ confirm_password: 'other' }, 'Passwords do not match'],
    [{ contact_type: 'pigeon' }, 'contact_type must be mobile or email'],
    [{ emergency_contact_phone: '1' }, 'Please enter a valid emergency contact phone'],
  ]
  for (const [broken, detail] of steps) {
    expect(await register(broken)).toEqual([400, { detail }])
  }
  expect(await accounts()).toHaveLength(1)
})

test('a contact that has an account is refused in every spelling, its password untouched', async () => {
  const { register, signUp, login, stored } = await openChildCode()
  await signUp({ email: EMAIL, mobile: '+919814012345' })
  for (const contact of ['9814012345', '098140 12345', '+91-98140-12345']) {
    expect(await register({ contact })).toEqual(TAKEN)
  }
  expect(await register({ contact_type: 'email', contact: EMAIL.toUpperCase() })).toEqual(TAKEN)
  expect((await login(EMAIL, PASSWORD)).status).toBe(200)
  expect(await stored()).toMatchObject({ is_child_registered: 0, child_account_id: null })
})

test('of twenty registrations at once one wins, and no other leaves an account', async () => {
  const { register, accounts, stored } = await openChildCode()
  // Each from a network of its own, because those that come late are counted.
  const calls = Array.from({ length: 20 }, (_, n) =>
    register({ name: `Child ${n}`, contact: `98140123${n + 10}` }, `198.51.${n}.7`),
  )
  // A caller who finds the queue for hashing full, or waits in it for too long, is asked to try
  // again: their number depends on the machine.
  const {
    201: won,
    409: lost = 0,
    503: busy = 0,
  } = countEach((await Promise.all(calls)).map(([s]) => s))
  expect(won).toBe(1)
  expect(lost).toBeGreaterThan(0)
  expect(lost + busy).toBe(19)
  const all = await accounts()
  expect(all).toHaveLength(2)
  const child = all.find(({ parent_id }) => parent_id !== null)
  expect(await stored()).toMatchObject({
    child_account_id: child?.id,
    owner_name: child?.name,
    contact_phone: child?.mobile,
  })
})

test('one contact that registers two codes at once gets one of them', async () => {
  const { register, db, parent, accounts } = await openChildCode()
  const other = await insertCode(db, parent.id, CHILD)
  const both = await Promise.all([register(), register({ qr_id: other.qr_id })])
  expect(both.map(([status]) => status).sort()).toEqual([201, 409])
  expect(await accounts()).toHaveLength(2)
})

test('no other code can be registered', async () => {
  const { register, db, parent, advance } = await openChildCode()
  const unknown = [404, { detail: 'QR code not found' }]
  for (const fields of [{}, UNCLAIMED, { ...CHILD, is_active: 0 }]) {
    const { qr_id } = await insertCode(db, parent.id, fields)
    expect(await register({ qr_id })).toEqual(unknown)
  }
  advance(3600)
  for (const qr_id of ['', '7K3MQ9WD4XTP', undefined]) {
    expect(await register({ qr_id })).toEqual(unknown)
  }
  await register()
  const late = await register({ contact: '9814099999' })
  expect(late).toEqual([409, { detail: 'This QR code has already been registered' }])
})

test('a child user edits its own code, deletes none and sees nothing else of its parent', async () => {
  const { register, login, ask, db, parent, qr_id } = await openChildCode()
  await register()
  const { as } = await login('9814012345')
  const family = await insertCode(db, parent.id)
  const edit = await ask('PUT', `/api/qr/${qr_id}`, { as, json: { city_area: 'Ludhiana' } })
  expect(await edit.json()).toMatchObject({ city_area: 'Ludhiana' })
  expect((await ask('DELETE', `/api/qr/${qr_id}`, { as })).status).toBe(403)
  for (const [method, path] of [
    ['PUT', family.qr_id],
    ['DELETE', family.qr_id],
    ['GET', `${family.qr_id}/download`],
  ] as const) {
    const answer = await ask(method, `/api/qr/${path}`, {
      as,
      ...(method === 'PUT' && { json: { city_area: 'x' } }),
    })
    expect([method, answer.status]).toEqual([method, 404])
  }
  const child = await ask('POST', '/api/qr/child-create', { as, json: { quantity: 1 } })
  expect(child.status).toBe(402)
  expect((await ask('DELETE', `/api/qr/${qr_id}`, { as: parent })).status).toBe(200)
})

test('ten contacts an hour can be probed, one after another or all at once', async () => {
  for (const atOnce of [false, true]) {
    const { register, parent } = await openChildCode()
    const probe = { contact_type: 'email', contact: parent.email }
    const answers: unknown[] = []
    if (atOnce)
      answers.push(...(await Promise.all(Array.from({ length: 200 }, () => register(probe)))))
    else for (let n = 0; n < 30; n++) answers.push(await register(probe))
    const told = answers.filter((answer) => JSON.stringify(answer) === JSON.stringify(TAKEN))
    expect(told).toHaveLength(10)
    expect((await register())[0]).toBe(429)
  }
})

test('a network probes a code twenty times a day, and a registration from another network succeeds', async () => {
  const app = await openTestApp()
  const parent = await app.signUp()
  const { qr_id } = await insertCode(app.db, parent.id, CHILD)
  const register = async (peer: string, contact: object) => {
    const json = { ...FORM, qr_id, ...contact }
    return (await app.ask('POST', '/api/qr/child-register', { json, peer })).status
  }
  const probe = (peer: string) => register(peer, { contact_type: 'email', contact: parent.email })
  const statuses: number[] = []
  for (let n = 0; n < 40; n++) statuses.push(await probe(`203.0.113.${n}`))
  expect(countEach(statuses)).toEqual({ 409: 20, 429: 20 })
  expect(await probe('198.51.100.7')).toBe(409)
  expect(await register('198.51.100.8', {})).toBe(201)
})
