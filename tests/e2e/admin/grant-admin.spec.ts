import { ageSessions, signIn } from '#tests/e2e/support/dashboard.ts'
import { dialogOf, openReady, toast } from '#tests/e2e/support/page.ts'
import { expect, expectWellMade, test } from '#tests/e2e/support/test.ts'
import { PASSWORD, QUICK_HASH } from '#tests/support/app.ts'

test('outside production a user becomes super admin and is redirected to /admin', async ({
  page,
  context,
  server,
}) => {
  const { email } = await signIn(context, server, { name: 'Ramesh Kulkarni' })
  await openReady(page, '/grant-admin')
  await expect(page.getByText(email ?? '')).toBeVisible()
  await expect(page.getByText('Production should use proper controls.')).toBeVisible()
  await expectWellMade(page)
  const pressedAt = Date.now()
  await page.getByRole('button', { name: 'Grant Super Admin Access' }).click()
  await expect(toast(page, 'Super admin privileges granted successfully!')).toBeVisible()
  await page.waitForURL('**/admin')
  expect(Date.now() - pressedAt).toBeGreaterThanOrEqual(2000)
  await expect(page.getByRole('heading', { name: 'Overview' })).toBeVisible()
  await openReady(page, '/grant-admin')
  await expect(page.getByRole('heading', { name: 'Already an Admin' })).toBeVisible()
  await expectWellMade(page)
  await expect(page.getByRole('link', { name: 'Go to Admin' })).toHaveAttribute('href', '/admin')
})

test('ten minutes after the sign-in who is there is asked first, and then it goes on', async ({
  page,
  context,
  server,
  problems,
}) => {
  problems.expect(/40[13]/)
  const { id } = await signIn(context, server, { password_hash: QUICK_HASH })
  await ageSessions(server, id)
  await openReady(page, '/grant-admin')
  await page.getByRole('button', { name: 'Grant Super Admin Access' }).click()
  const question = dialogOf(page, 'Please confirm that it is you')
  await question.getByLabel('Password').fill('wrong horse')
  await question.getByRole('button', { name: 'Confirm' }).click()
  // The answer takes the place of the question.
  await expect(question.getByLabel('Password')).toHaveAccessibleDescription(
    /That password is not right/,
  )
  await question.getByLabel('Password').fill(PASSWORD)
  await question.getByRole('button', { name: 'Confirm' }).click()
  await expect(toast(page, 'Super admin privileges granted successfully!')).toBeVisible()
  await page.waitForURL('**/admin')
  await expect(page.getByRole('heading', { name: 'Overview' })).toBeVisible()
})

test.describe('on an empty server', () => {
  test.use({ serverEnv: {} })

  test('the first account makes itself the admin', async ({ page, context, server, problems }) => {
    problems.expect(/403/)
    await page.goto('/login')
    await expect(page.getByText('There is no account here yet.')).toBeVisible()
    await expectWellMade(page)
    const { id } = await signIn(context, server, { password_hash: QUICK_HASH })
    await openReady(page, '/dashboard')
    await expectWellMade(page)
    await ageSessions(server, id)
    await page.getByRole('button', { name: 'Make me the admin' }).click()
    await page.getByLabel('Password').fill(PASSWORD)
    await page.getByRole('button', { name: 'Confirm' }).click()
    await page.waitForURL('**/admin')
    await expect(page.getByRole('heading', { name: 'Set up this server' })).toBeVisible()
    await page.goto('/dashboard')
    await expect(page.getByRole('button', { name: 'Make me the admin' })).toHaveCount(0)
  })
})

test('Upgrade on every other page leads to its dialog on the dashboard', async ({
  page,
  context,
  server,
}) => {
  await signIn(context, server)
  for (const address of ['/grant-admin', '/settings/branding']) {
    await test.step(address, async () => {
      await openReady(page, address)
      await page.locator('a[data-dialog="upgrade"]').first().click()
      await expect(dialogOf(page, 'Upgrade')).toBeVisible()
      await expect(page).toHaveURL(/\/dashboard/)
    })
  }
})
