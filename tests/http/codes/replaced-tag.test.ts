import { describe, expect, test } from 'vitest'
import { hashPin } from '#db/codes/pins.ts'
import { replaceQrCode } from '#db/codes/replacing.ts'
import { formatQrId } from '#domain/codes/qr-id.ts'
import { loadCatalogue } from '#locales/catalogue.ts'
import { LANGS } from '#locales/languages.ts'
import { browserOf } from '#tests/support/browser.ts'
import { openConversations } from '#tests/support/conversations.ts'
import { registeredChild } from '#tests/support/families.ts'
import { tokenIn } from '#tests/support/finder.ts'
import { fileForm, PDF } from '#tests/support/uploads.ts'

const DETAILS = {
  owner_name: 'Ramesh Kulkarni',
  email: 'ramesh@example.in',
  city_area: 'Kothrud',
  emergency_contact_name: 'Sunita',
  emergency_contact_phone: '+919000012345',
  blood_group: 'AB+',
  vehicle_make_model: 'Swift',
  company_fleet_name: 'Deccan',
  public_message: 'Call my wife',
  lost_since: '2026-11-18T08:00:00.000Z',
  lost_note: 'Red strap',
  lost_reward: '₹2,000',
}
/** A holder of the old tag must read none of these. */
const SECRETS =
  /Ramesh|Kulkarni|43210|kothrud|Sunita|90000|AB\+|Swift|Deccan|wife|MH ?12|4827|strap|2,000/i

async function openReplaced() {
  const app = await openConversations({ code: DETAILS })
  const { ask, db, deps, owner, qr_id: old } = app
  await db.updateTable('accounts').set({ subscription_plan: 'premium' }).execute()
  const now = await replaceQrCode(db, owner, old, deps.clock())
  const look = async (path: string, headers: Record<string, string> = {}) => {
    const answer = await ask('GET', path, { headers })
    return { status: answer.status, html: await answer.text(), answer }
  }
  const scans = () => db.selectFrom('scans').selectAll().orderBy('n').execute()
  return { ...app, old, now: now.qr_id, look, scans, page: `/scan/${old}` }
}

describe('the page of a tag that was replaced', () => {
  test('says so, offers Message owner, and shows no detail and not the new id', async () => {
    const { look, page, now } = await openReplaced()
    const { status, html } = await look(page)
    expect(status).toBe(200)
    expect(html).toContain('<h1>This tag was replaced</h1>')
    expect(html).toContain('you can still reach them')
    expect(html).toMatch(new RegExp(`<a class="b call" href="${page}/message">.*Message owner`))
    expect(html).toContain(`href="${page}/report"`)
    expect(html).not.toMatch(SECRETS)
    for (const id of [now, formatQrId(now)]) expect(html).not.toContain(id)
  })

  test('says it in eleven languages', async () => {
    const { look, page } = await openReplaced()
    const titles = new Set<string>()
    for (const lang of LANGS) {
      const { scan } = await loadCatalogue(lang)
      const { html } = await look(`${page}?lang=${lang}`)
      expect(html).toContain(`<h1>${scan.replaced}</h1>`)
      expect(html).toContain(scan.messageOwner)
      titles.add(scan.replaced)
    }
    expect(titles.size).toBe(11)
  })

  test('is found by each of several earlier ids', async () => {
    const { look, old, now, db, deps, owner } = await openReplaced()
    const last = await replaceQrCode(db, owner, now, deps.clock())
    for (const id of [old, now]) {
      expect((await look(`/scan/${id}`)).html).toContain('This tag was replaced')
    }
    expect((await look(`/scan/${last.qr_id}`)).html).toContain('Ramesh')
  })

  test('is not found while the code is off, and a blocked owner gets no message', async () => {
    const { look, page, db, owner, now } = await openReplaced()
    const set = (is_active: 0 | 1) => db.updateTable('qr_codes').set({ is_active }).execute()
    await set(0)
    expect(await look(page)).toMatchObject({ status: 404 })
    await set(1)
    await db.updateTable('accounts').set({ is_active: 0 }).where('id', '=', owner.id).execute()
    const { status, html } = await look(page)
    expect(status).toBe(200)
    expect(html).toContain('This tag was replaced')
    expect(html).toContain('Messages to the owner are not possible now.')
    expect(html).not.toContain('/message"')
    expect((await look(`${page}/message`)).status).toBe(404)
    await db.deleteFrom('qr_codes').where('qr_id', '=', now).execute()
    expect((await look(page)).status).toBe(404)
  })

  test('welcomes its owner, and is the finder’s page in a preview', async () => {
    const { look, page, owner, scans } = await openReplaced()
    const { html } = await look(page, { cookie: owner.cookie })
    expect(html).toContain('Welcome Back')
    const preview = await look(`${page}?preview=1`, { cookie: owner.cookie })
    expect(preview.html).toContain('This tag was replaced')
    expect(await scans()).toEqual([])
  })

  test('has the brand of its account, and nothing else of it', async () => {
    const { ask, look, page, owner } = await openReplaced()
    const json = { brand_name: 'Neel Motors', colour: '#0f4c96' }
    expect((await ask('PUT', '/api/branding', { as: owner, json })).status).toBe(200)
    const { html } = await look(page)
    expect(html).toContain('Neel Motors')
    expect(html).toContain('class="branded"')
    expect(html).not.toMatch(SECRETS)
  })

  test('of a child code leads to its child user', async () => {
    const app = await openConversations()
    const child = await registeredChild(app, app.owner.id)
    const viewer = { id: child.child_account_id ?? '', parent_id: app.owner.id }
    const { qr_id } = await replaceQrCode(app.db, viewer, child.qr_id, app.deps.clock())
    const html = await (await app.ask('GET', `/scan/${child.qr_id}`)).text()
    expect(html).toContain('This tag was replaced')
    expect(html).not.toMatch(/Gurleen|98140/)
    const { id } = await app.begin({}, { of: child.qr_id })
    const row = app.db.selectFrom('conversations').selectAll().where('id', '=', id)
    expect(await row.executeTakeFirstOrThrow()).toMatchObject({
      account_id: child.child_account_id,
      qr_id,
      replaced_id: child.qr_id,
    })
  })
})

describe('by its old id a code', () => {
  test('is not found by the calls that show it, nor by the police page, a claim or a registration', async () => {
    const { ask, look, old, db, deps, owner, scans } = await openReplaced()
    await ask('POST', `/api/documents/upload/${old}`, {
      as: owner,
      body: fileForm(PDF, { document_type: 'puc', is_public: 'true' }),
    })
    const pin_hash = hashPin(deps.secretKey, old, '4711')
    await db.updateTable('qr_codes').set({ pin_hash }).execute()
    const paths = ['', '/popup']
    for (const path of paths) {
      const answer = await ask('GET', `/api/scan/${old}${path}`)
      expect([path, answer.status]).toEqual([path, 404])
    }
    const unlock = await ask('POST', `/api/scan/${old}/unlock`, { json: { pin: '4711' } })
    expect(unlock.status).toBe(404)
    const typed = await ask('POST', `/scan/${old}`, { body: new URLSearchParams({ pin: '4711' }) })
    expect(await typed.text()).toContain('This tag was replaced')
    expect((await ask('GET', `/api/documents/${old}/police`)).status).toBe(404)
    const police = await look(`/police/${old}`)
    expect([police.status, police.html.match(SECRETS)]).toEqual([404, null])
    for (const page of ['claim', 'child-register']) {
      const { answer } = await look(`/${page}?qr=${old}`)
      expect(answer.headers.get('Location')).toBe(`/scan/${old}`)
    }
    for (const call of ['PUT', 'DELETE']) {
      const json = call === 'PUT' ? { json: { city_area: 'Pune' } } : {}
      expect((await ask(call, `/api/qr/${old}`, { as: owner, ...json })).status).toBe(404)
    }
    expect(await scans()).toEqual([])
  })

  test('is written to, and the finder learns neither a detail nor the new id', async () => {
    const { ask, look, page, old, now, db, advance, seen, owner } = await openReplaced()
    const form = await look(`${page}/message`)
    expect([form.status, form.html.match(SECRETS)]).toEqual([200, null])
    expect(form.html).toContain('tel:112')
    advance(5)
    const body = new FormData()
    body.set('page_token', tokenIn(form.html))
    body.set('reason', 'found')
    body.set('text', 'It lay on the road.')
    const sent = await ask('POST', `${page}/message`, { body })
    expect(sent.status).toBe(303)
    const place = sent.headers.get('Location') ?? ''
    const conversation = await look(place)
    expect(conversation.html).toContain('It lay on the road.')
    expect(conversation.html).toContain(`href="${page}/report"`)
    expect(conversation.html).not.toMatch(SECRETS)
    expect(conversation.html).not.toContain(now)
    expect(await seen(place.slice('/c/'.length))).toMatchObject({ qr_id: old, owner_name: null })
    const row = await db.selectFrom('conversations').selectAll().executeTakeFirstOrThrow()
    expect(row).toMatchObject({ qr_id: now, replaced_id: old, account_id: owner.id })
    const listed = await (await ask('GET', '/api/conversations', { as: owner })).json()
    expect(listed.conversations).toMatchObject([{ qr_id: now, vehicle_registration: 'MH12QX4827' }])
  })

  test('is written to by the call too', async () => {
    const { ask, old, send, rowOf, tokenOf, now } = await openReplaced()
    expect((await ask('GET', `/api/scan/${old}/message`)).status).toBe(200)
    const { status, body } = await send({}, { of: old })
    expect(status).toBe(201)
    expect(await rowOf(tokenOf(body))).toMatchObject({ qr_id: now, replaced_id: old })
  })

  test('can be reported, on its page and by the call', async () => {
    const { ask, look, page, old, now, db, signUp } = await openReplaced()
    expect((await look(`${page}/report`)).html).not.toMatch(SECRETS)
    const form = await ask('POST', `${page}/report`, {
      body: new URLSearchParams({ reason: 'fraud' }),
    })
    expect([form.status, form.headers.get('Location')]).toEqual([303, `${page}/report?sent=1`])
    const call = await ask('POST', `/api/scan/${old}/report`, { json: { reason: 'spam' } })
    expect(call.status).toBe(201)
    const reports = await db.selectFrom('reports').select(['qr_id', 'kind']).execute()
    expect(reports).toEqual([
      { qr_id: now, kind: 'page' },
      { qr_id: now, kind: 'page' },
    ])
    // Moderators see what that page showed, and nothing of the one that has replaced it.
    const as = await signUp({ role: 'moderator' })
    const read = await (await ask('GET', '/api/reports', { as })).text()
    const { html } = await look('/dashboard?tab=reports', { cookie: as.cookie })
    expect(read + html).not.toMatch(SECRETS)
    expect(html.match(/This tag was replaced/g)).toHaveLength(2)
  })
})

test('a conversation from before the replacement no longer shows the owner of the code', async () => {
  const app = await openConversations({ code: DETAILS })
  const { token } = await app.begin()
  expect(await app.seen(token)).toMatchObject({ vehicle_registration: 'MH12QX4827' })
  const { qr_id } = await replaceQrCode(app.db, app.owner, app.qr_id, app.deps.clock())
  const html = await (await app.ask('GET', `/c/${token}`)).text()
  expect(html).toContain('I have your keys.')
  expect(html).not.toMatch(SECRETS)
  expect(html).not.toContain(qr_id)
})

describe('the owner of a replaced code', () => {
  test('replaces it by the call, and reads which ids lead here', async () => {
    const { ask, owner, qr_id: old } = await openConversations()
    const answer = await ask('POST', `/api/qr/${old}/replace`, { as: owner })
    const code = await answer.json()
    expect([answer.status, code.replaces]).toEqual([200, [old]])
    expect(code.qr_id).not.toBe(old)
    const [mine] = await (await ask('GET', '/api/qr/my-qrs', { as: owner })).json()
    expect(mine).toEqual(code)
    const again = await ask('POST', `/api/qr/${old}/replace`, { as: owner })
    expect([again.status, await again.json()]).toEqual([404, { detail: 'QR code not found' }])
  })

  test('sees the scans of the old tag, marked', async () => {
    const { ask, owner, old, now, look, page, scans, advance } = await openReplaced()
    await look(`/scan/${now}`)
    advance(60)
    await look(page)
    expect((await scans()).map(({ qr_id, replaced_id }) => [qr_id, replaced_id])).toEqual([
      [now, null],
      [now, old],
    ])
    const analytics = await (await ask('GET', `/api/scan/${now}/analytics`, { as: owner })).json()
    expect(analytics).toMatchObject({
      total_scans: 2,
      recent_scans: [
        { scanned_at: '2026-11-20T10:01:00.000Z', replaced_id: old },
        { scanned_at: '2026-11-20T10:00:00.000Z', replaced_id: null },
      ],
    })
    const tab = await look('/dashboard?tab=analytics', { cookie: owner.cookie })
    expect(tab.html).toContain(`Replaced tag ${formatQrId(old)}`)
    expect(tab.html).toContain(`Replaced tags: ${formatQrId(old)}`)
    const card = await look('/dashboard', { cookie: owner.cookie })
    expect(card.html).toContain(formatQrId(old))
    const found = await ask('GET', `/api/qr/my-qrs?page=1&search=${formatQrId(old)}`, { as: owner })
    expect(await found.json()).toMatchObject([{ qr_id: now }])
  })

  test('learns in the dialogs of a child code that finders write to its user', async () => {
    const app = await openConversations()
    const { qr_id, child_account_id } = await registeredChild(app, app.owner.id)
    const read = async (dialog: string, cookie = app.owner.cookie) =>
      (await app.ask('GET', `/dashboard?${dialog}=${qr_id}`, { headers: { cookie } })).text()
    expect(await read('replace')).toContain('can write to Gurleen Kaur, but sees none')
    expect(await read('transfer')).toContain('the messages stay with Gurleen Kaur,')
    const id = child_account_id ?? ''
    const row = app.db.selectFrom('accounts').selectAll().where('id', '=', id)
    const child = await app.deps.sessions.start(await row.executeTakeFirstOrThrow())
    const own = await read('replace', `driveqr=${child.cookieToken}`)
    expect(own).toContain('can write to you, but sees none')
  })

  test('replaces it on its card, without script', async () => {
    const app = await openConversations()
    const { owner, qr_id: old } = app
    const { read, submit } = browserOf(app, owner)
    expect(await read('/dashboard')).toContain(`replace=${old}`)
    const dialog = await read(`/dashboard?tab=my-qrs&replace=${old}`)
    expect(dialog).toContain('Replace this tag?')
    expect(dialog).toContain(`action="/dashboard/qr/${old}/replace"`)
    const { status, to } = await submit(`/dashboard/qr/${old}/replace`)
    expect(status).toBe(303)
    expect(to).toMatch(/^\/dashboard\?tab=my-qrs&done=replaced&at=qr-\w{12}$/)
    expect(await read(to ?? '')).toContain('QR code replaced. Print its new label.')
    // The answer may have been lost: the new tag must not be replaced too.
    expect((await submit(`/dashboard/qr/${old}/replace`)).to).toBe(to)
  })
})
