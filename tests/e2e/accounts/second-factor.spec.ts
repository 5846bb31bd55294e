import { signIn } from '#tests/e2e/support/dashboard.ts'
import { freshEmail } from '#tests/e2e/support/fresh.ts'
import { openReady, toast, untilReady } from '#tests/e2e/support/page.ts'
import { expect, expectAccessible, expectWellMade, test } from '#tests/e2e/support/test.ts'
import { PASSWORD, QUICK_HASH } from '#tests/support/app.ts'
import { codeOf, wrongCodeOf } from '#tests/support/authenticator.ts'

test('a person turns an authenticator app on and signs in with it, by keyboard @main', async ({
  page,
  context,
  server,
  problems,
}) => {
  problems.expect(/401/)
  const email = freshEmail()
  await signIn(context, server, { email, password_hash: QUICK_HASH })
  await openReady(page, '/settings/security')
  await page.getByRole('button', { name: 'Set up an authenticator app' }).click()
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('Authenticator app')
  await untilReady(page)
  await page.getByText('On another device: scan this').click()
  await expect(page.getByRole('img', { name: 'QR code for the authenticator app' })).toBeVisible()
  await expectWellMade(page)
  const shown = (await page.locator('.copyline code').textContent()) ?? ''
  const secret = shown.replaceAll(' ', '')
  const field = page.getByLabel('Type the code that it shows')
  await field.fill(wrongCodeOf(secret))
  await page.keyboard.press('Enter')
  await expect(field).toHaveAccessibleDescription(/That code is not right/)
  await field.fill(codeOf(secret))
  await page.keyboard.press('Enter')
  const codes = page.getByRole('group', { name: 'Recovery codes' }).locator('span')
  await expect(codes).toHaveCount(10)
  await expectWellMade(page)
  const [recovery = ''] = await codes.allTextContents()
  const download = page.waitForEvent('download')
  await page.getByRole('link', { name: 'Download' }).click()
  expect((await download).suggestedFilename()).toBe('DriveQR-recovery-codes.txt')
  await page.getByLabel('I have kept them').check()
  await page.getByRole('button', { name: 'Done' }).click()
  await expect(page.getByText('10 of 10 left')).toBeVisible()
  await expectWellMade(page)

  await context.clearCookies()
  await openReady(page, '/login?mode=password')
  await page.getByLabel('Email or Mobile Number').fill(email)
  await page.getByLabel('Password').fill(PASSWORD)
  await page.keyboard.press('Enter')
  const title = page.getByRole('heading', { name: 'One more step' })
  await expect(title).toBeFocused()
  await expect(page).toHaveTitle('One more step · DriveQR')
  await expectAccessible(page)
  const code = page.getByLabel('6-digit code')
  await code.fill(wrongCodeOf(secret))
  await page.keyboard.press('Enter')
  await expect(code).toHaveAccessibleDescription(/That code is not right/)
  await code.fill('')
  await page.getByText('Use a recovery code').click()
  await page.getByLabel('Recovery code').fill(recovery.toLowerCase())
  await page.getByLabel('Trust this device for 30 days').check()
  await page.keyboard.press('Enter')
  await page.waitForURL('**/dashboard')
  await expect(toast(page, 'Login successful!')).toBeVisible()
  await openReady(page, '/settings/security')
  await expect(page.getByText('9 of 10 left')).toBeVisible()
  await expect(page.getByText(/^1 device skips the code/)).toBeVisible()

  await page.getByRole('link', { name: 'New codes' }).click()
  const question = page.getByRole('dialog', { name: 'New recovery codes?' })
  await expect(question).toContainText('The codes that you have kept stop working at once.')
  await question.getByRole('button', { name: 'New codes' }).click()
  await expect(codes).toHaveCount(10)
  await expect(codes.first()).not.toHaveText(recovery)
  await page.getByLabel('I have kept them').check()
  await page.getByRole('button', { name: 'Done' }).click()
  await page.getByRole('link', { name: 'Remove authenticator app' }).click()
  const removal = page.getByRole('dialog', { name: 'Remove the authenticator app?' })
  await expect(removal).toContainText('Your password alone logs you in then.')
  await expectAccessible(page)
  await removal.getByRole('button', { name: 'Remove' }).click()
  await expect(toast(page, 'Authenticator app removed')).toBeVisible()
})

test.describe('where admins must have a second factor', () => {
  test.use({ serverEnv: { REQUIRE_SECOND_FACTOR: 'admin' } })

  test('an admin is led to the set-up, and has everything after it', async ({
    page,
    context,
    server,
  }) => {
    await signIn(context, server, { role: 'admin', password_hash: QUICK_HASH })
    await openReady(page, '/admin-dashboard')
    await expect(page.getByText('Please set up a second factor.')).toBeVisible()
    await expectWellMade(page)
    await page.getByRole('button', { name: 'Set up an authenticator app' }).click()
    const shown = page.locator('.copyline code')
    const secret = ((await shown.textContent()) ?? '').replaceAll(' ', '')
    await page.getByLabel('Type the code that it shows').fill(codeOf(secret))
    await page.getByRole('button', { name: 'Turn on' }).click()
    await expect(page.getByRole('heading', { level: 1 })).toHaveText('Recovery codes')
    await openReady(page, '/admin-dashboard')
    await expect(page.getByRole('heading', { level: 1 })).toBeVisible()
  })
})
