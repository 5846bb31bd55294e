import { describe, expect, test } from 'vitest'
import { describeOutbox } from '#db/outbox-waiting.ts'
import { WITH_MAIL } from '#tests/support/accounts.ts'
import { openTestApp } from '#tests/support/app.ts'
import { insertCode } from '#tests/support/codes.ts'
import { fileForm, PDF } from '#tests/support/uploads.ts'

const DAY = 86_400
const UPGRADE = 'Upgrade to Premium to use the document gallery'

async function openGallery({ plan = 'premium' as 'free' | 'premium', env = {} } = {}) {
  const app = await openTestApp({ env })
  const owner = await app.signUp({ subscription_plan: plan, name: 'Asha Patil' })
  const { qr_id } = await insertCode(app.db, owner.id)
  const body = fileForm(PDF, { document_type: 'puc' }, 'puc.pdf')
  const stored = await app.ask('POST', `/api/documents/upload/${qr_id}`, { as: owner, body })
  const document = await stored.json()
  const call = async (
    method: string,
    path: string,
    { as = owner, json = undefined as unknown } = {},
  ) => {
    const answer = await app.ask(method, `/api/gallery/${path}`, { as, json })
    return { status: answer.status, body: await answer.json() }
  }
  const share = (json: unknown, as = owner) => call('POST', `share/${document.id}`, { as, json })
  /** Opens a link without any session. */
  const follow = (url: string) => app.ask('GET', new URL(url).pathname)
  return { ...app, owner, qr_id, document, call, share, follow }
}

describe('GET /api/gallery/{qr_id}', () => {
  test('lists the documents of a code', async () => {
    const { call, qr_id, document } = await openGallery()
    expect(await call('GET', qr_id)).toEqual({ status: 200, body: { documents: [document] } })
  })

  test('is there for premium and enterprise', async () => {
    const { call, qr_id, share } = await openGallery({ plan: 'free' })
    const upgrade = { status: 403, body: { detail: UPGRADE } }
    expect(await call('GET', qr_id)).toEqual(upgrade)
    expect(await share({ share_method: 'download' })).toEqual(upgrade)
  })

  test('says nothing of other people’s codes and documents, on any plan', async () => {
    const { call, qr_id, share, signUp } = await openGallery()
    for (const plan of ['free', 'enterprise'] as const) {
      const as = await signUp({ subscription_plan: plan })
      expect((await call('GET', qr_id, { as })).status).toBe(404)
      expect((await share({ share_method: 'download' }, as)).status).toBe(404)
    }
  })
})

describe('a shared link', () => {
  test('opens a private document for its holder, in no cache, and for seven days', async () => {
    const { share, follow, document, advance, ask } = await openGallery()
    const { body, status } = await share({ share_method: 'download' })
    expect([status, Object.keys(body)]).toEqual([200, ['download_url']])
    expect(body.download_url).toMatch(/^http:\/\/localhost:3000\/shared\/[\w-]{43}$/)
    const answer = await follow(body.download_url)
    expect(Buffer.from(await answer.arrayBuffer())).toEqual(PDF)
    expect(Object.fromEntries(answer.headers)).toMatchObject({
      'content-type': 'application/pdf',
      'content-disposition': `attachment; filename="puc.pdf"; filename*=UTF-8''puc.pdf`,
      'content-security-policy': "default-src 'none'; sandbox",
      'cache-control': 'private, no-store',
      'referrer-policy': 'no-referrer',
      'x-robots-tag': 'noindex, noarchive',
    })
    expect((await ask('GET', document.file_url)).status).toBe(404)
    advance(7 * DAY - 1)
    expect((await follow(body.download_url)).status).toBe(200)
    advance(1)
    const late = await follow(body.download_url)
    expect([late.status, late.headers.get('content-type')]).toEqual([
      404,
      'text/html; charset=utf-8',
    ])
    expect(await late.text()).toContain('This link is no longer valid')
  })

  test('ends with the document, with its code, and when it is revoked', async () => {
    const { share, follow, ask, call, owner, document, qr_id } = await openGallery()
    const link = async () => (await share({ share_method: 'download' })).body.download_url
    const revoked = await link()
    const { body } = await call('GET', 'shares')
    const [{ id }] = body.shares
    expect((await call('DELETE', `shares/${id}`)).status).toBe(200)
    expect((await follow(revoked)).status).toBe(404)
    const orphan = await link()
    await ask('DELETE', `/api/documents/${document.id}`, { as: owner })
    expect((await follow(orphan)).status).toBe(404)
    await ask('DELETE', `/api/qr/${qr_id}`, { as: owner })
    expect((await follow(orphan)).status).toBe(404)
  })

  test('cannot be guessed, nor made from stored or listed values', async () => {
    const { share, call, follow, db } = await openGallery()
    const { body } = await share({ share_method: 'download' })
    const token = body.download_url.split('/').at(-1)
    const row = await db.selectFrom('share_links').selectAll().executeTakeFirstOrThrow()
    expect(JSON.stringify(row)).not.toContain(token)
    expect(JSON.stringify(await call('GET', 'shares'))).not.toContain(token)
    for (const guess of [row.token_hash, '', '%00', '..%2f', 'x'.repeat(5000)]) {
      expect((await follow(`http://localhost/shared/${guess}`)).status).not.toBe(200)
    }
  })

  test('is listed for its maker while it works, and revoked by nobody else', async () => {
    const { share, call, signUp, document, qr_id, advance } = await openGallery()
    await share({ share_method: 'whatsapp', recipient: '98765 43210' })
    const { body } = await call('GET', 'shares')
    expect(body.shares).toEqual([
      {
        id: expect.any(String),
        document_id: document.id,
        qr_id,
        document_type: 'puc',
        document_side: null,
        file_name: 'puc.pdf',
        share_method: 'whatsapp',
        recipient: '+919876543210',
        created_at: '2026-11-20T10:00:00.000Z',
        expires_at: '2026-11-27T10:00:00.000Z',
      },
    ])
    const as = await signUp()
    expect((await call('GET', 'shares', { as })).body.shares).toEqual([])
    expect((await call('DELETE', `shares/${body.shares[0].id}`, { as })).status).toBe(404)
    advance(7 * DAY)
    expect((await call('GET', 'shares')).body.shares).toEqual([])
  })
})

describe('POST /api/gallery/share/{doc_id}', () => {
  test('writes a WhatsApp message, to a number or to a contact that people choose', async () => {
    const { share, follow } = await openGallery()
    const to = await share({ share_method: 'whatsapp', recipient: '+91 98765-43210' })
    expect(Object.keys(to.body)).toEqual(['whatsapp_url'])
    const url = new URL(to.body.whatsapp_url)
    expect([url.origin, url.pathname]).toEqual(['https://wa.me', '/919876543210'])
    const text = url.searchParams.get('text') ?? ''
    const [, link = ''] =
      /^Pollution certificate \(PUC\): (\S+)\nThe link works until 27 Nov 2026\.$/.exec(text) ?? []
    expect((await follow(link)).headers.get('content-disposition')).toMatch(/^inline/)
    const open = await share({ share_method: 'whatsapp' })
    expect(open.body.whatsapp_url).toMatch(/^https:\/\/wa\.me\/\?text=/)
  })

  test('mails the link', async () => {
    const { share, follow, mails } = await openGallery(WITH_MAIL)
    const { body } = await share({ share_method: 'email', recipient: ' Ravi@Example.in ' })
    expect(body).toEqual({ success: true, download_url: expect.any(String) })
    expect(mails).toHaveLength(1)
    expect(mails[0]?.to).toBe('ravi@example.in')
    expect(mails[0]?.text).toContain(body.download_url)
    expect(mails[0]?.text).toContain('“Asha Patil” has shared a document with you')
    expect((await follow(body.download_url)).status).toBe(200)
  })

  test('answers before the mail is sent, and no log has the recipient', async () => {
    const { share, call, deps, db, logged } = await openGallery(WITH_MAIL)
    deps.mailer.send = () => Promise.reject(new Error('refused for ravi@example.in'))
    const answer = await share({ share_method: 'email', recipient: 'ravi@example.in' })
    expect(answer).toEqual({
      status: 200,
      body: { success: true, download_url: expect.any(String) },
    })
    expect((await call('GET', 'shares')).body.shares).toHaveLength(1)
    expect(await describeOutbox(db)).toMatchObject({ waiting: 1 })
    expect(logged.join()).toContain('mail failed')
    expect(logged.join()).not.toContain('ravi@example.in')
  })

  test.each([
    [{ share_method: 'fax' }, 400, 'Please choose whatsapp, email or download'],
    [{}, 400, 'Please choose whatsapp, email or download'],
    [{ share_method: 'email' }, 400, 'Please enter an email address'],
    [
      { share_method: 'email', recipient: 'a@b.in\r\nBcc:c@d.in' },
      400,
      'Please enter a valid email address',
    ],
    [
      { share_method: 'whatsapp', recipient: '12&text=x' },
      400,
      'Please enter a valid mobile number',
    ],
    [{ share_method: 'email', recipient: 'ravi@example.in' }, 503, 'Email is not configured'],
  ])('refuses %j', async (json, status, detail) => {
    const { share, call } = await openGallery()
    expect(await share(json)).toEqual({ status, body: { detail } })
    expect((await call('GET', 'shares')).body.shares).toEqual([])
  })
})
