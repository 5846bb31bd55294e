import { parse } from 'csv-parse/sync'
import { describe, expect, test } from 'vitest'
import { IMPORT_COLUMNS } from '#domain/fleets/import.ts'
import { openTestApp } from '#tests/support/app.ts'
import { browserOf } from '#tests/support/browser.ts'
import { HELD, insertCode } from '#tests/support/codes.ts'
import { fileForm, filesIn } from '#tests/support/uploads.ts'

type Plan = 'free' | 'premium' | 'enterprise'

const HEAD = 'vehicle_registration,owner_name,contact_phone\n'
const rowsOf = (from: number, to: number) =>
  Array.from(
    { length: to - from },
    (_, n) =>
      `MH14AB${1000 + from + n},Driver ${from + n},98765432${String((from + n) % 100).padStart(2, '0')}\n`,
  ).join('')

async function openOwner(plan: Plan = 'enterprise') {
  const app = await openTestApp()
  const as = await app.signUp({ subscription_plan: plan })
  const send = async (
    table: string | Uint8Array,
    query = '',
    fields: Record<string, string> = {},
  ) => {
    const body = fileForm(Buffer.from(table as string), fields, 'fleet.csv')
    const answer = await app.ask('POST', `/api/qr/import${query}`, { as, body })
    return { status: answer.status, body: await answer.json() }
  }
  const codes = () =>
    app.db.selectFrom('qr_codes').selectAll().orderBy('vehicle_registration').execute()
  return { ...app, as, send, codes }
}

describe('POST /api/qr/import?dry_run=1', () => {
  test('names problems by row and column, counted as in a spreadsheet, and changes nothing', async () => {
    const { send, codes } = await openOwner()
    const table = `${HEAD}MH 14 GH 2708,Anil Pawar,98765 43210\n\n,Rehana,98765\nmh14-gh2708,Santosh,9876543210\n`
    expect(await send(table, '?dry_run=1')).toEqual({
      status: 200,
      body: {
        rows: 3,
        valid: 1,
        created: 1,
        updated: 0,
        skipped: 0,
        allowed: null,
        errors: [
          { row: 4, column: 'contact_phone', detail: 'Please enter a valid mobile number' },
          { row: 5, column: 'vehicle_registration', detail: 'This vehicle stands in row 2 too' },
        ],
      },
    })
    expect(await codes()).toEqual([])
  })

  test('counts no row as valid while a column is wrong', async () => {
    const { send } = await openOwner()
    const { status, body } = await send(
      'owner_name,contact_phone,colour\nAnil,9876543210,red\n',
      '?dry_run=1',
    )
    expect(status).toBe(200)
    expect(body).toMatchObject({ rows: 1, valid: 0, created: 0, updated: 0, skipped: 0 })
    expect(body.errors).toMatchObject([{ row: 1, column: 'colour' }])
  })

  test('names the limit of the plan', async () => {
    const { send, as, db } = await openOwner('premium')
    await insertCode(db, as.id)
    const { status, body } = await send(HEAD + rowsOf(0, 60), '?dry_run=1')
    expect([status, body.created, body.allowed]).toEqual([200, 60, 49])
  })

  test.each([
    ['error', { created: 1, updated: 0, skipped: 0, valid: 1 }],
    ['skip', { created: 1, updated: 0, skipped: 1, valid: 2 }],
    ['update', { created: 1, updated: 1, skipped: 0, valid: 2 }],
  ])('names the result for vehicles that exist: %s', async (choice, counts) => {
    const { send, as, db, codes } = await openOwner()
    await insertCode(db, as.id, { vehicle_registration: 'MH14GH2708' })
    const table = `${HEAD}mh-14 gh 2708,Anil,9876543210\nMH14GH2719,Anil,9876543210\n`
    const asField = await send(table, '?dry_run=1', { on_duplicate: choice })
    expect(asField.body).toMatchObject(counts)
    expect(await send(table, `?dry_run=1&on_duplicate=${choice}`)).toEqual(asField)
    expect(await codes()).toMatchObject([{ owner_name: 'Ramesh Kulkarni' }])
  })
})

describe('POST /api/qr/import', () => {
  test('makes a code of each row, by the rules of the form', async () => {
    const { send, codes, as } = await openOwner()
    const head =
      'Owner Name;contact_phone;vehicle_registration;insurance_expiry_date;contact_mode;optional_pin'
    const table = `\uFEFF${head}\r\nAnil Pawar;'+91 90000 22708;mh 14 gh 2708;2027-03-31;relay;4711\r\n`
    const { status, body } = await send(table)
    expect(status).toBe(201)
    expect(body).toMatchObject({ created_count: 1, updated_count: 0, skipped_count: 0 })
    expect(body.qr_codes).toMatchObject([
      {
        owner_id: as.id,
        owner_name: 'Anil Pawar',
        contact_phone: '+91 90000 22708',
        vehicle_registration: 'MH14GH2708',
        insurance_expiry_date: '2027-03-31',
        contact_mode: 'relay',
        has_pin: true,
        is_claimed: true,
        public_message: expect.stringContaining('Thank you for scanning'),
        qr_image: expect.stringMatching(/^iVBORw0KGgo/),
      },
    ])
    expect(await codes()).toMatchObject([{ qr_id: body.qr_codes[0].qr_id, is_claimed: 1 }])
  })

  test('lists the codes in the order of the table', async () => {
    const { send, ask, as } = await openOwner()
    const table = HEAD + rowsOf(0, 40)
    expect((await send(table)).status).toBe(201)
    const listed = await (await ask('GET', '/api/qr/my-qrs?page_size=100', { as })).json()
    const plates = listed.map((code: { vehicle_registration: string }) => code.vehicle_registration)
    expect(plates).toEqual(Array.from({ length: 40 }, (_, n) => `MH14AB${1000 + n}`))
  })

  test('with an error makes nothing and names the error', async () => {
    const { send, codes } = await openOwner()
    const { status, body } = await send(`${HEAD}${rowsOf(0, 3)}MH14GH2790,,9876543210\n`)
    expect(status).toBe(400)
    expect(body).toMatchObject({
      detail: '1 row cannot be imported',
      rows: 4,
      valid: 3,
      errors: [{ row: 5, column: 'owner_name', detail: 'Please enter the full name' }],
    })
    expect(await codes()).toEqual([])
  })

  test('beyond the plan makes nothing', async () => {
    const { send, codes } = await openOwner('premium')
    const message = 'QR limit reached (0/50)'
    expect(await send(HEAD + rowsOf(0, 51))).toEqual({
      status: 402,
      body: { detail: { message, current_count: 0, limit: 50 } },
    })
    expect(await codes()).toEqual([])
    expect((await send(HEAD + rowsOf(0, 50))).status).toBe(201)
  })

  test('skips vehicles that are there, which do not count against the plan', async () => {
    const { send, codes } = await openOwner('premium')
    expect((await send(HEAD + rowsOf(0, 40))).status).toBe(201)
    const { status, body } = await send(HEAD + rowsOf(0, 50), '?on_duplicate=skip')
    expect([status, body.created_count, body.skipped_count]).toEqual([201, 10, 40])
    expect(await codes()).toHaveLength(50)
  })

  test('updates every code of a vehicle with the values of its row, and only those', async () => {
    const { send, as, db, codes } = await openOwner('free')
    const vehicle = { vehicle_registration: 'MH14GH2708', city_area: 'Pune', email: 'a@example.in' }
    await insertCode(db, as.id, { ...vehicle, pin_hash: 'kept' })
    await insertCode(db, as.id, vehicle)
    const table =
      'vehicle_registration,owner_name,contact_phone,email,city_area,optional_pin\nMH 14 GH 2708,Anil Pawar,9000022708,,Nashik,\n'
    const { status, body } = await send(table, '?on_duplicate=update')
    expect([status, body.created_count, body.updated_count]).toEqual([201, 0, 1])
    expect(body.qr_codes).toEqual([])
    const changed = { owner_name: 'Anil Pawar', city_area: 'Nashik', email: 'a@example.in' }
    expect(await codes()).toMatchObject([changed, changed])
    expect((await codes()).filter(({ pin_hash }) => pin_hash === 'kept')).toHaveLength(1)
    for (const { updated_at } of await codes()) expect(updated_at > '2026-11-01').toBe(true)
  })

  test('does not update a code that a claimer without an account holds', async () => {
    const { send, as, db, codes } = await openOwner()
    await insertCode(db, as.id, { ...HELD, vehicle_registration: 'MH14GH2708' })
    const { status, body } = await send(
      `${HEAD}MH14GH2708,Anil,9876543210\n`,
      '?on_duplicate=update',
    )
    expect([status, body.errors[0].detail]).toEqual([
      400,
      'This QR code was claimed and cannot be changed',
    ])
    expect(await codes()).toMatchObject([{ owner_name: 'Ramesh Kulkarni' }])
  })

  test('goes by the vehicles of this account alone', async () => {
    const { send, db, signUp } = await openOwner()
    const other = await signUp()
    await insertCode(db, other.id, { vehicle_registration: 'MH14GH2708' })
    const { status, body } = await send(`${HEAD}MH14GH2708,Anil,9876543210\n`)
    expect([status, body.created_count]).toEqual([201, 1])
  })

  test('takes a table of 1,000 rows and 1 MB, and no larger one', { tags: 'slow' }, async () => {
    const { send, codes } = await openOwner()
    const detail = 'A table may have at most 1,000 rows. Split it into several.'
    for (const query of ['', '?dry_run=1']) {
      expect(await send(HEAD + rowsOf(0, 1001), query)).toEqual({ status: 400, body: { detail } })
    }
    const large = Buffer.concat([Buffer.from(HEAD), Buffer.alloc(1024 * 1024, '\n')])
    expect(await send(large)).toEqual({
      status: 413,
      body: { detail: 'The table is larger than 1 MB' },
    })
    expect(await codes()).toEqual([])
    const { status, body } = await send(HEAD + rowsOf(0, 1000))
    expect([status, body.created_count, body.qr_codes.length]).toEqual([201, 1000, 1000])
    expect(new Set((await codes()).map(({ created_at }) => created_at)).size).toBe(1)
  })

  test('takes some empty rows, and does not read a megabyte of them', {
    tags: 'slow',
  }, async () => {
    const { send, codes } = await openOwner()
    for (const line of ['\n', '\r', ' ,\r\n']) {
      const empty = line.repeat((1024 * 1024 - HEAD.length - 1) / line.length)
      // A reader that goes on to its end would find that the table is no text.
      const table = Buffer.concat([Buffer.from(HEAD + empty), Buffer.of(0xff)])
      expect(await send(table)).toEqual({
        status: 400,
        body: { detail: 'The table has too many empty rows. Delete them and save it again.' },
      })
    }
    expect(await codes()).toEqual([])
    const { status, body } = await send(
      `${HEAD}${',\n'.repeat(9_000)}${rowsOf(0, 2)}`,
      '?dry_run=1',
    )
    expect([status, body]).toMatchObject([200, { rows: 2, valid: 2, errors: [] }])
  })

  test.each([
    ['', 'The table is empty. The first row must name the columns.'],
    ['\n\n', 'The table is empty. The first row must name the columns.'],
    [HEAD, 'The table has no rows below the names of its columns'],
    [`${HEAD}MH14GH2708,"Anil,9876543210\n`, 'Row 2: a quote is opened and never closed'],
  ])('refuses %j in a sentence', async (table, detail) => {
    const { send, codes, dataDir } = await openOwner()
    for (const query of ['', '?dry_run=1']) {
      expect(await send(table, query)).toEqual({ status: 400, body: { detail } })
    }
    expect(await codes()).toEqual([])
    expect(filesIn({ dataDir })).toEqual({ stored: [], incoming: [] })
  })

  const NOT_TEXT =
    'The table is not text in UTF-8. In your spreadsheet choose Save as, and then CSV UTF-8.'
  test.each([
    ['in Latin-1', Buffer.from(`${HEAD}MH14GH2708,José,9876543210\n`, 'latin1'), 400, NOT_TEXT],
    ['in UTF-16', Buffer.from(`\uFEFF${HEAD}`, 'utf16le'), 400, NOT_TEXT],
    [
      'with a line as long as it may be',
      Buffer.from(`${HEAD}${'x'.repeat(1024 * 1024 - HEAD.length - 1)}\n`),
      400,
      'Row 2 is too long. Perhaps a quote is never closed.',
    ],
    [
      'with a line of 10 MB',
      Buffer.from(`${HEAD}${'x'.repeat(10 * 1024 * 1024)}\n`),
      413,
      'The table is larger than 1 MB',
    ],
  ])('refuses a table %s in a sentence', async (_, table, status, detail) => {
    const { send, codes, dataDir } = await openOwner()
    for (const query of ['', '?dry_run=1']) {
      expect(await send(table, query)).toEqual({ status, body: { detail } })
    }
    expect(await codes()).toEqual([])
    expect(filesIn({ dataDir })).toEqual({ stored: [], incoming: [] })
  })

  test('needs a table and a known choice', async () => {
    const { send, ask, as } = await openOwner()
    const empty = await ask('POST', '/api/qr/import', { as, body: fileForm(null, { a: 'b' }) })
    expect([empty.status, await empty.json()]).toEqual([400, { detail: 'Please select a file' }])
    const detail = 'on_duplicate must be error, skip or update'
    const table = HEAD + rowsOf(0, 1)
    expect(await send(table, '', { on_duplicate: 'ask' })).toEqual({
      status: 400,
      body: { detail },
    })
    expect(await send(table, '?on_duplicate=ask')).toEqual({ status: 400, body: { detail } })
  })

  test('takes the export of all codes back', async () => {
    const { send, ask, signUp, db, codes } = await openOwner()
    const [admin, someone] = [await signUp({ role: 'admin' }), await signUp()]
    const before = await insertCode(db, someone.id, {
      owner_name: '=Anil "Cab 27", Pawar',
      contact_phone: '+919000022708',
      public_message: 'Please call.\nThank you!',
      vehicle_registration: 'MH14GH2708',
      blood_group: 'O+',
      contact_mode: 'relay',
      show_city: 0,
    })
    const file = await ask('GET', '/api/admin/qr-codes/export/csv', { as: admin })
    const { status } = await send(new Uint8Array(await file.arrayBuffer()))
    expect(status).toBe(201)
    const { id, qr_id, owner_id, created_by, created_at, updated_at, ...same } = before
    expect(await codes()).toMatchObject([same, same])
  })

  test('gives codes of one import a time of their own, by which their files are had', async () => {
    const { send, ask, as } = await openOwner()
    const [first, second] = [await send(HEAD + rowsOf(0, 3)), await send(HEAD + rowsOf(3, 5))]
    const { created_at } = second.body.qr_codes[0]
    expect(created_at > first.body.qr_codes[0].created_at).toBe(true)
    const file = await ask('GET', `/api/qr/labels.pdf?created_at=${created_at}`, { as })
    expect([file.status, file.headers.get('Content-Type')]).toEqual([200, 'application/pdf'])
    const none = await ask('GET', '/api/qr/labels.pdf?created_at=2020-01-01T00:00:00.000Z', { as })
    expect(none.status).toBe(404)
  })
})

describe('Import in the dashboard, without script', () => {
  async function openPages(plan: Plan = 'enterprise') {
    const owner = await openOwner(plan)
    const { submit, read } = browserOf(owner, owner.as)
    return { ...owner, post: (body: FormData) => submit('/dashboard/qr/import', body), read }
  }

  /** Returns the fields of a checked table's form. */
  function fieldsOf(html: string): FormData {
    const form = new FormData()
    for (const name of ['file_name', 'table']) {
      const [, value = ''] = new RegExp(`name="${name}" value="([^"]*)"`).exec(html) ?? []
      form.set(
        name,
        value.replaceAll('&quot;', '"').replaceAll('&amp;', '&').replaceAll('\n', '\r\n'),
      )
    }
    return form
  }

  test('is led to by the Bulk dialog, with a template', async () => {
    const { read, ask, as } = await openPages()
    expect(await read('/dashboard?bulk=1')).toContain('href="/dashboard?tab=my-qrs&amp;import=1"')
    expect(await read('/dashboard?import=1')).toContain('href="/dashboard/qr/import/template"')
    const headers = { cookie: as.cookie }
    const template = await ask('GET', '/dashboard/qr/import/template', { headers })
    expect(template.headers.get('content-disposition')).toContain('qr_codes_template.csv')
    const [head, ...rows] = parse(await template.text(), { bom: true })
    expect(head).toEqual([...IMPORT_COLUMNS])
    expect(rows).toHaveLength(1)
  })

  test('checks a table, sends it again to import it, and leads to the labels', async () => {
    const { post, read, codes } = await openPages()
    const table = `${HEAD}${rowsOf(0, 2)}MH14GH2708,"Say ""hi"" & go\nto Pune",9876543210\n`
    const checked = await post(fileForm(Buffer.from(table), { on_duplicate: 'skip' }, 'fleet.csv'))
    expect(checked.status).toBe(200)
    expect(checked.html).toContain('3 rows, 1 KB · checked, nothing is made yet')
    expect(checked.html).toContain('Import 3 QR codes')
    expect(await codes()).toEqual([])
    const form = fieldsOf(checked.html)
    form.set('on_duplicate', 'skip')
    form.set('confirm', '1')
    const { status, to } = await post(form)
    expect(status).toBe(303)
    const [made] = await codes()
    expect(to).toBe(
      `/dashboard?${new URLSearchParams({ tab: 'my-qrs', done: 'imported', count: '3', made: made?.created_at ?? '' })}`,
    )
    expect((await codes()).map(({ owner_name }) => owner_name)).toContain('Say "hi" & go to Pune')
    const after = await read(to ?? '')
    expect(after).toContain('3 QR codes imported')
    expect(after).toContain('3 created')
    expect(after).toContain('Print labels')
  })

  test('shows the wrong cells with their errors, and the rows that are skipped', async () => {
    const { post, as, db, codes } = await openPages()
    await insertCode(db, as.id, { vehicle_registration: 'MH14GH2708' })
    const table = `${HEAD}MH14GH2719,Santosh,98765\nMH14GH2708,Anil,9876543210\n${rowsOf(0, 3)}`
    const { status, html } = await post(fileForm(Buffer.from(table), { on_duplicate: 'skip' }))
    expect(status).toBe(200)
    expect(html).toContain('1 row cannot be imported')
    expect(html).toContain('Row 2, contact_phone: Please enter a valid mobile number')
    expect(html).toContain('Already there, will be skipped')
    expect(html).toContain('The other 3 are in order.')
    expect(html).toMatch(
      /<button[^>]*disabled=""[^>]*name="confirm"|<button[^>]*name="confirm"[^>]*disabled=""/,
    )
    const form = fieldsOf(html)
    form.set('confirm', '1')
    form.set('on_duplicate', 'skip')
    expect((await post(form)).status).toBe(400)
    expect(await codes()).toHaveLength(1)
  })

  test('says of no other row that it is in order, nor of more, where a column is wrong', async () => {
    const { post } = await openPages()
    const table = 'owner_name,contact_phone,colour\nAnil,98765,red\nAnil,9876543210,red\n'
    const { html } = await post(fileForm(Buffer.from(table)))
    expect(html).toContain('2 rows cannot be imported')
    expect(html).toContain('Only rows to look at are shown.')
    expect(html).not.toMatch(/more rows to look at|in order/)
  })

  test.each([
    [101, '1 more row to look at.'],
    [102, '2 more rows to look at.'],
  ])('shows 100 of %i wrong rows, and says how many more there are', async (rows, text) => {
    const { post } = await openPages()
    const { html } = await post(fileForm(Buffer.from(HEAD + ',,98765\n'.repeat(rows))))
    expect(html).toContain(text)
  })

  test('says that the plan does not allow so many, and shows the way to more', async () => {
    const { post, codes } = await openPages('free')
    const checked = await post(fileForm(Buffer.from(HEAD + rowsOf(0, 2))))
    expect(checked.html).toContain('The table has 2 new QR codes, and your plan allows 1 more.')
    const form = fieldsOf(checked.html)
    form.set('confirm', '1')
    const { status, html } = await post(form)
    expect(status).toBe(402)
    expect(html).toContain('QR limit reached (0/1)')
    expect(html).toContain('id="upgrade"')
    expect(await codes()).toEqual([])
  })

  test('asks for another file where one is no table', async () => {
    const { post } = await openPages()
    const { status, html } = await post(fileForm(Buffer.from([0xff, 0xfe, 0x41, 0x00])))
    expect(status).toBe(400)
    expect(html).toContain('The table is not text in UTF-8.')
    expect(html).toContain('type="file"')
  })
})
