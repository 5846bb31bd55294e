import { expect, test } from 'vitest'
import { NOW, openTestApp } from '#tests/support/app.ts'
import { insertCode } from '#tests/support/codes.ts'
import { fileForm, PDF, picture } from '#tests/support/uploads.ts'

async function openWithCode(fields: Parameters<typeof insertCode>[2] = {}) {
  const app = await openTestApp()
  const owner = await app.signUp()
  const code = await insertCode(app.db, owner.id, { vehicle_registration: 'MH12QX4827', ...fields })
  const upload = async (sent: Record<string, string>, name: string) => {
    const body = fileForm(PDF, sent, name)
    const path = `/api/documents/upload/${code.qr_id}`
    const answer = await app.ask('POST', path, { as: owner, body })
    expect(answer.status).toBe(201)
    return answer.json()
  }
  const open = async (id: string = code.qr_id, headers: Record<string, string> = {}) => {
    const answer = await app.ask('GET', `/police/${id}`, { headers })
    return { status: answer.status, headers: answer.headers, html: await answer.text() }
  }
  const views = () => app.db.selectFrom('document_views').selectAll().execute()
  return { ...app, owner, code, upload, open, views }
}

const SECRETS = {
  email: 'ramesh@example.in',
  driving_license_number: 'MH1420110062821',
  insurance_policy_number: 'POL-998877',
  insurance_expiry_date: '2027-03-31',
  next_service_due: '2027-01-15',
  notes_instructions: 'Spare key at the shop',
}

test('shows the owner of the vehicle and the public papers, in the order of a check', async () => {
  const { upload, open } = await openWithCode(SECRETS)
  await upload({ document_type: 'puc', is_public: 'true' }, 'puc.pdf')
  const back = { document_type: 'rc_book', document_side: 'back', is_public: 'true' }
  const rc = await upload(back, 'rc-back.pdf')
  await upload({ ...back, document_side: 'front' }, 'rc-front.pdf')
  const hidden = await upload({ document_type: 'insurance' }, 'policy.pdf')
  const { status, html } = await open()
  expect(status).toBe(200)
  expect(html).toContain('Vehicle documents')
  expect(html).toContain('<b><bdi>Ramesh Kulkarni</bdi></b>')
  expect(html).toContain('+91 98765 43210')
  expect(html).toContain('href="tel:+919876543210"')
  expect(html).toContain('MH 12 QX 4827')
  const shown = html.replaceAll(/<\/?bdi>/g, '')
  expect(shown.match(/(Front side|Back side|puc)[^<]*\.pdf|puc\.pdf/g)).toEqual([
    'Front side · rc-front.pdf',
    'Back side · rc-back.pdf',
    'puc.pdf',
  ])
  expect(html).toContain(`href="${rc.file_url}"`)
  expect(html).toContain('DigiLocker or mParivahan')
  for (const secret of [...Object.values(SECRETS), '31 Mar 2027', 'policy.pdf', hidden.file_path]) {
    expect(html).not.toContain(secret)
  }
  expect(html).not.toContain('<script')
})

test('is found however the id is typed, and keeps out of caches, indexes and referrers', async () => {
  const { code, open } = await openWithCode()
  for (const id of [code.qr_id, code.qr_id.toLowerCase(), '000000000011', 'nonsense']) {
    const { status, headers, html } = await open(id)
    expect(status).toBe(id.toUpperCase() === code.qr_id ? 200 : 404)
    expect(headers.get('Cache-Control')).toBe('no-store')
    expect(headers.get('Referrer-Policy')).toBe('no-referrer')
    expect(headers.get('X-Robots-Tag')).toBe('noindex, noarchive')
    expect(html).toContain('<meta name="robots" content="noindex"/>')
  }
})

test('says that nothing is public, with the way back to the page of the code', async () => {
  const { code, upload, open } = await openWithCode()
  await upload({ document_type: 'insurance' }, 'policy.pdf')
  const { status, html } = await open()
  expect(status).toBe(200)
  expect(html).toContain('No public documents')
  expect(html).toContain('The owner may not have made documents public for authorities.')
  expect(html).toContain(`href="/scan/${code.qr_id}?seen=1"`)
  expect(html).toContain('Go Back')
})

test.each([
  ['an inactive code', { is_active: 0 }],
  ['an unclaimed code', { is_claimed: 0 }],
] as const)('restricts access to %s', async (_, fields) => {
  const { open, views } = await openWithCode(fields)
  const { status, html } = await open()
  expect(status).toBe(404)
  expect(html).toContain('Access Restricted')
  expect(html).toContain('QR code not found or no documents available')
  expect(html).toContain('The owner may not have made documents public for authorities.')
  expect(html).toContain('Go Back')
  expect(html).not.toContain('Ramesh')
  expect(await views()).toEqual([])
})

test('a fault is not blamed on the owner; it is counted, and its cause is in the log alone', async () => {
  const { db, deps, code, open, logged } = await openWithCode()
  await db.schema.alterTable('documents').renameTo('elsewhere').execute()
  const { status, html } = await open(code.qr_id)
  expect(status).toBe(500)
  expect(html).toContain('Unable to load documents')
  expect(html).toContain('Go Back')
  const cause = /no such table|does not exist/
  expect(html).not.toMatch(cause)
  expect(logged.join('')).toMatch(cause)
  expect(deps.health.countFailures()).toBe(1)
})

test('every view is recorded with the opened documents, except those of the owner and of robots', async () => {
  const { code, owner, upload, open, ask, views } = await openWithCode()
  const { id, file_url } = await upload({ document_type: 'insurance', is_public: 'true' }, 'p.pdf')
  const own = await open(code.qr_id, { Cookie: owner.cookie })
  expect(own.html).toContain('href="/dashboard?tab=documents"')
  await ask('GET', file_url, { headers: { Cookie: owner.cookie } })
  await open(code.qr_id, { 'User-Agent': 'WhatsApp/2.23.20.0' })
  await open(code.qr_id, { 'Sec-Purpose': 'prefetch' })
  await ask('HEAD', `/police/${code.qr_id}`)
  expect(await views()).toEqual([])
  await open()
  await ask('GET', file_url)
  const seen = { id: expect.any(String), qr_id: code.qr_id, viewed_at: NOW }
  expect(await views()).toEqual(
    expect.arrayContaining([
      { ...seen, document_id: null, document_type: null, document_side: null },
      { ...seen, document_id: id, document_type: 'insurance', document_side: null },
    ]),
  )
  expect(await views()).toHaveLength(2)
})

test('a file name that is markup is shown as text wherever it is shown', async () => {
  const { upload, open, ask, owner, db } = await openWithCode()
  await db.updateTable('accounts').set({ subscription_plan: 'premium' }).execute()
  const name = '<img src=x onerror=alert(1)>"\'.pdf'
  await upload({ document_type: 'insurance', is_public: 'true' }, name)
  const body = fileForm(await picture(), {}, '<b onclick=alert(1)>.png')
  expect((await ask('POST', '/api/popup-images/upload', { as: owner, body })).status).toBe(201)
  const pages = [(await open()).html]
  for (const tab of ['documents', 'gallery', 'popup-images']) {
    const headers = { Cookie: owner.cookie }
    pages.push(await (await ask('GET', `/dashboard?tab=${tab}`, { headers })).text())
  }
  for (const html of pages) {
    expect(html).toMatch(/&lt;(img src=x onerror|b onclick)=alert\(1\)&gt;/)
    expect(html).not.toMatch(/<(img src=x|b onclick)/)
  }
})
