import type { Db } from '#db/client.ts'
import { type Owner, signIn } from '#tests/e2e/support/dashboard.ts'
import { expect, expectWellMade, test } from '#tests/e2e/support/test.ts'

const PREMIUM = { subscription_plan: 'premium' } as const
const CODES = [
  { vehicle_registration: 'MH12QX4827' },
  { owner_name: 'Meera', vehicle_registration: 'KA05MN7310' },
  ...Array.from({ length: 11 }, (_, n) => ({ owner_name: `Aarav ${n}` })),
]

/** Scans of the newest code: `perDay` today, one fewer each day before. */
async function addScans(db: Db, { id, codes }: Owner, perDay = 5) {
  const { qr_id = '' } = codes[0] ?? {}
  for (let day = 0, n = 0; day < perDay; day++) {
    const scanned_at = new Date(Date.now() - day * 86_400_000).toISOString()
    for (let scan = day; scan < perDay; scan++) {
      const kind = { device: 'phone', referrer: 'direct' } as const
      await db
        .insertInto('scans')
        .values({ qr_id, scanned_at, n: n++, ...kind })
        .execute()
    }
    const quarter = `${scanned_at.slice(0, 14)}00`
    await db
      .insertInto('owner_scans')
      .values({ owner_id: id, quarter, scans: perDay - day })
      .execute()
  }
}

test('a code and its scans are reached by keyboard only', async ({ page, context, server }) => {
  await signIn(context, server, PREMIUM, CODES, addScans)
  await page.goto('/dashboard')
  await page.getByRole('link', { name: 'Analytics' }).focus()
  await page.keyboard.press('Enter')
  await expect(page.getByRole('heading', { name: 'Analytics', level: 1 })).toBeVisible()
  await expect(page.getByRole('link', { name: 'Analytics' })).toBeInViewport()
  const all = page.getByRole('article', { name: 'All QR codes' })
  await expect(all).toContainText('15total scans')

  const ramesh = page.getByRole('article', { name: 'Ramesh Kulkarni' })
  await expect(ramesh.getByRole('img', { name: 'Scans per day, last 14 days: ' })).toHaveAttribute(
    'aria-label',
    /: (0, ){9}1, 2, 3, 4, 5$/,
  )
  await expect(ramesh.getByRole('listitem')).toHaveCount(3)
  await expect(ramesh.locator('rect.now')).toHaveCSS('fill', 'rgb(255, 198, 26)')

  await page.getByRole('link', { name: 'Next' }).focus()
  await page.keyboard.press('Enter')
  await expect(page.getByText('Page 2 of 2')).toBeVisible()
  await expect(page.getByRole('article')).toHaveCount(1)

  await page.getByRole('searchbox', { name: 'Search QR codes' }).focus()
  await page.keyboard.type('ka 05')
  await page.keyboard.press('Enter')
  await expect(page.getByRole('article')).toHaveCount(1)
  await expect(page.getByRole('article', { name: 'Meera' })).toContainText('No scans yet')
  await page.getByRole('searchbox').fill('scooty')
  await page.keyboard.press('Enter')
  await page.getByRole('link', { name: 'Clear Search' }).focus()
  await page.keyboard.press('Enter')
  await expect(all).toBeVisible()
})

test('every state is accessible @both @slow', async ({ page, context, server }) => {
  const tab = '/dashboard?tab=analytics'
  await signIn(context, server, PREMIUM, CODES, addScans)
  for (const path of [tab, `${tab}&page=2`, `${tab}&q=scooty`]) {
    await page.goto(path)
    await expectWellMade(page)
  }
  await page.getByLabel('Menu').click()
  await expectWellMade(page)
  await signIn(context, server)
  await page.goto(tab)
  await expect(page.getByText('Premium feature')).toBeVisible()
  await expectWellMade(page)
  await signIn(context, server, PREMIUM)
  await page.goto(tab)
  await expect(page.getByRole('heading', { name: 'No QR Codes Yet' })).toBeVisible()
  await expectWellMade(page)
})

test.describe('without script', () => {
  test.use({ javaScriptEnabled: false })

  test('the tab is complete, and dark mode is a switch that is remembered', async ({
    page,
    context,
    server,
  }) => {
    await page.emulateMedia({ colorScheme: 'light' })
    await signIn(context, server, PREMIUM, CODES, addScans)
    await page.goto('/dashboard?tab=analytics')
    await page.getByRole('searchbox').fill('mh 12')
    await page.getByRole('searchbox').press('Enter')
    await expect(page.getByRole('article')).toHaveCount(1)
    await expect(page.locator('html')).toHaveCSS('color-scheme', 'light')

    await page.getByLabel('Menu').click()
    await page.getByRole('button', { name: 'Dark', exact: true }).click()
    await expect(page).toHaveURL(/tab=analytics&q=mh\+12$/)
    await expect(page.locator('html')).toHaveCSS('color-scheme', 'dark')
    await expect(page.locator('body')).toHaveCSS('background-color', 'rgb(21, 19, 14)')
    await page.goto('/dashboard')
    await expect(page.locator('html')).toHaveCSS('color-scheme', 'dark')
    await page.getByLabel('Menu').click()
    await expect(page.getByRole('button', { name: 'Dark', exact: true })).toHaveAttribute(
      'aria-pressed',
      'true',
    )
    await page.getByRole('button', { name: 'Light' }).click()
    await page.emulateMedia({ colorScheme: 'dark' })
    await expect(page.locator('html')).toHaveCSS('color-scheme', 'light')
    await page.getByLabel('Menu').click()
    await page.getByRole('button', { name: 'Auto' }).click()
    await expect(page.locator('html')).toHaveCSS('color-scheme', 'dark')
  })
})
