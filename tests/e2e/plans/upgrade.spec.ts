import { randomUUID } from 'node:crypto'
import { signIn } from '#tests/e2e/support/dashboard.ts'
import { freshPromoCode } from '#tests/e2e/support/fresh.ts'
import { dialogOf, hold, made, openDashboard, toast } from '#tests/e2e/support/page.ts'
import { expect, expectWellMade, test } from '#tests/e2e/support/test.ts'
import { addPromoCode } from '#tests/support/promo.ts'
import { insertConversation } from '#tests/support/stored-conversations.ts'
import { picture } from '#tests/support/uploads.ts'

test('a plan at its limit leads to the Upgrade dialog, and a promo code back to the form @main', async ({
  page,
  context,
  server,
  problems,
}) => {
  problems.expect(/402/)
  problems.expect(/40[04]/)
  const code = freshPromoCode()
  await signIn(context, server, {}, [{}], (db) => addPromoCode({ db }, { code }))
  await openDashboard(page, '?create=1')
  await page.getByLabel('Full Name').fill('Sunita')
  await page.getByLabel('Mobile Number').fill('9876543210')
  await page.getByRole('button', { name: 'Create QR Code' }).click()
  await expect(toast(page, 'QR limit reached (1/1)')).toBeVisible()
  const upgrade = dialogOf(page, 'Upgrade')
  await expect(upgrade.locator('.note', { hasText: 'QR limit reached (1/1)' })).toBeVisible()
  await expect(upgrade.getByRole('heading', { name: 'Upgrade' })).toBeFocused()
  await expectWellMade(page)

  await upgrade.getByText('Promo Code', { exact: true }).click()
  const field = upgrade.getByLabel('Promo code', { exact: true })
  await upgrade.getByRole('button', { name: 'Redeem' }).click()
  await expect(toast(page, 'Please enter a promo code')).toBeVisible()
  await expect(field).toBeFocused()
  await field.pressSequentially('nosuch')
  await expect(field).toHaveValue('NOSUCH')
  await field.press('Enter')
  await expect(toast(page, 'Invalid promo code')).toBeVisible()
  await expectWellMade(page)
  await field.fill(code.toLowerCase())
  await field.press('Enter')
  await expect(toast(page, 'Promo code redeemed successfully!')).toBeVisible()
  await expect(upgrade).toHaveCount(0)
  await expect(page.getByLabel('Plan', { exact: true })).toContainText('Premium')

  await page.getByRole('button', { name: 'Create QR Code' }).click()
  await expect(made(page)).toBeVisible()
})

test('the dashboard shows a redeemed promo code until it is dismissed', async ({
  page,
  context,
  server,
}) => {
  const code = freshPromoCode()
  await signIn(context, server, {}, [], (db) => addPromoCode({ db }, { code }))
  await openDashboard(page)
  await page.evaluate(() => localStorage.setItem('driveqr_promo_notice', '{"promo_code":'))
  await openDashboard(page)
  const stored = () => page.evaluate(() => localStorage.getItem('driveqr_promo_notice'))
  await expect.poll(stored).toBeNull()

  await page.getByRole('link', { name: 'Upgrade' }).first().click()
  const upgrade = dialogOf(page, 'Upgrade')
  await upgrade.getByText('Promo Code', { exact: true }).click()
  await upgrade.getByLabel('Promo code', { exact: true }).fill(code.toLowerCase())
  const reloaded = page.waitForEvent('load')
  await upgrade.getByRole('button', { name: 'Redeem' }).click()
  await expect(page.getByText(`${code}: Premium plan`)).toBeVisible()
  await reloaded
  await expect(page.getByText(`${code}: Premium plan`)).toBeVisible()
  await expect(page.getByRole('link', { name: 'Upgrade' })).toHaveCount(0)
  await expect(page.getByLabel('Plan', { exact: true })).toContainText('of 50 QR codes')
  await expectWellMade(page)
  await page.getByRole('button', { name: 'Dismiss' }).first().click()
  await expect(page.getByText(`${code}: Premium plan`)).toHaveCount(0)
  await openDashboard(page)
  await expect(page.getByText(code)).toHaveCount(0)
})

test('a form that is opened after a promo code is redeemed stays', async ({
  page,
  context,
  server,
}) => {
  const code = freshPromoCode()
  await signIn(context, server, {}, [], (db) => addPromoCode({ db }, { code }))
  await openDashboard(page, '?upgrade=1')
  const upgrade = dialogOf(page, 'Upgrade')
  await upgrade.getByText('Promo Code', { exact: true }).click()
  await upgrade.getByLabel('Promo code', { exact: true }).fill(code)
  await upgrade.getByRole('button', { name: 'Redeem' }).click()
  await expect(page.getByText(`${code}: Premium plan`)).toBeVisible()
  await page.getByRole('link', { name: 'Create QR Code' }).first().click()
  const create = dialogOf(page, 'Create QR Code')
  await expect(create).toBeVisible()
  // Without a form the page would have been loaded again.
  await page.waitForTimeout(3_000)
  await expect(create).toBeVisible()
})

test('an answer that is being written when a promo code is redeemed stays', async ({
  page,
  context,
  server,
}) => {
  const code = freshPromoCode()
  const conversation = randomUUID()
  await signIn(context, server, {}, [{}], async (db, { id: account_id, codes: [made] }) => {
    await addPromoCode({ db }, { code })
    const about = { account_id, qr_id: made?.qr_id ?? '' }
    await insertConversation(db, about, { id: conversation })
  })
  await openDashboard(page, `?tab=messages&conversation=${conversation}`)
  await page.getByLabel('Your answer').fill('I am coming')
  await page.getByRole('link', { name: 'Upgrade' }).first().click()
  const upgrade = dialogOf(page, 'Upgrade')
  await upgrade.getByText('Promo Code', { exact: true }).click()
  await upgrade.getByLabel('Promo code', { exact: true }).fill(code)
  await upgrade.getByRole('button', { name: 'Redeem' }).click()
  await expect(toast(page, 'Promo code redeemed successfully!')).toBeVisible()
  // Without the answer the page would have been loaded again.
  await page.waitForTimeout(3_000)
  await expect(page.getByLabel('Your answer')).toHaveValue('I am coming')
})

test('an upgrade that is requested while its dialog is closed leaves the page as it is', async ({
  page,
  context,
  server,
}) => {
  await signIn(context, server)
  await openDashboard(page, '?tab=documents')
  await page.getByRole('link', { name: 'Upgrade' }).first().click()
  const upgrade = dialogOf(page, 'Upgrade')
  const release = await hold(page, '**/dashboard/upgrade')
  await upgrade.getByRole('button', { name: 'Continue to payment' }).click()
  await page.keyboard.press('Escape')
  await expect(upgrade).toHaveCount(0)
  release()
  await expect(upgrade.getByText(/in your UPI app/)).toBeVisible()
  await page.keyboard.press('Escape')
  await expect(page.getByRole('heading', { level: 1, name: 'Documents' })).toBeVisible()
  expect(new URL(page.url()).search).toBe('?tab=documents')
})

test('an upgrade is requested, paid and its payment reported without leaving the page @both', async ({
  page,
  context,
  server,
  problems,
}) => {
  problems.expect(/ERR_INTERNET_DISCONNECTED/)
  await signIn(context, server)
  await openDashboard(page)
  const opener = page.getByLabel('Plan', { exact: true }).getByRole('link', { name: 'Upgrade' })
  await opener.click()
  const upgrade = dialogOf(page, 'Upgrade')
  await upgrade.getByLabel('Enterprise').check()
  await upgrade.getByRole('button', { name: 'Continue to payment' }).click()
  await expect(upgrade.getByText('Your Enterprise upgrade is requested')).toBeVisible()
  await expect(upgrade.getByRole('heading', { name: 'Upgrade', exact: true })).toBeFocused()
  await expect(upgrade.getByText('Your account is upgraded within 24 hours.')).toBeVisible()
  const isPhone = (page.viewportSize()?.width ?? 0) < 700
  const pay = upgrade.getByRole('link', { name: 'Pay ₹9,999 in your UPI app' })
  await expect(pay).toBeVisible({ visible: isPhone })
  await expect(upgrade.getByRole('img', { name: 'UPI QR code' })).toBeVisible()
  await context.grantPermissions(['clipboard-write', 'clipboard-read'])
  await upgrade.getByRole('button', { name: 'Copy Account no.' }).click()
  await expect(toast(page, 'Account no. copied')).toBeVisible()
  expect(await page.evaluate(() => navigator.clipboard.readText())).toBe('001234567890')
  await expectWellMade(page)

  await upgrade.getByLabel('Payment reference').fill('4123 9876')
  await upgrade.getByRole('button', { name: 'Send payment details' }).click()
  await expect(toast(page, 'Payment details sent')).toBeVisible()
  await expect(upgrade.getByLabel('Payment reference')).toHaveValue('4123 9876')
  const file = { name: 'paid.png', mimeType: 'image/png', buffer: await picture() }
  await upgrade.getByLabel('File').setInputFiles(file)
  await upgrade.getByLabel('Notes').fill('The rest tomorrow')
  await upgrade.getByRole('button', { name: 'Send screenshot' }).click()
  await expect(toast(page, 'Screenshot sent')).toBeVisible()
  await expect(upgrade.getByRole('button', { name: 'Send another screenshot' })).toBeVisible()
  await expect(upgrade.getByLabel('Notes')).toHaveValue('The rest tomorrow')
  await upgrade.getByRole('button', { name: 'Take it back' }).click()
  await expect(toast(page, 'Upgrade request taken back')).toBeVisible()
  await expect(upgrade.getByRole('button', { name: 'Continue to payment' })).toBeVisible()
  await upgrade.getByRole('button', { name: 'Close' }).click()
  await expect(upgrade).toHaveCount(0)
  await expect(opener).toBeFocused()
  await context.setOffline(true)
  await opener.click()
  await expect(toast(page, 'Failed to load subscription plans')).toBeVisible()
})

test.describe('without script', () => {
  test.use({ javaScriptEnabled: false })

  test('a plan is chosen and paid for, and a promo code redeemed', async ({
    page,
    context,
    server,
  }) => {
    const code = freshPromoCode()
    await signIn(context, server, {}, [], (db) => addPromoCode({ db }, { code }))
    await page.goto('/dashboard')
    await page.getByRole('link', { name: 'Upgrade' }).first().click()
    await page.getByLabel('Enterprise').check()
    await page.getByRole('button', { name: 'Continue to payment' }).click()
    await expect(page.getByText('Your Enterprise upgrade is requested')).toBeVisible()
    await expect(page.getByRole('button', { name: /^Copy/ })).toHaveCount(0)
    await page.getByLabel('Payment reference').fill('4123 9876')
    await page.getByRole('button', { name: 'Send payment details' }).click()
    await expect(page.getByLabel('Payment reference')).toHaveValue('4123 9876')
    const file = { name: 'paid.png', mimeType: 'image/png', buffer: await picture() }
    await page.getByLabel('File').setInputFiles(file)
    await page.getByRole('button', { name: 'Send screenshot' }).click()
    await expect(page.getByRole('button', { name: 'Send another screenshot' })).toBeVisible()
    await page.getByText('Promo Code', { exact: true }).click()
    await page.getByLabel('Promo code', { exact: true }).fill(code.toLowerCase())
    await page.getByRole('button', { name: 'Redeem' }).click()
    await expect(page.getByText('Promo code redeemed successfully!')).toBeVisible()
    await expect(page.getByLabel('Plan', { exact: true })).toContainText('Premium')
  })
})
