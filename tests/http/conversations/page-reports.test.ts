import { expect, test } from 'vitest'
import type { PageSnapshot } from '#db/conversations/page-reports.ts'
import { openTestApp } from '#tests/support/app.ts'
import { HELD, insertCode } from '#tests/support/codes.ts'
import { CHILD, registeredChild, UNCLAIMED } from '#tests/support/families.ts'
import { thingsOf } from '#tests/support/things.ts'

async function openPage(fields: Parameters<typeof insertCode>[2] = {}) {
  const app = await openTestApp()
  const owner = await app.signUp()
  const code = await insertCode(app.db, owner.id, {
    vehicle_registration: 'MH12QX4827',
    driving_license_number: 'SECRET-LICENCE',
    pin_hash: 'SECRET-PIN',
    ...fields,
  })
  const path = `/scan/${code.qr_id}/report`
  const send = (form: Record<string, string>, query = '') =>
    app.ask('POST', path + query, { body: new URLSearchParams(form) })
  return { ...app, owner, code, path, send, reports: () => readReports(app) }
}

async function readReports({ db }: Pick<Awaited<ReturnType<typeof openTestApp>>, 'db'>) {
  const rows = await db.selectFrom('reports').selectAll().orderBy('created_at').execute()
  return rows.map((row) => ({ ...row, snapshot: JSON.parse(row.snapshot) as PageSnapshot }))
}

test('the form asks what is wrong', async () => {
  const { ask, path, deps } = await openPage()
  const answer = await ask('GET', path)
  const html = await answer.text()
  expect(answer.status).toBe(200)
  for (const said of [
    'A moderator reads it. The owner is not told who you are.',
    'It threatens somebody',
    'It is advertising',
    'It is offensive',
    'It tries to cheat people',
    'Something else',
  ]) {
    expect(html).toContain(said)
  }
  expect(html).not.toMatch(/<script|\son\w+=/i)
  const { hash } = deps.assets.inlined.report
  expect(answer.headers.get('content-security-policy')).toBe(
    `default-src 'none'; style-src ${hash}; img-src 'self' data:; form-action 'self'; base-uri 'none'; frame-ancestors 'none'`,
  )
  expect(answer.headers.get('referrer-policy')).toBe('no-referrer')
  expect(await (await ask('GET', `${path}?lang=hi`)).text()).toContain('क्या ग़लत है?')
})

test('the addresses of one IPv6 network send no more than two of them may', async () => {
  const { ask, code } = await openPage()
  const statuses: number[] = []
  for (let n = 0; n < 11; n++) {
    const peer = `2001:db8:9:${n.toString(16)}::1`
    const json = { reason: 'spam' }
    statuses.push((await ask('POST', `/api/scan/${code.qr_id}/report`, { json, peer })).status)
  }
  expect(statuses).toEqual([...Array.from({ length: 10 }, () => 201), 429])
})

test('a report holds what the page showed, and nothing else', async () => {
  const app = await openPage()
  const things = thingsOf(app, app.owner)
  const [shown, hidden] = [await things.image(), await things.image()]
  const { db } = app
  await db.updateTable('popup_images').set({ is_active: 0 }).where('id', '=', hidden).execute()
  await things.message()
  const answer = await app.send({ reason: 'fraud', text: 'It asks to pay\u202e ₹500.' })
  expect([answer.status, answer.headers.get('Location')]).toEqual([303, `${app.path}?sent=1`])
  const thanks = await (await app.ask('GET', `${app.path}?sent=1`)).text()
  expect(thanks).toContain('A moderator will look at the page.')
  const [report] = await app.reports()
  expect(report).toMatchObject({
    kind: 'page',
    reason: 'fraud',
    text: 'It asks to pay ₹500.',
    qr_id: app.code.qr_id,
    account_id: app.owner.id,
    status: 'open',
    created_at: '2026-11-20T10:00:00.000Z',
  })
  expect(report?.snapshot).toMatchObject({
    fields: { owner_name: 'Ramesh Kulkarni', vehicle_registration: 'MH12QX4827', has_pin: true },
    images: [{ id: shown, stored_name: expect.stringMatching(/\.png$/) }],
    messages: [{ title: 'Closed', content: 'Until Monday' }],
  })
  expect(JSON.stringify(report?.snapshot)).not.toMatch(/SECRET|owner_id/)
})

test('a report of a page in relay holds no number, no address and no vehicle', async () => {
  const app = await openPage({
    contact_mode: 'relay',
    show_vehicle: 0,
    email: 'ramesh@example.in',
  })
  await app.send({ reason: 'spam' })
  const [report] = await app.reports()
  expect(report?.snapshot.fields).toMatchObject({ owner_name: 'Ramesh', contact_mode: 'relay' })
  expect(JSON.stringify(report)).not.toMatch(/98765|ramesh@|Kulkarni|QX4827/)
})

test('a claimer’s page is reported without the issuer’s images', async () => {
  const app = await openPage(HELD)
  await thingsOf(app, app.owner).image()
  await app.send({ reason: 'spam' })
  expect((await app.reports())[0]?.snapshot.images).toEqual([])
})

test('the page of a child code is its child user’s', async () => {
  const app = await openTestApp()
  const parent = await app.signUp({ subscription_plan: 'premium' })
  const { qr_id, child_account_id } = await registeredChild(app, parent.id)
  const answer = await app.ask('POST', `/api/scan/${qr_id}/report`, { json: { reason: 'spam' } })
  expect([answer.status, await answer.json()]).toEqual([201, { message: 'Report sent' }])
  expect(await readReports(app)).toMatchObject([{ account_id: child_account_id, text: null }])
})

test.each([
  ['', 'x', 'Please choose what is wrong', 'कृपया चुनें कि क्या ग़लत है'],
  ['boring', 'x', 'Please choose what is wrong', 'कृपया चुनें कि क्या ग़लत है'],
  ['spam', 'x'.repeat(501), 'Text must be at most 500 characters', 'यह बहुत लंबा है'],
])('a report with reason %j is refused and keeps what was typed', async (reason, text, en, hi) => {
  const { send, reports, ask, code } = await openPage()
  for (const [query, words] of [
    ['', en],
    ['?lang=hi', hi],
  ] as const) {
    const answer = await send({ reason, text }, query)
    const html = await answer.text()
    expect([answer.status, html.includes(words)]).toEqual([400, true])
    expect(html).toContain(`>${text}</textarea>`)
    expect(
      /value="spam" checked|checked="" value="spam"/.test(html) ||
        /id="spam"[^>]*checked/.test(html),
    ).toBe(reason === 'spam')
  }
  const called = await ask('POST', `/api/scan/${code.qr_id}/report`, { json: { reason, text } })
  expect(called.status).toBe(400)
  expect(await reports()).toEqual([])
})

test('the other language keeps what was typed, and sends nothing', async () => {
  const { send, reports, path } = await openPage()
  const answer = await send({ reason: 'threat', text: 'It says', lang: 'hi' })
  const html = await answer.text()
  expect(answer.status).toBe(200)
  expect(html).toMatch(/id="threat"[^>]*checked/)
  expect(html).toContain('>It says</textarea>')
  expect(html).toContain(`action="${path}"`)
  expect(await reports()).toEqual([])
})

test('a form that is sent again because its answer was lost makes one report', async () => {
  const { ask, path, send, reports } = await openPage()
  const keyOf = (html: string) => /name="form_key" value="([^"]+)"/.exec(html)?.[1] ?? ''
  const form_key = keyOf(await (await ask('GET', path)).text())
  expect(keyOf(await (await ask('GET', path)).text())).not.toBe(form_key)
  const refused = await send({ form_key, text: 'Asks for money' })
  expect(keyOf(await refused.text())).toBe(form_key)
  const typed = { form_key, reason: 'fraud', text: 'Asks for money' }
  for (let n = 0; n < 2; n++) expect((await send(typed)).status).toBe(303)
  expect(await reports()).toHaveLength(1)
  await send({ ...typed, text: 'Asks for money twice' })
  expect(await reports()).toHaveLength(2)
  for (let n = 0; n < 2; n++) await send({ ...typed, form_key: '' })
  expect(await reports()).toHaveLength(4)
})

test('an address reports five times an hour, and keeps what it typed the sixth time', async () => {
  const { send, reports, advance } = await openPage()
  for (let n = 0; n < 5; n++) expect((await send({ reason: 'spam' })).status).toBe(303)
  const answer = await send({ reason: 'spam', text: 'Again' })
  const html = await answer.text()
  expect([answer.status, html.includes('>Again</textarea>')]).toEqual([429, true])
  expect(Number(answer.headers.get('Retry-After'))).toBeGreaterThan(60)
  expect(await reports()).toHaveLength(5)
  advance(3600)
  expect((await send({ reason: 'spam' })).status).toBe(303)
})

test('twenty reports at once are five', async () => {
  const { send, reports } = await openPage()
  const answers = await Promise.all(Array.from({ length: 20 }, () => send({ reason: 'spam' })))
  expect(answers.filter(({ status }) => status === 303)).toHaveLength(5)
  expect(await reports()).toHaveLength(5)
})

test('only pages that show how to reach somebody can be reported', async () => {
  const app = await openPage()
  for (const fields of [UNCLAIMED, CHILD, { is_active: 0 } as const]) {
    const { qr_id } = await insertCode(app.db, app.owner.id, fields)
    for (const path of [`/scan/${qr_id}/report`, '/scan/none/report']) {
      expect((await app.ask('GET', path)).status).toBe(404)
      const body = new URLSearchParams({ reason: 'spam' })
      expect((await app.ask('POST', path, { body })).status).toBe(404)
    }
    const json = { reason: 'spam' }
    expect((await app.ask('POST', `/api/scan/${qr_id}/report`, { json })).status).toBe(404)
  }
  expect(await app.reports()).toEqual([])
})
