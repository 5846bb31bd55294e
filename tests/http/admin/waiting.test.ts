import { expect, test } from 'vitest'
import { createPageReport } from '#db/conversations/page-reports.ts'
import { redeemPromoCode } from '#db/plans/promo-redemptions.ts'
import { requestUpgrade } from '#db/plans/upgrade-requests.ts'
import type { Account } from '#db/schema.ts'
import { openAdmin } from '#tests/support/admin.ts'
import { insertCode } from '#tests/support/codes.ts'
import { addPromoCode } from '#tests/support/promo.ts'
import { insertTicket } from '#tests/support/stored-tickets.ts'

const HOUR_S = 3_600
const PRICES = { premium: 999, enterprise: 9_999 }

type WaitingLine = { title: string; about: string; href: string; wait: string; isLate: boolean }

/** Reads the lines of the list on a page. */
function linesIn(html: string): WaitingLine[] {
  const [, list = ''] = /class="sheet wait".*?<ol>(.*?)<\/ol>/s.exec(html) ?? []
  return [...list.matchAll(/<li>(.*?)<\/li>/gs)].map(([, line = '']) => {
    const read = (pattern: RegExp) => pattern.exec(line)?.[1]?.replaceAll('&amp;', '&') ?? ''
    return {
      title: read(/<b>(.*?)<\/b>/),
      about: read(/<small>(.*?)<\/small>/),
      href: read(/href="(.*?)"/),
      wait: read(/<time[^>]*>([^<]*)/),
      isLate: line.includes('class="when late"'),
    }
  })
}

async function openWork() {
  const app = await openAdmin()
  const { db, deps } = app
  const asha = await app.signUp({ name: 'Asha Patil', email: 'asha@example.in' })
  const { qr_id } = await insertCode(db, asha.id, { vehicle_registration: 'MH12QX4827' })
  const report = (of = qr_id) =>
    createPageReport(db, of, { reason: 'threat', text: 'He waits for me.' }, deps.clock())
  const upgrade = (of: Pick<Account, 'id'> = asha, wish = {}) =>
    requestUpgrade(db, of.id, { requested_plan: 'premium', ...wish }, PRICES, deps.clock())
  async function redemption(of: Pick<Account, 'id'> = asha, code = 'MONSOON50') {
    await addPromoCode(app, { code, requires_approval: true })
    await redeemPromoCode(db, of.id, code, deps.clock())
    const { id } = await db
      .selectFrom('promo_redemptions')
      .select('id')
      .where('account_id', '=', of.id)
      .executeTakeFirstOrThrow()
    return id
  }
  const ticket = () =>
    insertTicket(db, asha.id, {
      subject: 'Change of owner',
      created_at: deps.clock().toISOString(),
    })
  return { ...app, asha, qr_id, report, upgrade, redemption, ticket }
}

test('work of all kinds waits on one list, the oldest first, and late work says so', async () => {
  const app = await openWork()
  const { id: reportId } = await app.report()
  app.advance(22 * HOUR_S)
  const { id: ticketId } = await app.ticket()
  app.advance(20 * HOUR_S)
  const { id: upgradeId } = await app.upgrade(app.asha, { months: 12 })
  app.advance(5 * HOUR_S)
  const redemptionId = await app.redemption()
  app.advance(4 * HOUR_S + 40 * 60)
  const lines = linesIn((await app.open()).html)
  expect(lines).toEqual([
    {
      title: 'Report: threat',
      about: 'MH 12 QX 4827, reported by a finder',
      href: `/admin-dashboard?tab=reports&report=${reportId}`,
      wait: '27 h late',
      isLate: true,
    },
    {
      title: 'Ticket: Change of owner',
      about: 'Asha Patil, Free',
      href: `/admin?tab=support&ticket=${ticketId}`,
      wait: '5 h late',
      isLate: true,
    },
    {
      title: 'Premium for 12 months, ₹11,988',
      about: 'Asha Patil, no payment reference',
      href: `/admin-dashboard?tab=upgrade-requests&request=${upgradeId}`,
      wait: '9 h',
      isLate: false,
    },
    {
      title: 'Promo code MONSOON50',
      about: 'Asha Patil: Premium plan',
      href: `/admin?tab=promo-codes&show=redemptions&status=pending&q=MONSOON50&approve=${redemptionId}`,
      wait: '4 h',
      isLate: false,
    },
  ])
  const leads = await Promise.all(lines.map(({ href }) => app.browse('GET', href)))
  expect(leads.map(({ status }) => status)).toEqual([200, 200, 200, 200])
  const [report, ticket, upgrade, redemption] = leads.map(({ html }) => html)
  expect(report).toContain('He waits for me.')
  expect(ticket).toContain('They print 2 mm too low.')
  expect(upgrade).toContain('Upgrade Request Details')
  expect(redemption).toContain('Approve MONSOON50?')
})

test('the management page opens with the same list, and leads to its own tabs', async () => {
  const app = await openWork()
  const admin = await app.signUp({ role: 'admin' })
  await app.ticket()
  await app.redemption()
  const manage = async (query = '') =>
    linesIn((await app.browse('GET', `/admin-dashboard${query}`, undefined, admin)).html)
  const lines = await manage()
  expect(lines.map(({ href }) => href.split('=')[0])).toEqual([
    '/admin-dashboard?tab',
    '/admin-dashboard?tab',
  ])
  const leads = await Promise.all(
    lines.map(({ href }) => app.browse('GET', href, undefined, admin)),
  )
  expect(leads.map(({ status }) => status)).toEqual([200, 200])
  for (const query of ['?tab=users&q=asha', '?tab=users&page=2', '?tab=hierarchy']) {
    expect([query, await manage(query)]).toEqual([query, []])
  }
})

test('moderators see reports only, and nobody sees work that others decide', async () => {
  const app = await openWork()
  const moderator = await app.signUp({ role: 'moderator' })
  const admin = await app.signUp({ role: 'admin' })
  const { qr_id: own } = await insertCode(app.db, moderator.id)
  const { qr_id: admins } = await insertCode(app.db, admin.id)
  const mine = await app.report(own)
  app.advance(60)
  const theirs = await app.report(admins)
  const { id } = await app.report()
  await app.ticket()
  await app.upgrade()
  await app.upgrade(admin)
  await app.redemption(admin)
  const titles = async (path: string, as: { cookie: string }) =>
    linesIn((await app.browse('GET', path, undefined, as)).html).map(
      ({ title, href }) => `${title} ${/report=(.*)/.exec(href)?.[1] ?? ''}`,
    )
  expect(await titles('/dashboard?tab=reports', moderator)).toEqual([`Report: threat ${id}`])
  expect(await titles('/admin-dashboard', admin)).toEqual([
    `Report: threat ${mine.id}`,
    `Report: threat ${id}`,
    'Ticket: Change of owner ',
    'Premium for 1 month, ₹999 ',
  ])
  const all = await titles('/admin', app.root)
  expect(all).toHaveLength(7)
  expect(all).toContain(`Report: threat ${theirs.id}`)
})

test('a client has no such list', async () => {
  const app = await openWork()
  await app.report()
  for (const path of ['/admin', '/admin-dashboard', '/dashboard?tab=reports']) {
    const { html } = await app.browse('GET', path, undefined, app.asha)
    expect(html).not.toContain('Waiting for you')
  }
})

test('the list is cut, and says that there is more', async () => {
  const app = await openWork()
  for (let n = 0; n < 21; n++) await app.ticket()
  const { html } = await app.open()
  expect(linesIn(html)).toHaveLength(20)
  expect(html).toContain('>20+<')
})

test('the overview says that nothing waits', async () => {
  const app = await openWork()
  const { html } = await app.open()
  expect(html).toContain('Nothing is waiting')
  expect(html).not.toContain('Waiting for you')
})
