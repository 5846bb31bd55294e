import { readFile } from 'node:fs/promises'
import { formatQrId } from '#domain/codes/qr-id.ts'
import { signIn } from '#tests/e2e/support/dashboard.ts'
import { ageForm } from '#tests/e2e/support/finder.ts'
import { card, dialogOf, openDashboard, openReady, toast } from '#tests/e2e/support/page.ts'
import { expect, expectAccessible, expectWellMade, test } from '#tests/e2e/support/test.ts'
import { readSheets } from '#tests/support/pdf.ts'

const PREMIUM = { subscription_plan: 'premium' } as const

test('a tag is replaced: its card has a new code, and a finder of the old one can only write @main', async ({
  page,
  context,
  server,
}) => {
  const { codes } = await signIn(context, server, PREMIUM, [{ vehicle_registration: 'MH12QX4827' }])
  const old = codes[0]?.qr_id ?? ''
  await openDashboard(page)
  const mine = card(page, 'Ramesh Kulkarni')
  await mine.getByText('More').click()
  await mine.getByRole('link', { name: 'Replace', exact: true }).click()
  const dialog = dialogOf(page, 'Replace this tag?')
  await expect(dialog.getByRole('heading')).toBeFocused()
  await expectWellMade(page)
  await dialog.getByRole('button', { name: 'Replace' }).click()
  await expect(toast(page, 'QR code replaced. Print its new label.')).toBeVisible()
  await expect(page.getByRole('heading', { name: 'MH 12 QX 4827' })).toBeFocused()
  await expect(mine.getByText(`Replaces ${formatQrId(old)}`)).toBeVisible()
  await expectWellMade(page)

  await context.clearCookies()
  await page.goto(`/scan/${old}`)
  await expect(page.getByRole('heading', { name: 'This tag was replaced' })).toBeVisible()
  await expect(page.getByText('Ramesh')).toHaveCount(0)
  await expectWellMade(page)
  await page.getByRole('link', { name: 'Message owner' }).click()
  await page.getByText('I found these keys').click()
  await page.getByLabel('Your message').fill('It lay on the road.')
  await ageForm(page, server)
  await page.getByRole('button', { name: 'Send message' }).click()
  await expect(page.getByText('Keep this page.')).toBeVisible()
  await expect(page.getByText('MH 12 QX 4827')).toHaveCount(0)
})

test('codes with activation codes are made, printed and claimed @main', async ({
  page,
  context,
  server,
  problems,
}) => {
  problems.expect(/403/)
  await signIn(context, server, PREMIUM)
  await openDashboard(page, '?bulk=1')
  await page.getByLabel('Quantity').fill('16')
  await page.getByLabel('With activation codes').check()
  await expectAccessible(page)
  await page.getByRole('button', { name: 'Create QR codes' }).click()
  const made = dialogOf(page, '16 activation codes')
  await expect(made.getByText('activation codes are not shown again')).toBeVisible()
  await expectWellMade(page)
  const csv = page.waitForEvent('download')
  await made.getByRole('button', { name: 'Download CSV' }).click()
  const list = await readFile(await (await csv).path(), 'utf8')
  const rows = list.trim().split('\r\n').slice(1)
  expect(rows).toHaveLength(16)
  const pdf = page.waitForEvent('download')
  await made.getByRole('button', { name: 'Print labels' }).click()
  const labels = readSheets(await readFile(await (await pdf).path()))
  expect(labels.map(({ blackShapes }) => blackShapes.length)).toEqual([15, 1])
  await made.getByRole('button', { name: 'Done' }).click()
  await expect(dialogOf(page)).toHaveCount(0)

  const [, link = '', code = ''] = rows[0]?.split(',') ?? []
  const { pathname } = new URL(link)
  await context.clearCookies()
  await openReady(page, `/claim?qr=${pathname.slice('/scan/'.length)}`)
  await expectWellMade(page)
  await page.getByLabel('Full Name').fill('Ayesha Siddiqui')
  await page.getByLabel('Mobile Number').first().fill('98450 12345')
  const field = page.getByLabel('Activation code')
  await page.getByRole('button', { name: 'Claim QR Code' }).click()
  await expect(field).toBeFocused()
  await expect(page.locator('.error')).toHaveText('Please enter the activation code')
  await field.fill('000000')
  await page.getByRole('button', { name: 'Claim QR Code' }).click()
  await expect(page.locator('.error')).toHaveText('That activation code is not right')
  await expect(page.locator('.note-stop')).toHaveCount(0)
  await expect(page.locator('.said')).toHaveText(/That activation code is not right$/)
  await field.fill(`${code.slice(0, 3)}-${code.slice(3)}`.toLowerCase())
  await page.getByRole('button', { name: 'Claim QR Code' }).click()
  await page.waitForURL(`**${pathname}`)
  await expect(page.getByRole('heading', { name: 'Ayesha Siddiqui' })).toBeVisible()
})
