import { describe, expect, test } from 'vitest'
import { openTestApp } from '#tests/support/app.ts'
import { insertCode } from '#tests/support/codes.ts'
import { CHILD, UNCLAIMED } from '#tests/support/families.ts'
import { drawPdf, fileForm, filesIn, PDF } from '#tests/support/uploads.ts'

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
  [...html.matchAll(/<div class="(?:note|say)[^"]*"[^>]*>.*?<span>(.*?)<\/span>/g)].map(
    ([, text]) => text,
  )
const switches = (html: string) =>
  [...html.matchAll(/role="switch"([^>]*)>.*?<b[^>]*>([^<]*)/g)].map(
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
    expect(html).toContain('Front side · policy.pdf · Uploaded 20 Nov 2026')
    expect(html).toContain(`href="/api/files/${front.stored_name}"`)
    expect(html).toContain(`href="/police/${code.qr_id}" target="_blank"`)
    expect(switches(html)).toEqual(['Public true', 'Private false'])
    expect(html).toContain('Now 1 of 2 are public')
    expect(html).toContain('Anyone who scans can see it')
    expect(html).toContain('Only you can see it')
  })

  test('has a word for no code, no document and no result', async () => {
    const { open, signUp } = await openTab()
    expect((await open()).html).toContain('No documents yet.')
    expect((await open('&q=scooty')).html).toContain('No QR codes found')
    const { html } = await open('', await signUp())
    expect(html).toContain('No QR Codes Yet')
    expect(html).not.toContain('Upload Document')
  })

  test('begins with codes that have documents, and mentions blank codes once', async () => {
    const { db, owner, open, upload, signUp } = await openTab({ owner_name: 'Papers' })
    const later = { created_at: '2026-11-19T09:00:00.000Z' }
    await insertCode(db, owner.id, { owner_name: 'None', ...later })
    const blank = await insertCode(db, owner.id, { ...UNCLAIMED, ...later })
    await insertCode(db, owner.id, { ...CHILD, ...later })
    await upload()
    const namesOf = (html: string) =>
      [...html.matchAll(/<h2[^>]*id="code-[^>]*><bdi>([^<]*)/g)].map(([, name]) => name)
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

  test('finds papers by their kind and name, beside codes, and leads to the others of a code', async () => {
    const { db, owner, code, open, upload } = await openTab({ owner_name: 'Asha' })
    const other = await insertCode(db, owner.id, { owner_name: 'Puneet' })
    await upload({ document_type: 'license', document_side: 'front' })
    await upload({ document_type: 'puc' })
    await upload({ document_type: 'road_tax', qr_id: other.qr_id })
    const found = async (search: string) => {
      const { html } = await open(`&q=${encodeURIComponent(search)}`)
      return [...html.matchAll(/<article class="paper" aria-label="([^"]*)"/g)].map(([, at]) => at)
    }
    const [licence, puc] = ['Driving licence, front side', 'Pollution certificate (PUC)']
    expect(await found('LICENSE')).toEqual([licence])
    expect(await found('pollution')).toEqual([puc])
    expect(await found('pólicy')).toHaveLength(3)
    expect(await found('policy.PDF')).toHaveLength(3)
    expect(await found('asha')).toEqual([puc, licence])
    expect(await found('puneet')).toEqual(['Road tax'])
    const { html } = await open('&q=puc')
    expect(html).toContain('placeholder="Search QR codes and documents"')
    expect(html).toContain(`href="/dashboard?tab=documents&amp;q=${code.qr_id}">Show 1 more`)
    expect(html).toContain('Now 0 of 2 are public')
    expect(html).not.toContain('Puneet')
    expect((await open(`&q=${code.qr_id}`)).html).not.toContain('Show 1 more')
  })

  test('finds no private paper of a child user for its parent', async () => {
    const { db, signUp, owner, open, upload } = await openTab()
    const child = await signUp({ parent_id: owner.id })
    const shared = await insertCode(db, owner.id, {
      qr_type: 'child',
      is_child_registered: 1,
      child_account_id: child.id,
    })
    const { id } = await upload({ document_type: 'puc', qr_id: shared.qr_id }, child)
    expect((await open('&q=puc')).html).toContain('No QR codes found')
    await db.updateTable('documents').set({ is_public: 1 }).where('id', '=', id).execute()
    expect((await open('&q=puc')).html).toContain('Pollution certificate (PUC)')
  })

  test('warns of papers that expire or have expired', async () => {
    const due = { insurance_expiry_date: '2026-11-19', next_service_due: '2026-12-20' }
    const { open } = await openTab(due)
    const { html } = await open()
    expect(html).toContain('<span class="late">Insurance expired on 19 Nov 2026</span>')
    expect(html).toContain('<span class="soon">Service due on 20 Dec 2026</span>')
  })

  test('shows the times and documents of views by authorities', async () => {
    const { open, ask, code, owner, upload, advance } = await openTab()
    expect((await open()).html).not.toContain('Police view opened')
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

describe('Show all', () => {
  /** Three documents, of which the insurance is public. */
  async function openThree() {
    const tab = await openTab({ vehicle_registration: 'MH12QX4827' })
    const { id } = await tab.upload({ document_type: 'insurance', is_public: 'on' })
    await tab.upload({ document_type: 'puc' })
    await tab.upload({ document_type: 'id_proof', document_side: 'front' })
    const path = `/codes/${tab.code.qr_id}/visibility`
    const publicTypes = async () => {
      const shown = (await tab.rows()).filter(({ is_public }) => is_public)
      return shown.map(({ document_type }) => document_type).sort()
    }
    return { ...tab, insurance: id, path, publicTypes }
  }
  const hidden = (html: string, name: string, form: string) => {
    const from = html.slice(html.indexOf(form))
    return new RegExp(`name="${name}" value="([^"]*)"`).exec(from)?.[1] ?? ''
  }

  test('lists first what becomes visible, and changes nothing', async () => {
    const { open, code, publicTypes } = await openThree()
    const { html } = await open(`&publish=${code.qr_id}`)
    expect(html).toContain('Show all 3 documents?')
    expect(html).toContain('MH 12 QX 4827')
    expect(html).toContain('Anyone who scans the code can then open them, not only the police.')
    expect(html).toContain('These 2 become public')
    expect(html).toContain('<span>Pollution certificate (PUC)</span></li>')
    expect(html).toContain('Shows your address and your ID number. Rarely asked for on the road.')
    expect(html).toContain('Public already: Insurance.')
    expect(html).toContain('Make all 3 public</button>')
    expect(await publicTypes()).toEqual(['insurance'])
  })

  test('makes public what it listed alone, and Undo brings each choice back', async () => {
    const { open, submit, upload, code, path, publicTypes } = await openThree()
    const { html } = await open(`&publish=${code.qr_id}`)
    const among = hidden(html, 'among', '<dialog')
    await upload({ document_type: 'road_tax' })
    const answer = await submit(path, { is_public: 'true', among })
    expect(answer.status).toBe(200)
    expect(notes(answer.html)).toEqual(['They are public now.'])
    expect(await publicTypes()).toEqual(['id_proof', 'insurance', 'puc'])
    const form = `action="/dashboard/documents${path}"`
    const undo = { is_public: 'false', undo: 'on', among: hidden(answer.html, 'among', form) }
    expect(undo.among.split(' ').sort()).toEqual(among.split(' ').sort())
    const { to } = await submit(path, undo)
    expect(to).toBe(`/dashboard?tab=documents&done=documents-undone&at=all-${code.qr_id}`)
    expect(await publicTypes()).toEqual(['insurance'])
  })

  test('does not concern later uploads, which stay as they were uploaded', async () => {
    const { submit, upload, path, publicTypes, open } = await openThree()
    await submit(path, { is_public: 'true' })
    await upload({ document_type: 'road_tax' })
    expect(await publicTypes()).toEqual(['id_proof', 'insurance', 'puc'])
    expect((await open()).html).toContain('Now 3 of 4 are public')
  })

  test('turns into a button that makes all private, which can be undone too', async () => {
    const { submit, path, insurance, publicTypes, open } = await openThree()
    await submit(path, { is_public: 'true' })
    const { html } = await open()
    expect(html).toContain('All 3 are public')
    expect(html).not.toContain('Show all')
    const answer = await submit(path, { is_public: 'false' })
    expect(await publicTypes()).toEqual([])
    expect(answer.html).toContain('Now 0 of 3 are public')
    await submit(path, { is_public: 'true', undo: 'on', among: insurance })
    expect(await publicTypes()).toEqual(['insurance'])
  })

  test('never reaches a document of another account or code', async () => {
    const { db, owner, rows, path, submit, signUp, send, ...app } = await openThree()
    const other = await insertCode(db, owner.id)
    await send({ qr_id: other.qr_id, document_type: 'vehicle_permit' })
    const ids = (await rows()).map(({ id }) => id).join(' ')
    await submit(path, { is_public: 'true', among: ids })
    expect(await app.publicTypes()).toEqual(['id_proof', 'insurance', 'puc'])
    const stranger = await submit(path, { is_public: 'false', among: ids }, await signUp())
    expect(stranger.status).toBe(404)
    expect(await app.publicTypes()).toHaveLength(3)
  })
})

describe('A document with personal data on it', () => {
  test.each([
    ['license', 'Shows your date of birth, your address and your signature.'],
    ['id_proof', 'Shows your address and your ID number.'],
  ])('a %s warns once when it is made public', async (document_type, warning) => {
    const { upload, submit, rows } = await openTab()
    const { id } = await upload({ document_type, document_side: 'front' })
    const path = `/${id}/visibility`
    const asked = await submit(path, { is_public: 'true' })
    expect(asked.status).toBe(200)
    expect(asked.html).toContain('Make this document public?')
    expect(asked.html).toContain(warning)
    expect((await rows())[0]?.is_public).toBe(0)
    const done = await submit(path, { is_public: 'true', among: id })
    expect(done.to).toBe(`/dashboard?tab=documents&done=document-shown&at=public-${id}`)
    expect((await rows())[0]?.is_public).toBe(1)
    expect((await submit(path, { is_public: 'false' })).status).toBe(303)
  })

  test('others become public at once', async () => {
    const { upload, submit, rows } = await openTab()
    const { id } = await upload({ document_type: 'puc' })
    expect((await submit(`/${id}/visibility`, { is_public: 'true' })).status).toBe(303)
    expect((await rows())[0]?.is_public).toBe(1)
  })
})

describe('Replace file', () => {
  async function openPaper() {
    const tab = await openTab()
    const rc = { document_type: 'rc_book', document_side: 'back', is_public: 'on' }
    const paper = await tab.upload({ ...rc, expires_on: '2027-05-21' })
    const replace = (id: string, sent: Fields = {}, file = PDF, as = tab.owner) => {
      const body = fileForm(file, { qr_id: tab.code.qr_id, ...rc, ...sent }, 'newer.pdf')
      return tab.browse('POST', `/dashboard/documents/upload?replaces=${id}`, body, as)
    }
    return { ...tab, paper, replace }
  }

  test('asks for the file alone, and has the rest of the old document', async () => {
    const { open, paper } = await openPaper()
    const { html } = await open(`&replace=${paper.id}`)
    expect(html).toContain('Replace file</h2>')
    expect(html).toContain('<b>Registration certificate (RC book), back side</b>')
    expect(html).toContain(`action="/dashboard/documents/upload?replaces=${paper.id}"`)
    expect(html).toContain('name="document_type" value="rc_book"')
    expect(html).toContain('name="document_side" value="back"')
    expect(html).toMatch(/name="is_public" checked=""|checked="" name="is_public"/)
    expect(html).toContain('value="2027-05-21"')
    expect(html).not.toContain('<select')
  })

  test('stores the new file in place of the old one, which is deleted', async () => {
    const { rows, paper, replace, ...app } = await openPaper()
    const { to } = await replace(paper.id)
    expect(to).toBe('/dashboard?tab=documents&done=document-uploaded')
    const [row, ...others] = await rows()
    expect(others).toEqual([])
    expect(row).toMatchObject({ file_name: 'newer.pdf', document_side: 'back', is_public: 1 })
    expect(row?.id).not.toBe(paper.id)
    expect(filesIn(app).stored).toEqual([row?.stored_name])
    expect((await replace(paper.id)).status).toBe(404)
  })

  test('comes back with the reason, and keeps the old file', async () => {
    const { rows, paper, replace } = await openPaper()
    const answer = await replace(paper.id, {}, Buffer.from('hello'))
    expect(answer.status).toBe(415)
    expect(notes(answer.html)).toContain('Only PDF, JPG and PNG files are accepted')
    expect(answer.html).toContain('Replace file</h2>')
    expect(await rows()).toEqual([paper])
  })

  test('reaches no document of another code or account, and no locked one', async () => {
    const { db, owner, rows, paper, replace, open, signUp, ask } = await openPaper()
    const other = await insertCode(db, owner.id)
    expect((await replace(paper.id, { qr_id: other.qr_id })).status).toBe(404)
    const stranger = await signUp()
    const theirs = await insertCode(db, stranger.id)
    const { qr_id } = theirs
    expect((await replace(paper.id, { qr_id }, PDF, stranger)).status).toBe(404)
    expect((await open(`&replace=${paper.id}`, stranger)).status).toBe(404)
    const body = fileForm(PDF, { document_type: 'puc' }, 'newer.pdf')
    const path = `/api/documents/upload/${qr_id}?replaces=${paper.id}`
    expect((await ask('POST', path, { as: stranger, body })).status).toBe(404)
    await db.updateTable('documents').set({ is_locked: 1, is_public: 0 }).execute()
    expect((await replace(paper.id)).status).toBe(404)
    expect(await rows()).toHaveLength(1)
  })
})

describe('Share', () => {
  test('offers three ways, and its link is as one of the gallery', async () => {
    const { db, open, upload, submit } = await openTab()
    await db.updateTable('accounts').set({ subscription_plan: 'premium' }).execute()
    const { id } = await upload()
    const { html } = await open(`&ways=${id}`)
    expect(html).toContain('Share Insurance</h2>')
    expect(html).toContain(`action="/dashboard/documents/${id}/share"`)
    expect(html).toContain(`href="/dashboard?tab=documents&amp;share=${id}" data-dialog="share"`)
    expect((await open(`&share=${id}`)).html).toContain('Email address')
    const made = await submit(`/${id}/share`, { share_method: 'whatsapp' })
    expect(made.html).toContain('href="https://wa.me/?text=Insurance')
    expect(made.html).toMatch(/aria-current="page"[^>]*>(?:<svg.*?<\/svg>)?Documents/)
    const wrong = await submit(`/${id}/share`, { share_method: 'email', recipient: 'meera' })
    expect(wrong.status).toBe(400)
    expect(wrong.html).toContain('Please enter a valid email address')
  })

  test('leads to the plans where the plan has no sharing', async () => {
    const { open, upload, submit } = await openTab()
    const { id } = await upload()
    expect((await open()).html).toContain('Share with Premium')
    expect((await open(`&ways=${id}`)).html).not.toContain('Share Insurance')
    expect((await submit(`/${id}/share`, { share_method: 'whatsapp' })).status).toBe(403)
  })
})

describe('without script', () => {
  test('a document is uploaded, shown, hidden and deleted', async () => {
    const { open, send, submit, rows, code, ...app } = await openTab()
    const opened = await open(`&upload=${code.qr_id}`)
    expect(opened.html).toMatch(/<dialog class="dialog"[^>]* open/)
    expect(opened.html).toMatch(/enctype="multipart.form-data"/i)
    expect(opened.html).toContain('.pdf, .jpg, .jpeg, .png, max 10MB')
    // The account's only code needs no choice.
    expect(opened.html).toContain(`<input type="hidden" name="qr_id" value="${code.qr_id}"/>`)
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
    expect(notes(hidden.html)).toEqual(['They are private now.'])
    const again = await submit(`/codes/${code.qr_id}/visibility`, { is_public: 'false' })
    expect(again.to).toBe(`/dashboard?tab=documents&done=documents-hidden&at=all-${code.qr_id}`)
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

  test('a PDF with a password is kept, and the page says that the police cannot read it', async () => {
    const { open, send } = await openTab()
    const file = await drawPdf({ userPassword: 'born-1989' })
    const { to } = await send({ document_type: 'insurance' }, file)
    expect(to).toBe('/dashboard?tab=documents&done=document-with-password')
    const text = 'This PDF opens only with a password: the police cannot read it'
    const { html } = await open('&done=document-with-password')
    expect(notes(html)).toEqual([`Document uploaded successfully! ${text}.`])
    expect(html).toContain(`<p class="facts-line soon">${text}</p>`)
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
