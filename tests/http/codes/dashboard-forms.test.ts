import { describe, expect, test } from 'vitest'
import { openTestApp, type TestApp } from '#tests/support/app.ts'
import { browserOf } from '#tests/support/browser.ts'
import { insertCode } from '#tests/support/codes.ts'

const FILLED = { owner_name: 'Ramesh Kulkarni', contact_phone: '98765 43210' }

async function openForms(account: Parameters<TestApp['signUp']>[0] = {}) {
  const app = await openTestApp()
  const owner = await app.signUp(account)
  const post = (path: string, form: Record<string, string>, as = owner) =>
    browserOf(app, as).submit(`/dashboard/qr${path}`, form)
  const { read } = browserOf(app, owner)
  const codes = () => app.db.selectFrom('qr_codes').selectAll().execute()
  return { ...app, owner, post, read, codes }
}

describe('the forms of My QR Codes without script', () => {
  test('create a code and lead to its page', async () => {
    const { post, codes } = await openForms()
    const { status, to } = await post('?q=ram&page=2', { ...FILLED, optional_pin: '4829' })
    expect(status).toBe(303)
    const [made] = await codes()
    expect(to).toBe(`/dashboard/qr/${made?.qr_id}/made`)
    expect(await codes()).toMatchObject([{ owner_name: 'Ramesh Kulkarni', is_claimed: 1 }])
  })

  test('say at each field what is wrong, keep what was typed, and never repeat a PIN', async () => {
    const { post, codes } = await openForms()
    const { status, html } = await post('', {
      owner_name: '<i>Ramesh',
      contact_phone: '12',
      vehicle_registration: 'mh12qx4827',
      optional_pin: '7391a',
    })
    expect(status).toBe(400)
    expect(html).toContain('Please enter a valid mobile number')
    expect(html).toContain('PIN must be 4 to 6 digits')
    expect(html).toContain('value="&lt;i&gt;Ramesh"')
    expect(html).toContain('value="MH 12 QX 4827"')
    expect(html).not.toContain('7391a')
    expect(await codes()).toEqual([])
  })

  test('open the tab with the first problem', async () => {
    const { post } = await openForms()
    const { html } = await post('', { ...FILLED, optional_pin: '1' })
    expect(html).toMatch(/<input type="radio"[^>]*checked=""[^>]*value="Misc"/)
  })

  test('say when the plan allows no more', async () => {
    const { post, db, owner } = await openForms()
    await insertCode(db, owner.id)
    const { status, html } = await post('', FILLED)
    expect(status).toBe(402)
    expect(html).toContain('QR limit reached (1/1)')
    expect(html).toContain('value="Ramesh Kulkarni"')
  })

  test('make one code of a form that is sent again because its answer was lost', async () => {
    const { post, codes, read } = await openForms({ subscription_plan: 'premium' })
    const opened = await read('/dashboard?create=1')
    const [, form_key = ''] = opened.match(/name="form_key" value="([\w-]+)"/) ?? []
    const form = { ...FILLED, optional_pin: '4829', form_key }
    const twice = await Promise.all([post('', form), post('', form)])
    const [made] = await codes()
    for (const { to } of [...twice, await post('', form)]) {
      expect(to).toBe(`/dashboard/qr/${made?.qr_id}/made`)
    }
    expect(await codes()).toHaveLength(1)
    const refused = await post('', { ...form, owner_name: '' })
    expect(refused.html).toContain(`name="form_key" value="${form_key}"`)
    await post('', { ...form, owner_name: 'Meera' })
    await post('', FILLED)
    expect(await codes()).toHaveLength(3)
    expect((await post('', form)).to).toBe(`/dashboard/qr/${made?.qr_id}/made`)
  })

  test.each(['bulk', 'child'] as const)(
    'make the codes of a %s form once, also when it is sent again',
    async (kind) => {
      const { post, codes, read, db } = await openForms({ subscription_plan: 'premium' })
      const opened = await read(`/dashboard?${kind}=1`)
      const [, form_key = ''] = opened.match(/name="form_key" value="([\w-]+)"/) ?? []
      expect(form_key).toHaveLength(43)
      const answers = await Promise.all(
        [1, 2].map(() => post(`/${kind}`, { quantity: '3', form_key })),
      )
      const made = (await codes()).map(({ qr_id }) => qr_id).sort()
      expect(made).toHaveLength(3)
      for (const { status, to } of [
        ...answers,
        await post(`/${kind}`, { quantity: '3', form_key }),
      ]) {
        const named = new URL(to ?? '', 'http://page').searchParams.get('made')
        expect([status, named?.split(',').sort()]).toEqual([303, made])
      }
      const { child_qr_quota } = await db
        .selectFrom('accounts')
        .select('child_qr_quota')
        .executeTakeFirstOrThrow()
      expect(child_qr_quota).toBe(kind === 'child' ? 47 : 50)
      expect((await post(`/${kind}`, { quantity: '9999999999', form_key })).status).toBe(400)
      await post(`/${kind}`, { quantity: '2', form_key })
      await post(`/${kind}`, { quantity: '3' })
      expect(await codes()).toHaveLength(8)
    },
  )

  test('take a change again whose answer was lost, and no other one of an earlier state', async () => {
    const { post, db, owner, codes } = await openForms()
    const { qr_id, updated_at } = await insertCode(db, owner.id)
    const form = { ...FILLED, city_area: 'Nashik', optional_pin: '4829', updated_at }
    for (const _ of ['first', 'again']) expect((await post(`/${qr_id}`, form)).status).toBe(303)
    for (const other of [{ city_area: 'Pune' }, { optional_pin: '4820' }]) {
      const { status, html } = await post(`/${qr_id}`, { ...form, ...other })
      expect([status, html]).toEqual([409, expect.stringContaining('changed meanwhile')])
    }
    expect(await codes()).toMatchObject([{ city_area: 'Nashik' }])
  })

  test('lead no other account to the new id of a replaced tag', async () => {
    const { post, db, owner, signUp } = await openForms()
    const { qr_id } = await insertCode(db, owner.id)
    await post(`/${qr_id}/replace`, {})
    const { status, to } = await post(`/${qr_id}/replace`, {}, await signUp())
    expect([status, to]).toEqual([404, null])
  })

  test('change only edited fields, and keep the PIN by default', async () => {
    const { post, db, owner, codes } = await openForms()
    const code = await insertCode(db, owner.id, { city_area: 'Pune', pin_hash: 'kept' })
    const { qr_id, updated_at } = code
    const form = { ...FILLED, city_area: 'Nashik', blood_group: 'not_specified', updated_at }
    const { status } = await post(`/${qr_id}`, form)
    expect(status).toBe(303)
    const [changed] = await codes()
    expect(changed).toMatchObject({ city_area: 'Nashik', blood_group: null, pin_hash: 'kept' })
    const again = { ...FILLED, remove_pin: 'on', updated_at: changed?.updated_at ?? '' }
    expect((await post(`/${qr_id}`, again)).status).toBe(303)
    expect(await codes()).toMatchObject([{ pin_hash: null, city_area: 'Nashik' }])
  })

  test('show an edit again when the code has changed meanwhile, ready to be saved over it', async () => {
    const { post, db, owner, codes } = await openForms()
    const { qr_id, updated_at } = await insertCode(db, owner.id)
    const stale = { ...FILLED, city_area: 'Nashik', updated_at: '2020-01-01T00:00:00.000Z' }
    const { status, html } = await post(`/${qr_id}`, stale)
    expect(status).toBe(409)
    expect(html).toContain('Failed to update QR code')
    expect(html).toContain('This QR code was changed meanwhile')
    expect(html).toContain('value="Nashik"')
    expect(html).toContain(`name="updated_at" value="${updated_at}"`)
    expect(await codes()).toMatchObject([{ city_area: null }])
  })

  test('switch a code off and on', async () => {
    const { post, db, owner, codes } = await openForms()
    const { qr_id } = await insertCode(db, owner.id)
    expect((await post(`/${qr_id}/active`, { is_active: '0' })).status).toBe(303)
    expect(await codes()).toMatchObject([{ is_active: 0 }])
    await post(`/${qr_id}/active`, { is_active: '1' })
    expect(await codes()).toMatchObject([{ is_active: 1 }])
  })

  test('delete a code', async () => {
    const { post, db, owner, codes } = await openForms()
    const { qr_id } = await insertCode(db, owner.id)
    expect((await post(`/${qr_id}/delete`, {})).to).toBe('/dashboard?tab=my-qrs&done=deleted')
    expect(await codes()).toEqual([])
  })

  test('tell a child user that only the parent may delete the code', async () => {
    const { post, db, owner, signUp, codes } = await openForms()
    const child = await signUp({ parent_id: owner.id })
    const { qr_id } = await insertCode(db, owner.id, {
      qr_type: 'child',
      child_account_id: child.id,
    })
    const { status, html } = await post(`/${qr_id}/delete`, {}, child)
    expect(status).toBe(403)
    expect(html).toContain('Only its owner can delete this code')
    expect(await codes()).toHaveLength(1)
  })

  test.each([
    ['bulk', 'normal'],
    ['child', 'child'],
  ] as const)('make many %s codes, or name the limits', async (kind, qr_type) => {
    const { post, codes, read } = await openForms({ subscription_plan: 'premium' })
    const refused = await post(`/${kind}`, { quantity: '51' })
    expect(refused.status).toBe(400)
    expect(refused.html).toContain('Quantity must be between 1 and 50')
    expect(refused.html).toContain('value="51"')
    for (const quantity of ['', '0', '1.5', 'many']) {
      expect((await post(`/${kind}`, { quantity })).status).toBe(400)
    }
    const { to } = await post(`/${kind}`, { quantity: '3' })
    expect(await codes()).toMatchObject([{ qr_type }, { qr_type }, { qr_type }])
    const text = kind === 'child' ? '3 child QR codes' : '3 QR codes'
    expect(await read(to ?? '')).toContain(`${text} created successfully!`)
  })

  test('show no text that comes from the URL', async () => {
    const { read } = await openForms()
    for (const done of ['hacked', 'constructor', 'toString']) {
      expect(await read(`/dashboard?done=${done}`)).not.toContain('note-go')
    }
  })
})

describe('the picture behind a download link', () => {
  test('is a file of the requested size and format', async () => {
    const { ask, db, owner } = await openForms()
    const { qr_id } = await insertCode(db, owner.id)
    const get = (query: string) =>
      ask('GET', `/dashboard/qr/${qr_id}/image?${query}`, { headers: { cookie: owner.cookie } })
    const png = await get('format=png&size=15')
    expect(png.headers.get('content-type')).toBe('image/png')
    expect(png.headers.get('content-disposition')).toMatch(/^attachment; filename="DriveQR-.*png"$/)
    const bytes = Buffer.from(await png.arrayBuffer())
    expect(bytes.readUInt32BE(16) % 15).toBe(0)
    const svg = await get('format=svg&size=25')
    expect(svg.headers.get('content-type')).toBe('image/svg+xml')
    expect((await get('size=41')).status).toBe(400)
  })
})

test.each(['/terms', '/privacy'])('%s can be read by anybody', async (path) => {
  const { ask } = await openTestApp({ env: { SUPPORT_EMAIL: 'help@example.in' } })
  const answer = await ask('GET', path)
  expect(answer.status).toBe(200)
  expect(await answer.text()).toContain('mailto:help@example.in')
})
