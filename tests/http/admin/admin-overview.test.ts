import { expect, test } from 'vitest'
import { grantRole } from '#db/accounts/permissions.ts'
import { COMMAND_LINE, recordAct } from '#db/admin/audit-events.ts'
import { openAdmin } from '#tests/support/admin.ts'
import { openTestApp } from '#tests/support/app.ts'
import { insertCode } from '#tests/support/codes.ts'

const DAY_S = 86_400

test('the page has the ways back and names the signed-in account', async () => {
  const { open } = await openAdmin()
  const page = await open()
  expect(page.status).toBe(200)
  for (const text of ['Back to Dashboard', 'Home', 'Super Admin', 'Nandini Rao', 'Logout']) {
    expect(page.html).toContain(text)
  }
})

test('the statistics count what is there', async () => {
  const { ask, signUp, db, advance } = await openTestApp()
  const admin = await signUp({ role: 'admin' })
  await signUp({ subscription_plan: 'premium' })
  advance(29 * DAY_S)
  const owner = await signUp({ subscription_plan: 'enterprise' })
  const { qr_id } = await insertCode(db, owner.id)
  await insertCode(db, owner.id, { is_active: 0 })
  for (let n = 0; n < 3; n++) await ask('GET', `/api/scan/${qr_id}`)
  const redemption = {
    code: 'DIWALI',
    account_id: owner.id,
    child_qr_quantity: 5,
    discount_value: 0,
    redeemed_at: '2026-11-20T10:00:00.000Z',
  }
  for (const status of ['pending', 'pending', 'approved'] as const) {
    const row = { ...redemption, id: `${status}${Math.random()}`, status }
    await db.insertInto('promo_redemptions').values(row).execute()
  }
  const read = async () => (await ask('GET', '/api/admin/statistics', { as: admin })).json()
  const figures = {
    totalUsers: 3,
    totalQRCodes: 2,
    totalScans: 3,
    activeDevices: 3,
    subscriptionBreakdown: { free: 1, premium: 1, enterprise: 1 },
    pendingRedemptions: 2,
  }
  expect(await read()).toEqual(figures)
  advance(2 * DAY_S)
  // One session has not been used for 31 days; the admin's was, by asking.
  expect(await read()).toEqual({ ...figures, activeDevices: 2 })
  await ask('DELETE', `/api/qr/${qr_id}`, { as: owner })
  expect(await read()).toMatchObject({ totalQRCodes: 1, totalScans: 3 })
})

test('the cards show the growth of 30 days, and no growth', async () => {
  const { open, signUp, db, advance, ask } = await openAdmin()
  const owner = await signUp()
  const { qr_id } = await insertCode(db, owner.id, { created_at: '2026-11-20T10:00:00.000Z' })
  await ask('GET', `/api/scan/${qr_id}`)
  const figures = async () =>
    [...(await open()).html.matchAll(/<b>([\d,]+)<\/b><span>([^<]+)/g)].map((found) =>
      found.slice(1),
    )
  expect(await figures()).toEqual([
    ['2', '+2 in 30 days'],
    ['1', '+1 in 30 days'],
    ['1', '+1 in 30 days'],
    ['2', 'In the last 30 days'],
  ])
  advance(20 * DAY_S)
  await open()
  advance(20 * DAY_S)
  await signUp()
  await ask('GET', `/api/scan/${qr_id}`)
  expect(await figures()).toEqual([
    ['3', '+50% in 30 days'],
    ['1', 'Steady'],
    ['2', '+100% in 30 days'],
    ['2', 'In the last 30 days'],
  ])
})

test('acts of admins are listed newest first, with actor, subject and values', async () => {
  const { open, signUp, db, root, advance } = await openAdmin()
  expect((await open()).html).toContain('What admins do is noted here.')
  const asha = await signUp({ email: 'asha@example.in' })
  const now = () => new Date()
  await grantRole(db, { contact: 'asha@example.in', role: 'premium', until: null }, now())
  advance(3 * 60)
  const subject = { subject_type: 'account', subject_id: asha.id }
  const change = { before: { is_active: 1 }, after: { is_active: 0 } }
  const actor = { actor_id: root.id, actor: 'Nandini <Rao>' }
  await recordAct(db, { ...actor, ...subject, action: 'account.blocked', ...change }, now())
  advance(2 * 3600)
  const { html } = await open()
  expect(html).toContain('User blocked')
  expect(html).toContain('Asha Patil · status: Active → Inactive · by Nandini &lt;Rao&gt;')
  expect(html).toContain('Role granted')
  expect(html).toContain(
    'Asha Patil · role: Client → Premium User · plan: free → premium · QR limit: 1 → 50 · child QR codes left: 0 → 50 · by command line',
  )
  expect(html.indexOf('User blocked')).toBeLessThan(html.indexOf('Role granted'))
  expect(html.match(/>2 h ago</g)).toHaveLength(2)
})

test('acts of admins are paged', async () => {
  const { open, db } = await openAdmin()
  for (let n = 1; n <= 21; n++) {
    const subject = { subject_type: 'qr_code', subject_id: null, after: { count: n } }
    const at = new Date(Date.UTC(2026, 10, 1, 0, n))
    await recordAct(db, { ...COMMAND_LINE, ...subject, action: 'qr.printed' }, at)
  }
  const listed = async (query: string) =>
    [...(await open(query)).html.matchAll(/>(\d+) · by command line/g)].map(([, n]) => Number(n))
  expect(await listed('')).toEqual([21, 20, 19, 18, 17, 16, 15, 14, 13, 12])
  expect(await listed('?tab=overview&page=3')).toEqual([1])
  expect((await open('?tab=overview&page=9')).to).toBe('/admin?tab=overview&page=3')
})

test('quick actions lead where they say', async () => {
  const { open, browse } = await openAdmin()
  const { html } = await open()
  const quick = html.slice(html.indexOf('Quick Actions'))
  const hrefs = [...quick.matchAll(/<a href="([^"]+)"/g)].map(([, href = '']) =>
    href.replaceAll('&amp;', '&'),
  )
  const pages = await Promise.all(hrefs.map((href) => browse('GET', href)))
  expect(pages.map(({ status }) => status)).toEqual([200, 200, 200, 200])
  const [users, promo, analytics, csv] = pages
  expect(users?.html).toContain('>Users</h1>')
  expect(promo?.html).toContain('<dialog')
  expect(analytics?.html).toContain('>Analytics</h1>')
  expect(csv?.headers.get('Content-Disposition')).toContain('qr_codes_export_')
})

test('a super admin finds the page from the management page; others may grant it where it is a trial', async () => {
  const { browse, signUp, root } = await openAdmin()
  const bar = async (as: { cookie: string }) =>
    (await browse('GET', '/admin-dashboard', undefined, as)).html
  const admin = await signUp({ role: 'admin' })
  expect(await bar(root)).toContain('href="/admin"')
  expect(await bar(root)).not.toContain('Grant Admin Access (Dev)')
  expect(await bar(admin)).toContain('Grant Admin Access (Dev)')
  const env = { PUBLIC_URL: 'https://keys.example.in', REQUIRE_SECOND_FACTOR: 'none' }
  const inEarnest = await openAdmin({ env })
  const other = await inEarnest.signUp({ role: 'admin' })
  const cookie = other.cookie.replace('driveqr=', '__Host-driveqr=')
  const page = await inEarnest.browse('GET', '/admin-dashboard', undefined, { cookie })
  expect(page.status).toBe(200)
  expect(page.html).not.toContain('Grant Admin Access (Dev)')
})
