import { signIn } from '#tests/e2e/support/dashboard.ts'
import { freshEmail } from '#tests/e2e/support/fresh.ts'
import { untilReady } from '#tests/e2e/support/page.ts'
import { expect, expectWellMade, test } from '#tests/e2e/support/test.ts'

const VAN = { vehicle_make_model: 'Tata Ace', company_fleet_name: 'Sai Motors' }

test('an owner invites a person, gets a new link, and cancels @main', async ({
  page,
  context,
  server,
  problems,
}) => {
  problems.expect(/status of 40[02]/)
  const email = freshEmail('meera')
  await signIn(context, server, {}, [VAN])
  await page.goto('/settings/people')
  await untilReady(page)
  await page.getByRole('link', { name: 'Invite a person' }).click()
  await expectWellMade(page)
  await page.getByLabel('Their e-mail').fill('nobody')
  await page.getByRole('button', { name: 'Invite', exact: true }).click()
  await expect(page.getByText('Please enter a valid email address').first()).toBeVisible()
  await page.getByLabel('Their e-mail').fill(email)
  await page.getByLabel('What may they do?').selectOption('viewer')
  await page.getByLabel('Which codes?').selectOption('All codes of Sai Motors')
  await page.getByRole('button', { name: 'Invite', exact: true }).click()
  await expect(page.getByLabel(`Link for ${email}`)).toHaveValue(/\/invite\/[\w-]{43}$/)
  await page.getByRole('button', { name: 'Done' }).click()
  await expect(page.getByText('Viewer · codes of Sai Motors')).toBeVisible()
  await expectWellMade(page)
  await page.getByRole('button', { name: `New link ${email}` }).click()
  await expect(page.getByLabel(`Link for ${email}`)).toBeVisible()
  await page.getByRole('button', { name: 'Done' }).click()
  await page.getByRole('button', { name: `Cancel ${email}` }).click()
  await expect(page.getByText(email)).toHaveCount(0)
})
