import { describe, expect, test } from 'vitest'
import { DEFAULT_CLAIM_MESSAGE, DEFAULT_PUBLIC_MESSAGE } from '#domain/codes/qr.ts'
import { en, loadCatalogue } from '#locales/catalogue.ts'
import { openTestApp } from '#tests/support/app.ts'
import { HELD, insertCode } from '#tests/support/codes.ts'
import { CHILD, UNCLAIMED } from '#tests/support/families.ts'

const FULL = {
  owner_name: 'Ramesh Kulkarni',
  email: 'ramesh@example.in',
  city_area: 'Pune',
  emergency_contact_phone: '+919000012345',
  blood_group: 'O+',
  vehicle_registration: 'MH12QX4827',
  vehicle_make_model: 'Swift',
  company_fleet_name: 'Deccan Cabs',
}

async function openRelay(fields: Parameters<typeof insertCode>[2] = {}) {
  const app = await openTestApp()
  const owner = await app.signUp()
  const code = await insertCode(app.db, owner.id, { ...FULL, contact_mode: 'relay', ...fields })
  const read = async (path: string) => (await app.ask('GET', path)).text()
  const look = (lang = 'en') => read(`/scan/${code.qr_id}?lang=${lang}`)
  const scan = async () => JSON.parse(await read(`/api/scan/${code.qr_id}`))
  const police = () => read(`/police/${code.qr_id}`)
  return { ...app, owner, code, look, scan, police }
}

const buttonsIn = (html: string) =>
  [...html.matchAll(/<a class="b[^"]*" href="([^"]*)"/g)].map(([, href]) => href)

const hi = await loadCatalogue('hi')

describe('a code whose owner is written to first', () => {
  test('offers one way to the owner, and the emergency contact', async () => {
    const { look, code } = await openRelay()
    const html = await look()
    expect(buttonsIn(html)).toEqual([`/scan/${code.qr_id}/message`, 'tel:112', 'tel:+919000012345'])
    expect(html).toContain('Message owner<small>No app, no login, no number</small>')
    expect(html).toContain('>Ramesh</h2>')
    expect(html).toContain('Your number stays hidden.')
    expect(html).toContain('O+')
    expect(html).not.toMatch(/Kulkarni|ramesh@|43210|wa\.me|sms:|mailto:/)
  })

  test('does not show the default message’s request to call, where finders cannot', async () => {
    const messages = async (public_message: string, contact_mode: 'relay' | 'public' = 'relay') => {
      const { look, scan } = await openRelay({ public_message, contact_mode })
      const shown = (await scan()).public_message
      expect(await look()).toContain(`>${shown}</blockquote>`)
      return shown
    }
    expect(await messages(DEFAULT_PUBLIC_MESSAGE)).toBe(DEFAULT_CLAIM_MESSAGE)
    expect(await messages(DEFAULT_PUBLIC_MESSAGE, 'public')).toBe(DEFAULT_PUBLIC_MESSAGE)
    expect(await messages('Please call my wife.')).toBe('Please call my wife.')
  })

  test('says so in Hindi, and leads to the form in Hindi', async () => {
    const { look, code } = await openRelay()
    const html = await look('hi')
    expect(html).toContain(`/scan/${code.qr_id}/message`)
    expect(html).toContain('मालिक को संदेश भेजें')
  })

  test('answers the API without number, e-mail and last name', async () => {
    const { scan } = await openRelay()
    expect(await scan()).toMatchObject({
      owner_name: 'Ramesh',
      contact_phone: null,
      email: null,
      emergency_contact_phone: '+919000012345',
      contact_mode: 'relay',
      can_message: true,
    })
  })

  test('shows authorities the plate and the way to write, and no number', async () => {
    const { police, code, ask } = await openRelay({ show_vehicle: 0 })
    const html = await police()
    expect(html).toContain('MH 12 QX 4827')
    expect(html).toContain(`href="/scan/${code.qr_id}/message"`)
    expect(html).toContain('by message')
    expect(html).not.toMatch(/Kulkarni|43210|tel:/)
    const answer = await ask('GET', `/api/documents/${code.qr_id}/police`)
    expect(await answer.json()).toEqual({
      owner_name: 'Ramesh',
      contact_phone: null,
      can_message: true,
      documents: [],
    })
  })

  test('shows its owner in the preview what a finder sees', async () => {
    const { ask, code, owner } = await openRelay()
    const headers = { cookie: owner.cookie }
    const html = await (await ask('GET', `/scan/${code.qr_id}?preview=1`, { headers })).text()
    expect(html).not.toMatch(/Kulkarni|43210/)
  })
})

describe('a vehicle or a city that is not shown', () => {
  test('is on no page, and the rest is', async () => {
    const { look, scan } = await openRelay({ contact_mode: 'public', show_vehicle: 0 })
    expect(await scan()).toMatchObject({
      vehicle_registration: null,
      vehicle_make_model: null,
      company_fleet_name: null,
      city_area: 'Pune',
      contact_phone: '+919876543210',
    })
    expect(await look()).not.toMatch(/Swift|Deccan|class="plate"/)
    const other = await openRelay({ contact_mode: 'public', show_city: 0 })
    expect(await other.scan()).toMatchObject({ city_area: null, vehicle_make_model: 'Swift' })
    expect(await other.look()).not.toContain('Pune')
  })
})

describe('the user to whom a finder can write', () => {
  test('is the owner, below the call, where finders can call', async () => {
    const { look, code, scan } = await openRelay({ contact_mode: 'public' })
    const html = await look()
    const [call, message] = buttonsIn(html)
    expect([call, message]).toEqual(['tel:+919876543210', `/scan/${code.qr_id}/message`])
    const nav = html.slice(html.indexOf('<nav class="act"'), html.indexOf('</nav>'))
    expect(buttonsIn(nav)).toEqual([call, message])
    expect(html).toContain('Without showing your number')
    expect(html).toContain('The owner can see this scan.')
    expect(await scan()).toMatchObject({ contact_mode: 'public', can_message: true })
  })

  test('is nobody where a claimer without an account holds the code, which is shown as public', async () => {
    const { look, scan, police } = await openRelay(HELD)
    expect(await scan()).toMatchObject({
      contact_mode: 'public',
      can_message: false,
      contact_phone: '+919876543210',
    })
    const html = await look()
    expect(html).toContain('Call owner')
    expect(html).not.toMatch(/Message owner|can see this scan|stays hidden/)
    expect(html).toContain('No app and no account needed.')
    expect(await police()).toContain('tel:+919876543210')
  })

  test('is nobody while the account is blocked, the owner’s or the child user’s', async () => {
    const { scan, db, owner, signUp } = await openRelay()
    const block = (id: string, is_active: 0 | 1) =>
      db.updateTable('accounts').set({ is_active }).where('id', '=', id).execute()
    await block(owner.id, 0)
    expect(await scan()).toMatchObject({ can_message: false })
    const child = await signUp({ parent_id: owner.id })
    const registered = { qr_type: 'child', is_child_registered: 1 } as const
    await db
      .updateTable('qr_codes')
      .set({ ...registered, child_account_id: child.id })
      .execute()
    expect(await scan()).toMatchObject({ can_message: true, contact_mode: 'relay' })
    await block(owner.id, 1)
    await block(child.id, 0)
    expect(await scan()).toMatchObject({ can_message: false })
  })

  test.each([en, hi])(
    'sees nothing more of the owner while the account is blocked, and that nobody answers ($lang)',
    async ({ lang, scan: words }) => {
      const { look, scan, police, ask, db, code } = await openRelay()
      await db.updateTable('accounts').set({ is_active: 0 }).execute()
      expect(await scan()).toMatchObject({
        owner_name: 'Ramesh',
        contact_phone: null,
        email: null,
        contact_mode: 'relay',
        can_message: false,
      })
      const html = await look(lang)
      expect(buttonsIn(html)).toEqual(['tel:112', 'tel:+919000012345'])
      expect(html).toContain(words.noMessages)
      expect(html).not.toContain(words.oneTap)
      const shown = await police()
      expect(shown).toContain('not possible now')
      expect(shown).not.toContain('/message')
      const form = await ask('GET', `/scan/${code.qr_id}/message?lang=${lang}`)
      expect(form.status).toBe(404)
      const report = await ask('POST', `/api/scan/${code.qr_id}/report`, {
        json: { reason: 'spam' },
      })
      expect(report.status).toBe(201)
      const reports = await db.selectFrom('reports').select('snapshot').execute()
      for (const text of [html, shown, await form.text(), JSON.stringify(reports)]) {
        expect(text).not.toMatch(/Kulkarni|ramesh@|43210/)
      }
    },
  )

  test.each([
    ['unclaimed', UNCLAIMED],
    ['unregistered', CHILD],
  ])('is nobody while the code is %s', async (_, fields) => {
    const { scan } = await openRelay(fields)
    expect(await scan()).toMatchObject({ can_message: false, contact_mode: 'public', lost: null })
  })
})

test('every page leads to the form that reports it', async () => {
  const { look, code } = await openRelay()
  expect(await look()).toContain(`href="/scan/${code.qr_id}/report">Report this page</a>`)
})

test('the issuer of a code that a claimer holds sees and finds no more than a finder', async () => {
  const { ask, owner, db } = await openRelay({ ...HELD, show_vehicle: 0, show_city: 0 })
  const search = async (text: string) =>
    (await ask('GET', `/api/qr/my-qrs?search=${text}`, { as: owner })).json()
  const hidden = { city_area: null, vehicle_registration: null, vehicle_make_model: null }
  expect(await search('Ramesh')).toMatchObject([hidden])
  for (const text of ['Pune', 'Swift', 'Deccan', 'MH12QX4827']) {
    expect(await search(text)).toEqual([])
  }
  await db.updateTable('qr_codes').set({ claimed_at: null }).execute()
  for (const text of ['Pune', 'Swift', 'Deccan', 'MH12QX4827']) {
    expect(await search(text)).toHaveLength(1)
  }
})
