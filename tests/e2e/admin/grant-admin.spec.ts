import { signIn } from '#tests/e2e/support/dashboard.ts'
import { openReady, toast } from '#tests/e2e/support/page.ts'
import { expect, expectWellMade, test } from '#tests/e2e/support/test.ts'

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
