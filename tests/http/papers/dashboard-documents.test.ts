import { describe, expect, test } from 'vitest'
import { openTestApp } from '#tests/support/app.ts'
import { insertCode } from '#tests/support/codes.ts'
import { CHILD, UNCLAIMED } from '#tests/support/families.ts'
import { fileForm, filesIn, PDF } from '#tests/support/uploads.ts'

type Fields = Record<string, string>

async function openTab(fields: Parameters<typeof insertCode>[2] = {}) {
  const app = await openTestApp()
  const owner = await app.signUp()
  const code = await insertCode(app.db, owner.id, fields)
  const open = (query = '', as = owner) =>
    app.browse('GET', `/dashboard?tab=documents${query}`, undefined, as)
  const submit = (path: string, form: Fields = {}, as = owner) =>
    app.browse('POST', `/dashboard/documents${path}`, new URLSearchParams(form), as)
  /** The upload form as a browser without script sends it. */
  const send = (sent: Fields, file: Buffer | null = PDF, as = owner) => {
    const form = fileForm(file, { qr_id: code.qr_id, ...sent }, 'policy.pdf')
    return app.browse('POST', '/dashboard/documents/upload', form, as)
  }
  const rows = () => app.db.selectFrom('documents').selectAll().orderBy('id').execute()
  const upload = async (sent: Fields = { document_type: 'insurance' }, as = owner) => {
    expect((await send(sent, PDF, as)).status).toBe(303)
    const document = (await rows()).find(
      ({ document_type, account_id }) =>
        document_type === sent.document_type && account_id === as.id,
    )
    if (!document) throw new Error('Nothing was stored')
    return document
  }
  return { ...app, owner, code, open, submit, send, rows, upload }
}

const notes = (html: string) =>
  [...html.matchAll(/<div class="note[^"]*"[^>]*>.*?<span>(.*?)<\/span>/g)].map(([, text]) => text)
const switches = (html: string) =>
  [...html.matchAll(/role="switch"([^>]*)><span>([^<]*)/g)].map(
    ([, attributes = '', label]) => `${label} ${attributes.includes('checked=""')}`,
  )

describe('the Documents tab', () => {
  test('stores a form that is sent again, because its answer was lost, once', async () => {
    const { open, send, rows, dataDir } = await openTab()
    const { html } = await open('&upload=1')
    const [, form_key = ''] = /name="form_key" value="([^"]+)"/.exec(html) ?? []
    const refused = await send({ document_type: 'rc_book', form_key })
    expect(refused.html).toContain(`value="${form_key}"`)
    for (const document_type of ['insurance', 'insurance', 'puc']) {
      expect((await send({ document_type, form_key })).status).toBe(303)
    }
    expect((await rows()).map((row) => row.document_type).sort()).toEqual(['insurance', 'puc'])
    expect((await filesIn({ dataDir })).stored).toHaveLength(2)
  })

  test('shows each code with its papers, their side, name, date and visibility', async () => {
    const { open, upload, code } = await openTab({ vehicle_registration: 'MH12QX4827' })
    const rc = { document_type: 'rc_book', document_side: 'front' }
    const front = await upload({ ...rc, is_public: 'on' })
    await upload({ document_type: 'puc' })
    const { status, html } = await open()
    expect(status).toBe(200)
    expect(html).toContain('MH 12 QX 4827')
    expect(html).toContain('Registration certificate (RC book)')
    expect(html).toContain('Front side · policy.pdf')
    expect(html).toContain('20 Nov 2026')
    expect(html).toContain(`href="/api/files/${front.stored_name}"`)
    expect(html).toContain(`href="/police/${code.qr_id}" target="_blank"`)
    expect(switches(html)).toEqual(['Show all false', 'Public true', 'Public false'])
  })

  test('has a word for no code, no document and no result', async () => {
    const { open, signUp } = await openTab()
    expect((await open()).html).toContain('No documents yet.')
    expect((await open('&q=scooty')).html).toContain('No QR codes found')
    const { html } = await open('', await signUp())
    expect(html).toContain('No QR Codes Yet')
    expect(html).not.toContain('Upload Document')
  })

  test('begins with what has documents, and says of blank codes once that there are some', async () => {
    const { db, owner, open, upload, signUp } = await openTab({ owner_name: 'Papers' })
    const later = { created_at: '2026-11-19T09:00:00.000Z' }
    await insertCode(db, owner.id, { owner_name: 'None', ...later })
    const blank = await insertCode(db, owner.id, { ...UNCLAIMED, ...later })
    await insertCode(db, owner.id, { ...CHILD, ...later })
    await upload()
    const namesOf = (html: string) =>
      [...html.matchAll(/<h2[^>]*id="code-[^>]*>([^<]*)/g)].map(([, name]) => name)
    const { html } = await open()
    expect(namesOf(html)).toEqual(['Papers', 'None'])
    const said = '2 blank QR codes are not listed here: nobody has claimed or registered them yet.'
    expect(html.split(said)).toHaveLength(2)
    const found = (await open(`&q=${blank.qr_id}`)).html
    expect(namesOf(found)).toEqual(['QR code'])
    expect(found).not.toContain('not listed here')
    await upload({ document_type: 'puc', qr_id: blank.qr_id })
    expect(namesOf((await open()).html)).toEqual(['QR code', 'Papers', 'None'])

    const other = await signUp()
    await insertCode(db, other.id, UNCLAIMED)
    const all = (await open('', other)).html
    expect(all).toContain('1 blank QR code is not listed here: nobody has claimed or registered it')
    expect(all).toContain('Upload Document')
  })

  test('warns of what expires, and says what has', async () => {
    const due = { insurance_expiry_date: '2026-11-19', next_service_due: '2026-12-20' }
    const { open } = await openTab(due)
    const { html } = await open()
    expect(html).toMatch(/badge-stop[^>]*>Insurance expired 19 Nov 2026</)
    expect(html).toMatch(/badge-warn[^>]*>Next service due 20 Dec 2026</)
  })

  test('tells when authorities looked, and at what', async () => {
    const { open, ask, code, owner, upload, advance } = await openTab()
    expect((await open()).html).toContain('Nobody has opened the police view of this code yet.')
    const { id, stored_name } = await upload({ document_type: 'puc', is_public: 'on' })
    await ask('GET', `/police/${code.qr_id}`)
    advance(60)
    await ask('GET', `/api/files/${stored_name}`)
    await ask('GET', `/police/${code.qr_id}`)
    async function expectLooks() {
      const { html } = await open()
      expect(html).toContain('Police view opened 2 times, last on 20 Nov 2026, 3:31 pm')
      expect(html).toContain('</time> · Pollution certificate (PUC)</li>')
      expect(html.match(/<\/time> · the list of documents/g)).toHaveLength(2)
    }
    await expectLooks()
    const deleted = await ask('DELETE', `/api/documents/${id}`, { as: owner })
    expect(deleted.status).toBe(200)
    await expectLooks()
  })

  test('groups the digits of how often authorities looked', async () => {
    const { open, db, code } = await openTab()
    const views = Array.from({ length: 1200 }, (_, i) => ({
      id: `view${i}`,
      qr_id: code.qr_id,
      document_id: null,
      viewed_at: '2026-11-20T10:00:00.000Z',
      document_type: null,
      document_side: null,
    }))
    await db.insertInto('document_views').values(views).execute()
    expect((await open()).html).toContain('Police view opened 1,200 times, last on 20 Nov 2026')
  })

  test('shows a child user’s public papers to the parent, who cannot change them', async () => {
    const app = await openTab({ qr_type: 'child', is_child_registered: 1 })
    const child = await app.signUp({ parent_id: app.owner.id })
    await app.db.updateTable('qr_codes').set({ child_account_id: child.id }).execute()
    const theirs = await app.upload(
      { document_type: 'license', document_side: 'front', is_public: 'on' },
      child,
    )
    await app.upload({ document_type: 'id_proof', document_side: 'front' }, child)
    const { html } = await app.open()
    expect(html).toContain('Driving licence')
    expect(html).toContain('Uploaded by the other person who holds this QR code.')
    expect(html).not.toContain('ID proof')
    expect(switches(html)).toEqual([])
    expect((await app.submit(`/${theirs.id}/delete`)).status).toBe(404)
    expect((await app.submit(`/${theirs.id}/visibility`, { is_public: 'false' })).status).toBe(404)
    expect((await app.open(`&delete=${theirs.id}`)).status).toBe(404)
    expect(await app.rows()).toHaveLength(2)
  })
})

describe('without script', () => {
  test('a document is uploaded, shown, hidden and deleted', async () => {
    const { open, send, submit, rows, code, ...app } = await openTab()
    const opened = await open(`&upload=${code.qr_id}`)
    expect(opened.html).toMatch(/<dialog class="dialog"[^>]* open/)
    expect(opened.html).toMatch(/enctype="multipart.form-data"/i)
    expect(opened.html).toContain('.pdf, .jpg, .jpeg, .png, max 10MB')
    expect(opened.html).toContain(`<option value="${code.qr_id}" selected="">`)
    const sent = await send({ document_type: 'insurance', document_side: '' })
    expect(sent).toMatchObject({
      status: 303,
      to: '/dashboard?tab=documents&done=document-uploaded',
    })
    expect(notes((await open('&done=document-uploaded')).html)).toEqual([
      'Document uploaded successfully!',
    ])
    const [{ id, is_public } = {}] = await rows()
    expect(is_public).toBe(0)
    const shown = await submit(`/${id}/visibility?q=mh&page=2`, { is_public: 'true' })
    expect(shown.to).toBe(
      `/dashboard?tab=documents&q=mh&page=2&done=document-shown&at=public-${id}`,
    )
    expect((await rows())[0]?.is_public).toBe(1)
    const hidden = await submit(`/codes/${code.qr_id}/visibility`, { is_public: 'false' })
    expect(hidden.to).toBe(`/dashboard?tab=documents&done=documents-hidden&at=all-${code.qr_id}`)
    expect((await rows())[0]?.is_public).toBe(0)
    const { html } = await open(`&delete=${id}`)
    expect(html).toContain('Delete this document?')
    expect(html).toContain('the file policy.pdf')
    expect((await submit(`/${id}/delete`)).to).toBe(
      '/dashboard?tab=documents&done=document-deleted',
    )
    expect(await rows()).toEqual([])
    expect(filesIn(app).stored).toEqual([])
  })

  const refused: [string, Fields, Buffer | null, number, string][] = [
    ['no file', { document_type: 'puc' }, null, 400, 'Please select a file'],
    ['no code', { document_type: 'puc', qr_id: '' }, PDF, 400, 'Please select a QR code'],
    ['no side', { document_type: 'license' }, PDF, 400, 'Please select the front or the back'],
    [
      'a text',
      { document_type: 'puc' },
      Buffer.from('hello'),
      415,
      'Only PDF, JPG and PNG files are accepted',
    ],
  ]
  test.each(refused)(
    'the form comes back with %s and says why',
    async (_, sent, file, status, why) => {
      const { send, rows, ...app } = await openTab()
      const answer = await send(sent, file)
      expect(answer.status).toBe(status)
      expect(notes(answer.html)).toContain(why)
      expect(answer.html).toContain('Upload Document</h2>')
      expect(await rows()).toEqual([])
      expect(filesIn(app)).toEqual({ stored: [], incoming: [] })
    },
  )

  test('nobody uploads to a code of somebody else', async () => {
    const { send, signUp, rows } = await openTab()
    expect((await send({ document_type: 'puc' }, PDF, await signUp())).status).toBe(404)
    expect(await rows()).toEqual([])
  })
})
