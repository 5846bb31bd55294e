import { describe, expect, test } from 'vitest'
import { NOW, openTestApp } from '#tests/support/app.ts'
import { HELD, insertCode } from '#tests/support/codes.ts'
import { INSERTED } from '#tests/support/inserted.ts'
import { drawPdf, fileForm, filesIn, PDF, picture } from '#tests/support/uploads.ts'

const UNKNOWN = '000000000011'

async function openWithCode(fields: Parameters<typeof insertCode>[2] = {}) {
  const app = await openTestApp()
  const owner = await app.signUp()
  const code = await insertCode(app.db, owner.id, fields)
  const call = async (
    method: string,
    path: string,
    { as = owner as typeof owner | null, json = undefined as unknown } = {},
  ) => {
    const answer = await app.ask(method, `/api/documents/${path}`, { ...(as && { as }), json })
    return { status: answer.status, body: await answer.json() }
  }
  const upload = async (
    sent: Record<string, string> = {},
    { as = owner, file = PDF as Buffer | null, name = 'policy.pdf', id = code.qr_id } = {},
  ) => {
    const body = fileForm(file, { document_type: 'insurance', ...sent }, name)
    const answer = await app.ask('POST', `/api/documents/upload/${id}`, { as, body })
    return { status: answer.status, body: await answer.json() }
  }
  return { ...app, owner, code, call, upload }
}

/** A parent's child code with its child user. */
async function openWithChild() {
  const app = await openWithCode({ qr_type: 'child', is_child_registered: 1 })
  const child = await app.signUp({ parent_id: app.owner.id })
  await app.db.updateTable('qr_codes').set({ child_account_id: child.id }).execute()
  return { ...app, child }
}

describe('POST /api/documents/upload/{qr_id}', () => {
  test('stores a PDF as it is and answers with the whole document', async () => {
    const app = await openWithCode()
    const { status, body } = await app.upload({ is_public: 'true' })
    expect(status).toBe(201)
    expect(body).toStrictEqual({
      id: expect.any(String),
      qr_id: app.code.qr_id,
      document_type: 'insurance',
      document_side: null,
      is_public: true,
      file_name: 'policy.pdf',
      file_url: `/api/files/${body.file_path}`,
      file_path: expect.stringMatching(/^[a-z2-7]{26}\.pdf$/),
      file_size: PDF.length,
      content_type: 'application/pdf',
      uploaded_at: NOW,
      expires_on: null,
      thumbnail_url: null,
      is_own: true,
      is_locked: false,
      pdf_problem: null,
    })
    const file = await app.ask('GET', body.file_url)
    expect(Buffer.from(await file.arrayBuffer())).toEqual(PDF)
  })

  test('keeps a picture with a thumbnail, private unless told otherwise', async () => {
    const app = await openWithCode()
    const file = await picture({ kind: 'jpeg', width: 900, height: 300 })
    const { body } = await app.upload(
      { document_type: 'rc_book', document_side: 'front' },
      { file, name: 'rc.JPG' },
    )
    expect(body).toMatchObject({
      document_side: 'front',
      is_public: false,
      file_name: 'rc.JPG',
      content_type: 'image/jpeg',
      thumbnail_url: expect.stringMatching(/^\/api\/files\/[a-z2-7]{26}\.jpg$/),
    })
    expect(filesIn(app)).toMatchObject({ stored: { length: 2 }, incoming: [] })
    expect((await app.ask('GET', body.thumbnail_url)).status).toBe(404)
    expect((await app.ask('GET', body.thumbnail_url, { as: app.owner })).status).toBe(200)
  })

  test.each([
    ['asks for a password to open', 'password', () => drawPdf({ userPassword: 'born-1989' })],
    [
      'asks for one by the newest cipher',
      'password',
      () => drawPdf({ userPassword: 'born-1989', pdfVersion: '1.7ext3' }),
    ],
    ['has a password for its owner alone', null, () => drawPdf({ ownerPassword: 'insurer' })],
    ['has no page', 'no_page', () => drawPdf({ autoFirstPage: false })],
    ['is damaged', 'no_page', () => Buffer.from('%PDF-1.7\ntrailer <<>>\n%%EOF\n')],
  ] as const)('keeps a PDF that %s, and says whether it can be read', async (_, problem, draw) => {
    const app = await openWithCode()
    const { status, body } = await app.upload({ is_public: 'true' }, { file: await draw() })
    expect([status, body.pdf_problem]).toEqual([201, problem])
    const { body: listed } = await app.call('GET', app.code.qr_id)
    expect(listed.documents[0].pdf_problem).toBe(problem)
    const { body: police } = await app.call('GET', `${app.code.qr_id}/police`, { as: null })
    expect(police.documents[0]).not.toHaveProperty('pdf_problem')
  })

  const refused: [string, Record<string, string>, string][] = [
    ['an unknown type', { document_type: 'passport' }, 'Please select a document type'],
    ['no type', { document_type: ' ' }, 'Please select a document type'],
    [
      'a type with sides without one',
      { document_type: 'license' },
      'Please select the front or the back',
    ],
    [
      'a side that is none',
      { document_type: 'id_proof', document_side: 'left' },
      'Please select the front or the back',
    ],
    [
      'a side of what has none',
      { document_type: 'puc', document_side: 'back' },
      'Pollution certificate (PUC) has no sides',
    ],
    ['a visibility that is none', { is_public: 'maybe' }, 'is_public must be true or false'],
  ]
  test.each(refused)('refuses %s and stores nothing', async (_, sent, detail) => {
    const app = await openWithCode()
    expect(await app.upload(sent)).toEqual({ status: 400, body: { detail } })
    expect(filesIn(app)).toEqual({ stored: [], incoming: [] })
  })

  test('asks for a file that is missing', async () => {
    const app = await openWithCode()
    const missing = { status: 400, body: { detail: 'Please select a file' } }
    expect(await app.upload({}, { file: null })).toEqual(missing)
    // A browser sends this for an empty file field.
    expect(await app.upload({}, { file: Buffer.alloc(0), name: '' })).toEqual(missing)
  })

  test('is for the owner and the child user of the code alone', async () => {
    const app = await openWithChild()
    const stranger = await app.signUp()
    const unknown = { status: 404, body: { detail: 'QR code not found' } }
    expect((await app.upload({}, { as: app.child })).status).toBe(201)
    expect(await app.upload({}, { as: stranger })).toEqual(unknown)
    expect(await app.upload({}, { id: UNKNOWN })).toEqual(unknown)
    const path = `/api/documents/upload/${app.code.qr_id}`
    expect((await app.ask('POST', path, { body: fileForm(PDF) })).status).toBe(401)
    expect(filesIn(app).stored).toHaveLength(1)
  })

  test('leaves a code alone whose claimer has no account yet', async () => {
    const app = await openWithCode(HELD)
    expect((await app.upload()).status).toBe(409)
  })

  test('takes 30 of one code, however many arrive at once', async () => {
    const app = await openWithCode()
    const { body } = await app.upload()
    const row = await app.db.selectFrom('documents').selectAll().executeTakeFirstOrThrow()
    const copies = Array.from({ length: 28 }, (_, i) => ({
      ...row,
      id: `copy${i}`,
      stored_name: `copy${i}`,
    }))
    await app.db.insertInto('documents').values(copies).execute()
    const answers = await Promise.all([app.upload(), app.upload()])
    expect(answers.map(({ status }) => status).toSorted()).toEqual([201, 402])
    const { detail } = answers.find(({ status }) => status === 402)?.body ?? {}
    const message = 'Document limit reached (30/30)'
    expect(detail).toEqual({ message, current_count: 30, limit: 30 })
    expect(filesIn(app).stored).toHaveLength(2)
    expect(filesIn(app).stored).toContain(body.file_path)
  })
})

describe('GET /api/documents/{qr_id}', () => {
  test('lists the documents of a code, newest first, and how often authorities looked', async () => {
    const app = await openWithCode()
    const { body: older } = await app.upload()
    app.advance(60)
    const { body: newer } = await app.upload({ is_public: 'true' })
    await app.ask('GET', `/api/documents/${app.code.qr_id}/police`)
    const police_views = { total: 1, last_viewed_at: '2026-11-20T10:01:00.000Z' }
    expect(await app.call('GET', app.code.qr_id)).toEqual({
      status: 200,
      body: { documents: [newer, older], police_views },
    })
  })

  test('keeps private documents of parent and child apart, and shares public ones', async () => {
    const app = await openWithChild()
    await app.upload()
    const { body: open } = await app.upload({ is_public: 'true' }, { as: app.child })
    const { body: secret } = await app.upload({}, { as: app.child })
    const { body: seen } = await app.call('GET', app.code.qr_id)
    expect(seen.documents).toHaveLength(2)
    expect(seen.documents).toContainEqual({ ...open, is_own: false })
    for (const act of [
      app.call('DELETE', open.id),
      app.call('PATCH', open.id, { json: { is_public: false } }),
      app.call('DELETE', secret.id),
    ]) {
      expect(await act).toEqual({ status: 404, body: { detail: 'Document not found' } })
    }
    expect((await app.ask('GET', secret.file_url, { as: app.owner })).status).toBe(404)
  })
})

describe('visibility', () => {
  test('of one document is switched by its uploader alone', async () => {
    const app = await openWithCode()
    const { body } = await app.upload()
    const shown = await app.call('PATCH', body.id, { json: { is_public: true } })
    expect(shown).toEqual({ status: 200, body: { ...body, is_public: true } })
    const as = await app.signUp()
    const json = { is_public: false }
    expect((await app.call('PATCH', body.id, { as, json })).status).toBe(404)
    expect((await app.call('PATCH', body.id, { json: { is_public: 'no' } })).status).toBe(400)
    expect((await app.ask('GET', body.file_url)).status).toBe(200)
  })

  test('of all documents of a code is switched at once, those of others not', async () => {
    const app = await openWithChild()
    await app.upload()
    await app.upload()
    const { body: theirs } = await app.upload({}, { as: app.child })
    const path = `${app.code.qr_id}/visibility`
    const { body } = await app.call('PUT', path, { json: { is_public: true } })
    const shown = body.documents.map((each: { is_public: boolean }) => each.is_public)
    expect(shown).toEqual([true, true])
    expect((await app.ask('GET', theirs.file_url)).status).toBe(404)
    const as = await app.signUp()
    expect((await app.call('PUT', path, { as, json: { is_public: false } })).status).toBe(404)
  })

  test('ends in the same second for everybody else', async () => {
    const app = await openWithCode()
    const { body } = await app.upload({ is_public: 'true' })
    expect((await app.ask('GET', body.file_url)).status).toBe(200)
    await app.call('PATCH', body.id, { json: { is_public: false } })
    expect((await app.ask('GET', body.file_url)).status).toBe(404)
    const police = await app.call('GET', `${app.code.qr_id}/police`, { as: null })
    expect(police.body.documents).toEqual([])
  })
})

describe('DELETE', () => {
  test('of a document removes its files too', async () => {
    const app = await openWithCode()
    const { body } = await app.upload({}, { file: await picture(), name: 'a.png' })
    expect(filesIn(app).stored).toHaveLength(2)
    const deleted = { status: 200, body: { message: 'Document deleted successfully!' } }
    expect(await app.call('DELETE', body.id)).toEqual(deleted)
    expect(filesIn(app)).toEqual({ stored: [], incoming: [] })
    expect((await app.call('DELETE', body.id)).status).toBe(404)
    expect((await app.ask('GET', body.file_url, { as: app.owner })).status).toBe(404)
  })

  test('of a code removes its documents’ files too, the child user’s among them', async () => {
    const app = await openWithChild()
    await app.upload({}, { file: await picture(), name: 'a.png' })
    await app.upload({}, { as: app.child })
    expect(filesIn(app).stored).toHaveLength(3)
    const { status } = await app.ask('DELETE', `/api/qr/${app.code.qr_id}`, { as: app.owner })
    expect([status, filesIn(app).stored]).toEqual([200, []])
  })

  test('of a code by the dashboard’s form removes the files too', async () => {
    const app = await openWithCode()
    await app.upload()
    const headers = { Cookie: app.owner.cookie, 'Sec-Fetch-Site': 'same-origin' }
    const path = `/dashboard/qr/${app.code.qr_id}/delete`
    const answer = await app.ask('POST', path, { headers, body: new URLSearchParams() })
    expect([answer.status, filesIn(app).stored]).toEqual([303, []])
  })
})

describe('GET /api/documents/{qr_id}/police', () => {
  test('shows name, number and public documents to anybody, and not one field more', async () => {
    const app = await openWithCode()
    await app.upload()
    const { body: open } = await app.upload({ is_public: 'true' })
    const { thumbnail_url: _, is_own: __, is_locked: ___, pdf_problem: ____, ...shown } = open
    const answer = await app.ask('GET', `/api/documents/${app.code.qr_id}/police`)
    expect(await answer.json()).toStrictEqual({
      owner_name: 'Ramesh Kulkarni',
      contact_phone: '+919876543210',
      can_message: true,
      documents: [shown],
    })
    expect(Object.fromEntries(answer.headers)).toMatchObject({
      'cache-control': 'no-store',
      'referrer-policy': 'no-referrer',
      'x-robots-tag': 'noindex, noarchive',
    })
  })

  test('answers an empty list where nothing is public', async () => {
    const app = await openWithCode()
    await app.upload()
    const { status, body } = await app.call('GET', `${app.code.qr_id}/police`, { as: null })
    expect([status, body.documents]).toEqual([200, []])
  })

  test.each([
    ['inactive', { is_active: 0 }],
    ['unclaimed', { is_claimed: 0 }],
  ] as const)('says of an %s code what it says of one that does not exist', async (_, fields) => {
    const app = await openWithCode(fields)
    const detail = 'QR code not found or no documents available'
    for (const id of [app.code.qr_id, UNKNOWN, 'no-such-id', '..%2f']) {
      const answer = await app.call('GET', `${id}/police`, { as: null })
      expect(answer).toEqual({ status: 404, body: { detail } })
    }
  })

  test('shows no document of the issuer under the name of the claimer', async () => {
    const app = await openWithCode()
    await app.upload({ is_public: 'true' })
    await app.db.updateTable('qr_codes').set(HELD).execute()
    const path = `${app.code.qr_id}/police`
    expect((await app.call('GET', path)).body.documents).toEqual([])
    const claimer = await app.signUp()
    await app.db.updateTable('qr_codes').set({ claimed_at: null, owner_id: claimer.id }).execute()
    expect((await app.call('GET', path)).body.documents).toEqual([])
    expect((await app.call('GET', app.code.qr_id, { as: claimer })).body.documents).toEqual([])
  })

  test('notes who looked for the owner, but not the owner', async () => {
    const app = await openWithCode()
    const { body } = await app.upload({ is_public: 'true' })
    await app.call('GET', `${app.code.qr_id}/police`, { as: null })
    await app.call('GET', `${app.code.qr_id}/police`)
    await app.ask('GET', body.file_url)
    await app.ask('GET', body.file_url, { as: app.owner })
    await app.ask('HEAD', body.file_url)
    const views = await app.db
      .selectFrom('document_views')
      .select('document_id')
      .orderBy(INSERTED)
      .execute()
    expect(views).toEqual([{ document_id: null }, { document_id: body.id }])
  })
})
