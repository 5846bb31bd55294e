import { ageSessions, signIn } from '#tests/e2e/support/dashboard.ts'
import { freshEmail } from '#tests/e2e/support/fresh.ts'
import { dialogOf, openReady, toast } from '#tests/e2e/support/page.ts'
import { expect, expectAccessible, expectWellMade, test } from '#tests/e2e/support/test.ts'
import { PASSWORD, QUICK_HASH } from '#tests/support/app.ts'

test('a person sees how good a new password is, changes it, and signs out other devices @main', async ({
  page,
  context,
  server,
  problems,
}) => {
  problems.expect(/401/)
  const elsewhere = { 'User-Agent': 'Mozilla/5.0 (Windows NT 10.0; rv:140.0) Firefox/140.0' }
  const { email } = await signIn(context, server, { password_hash: QUICK_HASH })
  const login = () =>
    fetch(`${server.url}/api/auth/login`, {
      method: 'POST',
      headers: { ...elsewhere, 'Content-Type': 'application/json' },
      body: JSON.stringify({ contact: email, password: PASSWORD }),
    })
  expect((await login()).status).toBe(200)
  await openReady(page, '/settings/security')
  await expectWellMade(page)
  const list = page.getByRole('list', { name: 'Where you are signed in' })
  await expect(list.getByRole('listitem')).toHaveCount(2)
  await list.getByRole('button', { name: 'Sign out Firefox on Windows' }).click()
  await expect(toast(page, 'Signed out there')).toBeVisible()
  await expect(list.getByRole('listitem')).toHaveCount(1)

  const meter = page.locator('#new-password-strength')
  const field = page.getByLabel('New password')
  await expect(meter).toBeHidden()
  for (const [typed, words] of [
    ['tokyo7', 'Weak'],
    ['password2026', "This password is on every attacker's list"],
    ['jT7#kpQ', 'Fair'],
    ['blue kettle on the roof', 'Strong'],
  ] as const) {
    await field.fill(typed)
    await expect(meter).toHaveText(words)
  }
  await expectAccessible(page)
  await page.getByLabel('Old password').fill('wrong horse')
  await page.getByRole('button', { name: 'Change password' }).click()
  await expect(page.getByLabel('Old password')).toHaveAccessibleDescription(
    /That password is not right/,
  )
  await page.getByLabel('Old password').fill(PASSWORD)
  await page.getByLabel('New password').fill('blue kettle on the roof')
  await page.keyboard.press('Enter')
  await expect(toast(page, 'Password changed')).toBeVisible()
  expect((await login()).status).toBe(401)
})

test('a form asks for the password ten minutes after the sign-in, by keyboard, and keeps its text @main', async ({
  page,
  context,
  server,
  problems,
}) => {
  problems.expect(/40[13]/)
  const account = { password_hash: QUICK_HASH, subscription_plan: 'enterprise' } as const
  const { id } = await signIn(context, server, account)
  await ageSessions(server, id)
  await openReady(page, '/settings/api-keys')
  await page.getByLabel('Name of a new key').fill('Stock program')
  await page.keyboard.press('Enter')
  const question = dialogOf(page, 'Please confirm that it is you')
  await expect(question).toContainText('Then the key is created.')
  await expectWellMade(page)
  await question.getByLabel('Password').fill('wrong horse')
  await page.keyboard.press('Enter')
  await expect(question.getByLabel('Password')).toHaveAccessibleDescription(
    /That password is not right/,
  )
  await expect(question.getByLabel('Password')).toBeFocused()
  await expect(page.locator('.say, .said .note')).toHaveCount(0)
  await expect(question.locator('.said')).toHaveText('That password is not right')
  await question.getByLabel('Password').fill(PASSWORD)
  await page.keyboard.press('Enter')
  await expect(dialogOf(page, 'Key for Stock program')).toBeVisible()
  await page.keyboard.press('Escape')
  await page.getByLabel('Name of a new key').fill('Second program')
  await page.keyboard.press('Enter')
  await expect(dialogOf(page, 'Key for Second program')).toBeVisible()
})

test('cancelling the question sends nothing and keeps the typed values', async ({
  page,
  context,
  server,
  problems,
}) => {
  problems.expect(/403/)
  const account = { password_hash: QUICK_HASH, subscription_plan: 'enterprise' } as const
  const { id } = await signIn(context, server, account)
  await ageSessions(server, id)
  await openReady(page, '/settings/api-keys')
  const name = page.getByLabel('Name of a new key')
  await name.fill('Stock program')
  await page.getByRole('button', { name: 'Create API key' }).click()
  await dialogOf(page, 'Please confirm that it is you')
    .getByRole('button', { name: 'Cancel' })
    .click()
  await expect(name).toHaveValue('Stock program')
  await expect(page.getByRole('button', { name: 'Create API key' })).toBeFocused()
  await expect(page.getByText('No API keys yet.')).toBeVisible()
})

test('a person changes name, number and email, in test mode @main', async ({
  page,
  context,
  server,
}) => {
  const { email } = await signIn(context, server, {})
  const next = freshEmail()
  await openReady(page, '/settings/profile')
  await expectWellMade(page)
  await page.getByLabel('Name').fill('Asha Kale')
  const number = page.getByLabel('Number', { exact: true })
  await number.fill('98220 12345')
  await page.getByRole('button', { name: 'Save' }).click()
  await expect(toast(page, 'Profile saved')).toBeVisible()
  await expect(number).toHaveValue('98220 12345')
  await expect(page.getByText(email ?? '')).toBeVisible()
  await page.getByLabel('New email').fill(next)
  await page.getByRole('button', { name: 'Send code' }).click()
  const shown = page.getByText(/^Test mode: the code is/)
  const otp = ((await shown.textContent()) ?? '').replaceAll(/\D/g, '')
  await expectWellMade(page)
  await page.getByLabel('6-digit OTP').fill(otp)
  await page.keyboard.press('Enter')
  await expect(toast(page, 'Email changed')).toBeVisible()
  await expect(page.getByText(next)).toBeVisible()
})
