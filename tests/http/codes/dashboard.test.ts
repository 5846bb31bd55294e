import { describe, expect, test } from 'vitest'
import { formatQrId } from '#domain/codes/qr-id.ts'
import { openTestApp, type TestApp } from '#tests/support/app.ts'
import { browserOf } from '#tests/support/browser.ts'
import { HELD, insertCode } from '#tests/support/codes.ts'
import { UNCLAIMED } from '#tests/support/families.ts'
import { insertPaper } from '#tests/support/papers.ts'

type Owner = Awaited<ReturnType<TestApp['signUp']>>

async function openDashboard(account: Parameters<TestApp['signUp']>[0] = {}) {
  const app = await openTestApp()
  const owner = await app.signUp(account)
  const open = (query = '', as: Owner = owner) => browserOf(app, as).open(`/dashboard${query}`)
  return { ...app, owner, open }
}

async function insertMany(app: TestApp, ownerId: string, count: number) {
  for (let n = 0; n < count; n++) {
    const created_at = new Date(Date.UTC(2026, 0, 1, 0, n)).toISOString()
    await insertCode(app.db, ownerId, { owner_name: `Code ${n}.`, created_at })
  }
}

function shownNames(html: string): string[] {
  return [...html.matchAll(/<h2 id="qr-[^>]*>(?:<[^>]*>)*([^<]*)</g)].map(
    (match) => match[1] as string,
  )
}

describe('the dashboard', () => {
  test('is never kept by a cache and never listed by a search engine', async () => {
    const { open } = await openDashboard()
    const { headers, html } = await open()
    expect(headers.get('cache-control')).toBe('no-store')
    expect(html).toContain('<meta name="robots" content="noindex"/>')
  })

  test('shows its front tab for a tab that it does not have', async () => {
    const { open } = await openDashboard()
    const { status, html } = await open('?tab=nonsense')
    expect(status).toBe(200)
    expect(html).toMatch(/<h1[^>]*>My QR Codes<\/h1>/)
    expect(html).toContain('href="/dashboard?tab=my-qrs" aria-current="page"')
  })

  test('offers nothing that is not there yet: each of its tabs answers', async () => {
    const { open } = await openDashboard()
    const { html } = await open()
    const nav = /aria-label="Dashboard".*?<\/nav>/s.exec(html)?.[0] ?? ''
    const tabs = [...nav.matchAll(/href="\/dashboard(\?tab=[^"]*)"/g)].map((match) => match[1])
    expect(tabs.length).toBeGreaterThan(0)
    for (const tab of tabs) expect((await open(tab)).html).toContain(`href="/dashboard${tab}" aria`)
  })
})

describe('My QR Codes', () => {
  test('shows the limits of the plan and their use', async () => {
    const { open, owner, db } = await openDashboard({ subscription_plan: 'premium' })
    await insertCode(db, owner.id)
    const { html } = await open()
    expect(html).toContain('<b class="num">1</b> of 50 QR codes')
    expect(html).toContain('aria-label="Plan"')
  })

  test('counts the codes of the list where the plan has no limit', async () => {
    const { open, owner, db } = await openDashboard({
      subscription_plan: 'enterprise',
    })
    await insertCode(db, owner.id)
    const countsIn = ({ html }: { html: string }) =>
      /aria-label="Plan">.*?<span>(.*?)<\/span>/.exec(html)?.[1]?.replace(/<[^>]*>/g, '')
    expect(countsIn(await open())).toBe('1 QR code')
    // One of its codes is a child's, which counts against no limit.
    await insertCode(db, owner.id, { qr_type: 'child' })
    const page = await open()
    expect(countsIn(page)).toBe('2 QR codes')
    expect(page.html).toContain('Show: All (2)')
    expect(page.html).not.toContain('∞')
  })

  test('shows every fact of a code, and escapes what people typed', async () => {
    const { open, owner, db } = await openDashboard()
    await insertCode(db, owner.id, {
      qr_id: '7K3MQ9WD4XTP',
      owner_name: '<script>alert(1)</script>',
      email: 'r@example.in',
      emergency_contact_name: 'Sunita "Didi" Kulkarni',
      vehicle_registration: 'MH12QX4827',
    })
    const { html } = await open()
    expect(html).not.toContain('<script>alert')
    expect(html).toContain('&lt;script&gt;alert(1)&lt;/script&gt;')
    for (const fact of [
      '7K3M-Q9WD-4XTP',
      'MH 12 QX 4827',
      '+91 98765 43210',
      'r@<wbr/>example.in',
    ]) {
      expect(html).toContain(fact)
    }
    expect(html).toContain('Sunita &quot;Didi&quot; Kulkarni')
    expect(html).toContain('1 Nov 2026')
    expect(html).toContain('data:image/png;base64,')
    expect(html).toContain('href="/scan/7K3MQ9WD4XTP?preview=1"')
  })

  test('shows no codes of other accounts', async () => {
    const { open, owner, db, signUp } = await openDashboard()
    const { qr_id } = await insertCode(db, owner.id, { owner_name: 'Mine alone' })
    const stranger = await signUp()
    expect((await open('', stranger)).html).not.toContain('Mine alone')
    expect((await open('?q=Mine', stranger)).html).not.toContain('Mine alone')
    for (const dialog of ['edit', 'delete', 'show']) {
      const { status, html } = await open(`?${dialog}=${qr_id}`, stranger)
      expect(status).toBe(404)
      expect(html).not.toContain('Mine alone')
    }
  })

  test('shows No QR Codes Yet without codes, with a link to create one', async () => {
    const { html } = await (await openDashboard()).open()
    expect(html).toContain('No QR Codes Yet')
    expect(html).not.toContain('class="codes-grid"')
  })

  test('finds codes by their fields, and says when there are none', async () => {
    const app = await openDashboard()
    await insertCode(app.db, app.owner.id, { owner_name: 'Ayesha', vehicle_registration: 'KA05M1' })
    await insertCode(app.db, app.owner.id, { owner_name: 'Harpreet' })
    expect(shownNames((await app.open('?q=ka+05')).html)).toEqual(['KA 05 M 1'])
    const { html } = await app.open('?q=%3Ci%3Escooty')
    expect(html).toContain('No QR codes found')
    expect(html).toContain('Clear Search')
    expect(html).toContain('value="&lt;i&gt;scooty"')
  })

  test('pages 12 cards or 24 rows, newest first, and keeps the search', async () => {
    const app = await openDashboard()
    await insertMany(app, app.owner.id, 30)
    const first = await app.open('?q=Code')
    expect(shownNames(first.html)).toHaveLength(12)
    expect(shownNames(first.html)[0]).toBe('Code 29.')
    expect(first.html).toContain('href="/dashboard?tab=my-qrs&amp;q=Code&amp;page=2" rel="next"')
    expect(first.html).toContain('Page 1 of 3')
    expect(shownNames((await app.open('?q=Code&page=3')).html)).toHaveLength(6)
    expect(shownNames((await app.open('?layout=list')).html)).toHaveLength(24)
  })

  test('leads from a page that no longer exists to the last one', async () => {
    const app = await openDashboard()
    await insertMany(app, app.owner.id, 13)
    const { status, to } = await app.open('?page=9')
    expect([status, to]).toEqual([302, '/dashboard?tab=my-qrs&page=2'])
    expect((await app.open('?page=-1')).status).toBe(200)
  })

  test.each(['grid-small', 'grid-medium', 'grid-large', 'list'])(
    'remembers the layout %s',
    async (layout) => {
      const app = await openDashboard()
      const { open, owner, db } = app
      await insertCode(db, owner.id)
      const { headers } = await open(`?layout=${layout}`)
      const kept = headers.get('set-cookie')?.split(';')[0]
      expect(kept).toBe(`driveqr_layout=${layout}`)
      const again = browserOf(app, { cookie: `${owner.cookie}; ${kept}` })
      expect(await again.read('/dashboard')).toContain(`data-layout="${layout}"`)
    },
  )

  test('ignores an unknown layout, requested or remembered', async () => {
    const { open, owner, db, ...app } = await openDashboard()
    await insertCode(db, owner.id)
    expect((await open('?layout=spiral')).headers.get('set-cookie')).toBeNull()
    const again = browserOf(app, { cookie: `${owner.cookie}; driveqr_layout=spiral` })
    expect(await again.read('/dashboard')).toContain('data-layout="grid-medium"')
  })

  test('keeps sharing for the plans that have it', async () => {
    const { open, owner, db, signUp } = await openDashboard()
    await insertCode(db, owner.id)
    const { html } = await open()
    expect(html).not.toContain('https://wa.me/')
    expect(html).toContain('WhatsApp and Email with Premium')
    expect(html).toMatch(/aria-label="Share: [^>]*data-action="copy-link"/)
    const paying = await signUp({ subscription_plan: 'premium' })
    await insertCode(db, paying.id)
    const paid = (await open('', paying)).html
    expect(paid).toContain('href="https://wa.me/?text=')
    expect(paid).toMatch(/aria-label="Share: [^>]*data-action="share"/)
  })

  test('disables Child QRs when none are left to create', async () => {
    const { open, signUp } = await openDashboard()
    expect((await open()).html).toMatch(/<button[^>]*disabled[^>]*>.{0,120}Child QRs/s)
    const paying = await signUp({ subscription_plan: 'premium' })
    expect((await open('', paying)).html).toContain('data-dialog="child"')
    expect((await open('?child=1')).html).not.toContain('name="qr-quantity"')
  })

  test('lets a child user edit the code, but only its parent delete it', async () => {
    const { open, owner, db, signUp } = await openDashboard()
    const child = await signUp({ parent_id: owner.id })
    await insertCode(db, owner.id, { qr_type: 'child', child_account_id: child.id })
    const { html } = await open('', child)
    expect(html).toContain('data-dialog="edit"')
    expect(html).not.toContain('data-dialog="delete"')
  })

  test('names the person who can change a code that a claimer holds, and offers to undo the claim alone', async () => {
    const { open, owner, db } = await openDashboard({ subscription_plan: 'premium' })
    const { qr_id } = await insertCode(db, owner.id, HELD)
    const { html } = await open()
    expect(html).toContain('Claimed by somebody without an account.')
    expect(html).not.toContain(`edit=${qr_id}`)
    expect(html).toContain('You can undo the claim until 26 Nov 2026.')
    expect(html).not.toContain(`action="/dashboard/qr/${qr_id}/active"`)
    expect(html).not.toContain(`delete=${qr_id}`)
    expect((await open(`?edit=${qr_id}`)).html).not.toContain('<dialog')
    expect((await open(`?delete=${qr_id}`)).html).not.toContain('<dialog')
    const undo = (await open(`?undo-claim=${qr_id}`)).html
    expect(undo).toContain('Undo this claim?')
    expect(undo).toContain('Anyone with the printed tag can claim it again.')
    await db.updateTable('qr_codes').set({ claimed_at: '2026-11-13T09:59:59.999Z' }).execute()
    expect((await open()).html).not.toContain(`undo-claim=${qr_id}`)
  })

  test('titles a code by make and model, else the plate, else the owner', async () => {
    const { open, owner, db } = await openDashboard({ subscription_plan: 'premium' })
    const model = { vehicle_make_model: 'Tata Nexon EV', vehicle_registration: 'MH12TN9008' }
    const at = (day: number) => ({ created_at: `2026-01-0${day}T00:00:00.000Z` })
    await insertCode(db, owner.id, { ...at(3), ...model, company_fleet_name: 'Kulkarni Traders' })
    await insertCode(db, owner.id, { ...at(2), vehicle_registration: 'MH12QX4827' })
    await insertCode(db, owner.id, at(1))
    const { html } = await open()
    expect(shownNames(html)).toEqual(['Tata Nexon EV', 'MH 12 QX 4827', 'Ramesh Kulkarni'])
    const seconds = [...html.matchAll(/<p class="small soft">(.*?)<\/p>/g)].map(([, line]) =>
      line?.replace(/<[^>]*>/g, ''),
    )
    const [company, name, none] = [
      'Ramesh Kulkarni · Kulkarni Traders',
      'Ramesh Kulkarni',
      'No vehicle',
    ]
    expect(seconds).toEqual([company, name, none])
    expect(html.match(/class="plate"/g)).toHaveLength(2)
    expect(html).toContain('aria-label="Tata Nexon EV, MH 12 TN 9008"')
    expect(html).toContain('aria-label="MH 12 QX 4827, Ramesh Kulkarni"')
  })

  test('leads an admin without codes to the overview, and nobody else', async () => {
    const admin = await openDashboard({ role: 'admin' })
    expect((await admin.open()).html).toContain('Admin overview')
    await insertCode(admin.db, admin.owner.id)
    expect((await admin.open()).html).not.toContain('Admin overview')
    const owner = await openDashboard()
    expect((await owner.open()).html).not.toContain('Admin overview')
  })

  test('says in words whether a code is active and finders see its number', async () => {
    const { open, owner, db } = await openDashboard({ subscription_plan: 'premium' })
    const { qr_id } = await insertCode(db, owner.id, { contact_mode: 'relay' })
    const states = (html: string) =>
      [...html.matchAll(/<p class="states">(.*?)<\/p>/g)].map(([, line]) =>
        line
          ?.replace(/<[^>]*>/g, ' ')
          .replace(/ +/g, ' ')
          .trim(),
      )
    const hidden = (await open()).html
    expect(states(hidden)).toEqual(['Active Number hidden'])
    expect(hidden).toContain('Only you see it')
    expect(hidden).toMatch(/aria-label="Number hidden: [^"]+" data-dialog="edit"/)
    await db.updateTable('qr_codes').set({ contact_mode: 'public' }).execute()
    const shown = (await open()).html
    expect(states(shown)).toEqual(['Active Number shown'])
    expect(shown).not.toContain('Only you see it')
    await db.updateTable('qr_codes').set({ is_active: 0 }).where('qr_id', '=', qr_id).execute()
    const { html } = await open()
    expect(states(html)).toEqual(['Number shown'])
    expect(html).toContain('>Inactive</span>')
    await db
      .updateTable('qr_codes')
      .set({ ...UNCLAIMED, is_active: 1 })
      .execute()
    expect(states((await open()).html)).toEqual(['Active'])
  })

  test('leads from the counts of a code to its documents and scans', async () => {
    const { open, owner, db, signUp } = await openDashboard()
    const child = await signUp({ parent_id: owner.id })
    const registered = { qr_type: 'child', child_account_id: child.id } as const
    const { qr_id } = await insertCode(db, owner.id, registered)
    const doors = (html: string) => [
      html.includes(`href="/dashboard?tab=documents&amp;q=${qr_id}"`),
      html.includes(`href="/dashboard?tab=analytics&amp;q=${qr_id}"`),
    ]
    expect(doors((await open()).html)).toEqual([true, true])
    // Analytics lists the codes of their owner alone.
    expect(doors((await open('', child)).html)).toEqual([true, false])
  })

  test('shows a small picture of the vehicle, only to accounts that may open it', async () => {
    const { open, owner, db, signUp } = await openDashboard()
    const child = await signUp({ parent_id: owner.id })
    const registered = { qr_type: 'child', child_account_id: child.id } as const
    const { qr_id } = await insertCode(db, owner.id, registered)
    const of = { qr_id, account_id: owner.id }
    const photo = { document_type: 'vehicle_photo', file_name: 'car.jpg' } as const
    await insertPaper(db, of, {
      ...photo,
      thumbnail_name: 'old.webp',
      uploaded_at: '2026-01-01T00:00:00.000Z',
    })
    await insertPaper(db, of, { ...photo, thumbnail_name: 'new.webp' })
    await insertPaper(db, of, { document_type: 'owner_photo', thumbnail_name: 'face.webp' })
    const photos = (html: string) =>
      [...html.matchAll(/<img class="code-photo" src="([^"]*)"/g)].map(([, src]) => src)
    expect(photos((await open()).html)).toEqual(['/api/files/new.webp'])
    expect(photos((await open('', child)).html)).toEqual([])
    await db.updateTable('documents').set({ is_locked: 1 }).execute()
    expect(photos((await open()).html)).toEqual([])
  })

  test('shows one thing to do without a code, and what narrows a list with the second one', async () => {
    const { open, owner, db } = await openDashboard({ subscription_plan: 'premium' })
    const parts = ({ html }: { html: string }) => ({
      steps: html.includes('class="lane"'),
      search: html.includes('aria-label="Search QR codes"'),
      layouts: html.includes('aria-label="Layout"'),
      select: html.includes('select=1'),
      child: html.includes('data-dialog="child"'),
    })
    const none = { search: false, layouts: false, select: false, child: true }
    expect(parts(await open())).toEqual({ steps: true, ...none })
    expect((await open()).html).toContain('<b class="num">0</b> of 50 QR codes')
    await insertCode(db, owner.id, { next_service_due: '2026-11-21' })
    expect(parts(await open())).toEqual({ steps: false, ...none })
    expect((await open()).html).not.toContain('class="due-one')
    await insertCode(db, owner.id)
    const all = { search: true, layouts: true, select: true, child: true }
    expect(parts(await open())).toEqual({ steps: false, ...all })
    expect((await open()).html).toContain('class="due-one')
  })

  test('leads from a printed tag to its claim without a camera', async () => {
    const { open, owner, db, ask, signUp } = await openDashboard()
    expect((await open()).html).toMatch(/You already have a tag\?.*action="\/claim"/s)
    const seller = await signUp({ subscription_plan: 'premium' })
    const { qr_id } = await insertCode(db, seller.id, UNCLAIMED)
    const typed = formatQrId(qr_id).toLowerCase()
    const answer = await ask('GET', `/claim?qr=${typed}`, { as: owner })
    expect(answer.status).toBe(200)
    expect(await answer.text()).toContain(formatQrId(qr_id))
  })

  test('writes large counts as India does', async () => {
    const { open, owner, db } = await openDashboard()
    await insertCode(db, owner.id, { earlier_scans: 123_456 })
    const { html } = await open()
    expect(html).toMatch(/>1,23,456(<[^>]*>)*? scans</)
  })

  test('says in Bulk Create and Child QRs how much is left', async () => {
    const { ask, open, owner, db, signUp } = await openDashboard({ subscription_plan: 'premium' })
    await insertCode(db, owner.id)
    const bulk = (await open('?bulk=1')).html
    expect(bulk).toContain('From 1 to 50')
    expect(bulk).toContain('1 of 50 QR codes used')
    const headers = { cookie: owner.cookie, 'sec-fetch-site': 'same-origin' }
    const body = new URLSearchParams({ quantity: '51' })
    const refused = await ask('POST', '/dashboard/qr/bulk', { body, headers })
    expect(await refused.text()).toContain('1 of 50 QR codes used')
    expect((await open('?child=1')).html).toContain('50 child QRs left')
    await db.updateTable('accounts').set({ child_qr_quota: 1 }).execute()
    expect((await open('?child=1')).html).toContain('>1 child QR left<')
    const enterprise = await signUp({ subscription_plan: 'enterprise' })
    expect((await open('?child=1', enterprise)).html).toContain('>1,000 child QRs left<')
    const unlimited = await open('?bulk=1', enterprise)
    expect(unlimited.html).toContain('From 1 to 50')
    expect(unlimited.html).not.toContain('QR codes used</p>')
  })

  test('reads no list when a script requests only a dialog', async () => {
    const { open, owner, db } = await openDashboard()
    await insertCode(db, owner.id)
    const { html } = await open('?create=1&part=dialog')
    expect(html).toContain('Create QR Code')
    expect(html).not.toContain('codes-grid')
  })
})
