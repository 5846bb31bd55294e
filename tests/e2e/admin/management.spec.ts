import { readFileSync } from 'node:fs'
import { insertAccount } from '#db/accounts/accounts.ts'
import { signIn } from '#tests/e2e/support/dashboard.ts'
import { freshEmail } from '#tests/e2e/support/fresh.ts'
import { dialogOf, openReady, toast, untilReady } from '#tests/e2e/support/page.ts'
import { expect, expectWellMade, test } from '#tests/e2e/support/test.ts'
import { insertCode } from '#tests/support/codes.ts'

const ADMIN = { name: 'Nandini Rao', role: 'super_admin' } as const

test('an admin finds a user, changes the permission, and sees the child users @both', async ({
  page,
  context,
  server,
  problems,
}) => {
  const email = freshEmail('harpreet')
  await signIn(context, server, ADMIN, [], async (db) => {
    const email_verified_at = new Date().toISOString()
    const user = { name: 'Harpreet Singh', email, email_verified_at, password_hash: null }
    const parent = await insertAccount(db, user, new Date())
    const child = { name: 'Gurleen Kaur', email: freshEmail('gurleen'), password_hash: null }
    const { id } = await insertAccount(db, { ...child, parent_id: parent.id }, new Date())
    await insertCode(db, parent.id, { qr_type: 'child', child_account_id: id })
  })
  await openReady(page, '/admin-dashboard')
  await expect(page.getByRole('heading', { name: 'Admin Dashboard' })).toBeVisible()
  await expectWellMade(page)
  await page.getByLabel('Search by name or email').fill('nobody at all')
  await page.getByLabel('Search by name or email').press('Enter')
  await expect(page.getByRole('heading', { name: 'No users found' })).toBeVisible()
  await expectWellMade(page)
  await page.getByRole('link', { name: 'Clear Search' }).click()
  await untilReady(page)
  await page.getByLabel('Search by name or email').fill(email.toUpperCase())
  await page.getByLabel('Role').selectOption('Client')
  await expect(page.getByText('1 total')).toBeVisible()
  await untilReady(page)

  await page.getByRole('link', { name: 'Manage of Harpreet Singh' }).click()
  const dialog = dialogOf(page, 'Update User Permissions')
  await expect(dialog.getByText('Now: Client')).toBeVisible()
  await expectWellMade(page)
  await dialog.getByLabel('Permission type').selectOption('blocked')
  problems.expect(/400/)
  await dialog.getByLabel('Expires').fill('2020-01-01T10:00')
  await dialog.getByRole('button', { name: 'Update Permissions' }).click()
  await expect(toast(page, 'Expiry must be in the future')).toBeVisible()
  await expect(dialog.getByLabel('Expires')).toHaveAttribute('aria-invalid', 'true')
  await expectWellMade(page)
  await dialog.getByLabel('Expires').fill('')
  await dialog.getByRole('button', { name: 'Update Permissions' }).click()
  await expect(toast(page, 'User permissions updated successfully')).toBeVisible()
  await expect(dialog).toHaveCount(0)
  await expect(page).toHaveURL(/q=.*role=client/)
  const row = page.getByRole('row', { name: 'Harpreet Singh' })
  await expect(row.getByRole('cell').first()).toBeFocused()
  await expect(row.getByText('Inactive')).toBeVisible()
  await expectWellMade(page)

  await row.getByRole('link', { name: 'Hierarchy' }).click()
  await expect(page.getByRole('listitem').filter({ hasText: 'Gurleen Kaur' })).toContainText('1 QR')
  await expectWellMade(page)
  await page.getByRole('link', { name: 'Gurleen Kaur' }).click()
  await expect(page.getByRole('heading', { name: 'No Child Users' })).toBeVisible()
  await page.getByRole('link', { name: 'Permissions', exact: true }).click()
  await expect(page.getByRole('region', { name: 'Counts' })).toContainText('Admins')
  await untilReady(page)
  await page
    .getByRole('link', { name: /^Edit Permissions of Nandini/ })
    .first()
    .click()
  await expect(dialog.getByText('You cannot change your own permissions')).toBeVisible()
  await expectWellMade(page)
  await dialog.getByRole('button', { name: 'Close' }).last().click()
  await expect(dialog).toHaveCount(0)
})

test('all codes are exported into a file, and a failure is shown', async ({
  page,
  context,
  server,
  problems,
}) => {
  await signIn(context, server, ADMIN, [{ owner_name: 'सीमा शर्मा' }, {}])
  await openReady(page, '/admin-dashboard')
  const download = page.waitForEvent('download')
  await page.getByRole('link', { name: 'Export QR Codes CSV' }).click()
  const file = await download
  expect(file.suggestedFilename()).toMatch(/^qr_codes_export_\d{8}_\d{6}\.csv$/)
  expect(readFileSync(await file.path(), 'utf8')).toContain('सीमा शर्मा')
  await expect(toast(page, 'QR codes exported successfully')).toBeVisible()
  await page.route('**/api/admin/qr-codes/export/csv', (route) => route.abort())
  problems.expect(/ERR_FAILED/)
  await page.getByRole('link', { name: 'Export QR Codes CSV' }).click()
  await expect(toast(page, 'Failed to export QR codes')).toBeVisible()
  await expect(page.getByRole('link', { name: 'Export QR Codes CSV' })).not.toHaveAttribute(
    'aria-busy',
  )
})
