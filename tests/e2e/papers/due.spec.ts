import { addDays, DUE_DAYS } from '#domain/papers/due.ts'
import { formatDate } from '#domain/time.ts'
import { signIn } from '#tests/e2e/support/dashboard.ts'
import { chooseAct, PDF_FILE, uploadDocument } from '#tests/e2e/support/documents.ts'
import { choiceOf, dialogOf, openReady, toast } from '#tests/e2e/support/page.ts'
import { expect, expectWellMade, test } from '#tests/e2e/support/test.ts'

/** Far enough from midnight in every zone that a test takes place in. */
const inDays = (days: number) => addDays(new Date().toISOString().slice(0, 10), days)

const CODES = [
  { vehicle_registration: 'MH12QX4827' },
  { owner_name: 'Ayesha', vehicle_registration: 'KA05MN7310', insurance_expiry_date: inDays(-3) },
  { owner_name: 'Debojyoti', vehicle_registration: 'WB02AK6651' },
]

test('dues stand above the list and on its cards, and filter the list @both', async ({
  page,
  context,
  server,
}) => {
  const { codes } = await signIn(context, server, {}, CODES)
  await uploadDocument(page, codes[0]?.qr_id ?? '', {
    document_type: 'puc',
    expires_on: inDays(9),
  })
  await openReady(page, '/dashboard')
  const line = page.getByRole('link', { name: /^Due soon: Insurance expired \d days ago/ })
  await expect(line).toContainText('KA 05 MN 7310 and 1 more')
  const card = page.getByRole('article', { name: /Ramesh Kulkarni/ })
  await expect(card.getByText(/PUC ends in \d+ days/)).toBeVisible()
  await expectWellMade(page)

  await (await choiceOf(page, 'Sort')).selectOption('due')
  await expect(page.getByRole('article').first()).toHaveAccessibleName(/Ayesha/)
  await (await choiceOf(page, 'Show')).selectOption('due')
  await expect(page.getByRole('article', { name: /Debojyoti/ })).toHaveCount(0)
  await expect(page).toHaveURL(/filter=due&sort=due/)
  await expect(line).toHaveCount(0)
  await openReady(page, '/dashboard')
  await line.click()
  await expect(page.getByRole('heading', { name: 'Documents' })).toBeVisible()
  await expect(page.getByRole('article')).toHaveCount(2)
  const [first, puc] = [page.getByRole('article').nth(0), page.getByRole('article').nth(1)]
  await expect(first).toHaveAccessibleName('Insurance of KA 05 MN 7310, Ayesha')
  await expect(first.getByText(`days ago, on ${formatDate(inDays(-3))}`)).toBeVisible()
  await expect(puc.getByText(`days, on ${formatDate(inDays(9))}`)).toBeVisible()
  await expectWellMade(page)
  await puc.getByRole('link', { name: 'Open' }).click()
  const paper = page.getByRole('article', { name: 'Pollution certificate (PUC)' })
  await expect(paper).toBeInViewport()
  await expect(page.getByRole('article')).toHaveCount(1)
  await openReady(page, '/dashboard')
  await card.getByRole('link', { name: '1 document' }).click()
  await expect(paper).toBeVisible()
  await openReady(page, '/dashboard?tab=documents')
  await page.getByRole('link', { name: 'By end' }).click()
  await first.getByRole('link', { name: 'Edit' }).click()
  await expect(dialogOf(page, 'Edit')).toBeVisible()
})

test('a document is uploaded with its end, renewed by a date, and has none @main', async ({
  page,
  context,
  server,
}) => {
  const { codes } = await signIn(context, server, {}, CODES.slice(0, 1))
  await uploadDocument(page, codes[0]?.qr_id ?? '', {
    document_type: 'puc',
    expires_on: inDays(9),
  })
  await openReady(page, '/dashboard?tab=documents')
  await page.getByRole('link', { name: 'Upload Document' }).click()
  const upload = dialogOf(page, 'Upload Document')
  await upload.getByLabel('Document type').selectOption('vehicle_photo')
  await expect(upload.getByLabel('Ends on', { exact: true })).toHaveCount(0)
  await upload.getByLabel('Document type').selectOption('puc')
  const end = upload.getByLabel('Ends on', { exact: true })
  await end.fill(inDays(200))
  await expect(
    upload.getByText(`This replaces the PUC that ends on ${formatDate(inDays(9))}.`),
  ).toBeVisible()
  await upload.getByLabel('No end').check()
  await expect(end).toBeDisabled()
  await upload.getByLabel('No end').uncheck()
  await upload.getByLabel('File').setInputFiles(PDF_FILE)
  await expectWellMade(page)
  await upload.getByRole('button', { name: 'Upload' }).click()
  await expect(toast(page, 'Document uploaded successfully!')).toBeVisible()
  const [newer, older] = [page.getByRole('article').nth(0), page.getByRole('article').nth(1)]
  await expect(newer.getByText(`Ends on ${formatDate(inDays(200))}`)).toBeVisible()
  await expect(older.getByText(`Ends on ${formatDate(inDays(9))}`)).toBeVisible()

  await chooseAct(newer, 'Change date')
  const change = dialogOf(page, 'Change date')
  await change.getByLabel('Ends on', { exact: true }).fill(inDays(DUE_DAYS - 10))
  await expectWellMade(page)
  await change.getByRole('button', { name: 'Save' }).click()
  await expect(toast(page, 'Date saved')).toBeVisible()
  await expect(newer.getByText(/Ends in \d+ days/)).toBeVisible()
  await chooseAct(newer, 'Change date')
  const renew = dialogOf(page, 'Renew')
  await renew.getByLabel('No end').check()
  await renew.getByRole('button', { name: 'Save' }).click()
  await expect(newer.getByText(/Ends/)).toHaveCount(0)
})

test('a calendar gets an address, another one, and none @main', async ({
  page,
  context,
  server,
}) => {
  await signIn(context, server, {}, [{ ...CODES[1], next_service_due: inDays(9) }])
  await openReady(page, '/settings')
  await page.getByRole('link', { name: /Calendar/ }).click()
  await page.getByRole('button', { name: 'Make calendar' }).click()
  await expect(toast(page, 'Your calendar has an address')).toBeVisible()
  const link = page.getByRole('link', { name: 'Add to my calendar' })
  const first = (await link.getAttribute('href')) ?? ''
  await expect(page.getByText('Service due: KA 05 MN 7310')).toBeVisible()
  await expectWellMade(page)
  const file = await page.request.get(first.replace('webcal:', 'http:'))
  expect(await file.text()).toContain('SUMMARY:Service due: KA 05 MN 7310')
  await page.getByRole('link', { name: 'New address' }).click()
  const renew = dialogOf(page, 'New address?')
  await expect(renew.getByText('The old one stops working at once.')).toBeVisible()
  await expectWellMade(page)
  await renew.getByRole('button', { name: 'New address' }).click()
  await expect(toast(page, /Your calendar has a new address/)).toBeVisible()
  expect(await link.getAttribute('href')).not.toBe(first)
  expect((await page.request.get(first.replace('webcal:', 'http:'))).status()).toBe(404)
  await page.getByRole('link', { name: 'Remove' }).click()
  await dialogOf(page, 'Remove this calendar?').getByRole('button', { name: 'Remove' }).click()
  await expect(page.getByRole('button', { name: 'Make calendar' })).toBeVisible()
})

test('the first date that is due brings the line with its styles', async ({
  page,
  context,
  server,
}) => {
  await signIn(context, server, { subscription_plan: 'premium' }, [CODES[0] ?? {}, {}])
  await openReady(page, '/dashboard')
  const line = page.getByRole('link', { name: /^Due soon/ })
  await expect(line).toHaveCount(0)
  await page.getByRole('link', { name: 'Edit' }).first().click()
  const edit = dialogOf(page)
  await edit.getByText('Vehicle', { exact: true }).click()
  await edit.getByLabel('Next Service Due').fill(inDays(9))
  await edit.getByRole('button', { name: /Save|Update/ }).click()
  await expect(line).toHaveCSS('display', 'grid')
})
