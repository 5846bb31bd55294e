import { describe, expect, test } from 'vitest'
import { formatQrId } from '#domain/codes/qr-id.ts'
import { openTestApp } from '#tests/support/app.ts'
import { browserOf } from '#tests/support/browser.ts'
import { HELD, insertCode } from '#tests/support/codes.ts'
import { CHILD, UNCLAIMED } from '#tests/support/families.ts'
import { thingsOf } from '#tests/support/things.ts'
import { openTransfers } from '#tests/support/transfers.ts'
import { filesIn } from '#tests/support/uploads.ts'

async function openOwner() {
  const app = await openTestApp()
  const as = await app.signUp({ subscription_plan: 'enterprise' })
  const send = async (json: unknown, who = as) => {
    const answer = await app.ask('POST', '/api/qr/bulk', { as: who, json })
    return { status: answer.status, body: await answer.json() }
  }
  const codes = () => app.db.selectFrom('qr_codes').selectAll().orderBy('owner_name').execute()
  const insert = async (...names: string[]) => {
    const made: string[] = []
    for (const owner_name of names) {
      made.push((await insertCode(app.db, as.id, { owner_name })).qr_id)
    }
    return made
  }
  return { ...app, as, send, codes, insert }
}

describe('POST /api/qr/bulk', () => {
  test('deactivates and activates the codes that are named, and no others', async () => {
    const { send, codes, insert } = await openOwner()
    const [first, second] = await insert('A', 'B', 'C')
    const ids = [first, second]
    expect(await send({ ids, action: 'deactivate' })).toEqual({ status: 200, body: { changed: 2 } })
    expect((await codes()).map(({ is_active }) => is_active)).toEqual([0, 0, 1])
    expect(await send({ ids, action: 'activate' })).toEqual({ status: 200, body: { changed: 2 } })
    expect((await codes()).map(({ is_active }) => is_active)).toEqual([1, 1, 1])
  })

  test('sets the company and the contact mode of all that a search finds', async () => {
    const { send, codes, insert } = await openOwner()
    await insert('Cab 1', 'Cab 2', 'Van')
    const set = { action: 'set_company_fleet_name', value: ' NeelRath  Pune ' }
    expect((await send({ search: 'cab', ...set })).body).toEqual({ changed: 2 })
    const mode = { action: 'set_contact_mode', value: 'relay' }
    const company_fleet_name = 'NeelRath  Pune'
    expect((await send({ company_fleet_name, ...mode })).body).toEqual({ changed: 2 })
    const changed = { company_fleet_name, contact_mode: 'relay' }
    const same = { company_fleet_name: null, contact_mode: 'public' }
    expect(await codes()).toMatchObject([changed, changed, same])
    expect((await send({ all: true, ...set, value: '' })).body).toEqual({ changed: 3 })
    expect(await codes()).toMatchObject(
      [same, same, same].map(() => ({ company_fleet_name: null })),
    )
  })

  test('gives all of them a time later than that of each, so that an open form notices', async () => {
    const { send, codes, insert, db, ask, as } = await openOwner()
    const [first = '', second = ''] = await insert('A', 'B')
    const later = { updated_at: '2026-12-01T00:00:00.000Z' }
    await db.updateTable('qr_codes').set(later).where('qr_id', '=', second).execute()
    await send({ ids: [first, second], action: 'deactivate' })
    const times = new Set((await codes()).map(({ updated_at }) => updated_at))
    expect([...times]).toEqual(['2026-12-01T00:00:00.001Z'])
    const json = { city_area: 'Pune', ...later }
    expect((await ask('PUT', `/api/qr/${second}`, { as, json })).status).toBe(409)
  })

  test.each([['activate'], ['delete']])(
    'finds no code of others and no unknown one, and then changes nothing: %s',
    async (action) => {
      const { send, codes, insert, signUp, db } = await openOwner()
      const [own] = await insert('A')
      const other = await signUp()
      const { qr_id } = await insertCode(db, other.id, { is_active: 0 })
      await db.updateTable('qr_codes').set({ is_active: 0 }).execute()
      const before = await codes()
      for (const strange of [qr_id, '7K3MQ9WD4XTP', 'none']) {
        expect(await send({ ids: [own, strange], action, value: 2 })).toEqual({
          status: 404,
          body: { detail: 'QR code not found' },
        })
      }
      expect(await codes()).toEqual(before)
    },
  )

  test.each([['activate'], ['delete']])('says that a search finds none: %s', async (action) => {
    const { send, insert } = await openOwner()
    await insert('A')
    expect(await send({ search: 'nobody', action, value: 0 })).toEqual({
      status: 404,
      body: { detail: 'No QR codes found' },
    })
  })

  test('changes nothing when one of the codes is held by a claimer, whom a search leaves out', async () => {
    const { send, codes, insert, db, as } = await openOwner()
    const [own] = await insert('A')
    const { qr_id } = await insertCode(db, as.id, { ...HELD, owner_name: 'Z' })
    for (const action of ['deactivate', 'delete']) {
      expect(await send({ ids: [own, qr_id], action, value: 2 })).toEqual({
        status: 409,
        body: { detail: 'This QR code has already been claimed' },
      })
    }
    expect(await codes()).toMatchObject([{ is_active: 1 }, { is_active: 1 }])
    expect((await send({ all: true, action: 'deactivate' })).body).toEqual({ changed: 1 })
    expect((await send({ all: true, action: 'delete', value: 1 })).body).toEqual({ changed: 1 })
    expect(await codes()).toMatchObject([{ owner_name: 'Z', is_active: 1 }])
  })

  test('does not switch on a code that a moderator switched off', async () => {
    const { send, codes, insert, db } = await openOwner()
    const [first = '', second = ''] = await insert('A', 'B')
    const things = { is_active: 0 as const }
    await db.updateTable('qr_codes').set(things).execute()
    await db
      .updateTable('qr_codes')
      .set({ stopped_by_report: 'report' })
      .where('qr_id', '=', first)
      .execute()
    const refused = await send({ ids: [first, second], action: 'activate' })
    const detail = 'This QR code was deactivated by a moderator'
    expect(refused).toEqual({ status: 409, body: { detail } })
    expect((await send({ all: true, action: 'activate' })).body).toEqual({ changed: 1 })
    expect(await codes()).toMatchObject([{ is_active: 0 }, { is_active: 1 }])
    expect((await send({ ids: [first], action: 'set_contact_mode', value: 'relay' })).status).toBe(
      200,
    )
  })

  test('deletes as many as one says, with their documents and files', async () => {
    const app = await openOwner()
    const { send, codes, db, as } = app
    const things = thingsOf(app, as)
    await things.document()
    await things.conversation()
    await insertCode(db, as.id, UNCLAIMED)
    expect(filesIn(app).stored).not.toEqual([])
    const count = (await codes()).length
    const refused = await send({ all: true, action: 'delete', value: count + 1 })
    const detail = `Type ${count} to delete ${count} QR codes`
    expect(refused).toEqual({ status: 400, body: { detail } })
    for (const value of [undefined, '', 'all', 0]) {
      expect((await send({ all: true, action: 'delete', value })).status).toBe(400)
    }
    expect(await codes()).toHaveLength(count)
    const done = await send({ all: true, action: 'delete', value: String(count) })
    expect(done).toEqual({ status: 200, body: { changed: count } })
    expect(await codes()).toEqual([])
    expect(await db.selectFrom('documents').selectAll().execute()).toEqual([])
    expect(await db.selectFrom('conversations').selectAll().execute()).toEqual([])
    expect(filesIn(app).stored).toEqual([])
  })

  test('lets a child user change the code that it registered, and not delete it', async () => {
    const { send, codes, db, as, signUp } = await openOwner()
    const child = await signUp({ parent_id: as.id })
    const { qr_id } = await insertCode(db, as.id, {
      ...CHILD,
      is_child_registered: 1,
      is_claimed: 1,
      owner_name: 'Child',
      child_account_id: child.id,
    })
    expect((await send({ ids: [qr_id], action: 'deactivate' }, child)).body).toEqual({ changed: 1 })
    expect(await send({ ids: [qr_id], action: 'delete', value: 1 }, child)).toEqual({
      status: 403,
      body: { detail: 'Only its owner can delete this code' },
    })
    expect((await send({ ids: [qr_id], action: 'delete', value: 1 })).body).toEqual({ changed: 1 })
    expect(await codes()).toEqual([])
  })

  test.each([
    [{ action: 'deactivate' }, 'Select QR codes by'],
    [{ ids: [], action: 'deactivate' }, 'Select QR codes by'],
    [{ ids: ' ', action: 'deactivate' }, 'ids must be a list of texts'],
    [{ all: 'yes', action: 'deactivate' }, 'all must be true'],
    [{ all: true }, 'action must be one of activate, deactivate'],
    [{ all: true, action: 'burn' }, 'action must be one of activate, deactivate'],
    [{ all: true, action: 'set_contact_mode' }, 'contact_mode must be public or relay'],
    [{ all: true, action: 'set_contact_mode', value: 'both' }, 'contact_mode must be'],
    [{ all: true, action: 'set_company_fleet_name' }, 'value must be the company or fleet'],
    [
      { all: true, action: 'set_company_fleet_name', value: 'x'.repeat(121) },
      'must be at most 120',
    ],
  ])('refuses %j', async (json, detail) => {
    const { send, codes, insert } = await openOwner()
    await insert('A')
    const before = await codes()
    const answer = await send(json)
    expect([answer.status, answer.body.detail]).toEqual([400, expect.stringContaining(detail)])
    expect(await codes()).toEqual(before)
  })
})

describe('the company of codes', () => {
  test('is a filter of the list, with how many codes each has', async () => {
    const { db, as, signUp, ask } = await openOwner()
    const put = (company_fleet_name: string | null, more = {}) =>
      insertCode(db, as.id, { company_fleet_name, ...more })
    for (const name of ['Pune', 'Pune', 'Nashik', null]) await put(name)
    await put('Pune', { ...HELD, owner_name: 'Held' })
    await insertCode(db, (await signUp()).id, { company_fleet_name: 'Pune' })
    const companies = await ask('GET', '/api/qr/companies', { as })
    expect(await companies.json()).toEqual({
      companies: [
        { company_fleet_name: 'Nashik', count: 1 },
        { company_fleet_name: 'Pune', count: 2 },
      ],
    })
    for (const [query, count] of [
      ['company_fleet_name=Pune', 2],
      ['company_fleet_name=Pune&page=1&limit=1', 2],
      ['company_fleet_name=pun', 0],
      ['company_fleet_name=Pune&search=nobody', 0],
      ['company_fleet_name=', 5],
    ] as const) {
      const list = await ask('GET', `/api/qr/my-qrs?${query}`, { as })
      expect([query, list.headers.get('X-Total-Count')]).toEqual([query, String(count)])
      const most = query.includes('limit') ? 1 : count
      expect(await list.json()).toHaveLength(most)
    }
  })

  test('is chosen on the page, and kept over its pages, its search and its dialogs', async () => {
    const { db, as, ask } = await openOwner()
    for (let n = 0; n < 13; n++) await insertCode(db, as.id, { company_fleet_name: 'Pune & Co' })
    await insertCode(db, as.id, { owner_name: 'Elsewhere' })
    const path = '/dashboard?tab=my-qrs&company_fleet_name=Pune+%26+Co'
    const html = await browserOf({ ask }, as).read(path)
    expect(html).toContain('<option value="Pune &amp; Co" selected="">Pune &amp; Co (13)</option>')
    expect(html).not.toContain('Elsewhere')
    expect(html).toContain('company_fleet_name=Pune+%26+Co&amp;page=2')
    expect(html).toContain('<input type="hidden" name="company_fleet_name" value="Pune &amp; Co"/>')
    expect(html).toMatch(/codes\.zip\?company_fleet_name=Pune/)
  })
})

describe('the selection on My QR Codes, without script', () => {
  async function openPages() {
    const owner = await openOwner()
    const browser = browserOf(owner, owner.as)
    const open = (query: string) => browser.open(`/dashboard?tab=my-qrs&${query}`)
    const post = (form: Record<string, string>, query = '') =>
      browser.submit(`/dashboard/qr/chosen${query}`, form)
    return { ...owner, open, post, sendForm: browser.submit }
  }

  test('has a tick on each card that can be changed, and keeps those of other pages', async () => {
    const { open, insert, db, as } = await openPages()
    const ids = await insert(...Array.from({ length: 14 }, (_, n) => `Cab ${n}`))
    await insertCode(db, as.id, {
      ...HELD,
      owner_name: 'Held',
      created_at: '2026-11-02T00:00:00.000Z',
    })
    const { html } = await open('select=1')
    expect(html.match(/type="checkbox"/g)).toHaveLength(11)
    expect(html).toContain('0 selected')
    expect(html).toContain('Select all 15 found')
    const ticked = ids.map((id) => `ids=${id}`).join('&')
    const second = await open(`select=1&page=2&${ticked}`)
    expect(second.html).toContain('14 selected')
    expect(second.html.match(/type="checkbox"[^>]*checked=""/g)).toHaveLength(3)
    expect(second.html.match(/type="hidden" name="ids"/g)).toHaveLength(11)
  })

  test('has no form of a card in its own form', async () => {
    const { owner, begin, page } = await openTransfers()
    await begin()
    const html = await (await page('/dashboard?tab=my-qrs&select=1', owner.cookie)).text()
    expect(html).toContain('Transfer under way')
    const selecting = /<form class="selecting".*?<\/form>/s.exec(html)?.[0]
    expect(selecting?.match(/<form/g)).toHaveLength(1)
    expect(selecting).toContain('data-draft')
    expect(html).not.toContain('/transfer/cancel')
  })

  test('says before what will happen, and after how many', async () => {
    const { open, post, insert, codes } = await openPages()
    const [first, second] = await insert('A', 'B', 'C')
    const { html } = await open(`select=1&ids=${first}&ids=${second}&chosen=deactivate`)
    expect(html).toContain('Deactivate 2 QR codes?')
    expect(html).toContain('Finders see QR Code Not Found until you activate them again.')
    expect((await codes()).every(({ is_active }) => is_active)).toBe(true)
    const { status, to } = await post({ codes: `${first},${second}`, action: 'deactivate' })
    expect([status, to]).toEqual([303, '/dashboard?tab=my-qrs&done=bulk-deactivate&count=2'])
    expect((await codes()).map(({ is_active }) => is_active)).toEqual([0, 0, 1])
    expect((await open('done=bulk-deactivate&count=2')).html).toContain('2 QR codes deactivated')
    expect((await open('done=bulk-deactivate&count=1')).html).toContain('1 QR code deactivated')
  })

  test('of all that a search finds is that search', async () => {
    const { open, post, insert, codes } = await openPages()
    await insert('Cab 1', 'Cab 2', 'Van')
    const { html } = await open('select=1&q=cab&all=1&chosen=set_company_fleet_name')
    expect(html).toContain('Set fleet of 2 QR codes')
    expect(html).toContain('name="codes" value="1"')
    expect(html).toContain('action="/dashboard/qr/chosen?q=cab"')
    const form = { codes: '1', action: 'set_company_fleet_name', value: 'Pune' }
    expect((await post(form, '?q=cab')).to).toContain(
      'q=cab&done=bulk-set_company_fleet_name&count=2',
    )
    expect((await codes()).map(({ company_fleet_name }) => company_fleet_name)).toEqual([
      'Pune',
      'Pune',
      null,
    ])
  })

  test('is deleted only with its count', async () => {
    const { open, post, insert, codes } = await openPages()
    const ids = (await insert('A', 'B')).join(',')
    expect((await open(`select=1&ids=${ids}&chosen=delete`)).html).toContain(
      'Type 2 to delete them',
    )
    const refused = await post({ codes: ids, action: 'delete', value: '3' })
    expect(refused.status).toBe(400)
    expect(refused.html).toContain('Type 2 to delete 2 QR codes')
    expect(refused.html).toContain('value="3"')
    expect(await codes()).toHaveLength(2)
    expect((await post({ codes: ids, action: 'delete', value: '2' })).status).toBe(303)
    expect(await codes()).toEqual([])
  })

  test('leaves out what cannot be changed, and says why', async () => {
    const { open, insert, db, as } = await openPages()
    const [own] = await insert('A')
    const { qr_id } = await insertCode(db, as.id, HELD)
    const both = await open(`select=1&ids=${own},${qr_id}&chosen=deactivate`)
    expect(both.html).toContain('Deactivate 1 QR code?')
    expect(both.html).toContain('1 QR code left out')
    expect(both.html).toContain(`name="codes" value="${own}"`)
    const none = await open(`select=1&ids=${qr_id}&chosen=deactivate`)
    expect(none.html).toContain('Nothing can be changed')
  })

  test('goes into labels and a ZIP file', async () => {
    const { open, insert } = await openPages()
    const [first, second] = await insert('A', 'B', 'C')
    const ids = `${first},${second}`
    expect((await open(`select=1&ids=${ids}&chosen=labels`)).html).toContain('Print 2 labels')
    const zip = await open(`select=1&ids=${ids}&chosen=zip`)
    expect([zip.status, zip.headers.get('Content-Type')]).toEqual([200, 'application/zip'])
    for (const id of [first, second]) expect(zip.html).toContain(`${formatQrId(id ?? '')}.png`)
    expect((await open('select=1&chosen=zip')).html).toContain('Nothing is selected')
  })

  describe('of many codes, ticked one by one,', () => {
    const TICKED = 1200

    async function openTicked(count = TICKED) {
      const pages = await openPages()
      await pages.insert(...Array.from({ length: count + 1 }, (_, n) => `Cab ${n}`))
      const ids = (await pages.codes()).map(({ qr_id }) => qr_id).slice(0, count)
      const ticks = ids.map((id): [string, string] => ['ids', id])
      const tick = (...fields: [string, string][]) =>
        pages.sendForm('/dashboard?tab=my-qrs&select=1', [...ticks, ...fields])
      return { ...pages, ids, tick }
    }

    test('is the body of a form, which is one before its address is too long', async () => {
      const { open, ids, tick } = await openTicked()
      const method = (html: string) => /<form class="selecting"[^>]*method="(\w+)"/.exec(html)?.[1]
      const some = (count: number) => open(`select=1&ids=${ids.slice(0, count)}`)
      expect(method((await some(150)).html)).toBe('get')
      expect(method((await some(250)).html)).toBe('post')
      const second = await tick(['page', '2'])
      expect([second.status, method(second.html)]).toEqual([200, 'post'])
      expect(second.html).toContain('1,200 selected')
      const hidden = second.html.match(/type="hidden" name="ids"/g)?.length ?? 0
      const here = second.html.match(/type="checkbox"[^>]*checked=""/g)?.length ?? 0
      expect([hidden + here, second.html.includes('Page 2 of 101')]).toEqual([TICKED, true])
    })

    test('names the effects, which concern these codes alone', async () => {
      const { codes, tick, post } = await openTicked()
      const { html } = await tick(['chosen', 'deactivate'])
      expect(html).toContain('Deactivate 1,200 QR codes?')
      const named = /name="codes" value="([^"]+)"/.exec(html)?.[1] ?? ''
      const { to } = await post({ codes: named, action: 'deactivate' })
      expect(to).toBe('/dashboard?tab=my-qrs&done=bulk-deactivate&count=1200')
      expect((await codes()).filter(({ is_active }) => is_active)).toHaveLength(1)
    })

    test('goes into labels, also after a preview, and into a ZIP file', {
      tags: 'slow',
    }, async () => {
      const count = 300
      const { tick, sendForm } = await openTicked(count)
      let { html } = await tick(['chosen', 'labels'])
      const fieldsOf = (page: string): Record<string, string> => {
        const form =
          /<form [^>]*action="\/dashboard\/qr\/labels\.pdf" method="post".*?<\/form>/s.exec(page)
        const hidden = form?.[0].matchAll(/type="hidden" name="(\w+)" value="([^"]*)"/g) ?? []
        return Object.fromEntries([...hidden].map(([, name, value]) => [name, value]))
      }
      const preview = { ...fieldsOf(html), sheet: 'l7160', size: '', start: '3' }
      html = (await sendForm('/dashboard', preview)).html
      expect(html).toContain('Print 300 labels')
      expect(html).toMatch(/<option value="l7160" selected=""/)
      const pdf = await sendForm('/dashboard/qr/labels.pdf', preview)
      expect([pdf.status, pdf.headers.get('Content-Type')]).toEqual([200, 'application/pdf'])
      // 21 labels a sheet, and two that are skipped.
      expect(pdf.html.match(/\/Type \/Page\b/g)).toHaveLength(Math.ceil((count + 2) / 21))
      const zip = await tick(['chosen', 'zip'])
      expect([zip.status, zip.headers.get('Content-Type')]).toEqual([200, 'application/zip'])
      expect(new Set(zip.html.match(/[0-9A-Z-]{14}\.png/g))).toHaveLength(count)
    })
  })

  test('may have 10,000 ids in the body, and a body has an end', async () => {
    const { send, sendForm } = await openPages()
    const ids = Array.from({ length: 10_000 }, (_, n) => `7K3MQ9W${String(n).padStart(5, '0')}`)
    expect((await send({ ids, action: 'deactivate' })).status).toBe(404)
    const form = ids.map((id): [string, string] => ['ids', id])
    expect((await sendForm('/dashboard?select=1', form)).status).toBe(200)
    const long = { ids: 'x'.repeat(256 * 1024) }
    expect((await sendForm('/dashboard', long)).status).toBe(413)
    expect((await sendForm('/dashboard/qr/labels.pdf', long)).status).toBe(413)
  })
})
