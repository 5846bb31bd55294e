import { describe, expect, test } from 'vitest'
import { printCodes } from '#db/codes/qr-creation.ts'
import { formatQrId } from '#domain/codes/qr-id.ts'
import { openTestApp } from '#tests/support/app.ts'
import { browserOf } from '#tests/support/browser.ts'
import { HELD, insertCode } from '#tests/support/codes.ts'
import { CHILD, UNCLAIMED } from '#tests/support/families.ts'

const REQUIRED = { owner_name: 'Ramesh Kulkarni', contact_phone: '98765 43210' }
const RELAY = { contact_mode: 'relay' } as const
const ALL_OFF = { contact_mode: 'relay', show_vehicle: false, show_city: false } as const
const PUBLIC = { contact_mode: 'public', show_vehicle: true, show_city: true } as const

async function openChoices(env: Record<string, string> = {}) {
  const app = await openTestApp({ env })
  const owner = await app.signUp({ subscription_plan: 'premium' })
  const call = async (method: string, path: string, json: object, as = true) => {
    const answer = await app.ask(method, path, { json, ...(as && { as: owner }) })
    return { status: answer.status, body: await answer.json() }
  }
  const { read, submit } = browserOf(app, owner)
  const row = async (qr_id: string) => {
    const code = app.db.selectFrom('qr_codes').selectAll().where('qr_id', '=', qr_id)
    const { contact_mode, show_vehicle, show_city } = await code.executeTakeFirstOrThrow()
    return { contact_mode, show_vehicle: show_vehicle === 1, show_city: show_city === 1 }
  }
  return { ...app, owner, call, read, submit, row }
}

describe('the owner’s choice', () => {
  test('is public and shows everything, unless the owner says otherwise', async () => {
    const { call, row } = await openChoices()
    const made = await call('POST', '/api/qr/create', REQUIRED)
    expect(made.body).toMatchObject(PUBLIC)
    const other = await call('POST', '/api/qr/create', { ...REQUIRED, ...ALL_OFF })
    expect([other.status, other.body]).toMatchObject([201, ALL_OFF])
    expect(await row(other.body.qr_id)).toEqual(ALL_OFF)
  })

  test('is changed where it is sent, and stays where it is not', async () => {
    const { call, row, db, owner } = await openChoices()
    const { qr_id } = await insertCode(db, owner.id, { city_area: 'Pune' })
    const put = (json: object) => call('PUT', `/api/qr/${qr_id}`, json)
    expect((await put({ show_city: false })).body).toMatchObject({ ...PUBLIC, show_city: false })
    expect((await put(RELAY)).body).toMatchObject({ ...PUBLIC, ...RELAY, show_city: false })
    expect((await put({ city_area: 'Nashik' })).body).toMatchObject(RELAY)
    expect(await row(qr_id)).toEqual({
      contact_mode: 'relay',
      show_vehicle: true,
      show_city: false,
    })
    expect((await put(PUBLIC)).body).toMatchObject(PUBLIC)
  })

  test('is refused with a sentence when it is no choice', async () => {
    const { call, db, owner } = await openChoices()
    const { qr_id } = await insertCode(db, owner.id)
    const unclaimed = await insertCode(db, owner.id, UNCLAIMED)
    const child = await insertCode(db, owner.id, CHILD)
    const registration = { name: 'Isha', contact: '98140 12345', password: 'canary horse' }
    const calls: [string, string, object][] = [
      ['POST', '/api/qr/create', REQUIRED],
      ['PUT', `/api/qr/${qr_id}`, {}],
      ['POST', '/api/qr/claim', { ...REQUIRED, qr_id: unclaimed.qr_id }],
      ['POST', '/api/qr/child-register', { ...registration, qr_id: child.qr_id }],
    ]
    for (const [method, path, json] of calls) {
      for (const contact_mode of ['hidden', '', null, 1]) {
        expect(await call(method, path, { ...json, contact_mode })).toEqual({
          status: 400,
          body: { detail: 'contact_mode must be public or relay' },
        })
      }
      for (const thing of ['phone', '', null, 1]) {
        expect(await call(method, path, { ...json, thing })).toEqual({
          status: 400,
          body: { detail: 'thing must be keys, vehicle, bag or other' },
        })
      }
      for (const name of ['show_vehicle', 'show_city']) {
        const { status, body } = await call(method, path, { ...json, [name]: 'yes' })
        expect([status, body.detail]).toEqual([400, `${name} must be true or false`])
      }
    }
  })

  test('comes with a claim and with a registration', async () => {
    const { call, row, db, owner } = await openChoices()
    const unclaimed = await insertCode(db, owner.id, UNCLAIMED)
    await call('POST', '/api/qr/claim', { ...REQUIRED, ...ALL_OFF, qr_id: unclaimed.qr_id })
    expect(await row(unclaimed.qr_id)).toEqual(ALL_OFF)
    const child = await insertCode(db, owner.id, { ...CHILD, ...RELAY })
    const json = { name: 'Isha', contact: '98140 12345', password: 'canary horse' }
    const sent = { ...json, qr_id: child.qr_id, show_city: false }
    expect((await call('POST', '/api/qr/child-register', sent)).status).toBe(201)
    expect(await row(child.qr_id)).toEqual({ ...PUBLIC, ...RELAY, show_city: false })
  })
})

describe('the thing with a code', () => {
  const openPage = (html: string) => ({
    title: html.match(/<title>(.*?) ·/)?.[1],
    heading: html.match(/<h1>(.*?)<\/h1>/)?.[1],
    greeting: decodeURIComponent(html.match(/text=([^"]*)"/)?.[1] ?? ''),
    subject: decodeURIComponent(html.match(/subject=([^"&]*)/)?.[1] ?? ''),
  })

  test('is in the heading, the WhatsApp text and the subject of the page, in its language', async () => {
    const { ask, call } = await openChoices()
    const json = { ...REQUIRED, email: 'ramesh@example.in' }
    const { body } = await call('POST', '/api/qr/create', json)
    expect(body.thing).toBe('keys')
    const look = async (lang: string) =>
      openPage(await (await ask('GET', `/scan/${body.qr_id}?lang=${lang}`)).text())
    expect(await look('en')).toMatchObject({ title: 'Found keys', heading: 'Found these keys?' })
    const put = (thing: string) => call('PUT', `/api/qr/${body.qr_id}`, { thing })
    expect((await put('bag')).body).toMatchObject({ ...PUBLIC, thing: 'bag' })
    expect(await look('en')).toEqual({
      title: 'Found bag',
      heading: 'Found this bag?',
      greeting: `Hello! I found your bag. I scanned the DriveQR code on it (${formatQrId(body.qr_id)}). How can I return it to you?`,
      subject: 'I found your bag',
    })
    expect((await look('hi')).heading).toBe('क्या आपको यह बैग मिला है?')
    await put('vehicle')
    expect((await look('en')).heading).toBe('Is it about this vehicle?')
    expect((await look('ur')).heading).toBe('کیا بات اس گاڑی کی ہے؟')
    await put('other')
    expect((await look('en')).heading).toBe('Found this?')
  })

  test('is in the message form, in the calls of the owner and in that of a scan', async () => {
    const { ask, db, owner } = await openChoices()
    const { qr_id } = await insertCode(db, owner.id, { thing: 'bag' })
    const form = await (await ask('GET', `/scan/${qr_id}/message`)).text()
    expect(form).toContain('I found this bag')
    expect(form).not.toContain('I found these keys')
    const mine = await (await ask('GET', '/api/qr/my-qrs', { as: owner })).json()
    expect(mine[0].thing).toBe('bag')
    expect((await (await ask('GET', `/api/scan/${qr_id}`)).json()).thing).toBe('bag')
  })

  test('is chosen in the form, and shown in its preview', async () => {
    const { submit, read, db, owner } = await openChoices()
    const { qr_id, updated_at } = await insertCode(db, owner.id)
    const sent = { ...REQUIRED, updated_at, thing: 'vehicle' }
    expect((await submit(`/dashboard/qr/${qr_id}`, sent)).status).toBe(303)
    const form = await read(`/dashboard?edit=${qr_id}`)
    expect(form).toContain('<option value="vehicle" selected="">Vehicle sticker</option>')
    expect(previewIn(form)).toContain('Is it about this vehicle?')
  })

  test('is forgotten when a claim is undone', async () => {
    const { call, db, owner } = await openChoices()
    const { qr_id } = await insertCode(db, owner.id, { ...HELD, thing: 'bag' })
    const undone = await call('POST', `/api/qr/${qr_id}/undo-claim`, {})
    expect([undone.status, undone.body.thing]).toEqual([200, 'keys'])
  })
})

describe('DEFAULT_CONTACT_MODE', () => {
  const RELAYED = { DEFAULT_CONTACT_MODE: 'relay' }

  test('is the mode of every code that is made without one, by any way', async () => {
    const { call, submit, db, owner, deps } = await openChoices(RELAYED)
    const before = await insertCode(db, owner.id)
    await call('POST', '/api/qr/create', REQUIRED)
    await call('POST', '/api/qr/bulk-create', { quantity: 2 })
    await call('POST', '/api/qr/child-create', { quantity: 2 })
    await submit('/dashboard/qr', REQUIRED)
    await submit('/dashboard/qr/bulk', { quantity: '1' })
    const making = { now: deps.clock(), contactMode: deps.config.defaultContactMode }
    const order = { ownerId: owner.id, qrType: 'normal', count: 1 } as const
    for await (const codes of printCodes(db, order, making)) expect(codes).toHaveLength(1)
    const made = db.selectFrom('qr_codes').select(['qr_id', 'contact_mode']).execute()
    const modes = (await made).map(({ qr_id, contact_mode }) => [
      qr_id === before.qr_id,
      contact_mode,
    ])
    expect(modes).toHaveLength(9)
    expect(modes.filter(([isOld]) => isOld)).toEqual([[true, 'public']])
    expect(modes.filter(([, mode]) => mode === 'relay')).toHaveLength(8)
  })

  test('is the first choice of forms, and the owner’s choice replaces it', async () => {
    const { read, owner, call, db } = await openChoices(RELAYED)
    const chosen = async (path: string) => {
      const radios = [
        ...(await read(path)).matchAll(/<input type="radio"[^>]*name="contact_mode"[^>]*>/g),
      ]
      return radios.map(([radio]) => radio).find((radio) => radio.includes('checked'))
    }
    expect(await chosen('/dashboard?create=1')).toContain('value="relay"')
    const unclaimed = await insertCode(db, owner.id, { ...UNCLAIMED, ...RELAY })
    const child = await insertCode(db, owner.id, { ...CHILD, ...RELAY })
    expect(await chosen(`/claim?qr=${unclaimed.qr_id}`)).toContain('value="relay"')
    expect(await chosen(`/child-register?qr=${child.qr_id}`)).toContain('value="relay"')
    const made = await call('POST', '/api/qr/create', { ...REQUIRED, contact_mode: 'public' })
    expect(await chosen(`/dashboard?edit=${made.body.qr_id}`)).toContain('value="public"')
  })

  test('is the mode of a code after its claim was undone', async () => {
    const { call, row, db, owner } = await openChoices(RELAYED)
    const off = { show_vehicle: 0, show_city: 0 } as const
    const { qr_id } = await insertCode(db, owner.id, { ...HELD, ...off })
    expect((await call('POST', `/api/qr/${qr_id}/undo-claim`, {})).status).toBe(200)
    expect(await row(qr_id)).toEqual({ ...PUBLIC, ...RELAY })
  })
})

describe('the forms without script', () => {
  test('save a tick that was taken away, and keep what they do not send', async () => {
    const { submit, row, db, owner } = await openChoices()
    const { qr_id, updated_at } = await insertCode(db, owner.id)
    const form = { ...REQUIRED, updated_at, contact_mode: 'relay', show_vehicle: '0' }
    expect((await submit(`/dashboard/qr/${qr_id}`, form)).status).toBe(303)
    const saved = { contact_mode: 'relay', show_vehicle: false, show_city: true }
    expect(await row(qr_id)).toEqual(saved)
    const { updated_at: now } = await db
      .selectFrom('qr_codes')
      .select('updated_at')
      .executeTakeFirstOrThrow()
    await submit(`/dashboard/qr/${qr_id}`, { ...REQUIRED, updated_at: now })
    expect(await row(qr_id)).toEqual(saved)
  })

  test('refuse what is no choice', async () => {
    const { submit, db, owner } = await openChoices()
    const unclaimed = await insertCode(db, owner.id, UNCLAIMED)
    for (const path of ['/dashboard/qr', `/claim?qr=${unclaimed.qr_id}`]) {
      const { status, html } = await submit(path, { ...REQUIRED, contact_mode: 'hidden' })
      expect(status).toBe(400)
      expect(html).toContain('contact_mode must be public or relay')
    }
    expect(await db.selectFrom('qr_codes').select('is_claimed').execute()).toEqual([
      { is_claimed: 0 },
    ])
  })

  test('show in the preview the view of a finder, with saved and sent values', async () => {
    const { read, submit, owner, db } = await openChoices()
    const { qr_id } = await insertCode(db, owner.id, {
      ...RELAY,
      show_vehicle: 0,
      email: 'ramesh@example.in',
      city_area: 'Kothrud',
      vehicle_registration: 'MH12QX4827',
    })
    const saved = previewIn(await read(`/dashboard?edit=${qr_id}`))
    expect(saved).toContain('Ramesh Kothrud Message owner No call, WhatsApp, SMS or email button')
    expect(saved).not.toMatch(/Kulkarni|MH 12|Call owner/)
    const refused = {
      owner_name: 'Asha Patil',
      contact_phone: '12',
      show_city: '0',
      city_area: 'Aundh',
    }
    const sent = previewIn((await submit('/dashboard/qr', refused)).html)
    expect(sent).toContain('Asha Patil Message owner')
    expect(sent).not.toContain('Aundh')
  })

  test('say to a claimer without an account that there is nobody to write to yet', async () => {
    const { ask, owner, db } = await openChoices()
    const { qr_id } = await insertCode(db, owner.id, { ...UNCLAIMED, ...RELAY })
    const said = '>Finders can write to you once this code is in an account.'
    const open = async (cookie = '') =>
      (await ask('GET', `/claim?qr=${qr_id}`, { headers: { cookie } })).text()
    const html = await open()
    expect(html).toContain(said)
    expect(previewIn(html)).not.toContain('Message owner')
    expect(await open(owner.cookie)).not.toContain(said)
    expect(previewIn(await open(owner.cookie))).toContain('Message owner')
  })
})

/** The words of the preview. */
function previewIn(html: string): string {
  const [, preview = ''] = html.match(/<section class="beside-view"(.*?)<\/section>/s) ?? []
  return preview.replaceAll(/<[^>]*>/g, ' ').replaceAll(/\s+/g, ' ')
}

describe('a moderator’s decision', () => {
  test('is not undone by the owner of the code', async () => {
    const { call, submit, db, owner } = await openChoices()
    const stopped = { is_active: 0, stopped_by_report: 'report' } as const
    const { qr_id } = await insertCode(db, owner.id, stopped)
    const detail = 'This QR code was deactivated by a moderator'
    expect(await call('PUT', `/api/qr/${qr_id}`, { is_active: true })).toEqual({
      status: 409,
      body: { detail },
    })
    expect((await submit(`/dashboard/qr/${qr_id}/active`, { is_active: '1' })).status).toBe(409)
    expect((await call('PUT', `/api/qr/${qr_id}`, { city_area: 'Pune' })).status).toBe(200)
    expect((await call('PUT', `/api/qr/${qr_id}`, { is_active: false })).status).toBe(200)
    const codes = await db.selectFrom('qr_codes').select('is_active').execute()
    expect(codes).toEqual([{ is_active: 0 }])
  })

  test('keeps an image hidden, which its owner can still delete', async () => {
    const { ask, db, owner } = await openChoices()
    const image = { account_id: owner.id, file_name: 'a.png', file_size: 1, width: 1, height: 1 }
    const row = { ...image, id: 'image', stored_name: 'a.webp', uploaded_at: owner.created_at }
    await db
      .insertInto('popup_images')
      .values({ ...row, is_active: 0, hidden_by_report: 'report' })
      .execute()
    const answer = await ask('PUT', '/api/popup-images/image/toggle', { as: owner })
    expect([answer.status, await answer.json()]).toEqual([
      409,
      { detail: 'This image was hidden by a moderator' },
    ])
    const kept = await db.selectFrom('popup_images').select('is_active').execute()
    expect(kept).toEqual([{ is_active: 0 }])
    expect((await ask('DELETE', '/api/popup-images/image', { as: owner })).status).toBe(200)
  })
})
