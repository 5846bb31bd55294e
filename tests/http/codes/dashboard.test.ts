import { describe, expect, test } from 'vitest'
import { openTestApp, type TestApp } from '#tests/support/app.ts'
import { browserOf } from '#tests/support/browser.ts'
import { HELD, insertCode } from '#tests/support/codes.ts'

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
  return [...html.matchAll(/<h2 id="qr-[^>]*>([^<]*)</g)].map((match) => match[1] as string)
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
    expect(html).toContain('<h1 tabindex="-1">My QR Codes</h1>')
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
    expect(html).toContain('<progress max="50" value="1"')
  })

  test('counts the codes of the list where the plan has no limit', async () => {
    const { open, owner, db } = await openDashboard({
      subscription_plan: 'enterprise',
    })
    await insertCode(db, owner.id)
    const countsIn = ({ html }: { html: string }) =>
      /<span class="plan-counts">(.*?)<\/span>(?!<\/span>)/.exec(html)?.[1]?.replace(/<[^>]*>/g, '')
    expect(countsIn(await open())).toBe('1 QR code')
    // One of its codes is a child's, which counts against no limit.
    await insertCode(db, owner.id, { qr_type: 'child' })
    const page = await open()
    expect(countsIn(page)).toBe('2 QR codes')
    expect(page.html).toContain('All (2)')
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
    for (const fact of ['7K3M-Q9WD-4XTP', 'MH 12 QX 4827', '+91 98765 43210', 'r@example.in']) {
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
    expect(html).not.toContain('class="qr-grid"')
  })

  test('finds codes by their fields, and says when there are none', async () => {
    const app = await openDashboard()
    await insertCode(app.db, app.owner.id, { owner_name: 'Ayesha', vehicle_registration: 'KA05M1' })
    await insertCode(app.db, app.owner.id, { owner_name: 'Harpreet' })
    expect(shownNames((await app.open('?q=ka+05')).html)).toEqual(['Ayesha'])
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
    expect((await open()).html).not.toContain('WhatsApp')
    const paying = await signUp({ subscription_plan: 'premium' })
    await insertCode(db, paying.id)
    expect((await open('', paying)).html).toContain('href="https://wa.me/?text=')
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
    expect(html).toContain('Claimed by somebody who has no account yet.')
    expect(html).not.toContain(`edit=${qr_id}`)
    expect(html).toContain('You can undo the claim until 26 Nov 2026.')
    expect(html).not.toContain(`action="/dashboard/qr/${qr_id}/active"`)
    expect(html).not.toContain(`delete=${qr_id}`)
    expect((await open(`?edit=${qr_id}`)).html).not.toContain('<dialog')
    expect((await open(`?delete=${qr_id}`)).html).not.toContain('<dialog')
    const undo = (await open(`?undo-claim=${qr_id}`)).html
    expect(undo).toContain('Undo this claim?')
    expect(undo).toContain('Anybody who has the printed tag can claim it again.')
    await db.updateTable('qr_codes').set({ claimed_at: '2026-11-13T09:59:59.999Z' }).execute()
    expect((await open()).html).not.toContain(`undo-claim=${qr_id}`)
  })

  test('gives each fact of a row its place, also when others are missing', async () => {
    const { open, owner, db } = await openDashboard()
    await insertCode(db, owner.id, { email: null })
    const facts = (html: string) => [...html.matchAll(/data-fact="([a-z]+)"/g)].map(([, f]) => f)
    expect(facts((await open()).html)).toEqual(['mobile', 'created'])
  })

  test('writes large counts as India does', async () => {
    const { open, owner, db } = await openDashboard()
    await insertCode(db, owner.id, { earlier_scans: 123_456 })
    const { html } = await open()
    expect(html).toMatch(/<b>1,23,456<\/b> (<!-- -->)?scans/)
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
    const last = (await open('?child=1')).html
    expect(last).toContain('1 child QR left')
    expect(last).toMatch(/>1<\/b> child QR left/)
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
    expect(html).not.toContain('qr-grid')
  })
})
