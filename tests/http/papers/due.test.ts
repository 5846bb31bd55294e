import { describe, expect, test } from 'vitest'
import { addDays } from '#domain/papers/due.ts'
import { openTestApp } from '#tests/support/app.ts'
import { insertCode } from '#tests/support/codes.ts'
import { insertPaper } from '#tests/support/papers.ts'
import { fileForm, PDF } from '#tests/support/uploads.ts'

const TODAY = '2026-11-20'

async function openDue() {
  const app = await openTestApp()
  const owner = await app.signUp()
  const { db } = app
  const code = await insertCode(db, owner.id, { vehicle_registration: 'KA05ZZ0003' })
  const paper = (expires_on: string | null, fields: Parameters<typeof insertPaper>[2] = {}) =>
    insertPaper(db, { qr_id: code.qr_id, account_id: owner.id }, { expires_on, ...fields })
  const call = async (
    method: string,
    path: string,
    json?: unknown,
    as: typeof owner | null = owner,
  ) => {
    const answer = await app.ask(method, `/api${path}`, { ...(as && { as }), json })
    return { status: answer.status, body: await answer.json() }
  }
  const html = async (path: string, as: { cookie: string } | null = owner) =>
    (await app.browse('GET', path, undefined, as ?? undefined)).html
  const send = (path: string, fields: Record<string, string>) =>
    app.browse('POST', path, new URLSearchParams(fields), owner)
  return { ...app, owner, code, paper, call, html, send }
}

describe('GET /api/due', () => {
  test('lists papers that end within 30 days or have ended, the nearest first', async () => {
    const { db, code, paper, call } = await openDue()
    const { id } = await paper(addDays(TODAY, -3))
    await paper(addDays(TODAY, 31), { document_type: 'road_tax' })
    const dates = { insurance_expiry_date: addDays(TODAY, 30), next_service_due: TODAY }
    await db.updateTable('qr_codes').set(dates).execute()
    const of = { qr_id: code.qr_id, vehicle_registration: 'KA05ZZ0003' }
    const onCode = { ...of, document_id: null, document_type: null }
    expect(await call('GET', '/due')).toEqual({
      status: 200,
      body: {
        items: [
          {
            ...of,
            kind: 'document',
            document_id: id,
            document_type: 'puc',
            ends_on: addDays(TODAY, -3),
            state: 'expired',
          },
          { ...onCode, kind: 'service', ends_on: TODAY, state: 'due' },
          { ...onCode, kind: 'insurance', ends_on: addDays(TODAY, 30), state: 'due' },
        ],
      },
    })
  })

  test('looks so many days ahead', async () => {
    const { paper, call } = await openDue()
    await paper(TODAY)
    await paper(addDays(TODAY, 31), { document_type: 'road_tax' })
    await paper(addDays(TODAY, 3650), { document_type: 'vehicle_permit' })
    const found = async (days: number) =>
      (await call('GET', `/due?days=${days}`)).body.items.map(
        (item: { state: string }) => item.state,
      )
    expect(await found(0)).toEqual(['due'])
    expect(await found(31)).toEqual(['due', 'valid'])
    expect(await found(3650)).toEqual(['due', 'valid', 'valid'])
  })

  test.each(['-1', '3651', '1.5', 'x', ''])('days=%s is refused', async (days) => {
    const { call } = await openDue()
    const detail = 'days must be a whole number from 0 to 3650'
    expect(await call('GET', `/due?days=${days}`)).toEqual({ status: 400, body: { detail } })
  })
})

describe('expires_on', () => {
  test('comes with an upload, and is ignored for a type without an end', async () => {
    const { code, ask, owner } = await openDue()
    const upload = async (fields: Record<string, string>) => {
      const body = fileForm(PDF, fields)
      return (await ask('POST', `/api/documents/upload/${code.qr_id}`, { as: owner, body })).json()
    }
    expect(await upload({ document_type: 'puc', expires_on: '2027-05-21' })).toMatchObject({
      expires_on: '2027-05-21',
    })
    const photo = { document_type: 'vehicle_photo', expires_on: '2027-05-21' }
    expect(await upload(photo)).toMatchObject({ expires_on: null })
    expect(await upload({ document_type: 'puc', expires_on: '2027-02-30' })).toEqual({
      detail: 'Please enter a valid date for its end',
    })
  })

  test('is changed alone, with its visibility, and taken away', async () => {
    const { paper, call } = await openDue()
    const { id } = await paper(null)
    const change = async (json: object) => (await call('PATCH', `/documents/${id}`, json)).body
    expect(await change({ expires_on: '2027-05-21' })).toMatchObject({
      expires_on: '2027-05-21',
      is_public: false,
    })
    expect(await change({ is_public: true })).toMatchObject({ expires_on: '2027-05-21' })
    expect(await change({ expires_on: null, is_public: false })).toMatchObject({
      expires_on: null,
      is_public: false,
    })
  })

  test.each([
    [{ expires_on: '2027-02-29' }, 'Please enter a valid date for its end'],
    [{ expires_on: '0001-05-21' }, 'Please enter a valid date for its end'],
    [{ expires_on: 20270521 }, 'Please enter a valid date for its end'],
    [{}, 'Send is_public or expires_on'],
  ])('%j is refused', async (json, detail) => {
    const { paper, call } = await openDue()
    const { id } = await paper('2027-05-21')
    expect(await call('PATCH', `/documents/${id}`, json)).toEqual({ status: 400, body: { detail } })
    expect((await call('GET', '/due?days=400')).body.items).toHaveLength(1)
  })

  test('of a type without an end stays away', async () => {
    const { paper, call } = await openDue()
    const { id } = await paper(null, { document_type: 'vehicle_photo' })
    const { status, body } = await call('PATCH', `/documents/${id}`, { expires_on: '2027-05-21' })
    expect([status, body.expires_on]).toEqual([200, null])
  })

  test('of others and of locked documents is not changed', async () => {
    const { signUp, paper, call } = await openDue()
    const [mine, locked] = [await paper(null), await paper(null, { is_locked: 1 })]
    const json = { expires_on: '2027-05-21' }
    const stranger = await signUp()
    expect((await call('PATCH', `/documents/${mine.id}`, json, stranger)).status).toBe(404)
    expect((await call('PATCH', `/documents/${locked.id}`, json)).status).toBe(404)
  })
})

test('GET /api/qr/my-qrs filters and sorts by dues', async () => {
  const { db, owner, code, paper, call } = await openDue()
  const newer = await insertCode(db, owner.id, { created_at: '2026-11-09T09:00:00.000Z' })
  await paper(addDays(TODAY, 5))
  const ids = async (query: string) => {
    const { body } = await call('GET', `/qr/my-qrs?${query}`)
    return body.map(({ qr_id }: { qr_id: string }) => qr_id)
  }
  expect(await ids('')).toEqual([newer.qr_id, code.qr_id])
  expect(await ids('sort=due')).toEqual([code.qr_id, newer.qr_id])
  expect(await ids('sort=due&limit=1&page=2')).toEqual([newer.qr_id])
  expect(await ids('filter=due')).toEqual([code.qr_id])
  expect(await call('GET', '/qr/my-qrs?sort=name')).toEqual({
    status: 400,
    body: { detail: 'sort must be due, scans or title' },
  })
})

test('GET /api/qr/my-qrs sorts more codes than it reads at once', async () => {
  const { db, owner, call } = await openDue()
  for (let n = 0; n < 130; n++) {
    await insertCode(db, owner.id, { next_service_due: addDays(TODAY, 200 - n) })
  }
  const { body } = await call('GET', '/qr/my-qrs?sort=due')
  const days = body.map(({ next_service_due: day }: { next_service_due: string | null }) => day)
  expect(days).toHaveLength(131)
  expect(days.slice(0, 130)).toEqual(days.slice(0, 130).toSorted())
  expect(days[130]).toBeNull()
})

describe('the dashboard', () => {
  test('has no line where nothing is due', async () => {
    const { db, owner, paper, html } = await openDue()
    await insertCode(db, owner.id)
    await paper(addDays(TODAY, 31))
    expect(await html('/dashboard')).not.toContain('class="due-one')
  })

  test('shows the nearest end in one line, and that of each code on its card', async () => {
    const { db, owner, paper, html } = await openDue()
    await paper(addDays(TODAY, 5))
    await paper(addDays(TODAY, 9), { document_type: 'road_tax' })
    for (let n = 0; n < 5; n++) {
      await insertCode(db, owner.id, { insurance_expiry_date: addDays(TODAY, -3 - n) })
    }
    const page = await html('/dashboard')
    const line = /<a class="due-one late" href="([^"]*)">(.*?)<\/a>/s.exec(page)
    expect(line?.[1]).toBe('/dashboard?tab=documents&amp;sort=due')
    expect(line?.[2]?.replace(/<[^>]*>/g, '')).toBe(
      'Due soon: Insurance expired 7 days agoRamesh Kulkarni and 6 more',
    )
    expect(await html('/dashboard?filter=due')).not.toContain('class="due-one')
    const cards = page.slice(page.indexOf('codes-grid'))
    expect(cards).toContain('PUC ends in 5 days')
    expect(cards).not.toContain('Road tax ends')
  })

  test('filters and sorts by dues', async () => {
    const { db, owner, code, paper, html } = await openDue()
    await paper(addDays(TODAY, 5))
    const other = await insertCode(db, owner.id, { created_at: '2026-11-09T09:00:00.000Z' })
    const all = await html('/dashboard?sort=due')
    expect(all.indexOf(`id="qr-${code.qr_id}"`)).toBeLessThan(all.indexOf(`id="qr-${other.qr_id}"`))
    const counts = ['>All (2)</option>', '>Due soon (1)</option>']
    for (const count of counts) expect(all).toContain(count)
    const due = await html('/dashboard?filter=due')
    for (const count of counts) expect(due).toContain(count)
    expect(due).toContain(`id="qr-${code.qr_id}"`)
    expect(due).not.toContain(`id="qr-${other.qr_id}"`)
  })

  test('counts what is due from the nearest hundred ends alone', async () => {
    const { db, owner, code, html } = await openDue()
    for (let n = 0; n < 101; n++) {
      await insertCode(db, owner.id, { next_service_due: addDays(TODAY, -n) })
    }
    expect(await html('/dashboard')).toContain('>Due soon (100+)</option>')
    expect(await html('/dashboard?filter=due')).toContain('>Due soon (101)</option>')
    const narrowed = await html(`/dashboard?q=${code.qr_id}&filter=due`)
    expect(narrowed).toContain('>Due soon</option>')
  })

  test('says so where nothing of the filter is left', async () => {
    const { html } = await openDue()
    expect(await html('/dashboard?filter=due')).toContain('Nothing is due')
  })
})

describe('the Documents tab', () => {
  test('says of each document when it ends, and which date counts', async () => {
    const { paper, html } = await openDue()
    await paper(addDays(TODAY, -3))
    await paper(addDays(TODAY, 5), { uploaded_at: '2026-11-19T09:00:00.000Z' })
    await paper('2031-12-03', { document_type: 'road_tax' })
    await paper(null, { document_type: 'vehicle_permit' })
    await paper(null, { document_type: 'vehicle_photo' })
    const page = await html('/dashboard?tab=documents')
    expect(page.match(/ · <span[^<]*/g)).toEqual([
      ' · <span class="soon">Ends in 5 days',
      ' · <span>Expired on 17 Nov 2026',
      ' · <span>Ends on 3 Dec 2031',
    ])
  })

  test('lists the papers and services of all codes by their ends, each with its code', async () => {
    const { db, owner, code, paper, html } = await openDue()
    const { id } = await paper(addDays(TODAY, 5))
    await paper('2031-12-03', { document_type: 'road_tax' })
    const titled = { vehicle_make_model: 'Tata Nexon', insurance_expiry_date: addDays(TODAY, -3) }
    const other = await insertCode(db, owner.id, titled)
    await insertCode(db, owner.id, { owner_name: 'Asha', next_service_due: addDays(TODAY, 40) })
    const page = await html('/dashboard?tab=documents&sort=due')
    const rows = page.split('<article').slice(1)
    expect(rows.map((row) => row.replace(/^[^>]*>|<[^>]*>/g, '').slice(0, 80))).toEqual([
      expect.stringMatching(/^InsuranceExpired 3 days ago, on 17 Nov 2026Tata NexonEdit/),
      expect.stringMatching(/^PUCEnds in 5 days, on 25 Nov 2026KA 05 ZZ 0003Open/),
      expect.stringMatching(/^ServiceDue on 30 Dec 2026AshaEdit/),
      expect.stringMatching(/^Road taxEnds on 3 Dec 2031KA 05 ZZ 0003Open/),
    ])
    expect(rows[0]).toContain(`q=${other.qr_id}&amp;edit=${other.qr_id}"`)
    expect(rows[1]).toContain(`href="/dashboard?tab=documents&amp;q=${code.qr_id}#document-${id}"`)
    expect(await html('/dashboard?tab=documents')).toContain(
      'href="/dashboard?tab=documents&amp;sort=due"',
    )
  })

  test('turns the pages of the list by end, and says so where no date is known', async () => {
    const { db, owner, html } = await openDue()
    const list = '/dashboard?tab=documents&sort=due'
    expect(await html(list)).toContain('No dates yet')
    expect(await html('/dashboard?tab=documents')).not.toContain('sort=due')
    for (let n = 0; n < 49; n++) {
      await insertCode(db, owner.id, { next_service_due: addDays(TODAY, n) })
    }
    const rowsOf = async (page: number) => (await html(`${list}&page=${page}`)).split('<article')
    expect((await rowsOf(1)).length - 1).toBe(24)
    expect((await rowsOf(3)).length - 1).toBe(1)
    expect(await html(list)).toContain('href="/dashboard?tab=documents&amp;sort=due&amp;page=2"')
    expect(await html(`${list}&page=3`)).not.toContain('page=4')
    expect(await html(`${list}&page=4`)).toBe('')
  })

  test('leaves out the insurance of the code where a document says a later day', async () => {
    const { db, paper, html } = await openDue()
    await db.updateTable('qr_codes').set({ insurance_expiry_date: '2026-11-01' }).execute()
    const expired = 'Insurance expired on 1 Nov 2026'
    expect(await html('/dashboard?tab=documents')).toContain(expired)
    await paper('2027-11-01', { document_type: 'insurance' })
    expect(await html('/dashboard?tab=documents')).not.toContain(expired)
  })

  test('changes a date by a form, and shows the form again with its error', async () => {
    const { paper, send, html, call } = await openDue()
    const { id } = await paper(addDays(TODAY, 5))
    const path = `/dashboard/documents/${id}/end`
    expect(await html(`/dashboard?tab=documents&ends=${id}`)).toContain('value="2026-11-25"')
    const refused = await send(path, { expires_on: '2027-02-30' })
    expect(refused.status).toBe(400)
    expect(refused.html).toContain('Please enter a valid date for its end')
    const saved = await send(path, { expires_on: '2027-02-28' })
    const to = `/dashboard?tab=documents&done=document-end&at=document-${id}`
    expect(saved).toMatchObject({ status: 303, to })
    expect((await call('GET', '/due?days=365')).body.items).toMatchObject([
      { ends_on: '2027-02-28' },
    ])
    await send(path, { expires_on: '2027-02-28', no_end: 'on' })
    expect((await call('GET', '/due?days=365')).body.items).toEqual([])
  })

  test('uploads with a date by a form without script', async () => {
    const { code, owner, browse, call } = await openDue()
    const fields = { qr_id: code.qr_id, document_type: 'puc', expires_on: '2027-02-28' }
    const upload = (more: Record<string, string>) =>
      browse('POST', '/dashboard/documents/upload', fileForm(PDF, { ...fields, ...more }), owner)
    const refused = await upload({ expires_on: '2027-02-29' })
    expect(refused.status).toBe(400)
    expect(refused.html).toContain('value="2027-02-29"')
    expect((await upload({ no_end: 'on' })).status).toBe(303)
    expect((await call('GET', '/due?days=365')).body.items).toEqual([])
    expect((await upload({})).status).toBe(303)
    expect((await call('GET', '/due?days=365')).body.items).toMatchObject([
      { ends_on: '2027-02-28' },
    ])
  })
})

describe('the page for authorities', () => {
  test('says until when a document is valid, or when it ended', async () => {
    const { code, paper, html } = await openDue()
    await paper('2026-12-03', { is_public: 1 })
    await paper('2026-11-19', { is_public: 1, document_type: 'road_tax' })
    await paper(TODAY, { is_public: 1, document_type: 'fitness_certificate' })
    await paper(null, { is_public: 1, document_type: 'vehicle_permit' })
    const page = await html(`/police/${code.qr_id}`, null)
    expect(page.match(/(Valid until|Ended on) [^<]*/g)).toEqual([
      'Valid until 3 Dec 2026',
      'Ended on 19 Nov 2026',
      'Valid until 20 Nov 2026',
    ])
    expect(await html(`/police/${code.qr_id}?lang=hi`, null)).toContain('3 दिसंबर 2026 तक मान्य')
  })
})
