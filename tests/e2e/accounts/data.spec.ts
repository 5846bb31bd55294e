import { readFileSync } from 'node:fs'
import { ageSessions, signIn } from '#tests/e2e/support/dashboard.ts'
import { dialogOf, openReady, toast } from '#tests/e2e/support/page.ts'
import { openDatabaseOf } from '#tests/e2e/support/server.ts'
import { expect, expectWellMade, test } from '#tests/e2e/support/test.ts'
import { PASSWORD, QUICK_HASH } from '#tests/support/app.ts'
import { insertCode } from '#tests/support/codes.ts'
import { CHILD } from '#tests/support/families.ts'
import { readZip } from '#tests/support/zip.ts'

test('a person makes an export by keyboard, sees how far it is, and downloads it @main', async ({
  page,
  context,
  server,
}) => {
  const { email } = await signIn(context, server)
  await openReady(page, '/settings/data')
  await expectWellMade(page)
  await page.getByRole('button', { name: 'Make an export' }).focus()
  await page.keyboard.press('Enter')
  await expect(toast(page, 'Your export is being made')).toBeVisible()
  await expect(page.getByRole('heading', { name: 'Export' })).toBeFocused()
  const link = page.getByRole('link', { name: 'Download' })
  // Shown by itself, without another press. The thread that makes it has the lowest priority: on a
  // machine without a free core it takes a minute.
  await expect(link).toBeVisible({ timeout: 120_000 })
  await expectWellMade(page)
  const begun = page.waitForEvent('download')
  await expect(page.getByRole('heading', { name: 'Export' })).toBeFocused()
  await link.focus()
  await page.keyboard.press('Enter')
  const download = await begun
  expect(download.suggestedFilename()).toBe('export.zip')
  const files = readZip(readFileSync(await download.path()))
  expect(JSON.parse(String(files.get('profile.json')))).toMatchObject([{ email }])
})

test('an export that waited for the password begins, with the focus on it', async ({
  page,
  context,
  server,
  problems,
}) => {
  problems.expect(/403/)
  const { id } = await signIn(context, server, { password_hash: QUICK_HASH })
  await ageSessions(server, id)
  await openReady(page, '/settings/data')
  await page.getByRole('button', { name: 'Make an export' }).click()
  await dialogOf(page, 'Please confirm that it is you').getByLabel('Password').fill(PASSWORD)
  await page.keyboard.press('Enter')
  await expect(toast(page, 'Your export is being made')).toBeVisible()
  await expect(page.getByRole('heading', { name: 'Export' })).toBeFocused()
})

test('an export that is being made shows its progress @main', async ({ page, context, server }) => {
  const { id } = await signIn(context, server)
  const { db, close } = await openDatabaseOf(server)
  const at = new Date().toISOString()
  // By another server. A claim for longer would be one of a clock that was ahead.
  const claimed_until = new Date(Date.now() + 80_000).toISOString()
  const running = { account_id: id, status: 'running', progress: 64, bytes: 0 } as const
  await db
    .insertInto('exports')
    .values({ id: `E${id}`, ...running, created_at: at, claimed_until })
    .execute()
  await openReady(page, '/settings/data')
  await expect(page.getByRole('progressbar', { name: 'Export' })).toHaveJSProperty('value', 64)
  await expectWellMade(page)
  const link = page.getByRole('link', { name: 'Delete account' })
  await link.focus()
  const said = page.locator('#panel').getByRole('status')
  await expect(said).toHaveText('Your export is being made')
  await said.evaluate((element) => element.toggleAttribute('data-same', true))
  await db.updateTable('exports').set({ progress: 80 }).where('account_id', '=', id).execute()
  await expect(page.getByText('80%')).toBeVisible()
  await db.updateTable('exports').set({ status: 'failed' }).where('account_id', '=', id).execute()
  await expect(page.getByRole('button', { name: 'Make a new export' })).toBeVisible()
  await expect(link).toBeFocused()
  // A screen reader says what changes in the same element.
  await expect(page.locator('[data-same]')).toHaveText('The export could not be made')
  await close()
})

test('a person deletes the account by keyboard, and takes it back by its link @main', async ({
  page,
  context,
  server,
  problems,
}) => {
  problems.expect(/status of 40[04]/)
  await context.grantPermissions(['clipboard-read', 'clipboard-write'])
  const { id, email } = await signIn(context, server)
  const { db, close } = await openDatabaseOf(server)
  const { qr_id } = await insertCode(db, id)
  await close()
  await openReady(page, '/settings/data')
  await page.getByRole('link', { name: 'Delete account' }).focus()
  await page.keyboard.press('Enter')
  const dialog = page.getByRole('dialog', { name: 'Delete your account?' })
  await expect(dialog).toContainText('This ends 1 QR code')
  await expectWellMade(page)
  await page.getByLabel('Type your email to confirm').fill('other@example.in')
  await page.keyboard.press('Enter')
  await expect(dialog).toContainText('Type the email of your account to confirm')
  await expect(page.getByLabel('Type your email to confirm')).toBeFocused()
  await page.getByLabel('Type your email to confirm').fill(email ?? '')
  await page.keyboard.press('Enter')
  // The server has no mail, so that the page has the way back.
  const link = page.getByRole('link', { name: /way-back/ })
  await expect(link).toBeVisible()
  await expectWellMade(page)
  const href = (await link.getAttribute('href')) ?? ''
  await page.getByRole('button', { name: 'Copy Link' }).click()
  await expect(page.getByRole('button', { name: 'Copied Link' })).toBeVisible()
  expect(await page.evaluate(() => navigator.clipboard.readText())).toBe(href)
  const path = new URL(href).pathname
  await page.goto(`/scan/${qr_id}`)
  await expect(page.getByText('QR Code Not Found')).toBeVisible()
  await page.goto(path)
  await expectWellMade(page)
  await page.getByRole('button', { name: 'Keep my account' }).focus()
  await page.keyboard.press('Enter')
  await expect(page.getByText('Your account is kept')).toBeVisible()
})

test('a child user who is not of age waits for a guardian, who confirms it @main', async ({
  page,
  context,
  server,
}) => {
  const { id } = await signIn(context, server, { subscription_plan: 'premium' })
  const { db, close } = await openDatabaseOf(server)
  const { qr_id } = await insertCode(db, id, CHILD)
  await close()
  await openReady(page, `/child-register?qr=${qr_id}`)
  await page.getByLabel('Full Name').fill('Gurleen Kaur')
  await page.getByLabel('Contact type').selectOption('email')
  await page.getByLabel('Email', { exact: true }).fill(`ward${Date.now()}@example.in`)
  await page.getByLabel('Password', { exact: true }).fill('first horse')
  await page.getByLabel('Confirm Password').fill('first horse')
  await page.getByRole('button', { name: 'Register QR Code' }).click()
  await expect(page.locator('form .error')).toHaveText('Please say whether you are 18 or older')
  await page.getByRole('radio', { name: /I am younger/ }).focus()
  await page.keyboard.press('Space')
  await expectWellMade(page)
  await page.getByRole('button', { name: 'Register QR Code' }).focus()
  await page.keyboard.press('Enter')
  // The owner is signed in here, and the login page leads on to the dashboard.
  await page.waitForURL(/\/dashboard/)
  const confirm = page.getByRole('button', { name: 'I am the guardian of Gurleen Kaur' })
  await expect(confirm).toBeVisible()
  await expectWellMade(page)
  await confirm.focus()
  await page.keyboard.press('Enter')
  await expect(confirm).toBeHidden()
})
