import { readFile } from 'node:fs/promises'
import type { Download } from '@playwright/test'
import { signIn } from '#tests/e2e/support/dashboard.ts'
import { dialogOf, openDashboard } from '#tests/e2e/support/page.ts'
import { expect, expectAccessible, test } from '#tests/e2e/support/test.ts'
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
  for (const field of ['Sheet', 'Size of the code', 'Start at label']) {
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
