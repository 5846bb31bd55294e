import { expect, test } from 'vitest'
import { makePageToken } from '#actions/conversations/page-token.ts'
import type { Db } from '#db/client.ts'
import { otpFrom, post } from '#tests/support/accounts.ts'
import { openTestApp, PASSWORD } from '#tests/support/app.ts'
import { insertCode } from '#tests/support/codes.ts'
import { CHILD, UNCLAIMED } from '#tests/support/families.ts'
import { fileForm, PDF } from '#tests/support/uploads.ts'

const HIDDEN =
  '\u202e\u2066\u2069\u200e\u200f\u061c\u200b\u2060\ufeff\u00ad\u0000\u0007\u009b\u3164'
const ONE_LINE = `A${HIDDEN}B\r\nC\u2028D`
const hostile = (n: number | string) => `${ONE_LINE} ${n}`
/** Emoji and Indic scripts are spelt with joiners, and keep them. */
const SPELT = 'क्\u200dष 👨‍👩‍👧'

const NOT_SHOWN = /(?![\n\u200c\u200d])[\p{Cc}\p{Cf}\p{Zl}\p{Zp}\u3164]/u

/** All texts of the database that people see. */
async function readTexts(db: Db) {
  const tables = ['accounts', 'qr_codes', 'admin_messages', 'promo_codes', 'api_keys'] as const
  const written = ['conversations', 'conversation_messages', 'reports'] as const
  const others = ['documents', 'upgrade_requests', ...written] as const
  const read = [...tables, ...others].map(async (table) => {
    const rows = await db.selectFrom(table).selectAll().execute()
    return rows.flatMap((row) =>
      Object.entries(row).map(([column, value]) => [`${table}.${column}`, value] as const),
    )
  })
  return (await Promise.all(read)).flat()
}

const SEVERAL_LINES = /\.(public_message|notes_instructions|content|notes|decision_notes|text)$/

test('no field of any form keeps a hidden character, or a line break where there is one line', async () => {
  const app = await openTestApp({ env: { RATE_LIMITS: 'off' } })
  const { db, ask, signUp } = app
  const owner = await signUp({ subscription_plan: 'enterprise', role: 'super_admin' })
  const [unclaimed, child] = [
    await insertCode(db, owner.id, UNCLAIMED),
    await insertCode(db, owner.id, CHILD),
  ]
  const send = async (method: string, path: string, json: object) => {
    const answer = await ask(method, `/api${path}`, { as: owner, json })
    expect([path, answer.status, answer.status < 300 ? '' : await answer.text()]).toEqual([
      path,
      expect.any(Number),
      '',
    ])
    return answer.json()
  }
  const details = {
    owner_name: hostile('owner'),
    contact_phone: '98450\u202e 12345',
    email: '\u200easha@example.in\u200f',
    city_area: hostile('city'),
    public_message: `${ONE_LINE}\n${SPELT}`,
    emergency_contact_name: hostile('emergency'),
    emergency_contact_phone: '98450 12346',
  }
  const made = await send('POST', '/qr/create', {
    ...details,
    vehicle_registration: 'MH12\u202e QX4827',
    vehicle_make_model: hostile('model'),
    driving_license_number: hostile('licence'),
    insurance_policy_number: hostile('policy'),
    company_fleet_name: hostile('fleet'),
    notes_instructions: ONE_LINE,
  })
  expect(made.public_message).toBe(`AB\nC\nD\n${SPELT}`)
  expect(made.owner_name).toBe('AB C D owner')
  await send('PUT', `/qr/${made.qr_id}`, { city_area: hostile('edited') })
  await ask('POST', '/api/qr/claim', { json: { ...details, qr_id: unclaimed.qr_id } })
  await send('POST', '/qr/child-register', {
    qr_id: child.qr_id,
    name: hostile('child'),
    contact: '\u200e98140 12345',
    password: PASSWORD,
    city_area: hostile('child city'),
  })
  const email = 'fresh@example.in'
  const otp = await otpFrom(app, 'send-otp', { email })
  const { body } = await post(app, 'verify-otp', {
    email,
    otp,
    name: hostile('account'),
    password: PASSWORD,
  })
  expect(body.user.name).toBe('AB C D account')
  await send('POST', '/api-keys', { name: hostile('key') })
  await send('POST', '/admin/messages', { title: hostile('title'), content: ONE_LINE })
  await send('POST', '/admin/promo-codes', {
    code: 'SAFE10',
    description: hostile('promo'),
    child_qr_quantity: 1,
    usage_limit: 1,
  })
  const free = await signUp()
  const wish = {
    payment_method: hostile('pay'),
    payment_reference: hostile('ref'),
    notes: ONE_LINE,
  }
  const asked = await ask('POST', '/api/subscription/upgrade', { as: free, json: wish })
  const { request_id } = await asked.json()
  await send('POST', `/admin/upgrade-requests/${request_id}/reject`, { notes: ONE_LINE })
  await send('PUT', `/qr/${made.qr_id}/lost`, {
    lost: true,
    note: hostile('note'),
    reward: hostile('reward'),
  })
  const soon = new Date(app.deps.clock().getTime() - 5_000)
  await send('POST', `/scan/${made.qr_id}/messages`, {
    page_token: makePageToken(app.deps.secretKey, made.qr_id, soon),
    reason: 'found',
    text: ONE_LINE,
    place: hostile('place'),
    name: hostile('finder'),
  })
  const { id } = await db.selectFrom('conversations').select('id').executeTakeFirstOrThrow()
  await send('POST', `/conversations/${id}/messages`, { text: ONE_LINE })
  await send('POST', `/conversations/${id}/report`, { reason: 'spam', text: ONE_LINE })
  await send('POST', `/scan/${made.qr_id}/report`, { reason: 'spam', text: ONE_LINE })
  const upload = await ask('POST', `/api/documents/upload/${made.qr_id}`, {
    as: owner,
    body: fileForm(PDF, { document_type: 'puc' }, `A${HIDDEN}fdp.exe`),
  })
  expect(upload.status).toBe(201)
  const texts = await readTexts(db)
  const wrong = texts.filter(
    ([place, value]) =>
      typeof value === 'string' &&
      (NOT_SHOWN.test(value) || (value.includes('\n') && !SEVERAL_LINES.test(place))),
  )
  expect(wrong).toEqual([])
  // All sent texts are there: none was left out.
  expect(texts.filter(([, value]) => String(value).startsWith('AB')).length).toBeGreaterThan(28)
})

test('a field of hidden characters alone is an empty one', async () => {
  const { ask, signUp } = await openTestApp()
  const as = await signUp()
  for (const owner_name of [HIDDEN, '\u3164', '\u2800', '\u200d\u200c', '\u034f\ufe0f']) {
    const json = { owner_name, contact_phone: '9845012345' }
    const answer = await ask('POST', '/api/qr/create', { as, json })
    expect(await answer.json()).toEqual({ detail: 'Please enter the full name' })
  }
})

test('forms without script keep none either', async () => {
  const { ask, signUp, db } = await openTestApp()
  const owner = await signUp({ subscription_plan: 'enterprise' })
  const { qr_id } = await insertCode(db, owner.id, UNCLAIMED)
  const form = { owner_name: ONE_LINE, contact_phone: '9845012345' }
  const headers = { 'Sec-Fetch-Site': 'same-origin' }
  const cookie = { ...headers, cookie: owner.cookie }
  await ask('POST', `/claim?qr=${qr_id}`, { body: new URLSearchParams(form), headers })
  await ask('POST', '/dashboard/qr', { body: new URLSearchParams(form), headers: cookie })
  const names = await db.selectFrom('qr_codes').select('owner_name').execute()
  expect(names).toEqual([{ owner_name: 'AB C D' }, { owner_name: 'AB C D' }])
})

test('a search finds what is written without the hidden characters that were copied with it', async () => {
  const app = await openTestApp()
  const owner = await app.signUp({ role: 'super_admin', subscription_plan: 'premium' })
  await insertCode(app.db, owner.id, { owner_name: 'Ayesha Siddiqui' })
  await app.signUp({ name: 'Ayesha Siddiqui' })
  const q = encodeURIComponent('Aye\u200bsha\u202e Siddiqui\ufeff')
  const pages = ['dashboard?tab=my-qrs', 'dashboard?tab=analytics', 'admin?tab=users']
  for (const page of [...pages, 'admin?tab=qr-codes', 'admin-dashboard?tab=users']) {
    const headers = { cookie: owner.cookie }
    const html = await (await app.ask('GET', `/${page}&q=${q}`, { headers })).text()
    expect(html, page).toContain('Ayesha Siddiqui')
    expect(html, page).not.toMatch(/No [^<]*found/)
    expect(html, page).not.toContain('\u202e')
  }
})
