import { describe, expect, test } from 'vitest'
import { removeStoredFiles } from '#actions/papers/files.ts'
import { createApiKey } from '#db/accounts/api-keys.ts'
import { listStoredNames } from '#db/stored-files.ts'
import { newCaller } from '#tests/support/callers.ts'
import { openTickets } from '#tests/support/tickets.ts'
import { blackPng, filesIn, PDF, picture } from '#tests/support/uploads.ts'

const TEXT = { text: 'See the print.' }

describe('an attachment', () => {
  test('comes with a ticket or an answer of either side, and a picture has a thumbnail', async () => {
    const { call, adminCall, form, TICKET } = await openTickets()
    const opened = await call('POST', '', { body: form(PDF, TICKET, '..\\test print.PDF') })
    expect(opened.status).toBe(201)
    const { id, messages } = opened.body
    expect(messages[0].attachment).toStrictEqual({
      file_name: 'test print.PDF',
      file_size: PDF.length,
      content_type: 'application/pdf',
      url: expect.stringMatching(/^\/api\/files\/[a-z2-7]{26}\.pdf$/),
      thumbnail_url: null,
    })
    const png = form(await picture(), TEXT, 'frame.png')
    const written = await call('POST', `/${id}/messages`, { body: png })
    expect(written.body.attachment).toMatchObject({
      file_name: 'frame.png',
      content_type: 'image/png',
      thumbnail_url: expect.stringMatching(/\.jpg$/),
    })
    const answered = await adminCall('POST', `/${id}/messages`, { body: form(PDF, TEXT) })
    expect(answered.body).toMatchObject({ from: 'support', attachment: { file_name: 'print.pdf' } })
    // Without a file it is words alone.
    const words = await call('POST', `/${id}/messages`, { body: form(null, TEXT) })
    expect(words).toMatchObject({ status: 201, body: { attachment: null } })
  })

  test('is for its customer and admins alone, and no API key', async () => {
    const { call, form, TICKET, ask, customer, admin, signUp, deps } = await openTickets()
    const { body } = await call('POST', '', { body: form(await picture(), TICKET, 'a.png') })
    const { url, thumbnail_url } = body.messages[0].attachment
    const strangers = [
      undefined,
      await signUp({ subscription_plan: 'enterprise' }),
      await signUp({ role: 'moderator' }),
    ]
    const caller = await newCaller({ deps }, customer.id)
    const { key } = await createApiKey(deps.db, caller, 'Key', deps.clock(), async () => {})
    for (const path of [url, thumbnail_url]) {
      for (const as of [customer, admin]) {
        const opened = await ask('GET', path, { as })
        expect(opened.status).toBe(200)
        expect(opened.headers.get('Cache-Control')).toBe('private, no-store')
        expect(opened.headers.get('Content-Security-Policy')).toContain("default-src 'none'")
      }
      for (const as of strangers) {
        expect((await ask('GET', path, as ? { as } : {})).status).toBe(404)
      }
      expect((await ask('GET', path, { as: { bearerToken: key } })).status).toBe(404)
    }
  })

  test('that is no document is refused, and nothing of it is kept', async () => {
    const app = await openTickets()
    const { call, open, form, adminCall } = app
    const { id } = await open()
    const hostile: [Uint8Array, string, number, string][] = [
      [
        Buffer.from('<script>alert(1)</script>'),
        'a.pdf',
        415,
        'Only PDF, JPG and PNG files are accepted',
      ],
      [await picture({ kind: 'webp' }), 'a.png', 415, 'Only PDF, JPG and PNG files are accepted'],
      [await picture({ kind: 'gif' }), 'a.jpg', 415, 'Only PDF, JPG and PNG files are accepted'],
      [PDF.subarray(0, -12), 'a.pdf', 415, 'This PDF is cut short and cannot be read'],
      [(await picture()).subarray(0, 60), 'a.png', 415, 'This image is damaged and cannot be read'],
      [blackPng(20_000, 20_000), 'a.png', 413, ''],
      [Buffer.alloc(0), 'a.pdf', 415, 'Only PDF, JPG and PNG files are accepted'],
      [
        Buffer.concat([PDF, Buffer.alloc(10 * 1024 * 1024)]),
        'a.pdf',
        413,
        'File is larger than 10 MB',
      ],
    ]
    for (const [file, name, status, detail] of hostile) {
      for (const send of [call, adminCall]) {
        const refused = await send('POST', `/${id}/messages`, { body: form(file, TEXT, name) })
        expect([name, refused.status]).toEqual([name, status])
        if (detail) expect(refused.body.detail).toBe(detail)
      }
    }
    const begun = await call('POST', '', { body: form(Buffer.from('none'), app.TICKET) })
    expect(begun.status).toBe(415)
    expect((await call('GET', `/${id}`)).body.messages).toHaveLength(1)
    expect((await call('GET', '')).body.total_count).toBe(1)
    expect(filesIn(app)).toEqual({ stored: [], incoming: [] })
  })

  test('is not kept when its message is refused', async () => {
    const app = await openTickets()
    const { call, open, form, customer, db } = app
    const { id } = await open()
    const refusals: [string, Record<string, string>, number][] = [
      ['/none/messages', TEXT, 404],
      [`/${id}/messages`, { text: ' ' }, 400],
      ['', { subject: '', text: 'b' }, 400],
    ]
    for (const [path, fields, status] of refusals) {
      expect((await call('POST', path, { body: form(PDF, fields) })).status).toBe(status)
    }
    const free = { subscription_plan: 'free' } as const
    await db.updateTable('accounts').set(free).where('id', '=', customer.id).execute()
    expect((await call('POST', `/${id}/messages`, { body: form(PDF, TEXT) })).status).toBe(403)
    expect(filesIn(app)).toEqual({ stored: [], incoming: [] })
  })

  test('is one of thirty in a ticket, and of thirty uploads in an hour', async () => {
    const { call, open, form, advance, signUp, adminCall } = await openTickets()
    const { id } = await open()
    const send = () => call('POST', `/${id}/messages`, { body: form(PDF, TEXT) })
    for (let n = 0; n < 19; n++) expect((await send()).status).toBe(201)
    advance(3_600)
    for (let n = 19; n < 30; n++) expect((await send()).status).toBe(201)
    const limit = { message: 'Attachment limit reached (30/30)', current_count: 30, limit: 30 }
    expect(await send()).toMatchObject({ status: 402, body: { detail: limit } })
    const as = await signUp({ role: 'admin' })
    expect((await adminCall('POST', `/${id}/messages`, { body: form(PDF, TEXT), as })).status).toBe(
      402,
    )
    // Words are still taken, and files in another ticket.
    expect((await call('POST', `/${id}/messages`, { json: TEXT })).status).toBe(201)
    advance(3_600)
    const other = `/${(await open()).id}/messages`
    expect((await call('POST', other, { body: form(PDF, TEXT) })).status).toBe(201)
  })

  test('is found by the search for stray files, and goes when its account does', async () => {
    const { call, form, TICKET, db, customer, deps, dataDir } = await openTickets()
    await call('POST', '', { body: form(await picture(), TICKET, 'a.png') })
    const names = await listStoredNames(db)
    expect(names).toHaveLength(2)
    expect(filesIn({ dataDir }).stored.toSorted()).toEqual(names.toSorted())
    await db.deleteFrom('accounts').where('id', '=', customer.id).execute()
    expect(await listStoredNames(db)).toEqual([])
    await removeStoredFiles(deps, { stored_names: names })
    expect(filesIn({ dataDir }).stored).toEqual([])
  })
})
