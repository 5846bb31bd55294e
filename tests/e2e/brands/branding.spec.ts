import type { Page } from '@playwright/test'
import { signIn } from '#tests/e2e/support/dashboard.ts'
import { dialogOf, openReady, toast, untilReady } from '#tests/e2e/support/page.ts'
import { openDatabaseOf } from '#tests/e2e/support/server.ts'
import {
  expect,
  expectAccessible,
  expectNoSideways,
  expectWellMade,
  test,
} from '#tests/e2e/support/test.ts'
import { UNCLAIMED } from '#tests/support/families.ts'
import { picture } from '#tests/support/uploads.ts'

const PAGE = '/settings/branding'
const ENTERPRISE = { subscription_plan: 'enterprise' } as const
const FULL = {
  vehicle_registration: 'MH14GH2708',
  emergency_contact_phone: '+919000012345',
  blood_group: 'O+',
  city_area: 'Hinjawadi, Pune',
  email: 'lost@neelrath.example',
  public_message: 'You found the keys of cab 27. Thank you for your help.',
} as const

/** Dark, light, and the grey on which black and white are equally hard to read. */
const BRANDS = [
  { name: 'NeelRath Cabs', colour: '#0f4c96' },
  { name: 'Chaitra Milk', colour: '#fff4d6' },
  { name: 'Mid Grey Rentals and Chauffeurs of Pune', colour: '#767676' },
]

async function groundOf(page: Page): Promise<string> {
  return page.locator('body').evaluate((body) => getComputedStyle(body).backgroundColor)
}

test('a brand is set up with a preview that is the page @both', async ({
  page,
  context,
  server,
  problems,
}) => {
  problems.expect(/400/)
  const { codes } = await signIn(context, server, ENTERPRISE, [FULL])
  await openReady(page, '/settings')
  await page.getByRole('main').getByRole('link', { name: 'Branding' }).click()
  await expect(page.getByRole('heading', { level: 1, name: 'Branding' })).toBeVisible()
  await untilReady(page)
  await expectWellMade(page)

  const scan = page.frameLocator('iframe[data-preview="scan"]')
  await page.getByLabel('Name', { exact: true }).fill('NeelRath Cabs')
  await page.getByLabel('Colour', { exact: true }).fill('#0f4c96')
  await page.getByLabel('Footer').fill('Control room open 24 hours')
  await expect(page.getByText('Contrast 8.4, white text')).toBeVisible()
  await expect(scan.getByText('NeelRath Cabs')).toBeVisible()
  await expect(scan.locator('body')).toHaveCSS('background-color', 'rgb(15, 76, 150)')
  const police = page.frameLocator('iframe[data-preview="police"]')
  await expect(police.locator('body')).toHaveCSS('background-color', 'rgb(15, 76, 150)')
  await page.goto(`/scan/${codes[0]?.qr_id}?preview=1`)
  await expect(page.getByText('NeelRath Cabs')).toBeHidden()

  await openReady(page, PAGE)
  await page.getByLabel('Colour', { exact: true }).fill('blue')
  await page.getByRole('button', { name: 'Save' }).click()
  await expect(page.getByLabel('Colour', { exact: true })).toHaveAccessibleDescription(
    /Please enter a colour like #1a2b3c/,
  )
  await page.getByLabel('Colour', { exact: true }).fill('#0f4c96')
  await page.getByLabel('Name', { exact: true }).fill('NeelRath Cabs')
  await page.getByRole('switch', { name: /Hide DriveQR/ }).check()
  await page.getByRole('button', { name: 'Save' }).click()
  await expect(toast(page, 'Settings saved')).toBeVisible()
  const buffer = await picture({ width: 300, height: 300, background: '#f29f05' })
  await page.getByLabel('File').setInputFiles({ name: 'logo.png', mimeType: 'image/png', buffer })
  await page.getByRole('button', { name: 'Upload' }).click()
  await expect(page.getByRole('img', { name: 'Your logo' })).toBeVisible()
  await untilReady(page)
  await expectWellMade(page)

  await page.goto(`/scan/${codes[0]?.qr_id}?preview=1`)
  await expect(page.getByText('NeelRath Cabs')).toBeVisible()
  await expect(page.locator('img.brand')).toBeVisible()
  expect(await groundOf(page)).toBe('rgb(15, 76, 150)')
})

test.describe('without script', () => {
  test.use({ javaScriptEnabled: false })

  test('a brand is saved, and then previewed', async ({ page, context, server }) => {
    await signIn(context, server, ENTERPRISE, [FULL])
    await page.goto(PAGE)
    await page.getByLabel('Name', { exact: true }).fill('NeelRath Cabs')
    await page.getByLabel('Colour', { exact: true }).fill('#0f4c96')
    await page.getByRole('button', { name: 'Save' }).click()
    await expect(page.getByText('Settings saved')).toBeVisible()
    await expect(
      page.frameLocator('iframe[data-preview="scan"]').getByText('NeelRath Cabs'),
    ).toBeVisible()
  })
})

for (const [n, { name, colour }] of BRANDS.entries()) {
  test(`every page in ${colour} can be read`, async ({ page, context, server, problems }) => {
    // The page that says that a code has been claimed already.
    problems.expect(/409/)
    const { codes } = await signIn(
      context,
      server,
      ENTERPRISE,
      [FULL, FULL, UNCLAIMED],
      async (db, owner) => {
        const logo = (
          await picture({ width: 60, height: 60, background: '#f29f05', kind: 'webp' })
        ).toString('base64')
        await db
          .insertInto('brands')
          .values({
            account_id: owner.id,
            version: owner.id,
            name,
            colour,
            footer: 'Control room open 24 hours, Hinjawadi Phase 1, Pune',
            hides_product: 1,
            logo,
            logo_file: 'logo.png',
            updated_at: '',
          })
          .execute()
      },
    )
    const { db, close } = await openDatabaseOf(server)
    const lost = {
      lost_since: '2026-11-18T08:00:00.000Z',
      lost_note: 'Red strap',
      lost_reward: '₹500',
    }
    await db
      .updateTable('qr_codes')
      .set(lost)
      .where('id', '=', codes[1]?.id ?? '')
      .execute()
    await close()
    await context.clearCookies()
    const [plain, reported, open] = codes.map(({ qr_id }) => qr_id)
    const pages = [
      `/scan/${plain}`,
      `/scan/${plain}?lang=`,
      `/scan/${reported}`,
      `/scan/${plain}/message`,
      `/scan/${plain}/report`,
      `/scan/${plain}/report?sent=1`,
      `/claim?qr=${open}`,
      `/claim?qr=${plain}`,
      `/police/${plain}`,
    ]
    for (const path of pages) {
      await page.goto(path)
      await untilReady(page)
      // The next colours change nothing else.
      await expectAccessible(page, ...(n > 0 ? ['color-contrast'] : []))
      await expectNoSideways(page)
      await page.emulateMedia({ colorScheme: 'dark' })
      await expectAccessible(page, 'color-contrast')
      await page.emulateMedia({ colorScheme: 'light' })
    }
    await page.goto(`/scan/${plain}/message`)
    await page.getByText('I found these keys').first().click()
    await expectAccessible(page, 'color-contrast')
  })
}

test('an own address is named, and removed after a question @main', async ({
  page,
  context,
  server,
  problems,
}) => {
  problems.expect(/400/)
  await signIn(context, server, ENTERPRISE, [FULL])
  await openReady(page, PAGE)
  await page.getByRole('link', { name: 'Manage' }).click()
  await expect(page.getByRole('heading', { level: 1, name: 'Own address' })).toBeVisible()
  await untilReady(page)
  await page.getByLabel('Name the address').fill('localhost')
  await page.getByRole('button', { name: 'Continue' }).click()
  await expect(page.getByLabel('Name the address')).toHaveAccessibleDescription(
    /Please enter a domain like keys.example.in/,
  )
  await page.getByLabel('Name the address').fill('Tags.NeelRath.Example.')
  await page.getByRole('button', { name: 'Continue' }).click()
  await expect(page.getByText('_driveqr.tags.neelrath.example')).toBeVisible()
  await expectWellMade(page)
  const { db, close } = await openDatabaseOf(server)
  await db
    .updateTable('brand_domains')
    .set({ asked_at: '2026-11-20T10:00:00.000Z' })
    .where('domain', '=', 'tags.neelrath.example')
    .execute()
  await page.setViewportSize({ width: 320, height: 700 })
  await openReady(page, `${PAGE}/domain`)
  await expect(page.getByText('Not found yet')).toBeVisible()
  await expectNoSideways(page)
  await db
    .updateTable('brand_domains')
    .set({ verified_at: '2026-11-20T10:00:00.000Z' })
    .where('domain', '=', 'tags.neelrath.example')
    .execute()
  await close()
  await openReady(page, `${PAGE}/domain`)
  await expectWellMade(page)
  await page.getByRole('link', { name: 'Remove' }).click()
  await expect(dialogOf(page, 'Remove this address?')).toBeVisible()
  await expectWellMade(page)
  await dialogOf(page).getByRole('button', { name: 'Delete' }).click()
  await expect(page.getByLabel('Name the address')).toBeVisible()
})
