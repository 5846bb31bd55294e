import { writeFileSync } from 'node:fs'
import { signIn } from '#tests/e2e/support/dashboard.ts'
import {
  card,
  choiceOf,
  dialogOf,
  openDashboard,
  openWays,
  toast,
} from '#tests/e2e/support/page.ts'
import { expect, expectWellMade, test } from '#tests/e2e/support/test.ts'

const ENTERPRISE = { subscription_plan: 'enterprise' } as const
const HEAD = 'vehicle_registration,owner_name,contact_phone,email,company_fleet_name\n'
/** A table with mistakes in so many columns that it is wider than the window. */
const MISTAKES = `owner_name,contact_phone,email,insurance_expiry_date,next_service_due,contact_mode
,98765,bad,31/02/2027,soon,by phone
`

function row(plate: string, name: string, phone = '9000022708', email = ''): string {
  return `${plate},${name},${phone},${email},NeelRath Pune\n`
}

test('a table is checked, corrected, imported with its progress, and leads to the labels @both', async ({
  page,
  context,
  server,
}, info) => {
  const codes = [{ owner_name: 'Anil Pawar', vehicle_registration: 'MH14GH2708' }]
  await signIn(context, server, ENTERPRISE, codes)
  const file = info.outputPath('neelrath.csv')
  writeFileSync(
    file,
    HEAD +
      row('MH 14 GH 2719', 'Santosh Jadhav', '98765') +
      row('mh-14-gh-2708', 'Anil Pawar') +
      row('MH 14 GH 2790', 'Rehana Shaikh', '9000022790', 'rehana@neelrath') +
      row('MH 12 TQ 0415', 'Ganesh Mane'),
  )
  await openDashboard(page)
  await openWays(page)
  await page.getByRole('link', { name: 'Bulk Create' }).click()
  await dialogOf(page, 'Bulk Create')
    .getByRole('link', { name: /Import a table/ })
    .click()
  const first = dialogOf(page, 'Import')
  await expect(first.getByLabel('Table')).toBeVisible()
  await expectWellMade(page)
  await first.getByLabel('Table').setInputFiles(file)
  await first.getByRole('button', { name: 'Check' }).click()
  const checked = dialogOf(page, 'Import')
  await expect(checked.getByText('2 rows cannot be imported')).toBeVisible()
  await expect(
    checked.getByText('Row 2, contact_phone: Please enter a valid mobile number'),
  ).toBeVisible()
  await expect(checked.getByText('Already there, will be skipped')).toBeVisible()
  await expect(checked.getByRole('button', { name: 'Import 1 QR code' })).toBeDisabled()
  await expectWellMade(page)
  const rows = await checked.getByRole('region', { name: 'Rows to look at' }).boundingBox()
  const note = await checked.getByText('Only rows to look at').boundingBox()
  expect(note?.y).toBeGreaterThan((rows?.y ?? 0) + (rows?.height ?? 0))
  await checked.getByText('Stop with an error').click()
  await expect(checked.getByText('3 rows cannot be imported')).toBeVisible()
  await checked.getByRole('link', { name: 'Choose another file' }).click()
  writeFileSync(file, MISTAKES)
  await dialogOf(page, 'Import').getByLabel('Table').setInputFiles(file)
  await dialogOf(page, 'Import').getByRole('button', { name: 'Check' }).click()
  await expect(checked.getByText('1 row cannot be imported')).toBeVisible()
  for (const mistake of await checked.getByText(/^Row 2, /).all()) {
    expect((await mistake.boundingBox())?.width).toBeGreaterThan(140)
  }
  await expectWellMade(page)
  await checked.getByRole('link', { name: 'Choose another file' }).click()
  writeFileSync(file, HEAD + row('MH 14 GH 2719', 'Santosh Jadhav') + row('MH12TQ0415', 'Ganesh'))
  await dialogOf(page, 'Import').getByLabel('Table').setInputFiles(file)
  await dialogOf(page, 'Import').getByRole('button', { name: 'Check' }).click()
  const sending = dialogOf(page, 'Import')
  await page.route('**/dashboard/qr/import', async (route) => {
    await expect(sending.getByRole('progressbar')).toBeVisible()
    await route.continue()
  })
  await sending.getByRole('button', { name: 'Import 2 QR codes' }).click()
  await expect(toast(page, '2 QR codes imported')).toBeVisible()
  const made = dialogOf(page, '2 created')
  await made.getByRole('link', { name: 'Print labels' }).click()
  await expect(dialogOf(page, 'Print 2 labels')).toBeVisible()
  await page.keyboard.press('Escape')
  await expect(card(page, 'Santosh Jadhav')).toBeVisible()
})

test('codes are ticked by keyboard, over pages and searches, and changed together @both', async ({
  page,
  context,
  server,
}) => {
  const codes = Array.from({ length: 14 }, (_, n) => ({
    owner_name: n < 13 ? `Cab ${n}` : 'Van',
    company_fleet_name: n < 13 ? 'NeelRath' : null,
  }))
  await signIn(context, server, ENTERPRISE, codes)
  await openDashboard(page)
  await openWays(page)
  await page.getByRole('link', { name: 'Select', exact: true }).click()
  await page.locator('html[data-ready]').waitFor({ state: 'attached' })
  const selected = page.getByRole('region', { name: 'Selected codes' })
  const status = selected.getByRole('status')
  await expect(status).toHaveText('0 selected')
  await page.getByRole('checkbox', { name: 'Select Cab 0,' }).focus()
  await page.keyboard.press('Space')
  await expect(status).toHaveText('1 selected')
  await expectWellMade(page)
  await page.getByRole('button', { name: 'Next' }).click()
  await page.locator('html[data-ready]').waitFor({ state: 'attached' })
  await page.getByRole('checkbox', { name: 'Select Van' }).check()
  await expect(status).toHaveText('2 selected')
  await page.getByRole('searchbox').fill('cab 1')
  await page.keyboard.press('Enter')
  await page.locator('html[data-ready]').waitFor({ state: 'attached' })
  await expect(page.getByRole('checkbox', { name: 'Select Van' })).toHaveCount(0)
  await expect(status).toHaveText('2 selected')
  await page.getByRole('checkbox', { name: 'Select Cab 11' }).check()
  await selected.getByRole('button', { name: 'Deactivate' }).click()
  const question = dialogOf(page, 'Deactivate 3 QR codes?')
  await expectWellMade(page)
  await question.getByRole('button', { name: 'Keep active' }).click()
  await expect(page.getByRole('checkbox', { name: 'Select Cab 11' })).toBeChecked()
  await selected.getByRole('button', { name: 'Deactivate' }).click()
  await question.getByRole('button', { name: 'Deactivate' }).click()
  await expect(toast(page, '3 QR codes deactivated')).toBeVisible()
  await expect(page.getByText('Inactive')).toHaveCount(1)
  await expect(selected).toHaveCount(0)
})

test('all that a company has is deleted after its count was typed', async ({
  page,
  context,
  server,
  problems,
}) => {
  problems.expect(/400 \(Bad Request\)/)
  const codes = Array.from({ length: 15 }, (_, n) => ({
    owner_name: `Cab ${n}`,
    company_fleet_name: n % 3 ? 'NeelRath' : 'Other',
  }))
  await signIn(context, server, ENTERPRISE, codes)
  await openDashboard(page)
  await (await choiceOf(page, 'Company / Fleet')).selectOption('NeelRath (10)')
  await expect(page.getByRole('article')).toHaveCount(10)
  await openWays(page)
  await page.getByRole('link', { name: 'Select', exact: true }).click()
  await page.getByRole('button', { name: 'Select all 10 found' }).click()
  await page.locator('html[data-ready]').waitFor({ state: 'attached' })
  await page.getByRole('button', { name: 'Delete' }).click()
  const question = dialogOf(page, 'Delete 10 QR codes?')
  await expectWellMade(page)
  await question.getByLabel('Type 10 to delete them').fill('9')
  await question.getByRole('button', { name: 'Delete' }).click()
  await expect(question.locator('.note-stop')).toHaveText('Type 10 to delete 10 QR codes')
  await question.getByLabel('Type 10 to delete them').fill('10')
  await question.getByRole('button', { name: 'Delete' }).click()
  await expect(toast(page, '10 QR codes deleted')).toBeVisible()
  await openDashboard(page)
  await expect(page.getByRole('article')).toHaveCount(5)
})

test('300 codes that were ticked one by one are printed, packed and changed together', async ({
  page,
  context,
  server,
}) => {
  const codes = Array.from({ length: 300 }, (_, n) => ({
    owner_name: `Cab ${n}`,
    created_at: new Date(Date.UTC(2026, 0, 31) - n * 1000).toISOString(),
  }))
  const made = (await signIn(context, server, ENTERPRISE, codes)).codes
  const ids = made.map(({ qr_id }) => qr_id)
  const ready = () => page.locator('html[data-ready]').waitFor({ state: 'attached' })
  await page.goto(`/dashboard?tab=my-qrs&select=1&layout=list&ids=${ids.slice(24, 240)}`)
  await ready()
  const selected = page.getByRole('region', { name: 'Selected codes' })
  const status = selected.getByRole('status')
  await expect(status).toHaveText('216 selected')
  // Adds the ticks of more pages: the form has a body then.
  await page.locator('form.selecting').evaluate((form, more) => {
    for (const value of more) {
      const ticked = Object.assign(document.createElement('input'), { type: 'hidden', value })
      form.append(Object.assign(ticked, { name: 'ids' }))
    }
  }, ids.slice(240))
  await page.getByRole('checkbox', { name: 'Select Cab 0,' }).check()
  await page.getByRole('button', { name: 'Next' }).click()
  await ready()
  await expect(page.getByText('Page 2 of 13')).toBeVisible()
  await expect(status).toHaveText('277 selected')
  await page.getByRole('button', { name: 'Previous' }).click()
  await ready()
  await expect(page.getByRole('checkbox', { name: 'Select Cab 0,' })).toBeChecked()
  await page.getByRole('checkbox', { name: 'Select Cab 1,' }).check()
  await expect(status).toHaveText('278 selected')
  await selected.getByRole('button', { name: 'Print labels' }).click()
  const labels = dialogOf(page, 'Print 278 labels')
  const pdf = page.waitForEvent('download')
  await labels.getByRole('button', { name: 'Download PDF' }).click()
  expect((await pdf).suggestedFilename()).toBe('DriveQR-labels.pdf')
  await labels.getByRole('button', { name: 'Cancel' }).click()
  const zip = page.waitForEvent('download')
  await selected.getByRole('button', { name: 'ZIP' }).click()
  expect((await zip).suggestedFilename()).toBe('DriveQR-codes.zip')
  await selected.getByRole('button', { name: 'Deactivate' }).click()
  const question = dialogOf(page, 'Deactivate 278 QR codes?')
  await question.getByRole('button', { name: 'Deactivate' }).click()
  await expect(toast(page, '278 QR codes deactivated')).toBeVisible()
  await expect(page.getByText('Inactive')).toHaveCount(2)
})
