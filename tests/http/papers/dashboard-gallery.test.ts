import { describe, expect, test } from 'vitest'
import type { NewAccount } from '#db/accounts/accounts.ts'
import { openTestApp } from '#tests/support/app.ts'
import { insertCode } from '#tests/support/codes.ts'
import { fileForm, PDF, picture } from '#tests/support/uploads.ts'

const PREMIUM = { subscription_plan: 'premium' } as const
const CODE = { vehicle_registration: 'MH12QX4827' }
type Fields = Record<string, string>

async function openGallery(account: Partial<NewAccount> = PREMIUM, env: Fields = {}) {
  const app = await openTestApp({ env })
  const owner = await app.signUp(account)
  const code = await insertCode(app.db, owner.id, CODE)
  const open = (query = '', as = owner) =>
    app.browse('GET', `/dashboard?tab=gallery${query}`, undefined, as)
  const submit = (path: string, form: Fields = {}, as = owner) =>
    app.browse('POST', `/dashboard/gallery${path}`, new URLSearchParams(form), as)
  const upload = async (
    sent: Fields,
    { file = PDF as Buffer, name = 'a.pdf', id = code.qr_id, as = owner } = {},
  ) => {
    const answer = await app.ask('POST', `/api/documents/upload/${id}`, {
      as,
      body: fileForm(file, sent, name),
    })
    expect(answer.status).toBe(201)
    return answer.json()
  }
  const links = () => app.db.selectFrom('share_links').selectAll().execute()
  return { ...app, owner, code, open, submit, upload, links }
}

const cards = (html: string) =>
  [...html.matchAll(/<article [^>]*aria-label="([^"]*)"/g)].map(([, label]) => label)

describe('the Gallery tab', () => {
  test('is offered to the free plan, and shows it nothing', async () => {
    const { open, upload } = await openGallery({})
    const { id } = await upload({ document_type: 'insurance' })
    for (const query of ['', `&show=${id}`, `&share=${id}`]) {
      const { status, html } = await open(query)
      expect(status).toBe(200)
      expect(html).toContain('Upgrade to Premium')
      expect(html).not.toContain('a.pdf')
    }
  })

  test('shows pictures by their thumbnail and PDFs in a tab of their own', async () => {
    const { open, upload } = await openGallery()
    expect((await open()).html).toContain('Nothing here yet')
    const rc = { document_type: 'rc_book', document_side: 'front', is_public: 'true' }
    const image = await upload(rc, { file: await picture(), name: 'rc.png' })
    const pdf = await upload({ document_type: 'puc' })
    const { html } = await open()
    expect(html).toContain('MH 12 QX 4827')
    expect(html).toContain('2 documents')
    expect(cards(html)).toEqual([
      'Registration certificate (RC book), front side, rc.png',
      'Pollution certificate (PUC), a.pdf',
    ])
    expect(html).toContain(`src="${image.thumbnail_url}"`)
    expect(html).toContain(`href="/dashboard?tab=gallery&amp;show=${image.id}" data-dialog="show"`)
    expect(html).toContain(`class="thumb" href="${pdf.file_url}" target="_blank"`)
    const viewer = (await open(`&show=${image.id}`)).html
    expect(viewer).toContain(`<img class="viewer" src="${image.file_url}"`)
    expect((await open(`&show=${pdf.id}`)).html).not.toContain('class="viewer"')
  })

  test('finds by kind, file name and code, and filters by type', async () => {
    const { open, upload, db, owner } = await openGallery()
    const other = await insertCode(db, owner.id, { owner_name: 'Meera' })
    await upload({ document_type: 'puc' }, { name: 'smoke_50%.pdf' })
    await upload({ document_type: 'insurance' }, { name: 'policy.pdf', id: other.qr_id })
    const found = async (query: string) => cards((await open(query)).html)
    const puc = ['Pollution certificate (PUC), smoke_50%.pdf']
    const insurance = ['Insurance, policy.pdf']
    expect(await found('&q=POLLUTION')).toEqual(puc)
    expect(await found('&q=_50%25')).toEqual(puc)
    expect(await found('&q=mh%2012')).toEqual(puc)
    expect(await found('&q=meera')).toEqual(insurance)
    expect(await found('&type=insurance')).toEqual(insurance)
    expect(await found('&type=insurance&q=smoke')).toEqual([])
    expect((await open('&q=xyz')).html).toContain('No documents found')
    expect((await open('&type=nonsense')).html).toContain('policy.pdf')
  })

  test('remembers on this device whether it is a grid or a list', async () => {
    const { open, upload } = await openGallery()
    await upload({ document_type: 'puc' })
    expect((await open()).html).toContain('class="cards cards-10"')
    const { html, headers } = await open('&layout=list')
    expect(html).toContain('class="gallery-list"')
    expect(headers.get('Set-Cookie')).toMatch(/^driveqr_gallery=list;/)
  })

  test('shows nobody the private papers of another holder of the code', async () => {
    const app = await openGallery()
    const { id: owner_id } = app.owner
    const child = await app.signUp({ parent_id: owner_id, ...PREMIUM })
    await app.db.updateTable('qr_codes').set({ child_account_id: child.id }).execute()
    const own = await app.upload({ document_type: 'puc' })
    const theirs = await app.upload(
      { document_type: 'insurance', is_public: 'true' },
      { as: child },
    )
    await app.upload({ document_type: 'road_tax' }, { as: child })
    const { html } = await app.open()
    expect(cards(html)).toEqual(['Insurance, a.pdf', 'Pollution certificate (PUC), a.pdf'])
    expect(html.match(/value="whatsapp"/g)).toHaveLength(1)
    expect((await app.open(`&show=${theirs.id}`)).status).toBe(200)
    expect((await app.open(`&show=${own.id}`, child)).status).toBe(404)
    expect((await app.open(`&share=${theirs.id}`)).status).toBe(404)
    expect((await app.submit(`/${theirs.id}/share`, { share_method: 'download' })).status).toBe(404)
    expect(cards((await app.open('', await app.signUp(PREMIUM))).html)).toEqual([])
  })
})

describe('sharing without script', () => {
  test('makes a link, lists it, and ends it', async () => {
    const { open, submit, upload, links, ask, code, db } = await openGallery()
    const { id } = await upload({ document_type: 'puc' })
    const { status, html } = await submit(`/${id}/share`, { share_method: 'download' })
    expect(status).toBe(200)
    const path = html.match(/href="http:\/\/localhost:3000(\/shared\/[^"]+)"/)?.[1] ?? ''
    expect((await ask('GET', path)).status).toBe(200)
    const chat = await submit(`/${id}/share`, { share_method: 'whatsapp' })
    expect(chat.html).toContain('href="https://wa.me/?text=Pollution%20certificate')
    expect(await links()).toHaveLength(2)
    const listed = (await open()).html
    expect(listed).toContain('Download · works until 27 Nov 2026')
    const [link] = (await links()).filter(({ share_method }) => share_method === 'download')
    expect((await submit(`/shares/${link?.token_hash}/end`)).to).toBe(
      '/dashboard?tab=gallery&done=link-ended&at=shared-links',
    )
    expect((await ask('GET', path)).status).toBe(404)
    await db.updateTable('accounts').set({ subscription_plan: 'free' }).execute()
    const free = (await open()).html
    expect(free).toContain('WhatsApp · works until 27 Nov 2026')
    expect(free).not.toContain(code.qr_id)
  })

  test('mails a link, or says why it cannot', async () => {
    const { submit, upload, mails, links } = await openGallery(PREMIUM, {
      SMTP_URL: 'smtp://127.0.0.1:25',
    })
    const { id } = await upload({ document_type: 'puc' })
    const mail = (recipient: string) => submit(`/${id}/share`, { share_method: 'email', recipient })
    const wrong = await mail('meera')
    expect(wrong.status).toBe(400)
    expect(wrong.html).toContain('Please enter a valid email address')
    expect(wrong.html).toContain('value="meera"')
    expect((await mail(' Meera@example.in ')).to).toBe(
      `/dashboard?tab=gallery&done=mailed&at=gallery-${id}`,
    )
    expect(mails).toMatchObject([{ to: 'meera@example.in' }])
    expect(await links()).toHaveLength(1)
  })

  test('writes a mail for the sender to send, where the server cannot mail', async () => {
    const { submit, upload, links } = await openGallery()
    const { id } = await upload({ document_type: 'puc' })
    const mail = (recipient: string) => submit(`/${id}/share`, { share_method: 'email', recipient })
    expect((await mail('meera')).html).toContain('Please enter a valid email address')
    expect(await links()).toEqual([])
    const { status, html } = await mail(' Meera@example.in ')
    expect(status).toBe(200)
    expect(html).toContain('Your mail app opens with the link')
    const [, href = ''] = /href="(mailto:[^"]+)"/.exec(html) ?? []
    expect(href).toMatch(/^mailto:meera%40example\.in\?subject=Pollution%20certificate/)
    expect(decodeURIComponent(href)).toMatch(/body=http:\/\/localhost:3000\/shared\/[\w-]+$/)
    expect(await links()).toMatchObject([{ share_method: 'download' }])
  })

  test('is refused to the free plan and to strangers', async () => {
    const { submit, upload, links, signUp } = await openGallery({})
    const { id } = await upload({ document_type: 'puc' })
    expect((await submit(`/${id}/share`, { share_method: 'download' })).status).toBe(403)
    const stranger = await signUp(PREMIUM)
    expect((await submit(`/${id}/share`, { share_method: 'download' }, stranger)).status).toBe(404)
    expect((await submit('/shares/nonsense/end', {}, stranger)).status).toBe(404)
    expect(await links()).toEqual([])
  })
})
