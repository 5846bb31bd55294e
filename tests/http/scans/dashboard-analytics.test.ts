import { expect, test, vi } from 'vitest'
import { openTestApp } from '#tests/support/app.ts'
import { HELD, insertCode } from '#tests/support/codes.ts'
import { UNCLAIMED } from '#tests/support/families.ts'

/** The Analytics tab of an account; `scan` records a scan of one of its codes as it happens. */
async function openAnalytics(account: object = { subscription_plan: 'premium' }) {
  const app = await openTestApp({ now: '2026-11-20T10:00:00.000Z' })
  const owner = await app.signUp(account)
  async function open(query = '', as = owner) {
    const path = `/dashboard?tab=analytics${query}`
    const answer = await app.ask('GET', path, { headers: { cookie: as.cookie } })
    return { answer, html: await answer.text() }
  }
  async function scan(qr_id: string, ...instants: string[]) {
    for (const instant of instants) {
      vi.setSystemTime(instant)
      await app.deps.scanPath.record({ qr_id, device: 'phone', referrer: 'direct' })
    }
    vi.setSystemTime('2026-11-20T10:00:00.000Z')
  }
  return { ...app, owner, open, scan }
}

function cardOf(html: string, name: string): string {
  return new RegExp(`<article[^>]*aria-label="[^"]*${name}.*?</article>`, 's').exec(html)?.[0] ?? ''
}

test('shows of each code the total, the three newest scans and 14 days in the zone', async () => {
  const { db, owner, open, scan } = await openAnalytics()
  const plate = { vehicle_registration: 'MH12QX4827' }
  const { qr_id } = await insertCode(db, owner.id, plate)
  await scan(
    qr_id,
    '2026-10-01T06:00:00.000Z',
    '2026-11-06T18:29:59.999Z',
    '2026-11-06T18:30:00.000Z', // 7 November 00:00 in India, the first of 14 days
    '2026-11-19T18:29:00.000Z',
    '2026-11-19T18:31:00.000Z',
    '2026-11-20T09:30:00.000Z',
  )
  const card = cardOf((await open()).html, 'Ramesh Kulkarni')
  expect(card).toContain('<b>6</b><span>total scans</span>')
  expect(card).toContain('MH 12 QX 4827')
  const times = [...card.matchAll(/<time dateTime="([^"]*)">([^<]*)/gi)].map(([, , text]) => text)
  expect(times).toEqual(['20 Nov 2026, 3:00 pm', '20 Nov 2026, 12:01 am', '19 Nov 2026, 11:59 pm'])
  expect(card).toContain(
    'aria-label="Scans per day, last 14 days: 1, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 1, 2"',
  )
  expect(card).toContain('>7 Nov</text>')
  const bars = card.match(/<rect [^>]*>/g) ?? []
  expect(bars.map((bar) => bar.includes('class="now"'))).toEqual([...Array(13).fill(false), true])
})

test('sums all codes of the account, and says No scans yet of those without', async () => {
  const { db, owner, open, scan } = await openAnalytics()
  const [one, two] = [await insertCode(db, owner.id), await insertCode(db, owner.id)]
  expect(cardOf((await open()).html, 'All QR codes')).toContain('No scans yet')
  await scan(one.qr_id, '2026-11-20T09:00:00.000Z')
  await scan(two.qr_id, '2026-11-19T09:00:00.000Z', '2026-11-20T09:00:00.000Z')
  await insertCode(db, owner.id, { owner_name: 'Meera' })
  const { html } = await open()
  expect(cardOf(html, 'All QR codes')).toContain('<b>3</b>')
  expect(cardOf(html, 'All QR codes')).toMatch(/last 14 days: (0, ){12}1, 2"/)
  expect(cardOf(html, 'Meera')).toContain('No scans yet')
  expect(cardOf(html, 'Meera')).not.toContain('<svg class="chart"')
})

test('begins with scanned codes, and mentions blank codes once', async () => {
  const { db, owner, open, scan } = await openAnalytics()
  const scanned = await insertCode(db, owner.id, { owner_name: 'Scanned' })
  const later = { created_at: '2026-11-19T09:00:00.000Z' }
  await insertCode(db, owner.id, { owner_name: 'Waiting', ...later })
  const blank = await insertCode(db, owner.id, { ...UNCLAIMED, ...later })
  await scan(scanned.qr_id, '2026-11-20T09:00:00.000Z')
  const namesOf = (html: string) =>
    [...html.matchAll(/<article[^>]*aria-label="([^",]*)/g)].map(([, name]) => name)
  const { html } = await open()
  expect(namesOf(html)).toEqual(['All QR codes', 'Scanned', 'Waiting'])
  expect(html.split('1 blank QR code is not listed here')).toHaveLength(2)
  expect(namesOf((await open(`&q=${blank.qr_id}`)).html)).toEqual(['QR code'])
})

test('does not tell by the order whether a code that a claimer holds was scanned', async () => {
  const { db, owner, open, scan } = await openAnalytics()
  const held = await insertCode(db, owner.id, HELD)
  await insertCode(db, owner.id, { owner_name: 'Later', created_at: '2026-11-19T09:00:00.000Z' })
  await scan(held.qr_id, '2026-11-20T09:00:00.000Z')
  const [, first] = (await open()).html.match(/<article[^>]*aria-label="[^",]*/g) ?? []
  expect(first).toContain('Later')
})

test('finds codes as My QR Codes does, and leads back from a search without result', async () => {
  const { db, owner, open } = await openAnalytics()
  await insertCode(db, owner.id, { vehicle_registration: 'MH12QX4827' })
  await insertCode(db, owner.id, { owner_name: 'Meera' })
  const found = (await open('&q=mh%2012')).html
  expect(cardOf(found, 'Ramesh')).not.toBe('')
  expect(cardOf(found, 'Meera')).toBe('')
  expect(cardOf(found, 'All QR codes')).toBe('')
  const { html } = await open('&q=scooty')
  expect(html).toContain('No QR codes found')
  expect(html).toContain('<a class="btn" href="/dashboard?tab=analytics">Clear Search</a>')
})

test('shows No QR Codes Yet without codes, with a link to the form', async () => {
  const { open } = await openAnalytics()
  const { html } = await open()
  expect(html).toContain('No QR Codes Yet')
  expect(html).toContain('href="/dashboard?tab=my-qrs&amp;create=1">')
})

test('pages 12 codes, keeps the search, and redirects from a missing page to the last', async () => {
  const { db, owner, open } = await openAnalytics()
  for (let n = 0; n < 13; n++) await insertCode(db, owner.id, { city_area: 'Pune' })
  expect((await open('&q=pune')).html.match(/<article/g)).toHaveLength(12)
  expect((await open('&q=pune')).html).toContain(
    'href="/dashboard?tab=analytics&amp;q=pune&amp;page=2"',
  )
  const second = await open('&page=2')
  expect(second.html).toContain('Page 2 of 2')
  expect(second.html.match(/<article/g)).toHaveLength(1)
  const { answer } = await open('&q=pune&page=9')
  expect(answer.headers.get('location')).toBe('/dashboard?tab=analytics&q=pune&page=2')
})

test('offers Premium to the free plan, and shows it no figures', async () => {
  const { db, owner, open, scan } = await openAnalytics({ subscription_plan: 'free' })
  const { qr_id } = await insertCode(db, owner.id)
  await scan(qr_id, '2026-11-20T09:00:00.000Z')
  const { html } = await open()
  expect(html).toContain('Premium feature')
  expect(html).not.toContain('Ramesh')
  expect(html).not.toContain('total scan')
})

test('shows only own scans, and a child code’s scans only to the parent', async () => {
  const { db, owner, open, scan, signUp } = await openAnalytics()
  const child = await signUp({ parent_id: owner.id, subscription_plan: 'premium' })
  const registered = {
    qr_type: 'child',
    child_account_id: child.id,
    is_child_registered: 1,
  } as const
  const { qr_id } = await insertCode(db, owner.id, { ...registered, owner_name: 'Aarav' })
  await scan(qr_id, '2026-11-20T09:00:00.000Z')
  expect(cardOf((await open()).html, 'Aarav')).toContain('<b>1</b><span>total scan</span>')
  expect((await open('', child)).html).not.toContain('Aarav')
})
