import { signIn } from '#tests/e2e/support/dashboard.ts'
import { dialogOf, openDashboard, openReady } from '#tests/e2e/support/page.ts'
import { expect, expectWellMade, test } from '#tests/e2e/support/test.ts'

test.use({ serverEnv: { PLANS: 'off' } })

test('a family without plans makes many codes and keys, and meets no offer', async ({
  page,
  context,
  server,
}) => {
  await signIn(context, server, { name: 'Meera Patil' })
  await openDashboard(page, '?bulk=1')
  const bulk = dialogOf(page, 'Bulk Create')
  await bulk.getByLabel('Quantity').fill('3')
  await bulk.getByRole('button', { name: /^Create/ }).click()
  await expect(bulk).toBeHidden()
  await openDashboard(page, '?child=1')
  const child = dialogOf(page, 'Child QRs')
  await expect(child.getByText(/left/)).toHaveCount(0)
  await expectWellMade(page)
  await openReady(page, '/settings')
  await expect(page.getByText(/plan|upgrade|enterprise/i)).toHaveCount(0)
  await expectWellMade(page)
  await openReady(page, '/settings/api-keys')
  await page.getByLabel('Name of a new key').fill('Shelf')
  await page.getByRole('button', { name: 'Create API key' }).click()
  await expect(dialogOf(page, 'Key for Shelf')).toBeVisible()
})
