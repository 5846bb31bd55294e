import { expect, test } from 'vitest'
import { openAdmin } from '#tests/support/admin.ts'
import { insertCode } from '#tests/support/codes.ts'

const TAB = '?tab=users'

test('the table says of every user plan, codes, since when and whether they are active', async () => {
  const { open, signUp, db } = await openAdmin()
  const premium = await signUp({ name: 'Ramesh Kulkarni', subscription_plan: 'premium' })
  await insertCode(db, premium.id)
  const enterprise = { name: 'Ayesha Siddiqui', subscription_plan: 'enterprise' } as const
  await signUp(enterprise)
  const blocked = await signUp({ name: 'Harpreet Singh', email: null, mobile: '+919814000356' })
  await db.updateTable('accounts').set({ is_active: 0 }).where('id', '=', blocked.id).execute()
  const { html } = await open(TAB)
  const row = (name: string) =>
    html
      .split('<tr')
      .find((each) => each.includes(name))
      ?.replace(/<[^>]*>/g, ' ')
      .replace(/^[^>]*>/, '')
      .replace(/\s+/g, ' ')
  expect(row('Ramesh')).toContain('Premium 1/50 20 Nov 2026 Active')
  expect(row('Ayesha')).toContain('Enterprise 0/ ∞ 20 Nov 2026 Active')
  expect(row('Harpreet')).toContain('+91 98140 00356 Free 0/1 20 Nov 2026 Inactive')
  expect(html).toContain('aria-label="unlimited"')
  expect(html).not.toContain('>Actions<')
})

test('users are found by name, by email and by plan', async () => {
  const { open, signUp } = await openAdmin()
  await signUp({ name: 'Priya Nair', email: 'priya@example.in' })
  await signUp({ name: 'Debojyoti Sen', email: 'debo@example.in', subscription_plan: 'premium' })
  const names = async (query: string) =>
    [...(await open(TAB + query)).html.matchAll(/<b class="any-break">([^<]+)/g)].map(
      ([, name]) => name,
    )
  expect(await names('&q=priya')).toEqual(['Priya Nair'])
  expect(await names('&q=DEBO%40')).toEqual(['Debojyoti Sen'])
  expect(await names('&plan=premium')).toEqual(['Debojyoti Sen'])
  expect((await names('&plan=gold')).toSorted()).toEqual([
    'Debojyoti Sen',
    'Nandini Rao',
    'Priya Nair',
  ])
  expect(await names('&q=priya&plan=premium')).toEqual([])
  const nobody = (await open(`${TAB}&q=priya&plan=premium`)).html
  expect(nobody).toContain('No users found')
  expect(nobody).toContain('Clear Search')
  expect(nobody).toContain('<option value="premium" selected="">')
})

test('users come by the page, and pages keep search and plan', async () => {
  const { open, signUp } = await openAdmin()
  for (let n = 0; n < 21; n++) await signUp({ name: `Priya ${n}` })
  const first = (await open(`${TAB}&q=priya&plan=free`)).html
  expect(first).toContain('Page 1 of 2')
  expect(first).toContain('href="/admin?tab=users&amp;q=priya&amp;plan=free&amp;page=2"')
  expect((await open(`${TAB}&q=priya&page=7`)).to).toBe('/admin?tab=users&q=priya&page=2')
})
