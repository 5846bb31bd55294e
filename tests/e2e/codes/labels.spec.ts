import { readFile } from 'node:fs/promises'
import type { Download } from '@playwright/test'
import { signIn } from '#tests/e2e/support/dashboard.ts'
import { dialogOf, openDashboard, openWays, toast } from '#tests/e2e/support/page.ts'
import { expect, expectAccessible, expectWellMade, test } from '#tests/e2e/support/test.ts'
import { readSheets } from '#tests/support/pdf.ts'
import { readZip } from '#tests/support/zip.ts'

const PREMIUM = { subscription_plan: 'premium' } as const

async function contentOf(download: Download): Promise<Buffer> {
  return readFile(await download.path())
}

async function codesOnPages(download: Download): Promise<number[]> {
  return readSheets(await contentOf(download)).map(({ blackShapes }) => blackShapes.length)
}

test('new codes can be downloaded as a ZIP and printed as labels at once @main', async ({
  page,
  context,
  server,
}) => {
  await signIn(context, server, PREMIUM)
  await openDashboard(page, '?bulk=1')
  await page.getByLabel('Quantity').fill('13')
  await page.getByRole('button', { name: 'Create QR codes' }).click()
  const made = dialogOf(page, '13 created')
  await expect(made.getByRole('heading')).toBeFocused()
  const zip = page.waitForEvent('download')
  await made.getByRole('link', { name: 'Download ZIP' }).click()
  expect((await zip).suggestedFilename()).toBe('DriveQR-codes.zip')
  expect(readZip(await contentOf(await zip)).size).toBe(1 + 2 * 13)

  await made.getByRole('link', { name: 'Print labels' }).click()
  const dialog = dialogOf(page, 'Print 13 labels')
  await expect(dialog.getByRole('img', { name: 'First page: 13 of 20 labels' })).toBeVisible()
  await expect(dialog.getByRole('button', { name: 'Show preview' })).toHaveCount(0)
  await dialog.getByLabel('Sheet').selectOption('l7160')
  await expect(dialog.getByLabel('Size of the code')).toHaveValue('')
  await dialog.getByLabel('Start at label').fill('22')
  await expect(dialog.getByText('Start position must be between 1 and 21')).toBeVisible()
  await expect(dialog.getByRole('button', { name: 'Download PDF' })).toBeDisabled()
  await expectAccessible(page)
  await dialog.getByLabel('Start at label').fill('20')
  await expect(dialog.getByRole('img', { name: 'First page: 2 of 21 labels' })).toBeVisible()
  await expect(dialog.getByText('2 pages of 21 labels.')).toBeVisible()
  await dialog.getByText('Draw the labels’ edges').click()
  const pdf = page.waitForEvent('download')
  await dialog.getByRole('button', { name: 'Download PDF' }).click()
  expect((await pdf).suggestedFilename()).toBe('DriveQR-labels.pdf')
  expect(await codesOnPages(await pdf)).toEqual([2, 11])
  await dialog.getByLabel('Size of the code').selectOption('50')
  await expect(dialog.getByText('A code of 50 mm does not fit on these labels')).toBeVisible()
  await dialog.getByRole('button', { name: 'Cancel' }).click()
  await expect(dialogOf(page)).toHaveCount(0)
  expect(new URL(page.url()).searchParams.has('labels')).toBe(false)
})

test('codes to print are chosen from the menu of the list, and one fills a sheet @both', async ({
  page,
  context,
  server,
  isMobile,
}) => {
  await signIn(context, server, {}, [{ owner_name: 'Asha Patil' }, {}, {}])
  await openDashboard(page)
  await openWays(page)
  await page.locator('.lead-acts').getByRole('link', { name: 'Print labels' }).click()
  await expect(page.getByRole('heading', { name: 'Choose codes to print' })).toBeVisible()
  const bar = page.getByRole('region', { name: 'Selected codes' })
  await expect(bar.getByRole('button')).toHaveText(['Select all 3 found', 'Print labels'])
  await expectWellMade(page)
  await page.getByRole('checkbox', { name: 'Select Asha Patil' }).check()
  await bar.getByRole('button', { name: 'Print labels' }).click()

  const dialog = dialogOf(page, 'Print label')
  await dialog.getByLabel('Fill the page').check()
  await expect(dialog.getByRole('img', { name: 'First page: 20 of 20 labels' })).toBeVisible()
  // The preview is all of the page, four rows of five labels; the eighth is the third of the second row.
  const preview = await dialog.getByRole('img', { name: /First page/ }).boundingBox()
  const { x = 0, y = 0, width = 0, height = 0 } = preview ?? {}
  const press = isMobile ? page.touchscreen.tap : page.mouse.click
  await press.call(isMobile ? page.touchscreen : page.mouse, x + width / 2, y + height * 0.36)
  await expect(dialog.getByLabel('Start at label')).toHaveValue('8')
  await expect(dialog.getByRole('img', { name: 'First page: 13 of 20 labels' })).toBeVisible()
  await expectWellMade(page)
  const pdf = page.waitForEvent('download')
  await dialog.getByRole('button', { name: 'Download PDF' }).click()
  expect(await codesOnPages(await pdf)).toEqual([13])
  await expect(toast(page, 'Download started')).toBeVisible()
})

test('one label is printed by keyboard only, and the focus returns', async ({
  page,
  context,
  server,
}) => {
  await signIn(context, server, {}, [{}])
  await openDashboard(page)
  const more = page.getByRole('article').locator('summary')
  await more.focus()
  await page.keyboard.press('Enter')
  await page.getByRole('link', { name: 'Print label', exact: true }).focus()
  await page.keyboard.press('Enter')
  const dialog = dialogOf(page, 'Print label')
  await expect(dialog.getByRole('heading')).toBeFocused()
  for (const field of ['Sheet', 'Size of the code', 'Start at label', 'Fill the page']) {
    if (field === 'Sheet') await page.keyboard.press('Tab')
    await page.keyboard.press('Tab')
    await expect(dialog.getByLabel(field)).toBeFocused()
  }
  const download = page.waitForEvent('download')
  await page.keyboard.press('Enter')
  expect(await codesOnPages(await download)).toEqual([1])
  await page.keyboard.press('Escape')
  await expect(dialog).toHaveCount(0)
  await expect(more).toBeFocused()

  // The full-size dialog opens the label dialog, and both return to the card.
  const card = page.getByRole('link', { name: /full size/ })
  await card.focus()
  await page.keyboard.press('Enter')
  await dialogOf(page).getByRole('link', { name: 'Print label' }).press('Enter')
  await expect(dialog.getByRole('heading')).toBeFocused()
  await page.keyboard.press('Escape')
  await expect(card).toBeFocused()
})

test.describe('without script', () => {
  test.use({ javaScriptEnabled: false })

  test('labels of a search are previewed and printed by a form', async ({
    page,
    context,
    server,
  }) => {
    const fleet = { vehicle_registration: 'MH12QX4827' }
    await signIn(context, server, {}, [fleet, {}, fleet])
    await page.goto('/dashboard?q=mh12')
    await page.getByRole('link', { name: 'Print labels' }).click()
    const dialog = page.getByRole('dialog', { name: 'Print 2 labels' })
    await dialog.getByLabel('Sheet').selectOption('l7165')
    await dialog.getByLabel('Size of the code').selectOption('')
    await dialog.getByLabel('Start at label').fill('8')
    await dialog.getByRole('button', { name: 'Show preview' }).click()
    await expect(dialog.getByRole('img', { name: 'First page: 1 of 8 labels' })).toBeVisible()
    const download = page.waitForEvent('download')
    await dialog.getByRole('button', { name: 'Download PDF' }).click()
    expect(await codesOnPages(await download)).toEqual([1, 1])
  })
})
