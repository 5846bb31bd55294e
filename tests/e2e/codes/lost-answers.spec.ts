import { signIn } from '#tests/e2e/support/dashboard.ts'
import { freshEmail } from '#tests/e2e/support/fresh.ts'
import {
  dialogOf,
  LOST,
  loseNextAnswer,
  made,
  openDashboard,
  openReady,
  toast,
} from '#tests/e2e/support/page.ts'
import { expect, test } from '#tests/e2e/support/test.ts'
import { UNCLAIMED } from '#tests/support/families.ts'

test('a new code whose answer was lost is there once, and said to be there', async ({
  page,
  context,
  server,
  problems,
}) => {
  problems.expect(LOST)
  await signIn(context, server)
  await openDashboard(page, '?create=1')
  const dialog = dialogOf(page, 'Create QR Code')
  await dialog.getByLabel('Full Name').fill('Ramesh Kulkarni')
  await dialog.getByLabel('Mobile Number').fill('98765 43210')
  await loseNextAnswer(page)
  const create = dialog.getByRole('button', { name: 'Create QR Code' })
  await create.click()
  await expect(dialog.getByText('No connection.')).toBeVisible()
  await create.click()
  await expect(made(page)).toBeVisible()
  await openDashboard(page)
  await expect(page.getByRole('article')).toHaveCount(1)
})

test('a claim whose answer was lost is made again, with the link to an account', async ({
  page,
  server,
  browser,
  problems,
}) => {
  problems.expect(LOST)
  const issuer = await browser.newContext()
  const { codes } = await signIn(issuer, server, { email: freshEmail() }, [UNCLAIMED])
  await issuer.close()
  const qrId = codes[0]?.qr_id
  await openReady(page, `/claim?qr=${qrId}`)
  await page.getByLabel('Full Name').fill('Ayesha')
  await page.getByLabel('Mobile Number').fill('98450 12345')
  await loseNextAnswer(page)
  const claim = page.getByRole('button', { name: 'Claim QR Code' })
  await claim.click()
  await expect(toast(page, 'Failed to claim QR code')).toBeVisible()
  await claim.click()
  await expect(toast(page, 'QR Code claimed successfully!')).toBeVisible()
  await expect(page).toHaveURL(`/scan/${qrId}`)
  await expect(page.getByRole('link', { name: 'Keep this code' })).toBeVisible()
})

test('a registration whose answer was lost says that the account is there', async ({
  page,
  problems,
}) => {
  problems.expect(LOST)
  problems.expect(/409/)
  await openReady(page, '/login?mode=register')
  await page.getByLabel('Email').fill(freshEmail())
  await page.getByRole('button', { name: 'Send OTP' }).click()
  await page.getByRole('button', { name: 'Click to Auto-Fill OTP' }).click()
  await page.getByLabel('Full Name').fill('Asha Patil')
  await page.getByLabel('Password', { exact: true }).fill('correct horse')
  await page.getByLabel('Confirm Password').fill('correct horse')
  await loseNextAnswer(page)
  const register = page.getByRole('button', { name: 'Verify & Register' })
  await register.click()
  await expect(toast(page, 'Failed to verify OTP')).toBeVisible()
  await register.click()
  const exists = 'An account with this email already exists. Please log in.'
  await expect(toast(page, exists)).toBeVisible()
})

test('a thing that was removed by a request with a lost answer is shown as gone', async ({
  page,
  context,
  server,
  problems,
}) => {
  problems.expect(/ERR_CONNECTION_RESET|status of 404/)
  await signIn(context, server, { subscription_plan: 'enterprise' })
  await openReady(page, '/settings/api-keys')
  await page.getByLabel('Name of a new key').fill('Till')
  await page.keyboard.press('Enter')
  await dialogOf(page, 'Key for Till').getByRole('button', { name: 'Done' }).click()
  await page.getByRole('link', { name: 'Revoke' }).click()
  const revoke = dialogOf(page).getByRole('button', { name: 'Revoke' })
  await loseNextAnswer(page)
  await revoke.click()
  await expect(toast(page, 'Failed to revoke API key')).toBeVisible()
  await revoke.click()
  await expect(toast(page, 'API key not found')).toBeVisible()
  await expect(page.getByText('No API keys yet.')).toBeVisible()
})

test('a deletion of several codes whose answer was lost leaves a list without them', async ({
  page,
  context,
  server,
  problems,
}) => {
  problems.expect(/ERR_CONNECTION_RESET|status of 404/)
  await signIn(context, server, { subscription_plan: 'premium' }, [{}, {}, {}])
  await openDashboard(page, '?select=1')
  await page.locator('.choose input').first().check()
  await page.getByRole('button', { name: 'Delete' }).click()
  const question = dialogOf(page, 'Delete 1 QR code?')
  await question.getByLabel('Type 1 to delete them').fill('1')
  await loseNextAnswer(page)
  const remove = question.getByRole('button', { name: /^Delete/ })
  await remove.click()
  await expect(toast(page, 'Failed to delete QR codes')).toBeVisible()
  await remove.click()
  await expect(question).toHaveCount(0)
  await expect(page.locator('.choose input')).toHaveCount(2)
})

test('an import whose answer was lost makes its codes once, those without a vehicle too', async ({
  page,
  context,
  server,
  problems,
}) => {
  problems.expect(LOST)
  await signIn(context, server, { subscription_plan: 'premium' })
  await openDashboard(page, '?import=1')
  const table =
    'owner_name,contact_phone,vehicle_registration\nAsha,9876543210,\nRavi,9876543211,MH12QX1\n'
  const buffer = Buffer.from(table)
  await page.getByLabel('Table').setInputFiles({ name: 'fleet.csv', mimeType: 'text/csv', buffer })
  await page.getByRole('button', { name: 'Check' }).click()
  const go = dialogOf(page, 'Import').getByRole('button', { name: 'Import 2 QR codes' })
  await expect(go).toBeVisible()
  await loseNextAnswer(page)
  await go.click()
  await expect(toast(page, 'The table could not be imported')).toBeVisible()
  await go.click()
  await expect(toast(page, '2 QR codes imported')).toBeVisible()
  await expect(page.locator('#panel').getByRole('article')).toHaveCount(2)
})
