import type { Page } from '@playwright/test'
import { signIn } from '#tests/e2e/support/dashboard.ts'
import {
  card,
  dialogOf,
  made,
  openDashboard,
  openReady,
  toast,
  unfold,
} from '#tests/e2e/support/page.ts'
import { expect, expectWellMade, test } from '#tests/e2e/support/test.ts'
import { CHILD, UNCLAIMED } from '#tests/support/families.ts'

const FULL = {
  owner_name: 'Ramesh Kulkarni',
  email: 'ramesh@example.in',
  city_area: 'Kothrud, Pune',
  vehicle_registration: 'MH12QX4827',
  vehicle_make_model: 'Maruti Suzuki Swift VXi',
  emergency_contact_name: 'Sunita Kulkarni',
  emergency_contact_phone: '+919000012345',
  blood_group: 'O+',
  public_message: 'Thank you for scanning! Please write to me, I answer fast.',
}
const RELAY = /Finders write to me first/

const preview = (page: Page) => page.getByRole('region', { name: 'Preview' })

test('the owner decides what a finder sees, and the preview shows it at once @both', async ({
  page,
  context,
  server,
}) => {
  const owner = await signIn(context, server, { subscription_plan: 'premium' })
  await openDashboard(page, '?create=1')
  const dialog = dialogOf(page, 'Create QR Code')
  await dialog.getByText('Finder', { exact: true }).click()
  await expect(preview(page)).toBeVisible()
  await expect(preview(page)).toContainText('Asha Patil')
  // The line under the chosen tab stays as dark as its word with the pointer on it.
  const [line, word] = await page.locator('.tabset > :has(> :checked)').evaluate((tab) => {
    const { boxShadow, color } = getComputedStyle(tab)
    return [boxShadow, color]
  })
  expect(line).toContain(`${word} 0px -4px`)
  await dialog.getByText('Basic Info', { exact: true }).click()
  await dialog.getByLabel('Full Name').fill('Ramesh Kulkarni')
  await dialog.getByLabel('Mobile Number').fill('98765 43210')
  await unfold(dialog)
  await dialog.getByRole('textbox', { name: 'City / Area' }).fill('Kothrud, Pune')
  await dialog.getByText('Vehicle', { exact: true }).click()
  await dialog.getByLabel('Vehicle Registration').fill('mh12qx4827')
  await dialog.getByText('Finder', { exact: true }).click()
  await expect(dialog.getByRole('heading', { name: 'What a finder sees' })).toBeVisible()
  await expect(preview(page)).toContainText('Ramesh Kulkarni')
  await expect(preview(page)).toContainText('MH 12 QX 4827')
  await expect(preview(page)).toContainText('Call owner')
  await expectWellMade(page)
  await dialog.getByRole('region', { name: 'Finder' }).getByText(RELAY).click()
  await expect(preview(page)).not.toContainText('Kulkarni')
  await expect(preview(page)).not.toContainText('Call owner')
  await expect(preview(page)).toContainText('Message owner')
  await dialog.getByLabel('Show the vehicle').uncheck()
  await expect(preview(page)).not.toContainText('MH 12 QX 4827')
  await expect(preview(page)).toContainText('Kothrud, Pune')
  await dialog.getByLabel('Show the city / area').uncheck()
  await expect(preview(page)).not.toContainText('Kothrud')
  await expectWellMade(page)
  await dialog.getByRole('button', { name: 'Create QR Code' }).click()
  await expect(made(page)).toBeVisible()
  await openDashboard(page)
  await card(page, 'Ramesh Kulkarni').getByRole('link', { name: 'Edit' }).first().click()
  const edit = dialogOf(page, 'Edit QR Code')
  await expect(edit.getByRole('radio', { name: RELAY })).toBeChecked()
  await edit.getByText('Finder', { exact: true }).click()
  await expect(edit.getByLabel('Show the vehicle')).not.toBeChecked()
  await edit.getByLabel('Show the vehicle').check()
  await edit.getByRole('button', { name: 'Cancel' }).click()
  await expect(edit.getByText('What you typed is not saved.')).toBeVisible()
  await edit.getByRole('button', { name: 'Discard' }).click()
  await expect(edit).toBeHidden()
  expect(owner.codes).toEqual([])
})

for (const javaScriptEnabled of [true, false]) {
  test.describe(`the scan page ${javaScriptEnabled ? 'as shipped' : 'without script'}`, () => {
    test.use({ javaScriptEnabled })

    test('in relay has one button to the owner, and no number', async ({
      page,
      context,
      server,
    }) => {
      const relay = { ...FULL, contact_mode: 'relay' } as const
      const { codes } = await signIn(context, server, {}, [relay])
      await context.clearCookies()
      await page.goto(`/scan/${codes[0]?.qr_id}`)
      await expect(page.getByRole('heading', { name: 'Ramesh', exact: true })).toBeVisible()
      await expect(page.getByRole('link', { name: /Message owner/ })).toBeInViewport()
      await expect(page.getByRole('link', { name: /Call owner|WhatsApp|SMS|Email/ })).toHaveCount(0)
      if (javaScriptEnabled) await expectWellMade(page)
    })
  })
}

test('a lost code says so on its card and above everything on its page, until it is found @main', async ({
  page,
  context,
  server,
}) => {
  const { codes } = await signIn(context, server, { subscription_plan: 'premium' }, [FULL])
  await openDashboard(page)
  const article = card(page, 'Maruti Suzuki')
  await article.getByText('More').click()
  await article.getByRole('link', { name: 'Mark as lost' }).click()
  const dialog = dialogOf(page, 'Mark as lost')
  await expectWellMade(page)
  await dialog.getByLabel('What should a finder know?').fill('Lost near Deccan bus stop')
  await dialog.getByLabel('Reward').fill('₹2,000')
  await dialog.getByRole('button', { name: 'Mark as lost' }).click()
  await expect(toast(page, 'QR code marked as lost')).toBeVisible()
  await expect(article.getByText(/^Lost since \d+ \w+$/)).toBeVisible()
  await expectWellMade(page)
  const finder = await page.context().browser()?.newContext({ baseURL: server.url })
  const found = await finder?.newPage()
  if (!found) throw new Error('The browser is gone')
  await found.goto(`/scan/${codes[0]?.qr_id}`)
  const strip = found.getByRole('region', { name: 'Reported lost' })
  await expect(strip).toContainText('Lost near Deccan bus stop')
  await expect(strip).toContainText('Reward: ₹2,000')
  await expect(strip).toContainText('Nobody is asked to pay anything here.')
  await expectWellMade(found)
  await article.getByRole('link', { name: /^Lost since/ }).click()
  await expectWellMade(page)
  await dialogOf(page, 'Found again?').getByRole('button', { name: 'Found again' }).click()
  await expect(toast(page, 'QR code found again')).toBeVisible()
  await expect(article.getByText(/^Lost since/)).toHaveCount(0)
  await found.reload()
  await expect(strip).toHaveCount(0)
  await finder?.close()
})

test('a claimer without an account learns that nobody can write to them yet', async ({
  page,
  context,
  server,
}) => {
  const { codes } = await signIn(context, server, {}, [{ ...UNCLAIMED, contact_mode: 'relay' }])
  await context.clearCookies()
  await openReady(page, `/claim?qr=${codes[0]?.qr_id}`)
  await expect(page.getByLabel(RELAY)).toBeChecked()
  await expect(page.getByText(/once this code is in an account/)).toBeVisible()
  await page.getByLabel('Full Name').fill('Asha Patil')
  await page.getByLabel('Mobile Number').fill('98450 12345')
  await expect(preview(page)).toContainText('Asha Patil')
  await expect(preview(page)).toContainText('Call owner')
  await expectWellMade(page)
})

test('a child user decides the same when it registers', async ({ page, context, server }) => {
  const { codes } = await signIn(context, server, {}, [CHILD])
  await context.clearCookies()
  await openReady(page, `/child-register?qr=${codes[0]?.qr_id}`)
  await page.getByLabel('Full Name').fill('Isha Patil')
  await page.getByLabel('Mobile Number', { exact: true }).fill('98450 12345')
  await expect(preview(page)).toContainText('Call owner')
  await page.getByLabel(RELAY).check()
  await expect(preview(page)).toContainText('Message owner')
  await expect(preview(page)).not.toContainText('Patil')
  await expectWellMade(page)
})
