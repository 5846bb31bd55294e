import { readFile } from 'node:fs/promises'
import type { Page } from '@playwright/test'
import { ageSessions, signIn } from '#tests/e2e/support/dashboard.ts'
import { card, dialogOf, openReady, toast } from '#tests/e2e/support/page.ts'
import { expect, expectWellMade, test } from '#tests/e2e/support/test.ts'
import { PASSWORD, QUICK_HASH } from '#tests/support/app.ts'

const ADMIN = { name: 'Nandini Rao', role: 'super_admin' } as const
const CODES = [
  { vehicle_registration: 'MH12QX4827' },
  { owner_name: 'Priya Nair', is_active: 0 as const },
]

test.describe('on a service of its own', () => {
  // Every scan page shows the message, and the lists have everybody.
  test.use({ serverEnv: { RATE_LIMITS: 'off' } })

  test('every tab of the super admin’s page is accessible and reachable by its link @both @slow', async ({
    page,
    context,
    server,
  }) => {
    await signIn(context, server, ADMIN, CODES)
    await openReady(page, '/admin')
    await expect(card(page, 'Nothing')).toHaveCount(0)
    await expect(page.getByText('What admins do is noted here.')).toBeVisible()
    await expectWellMade(page)
    for (const tab of ['Users', 'QR Codes', 'Promo Codes', 'Analytics', 'System']) {
      await page.getByRole('navigation', { name: 'Admin' }).getByRole('link', { name: tab }).click()
      await expect(page.getByRole('heading', { name: tab, level: 1 })).toBeVisible()
      const crumbs = page.getByRole('navigation', { name: 'Breadcrumb' })
      await expect(crumbs).toHaveText(`DriveQRAdmin${tab}`)
      await expectWellMade(page)
    }
  })

  test('no figure of the overviews is alone in a row', async ({ page, context, server }) => {
    await signIn(context, server, ADMIN)
    for (const path of ['/admin', '/admin-dashboard']) {
      await openReady(page, path)
      const figures = page.getByRole('region', { name: 'Statistics' }).locator('.stat')
      for (const width of [320, 390, 480, 768, 1024, 1280]) {
        await page.setViewportSize({ width, height: 900 })
        const tops = await figures.evaluateAll((all) =>
          all.map((each) => Math.round(each.getBoundingClientRect().top)),
        )
        const rows = [...new Set(tops)].map((top) => tops.filter((each) => each === top).length)
        expect([[4], [2, 2]], `${path} at ${width} pixels`).toContainEqual(rows)
      }
    }
  })

  test('searches find users and codes in their lists', async ({ page, context, server }) => {
    await signIn(context, server, { name: 'Debojyoti Sen', subscription_plan: 'premium' })
    await signIn(context, server, ADMIN, CODES)
    await openReady(page, '/admin?tab=users')
    const rows = page.getByRole('table', { name: 'Users' }).getByRole('row')
    await expect(rows).toHaveCount(3)
    await page.getByRole('combobox', { name: 'Plan' }).selectOption('Premium')
    await expect(rows).toHaveCount(2)
    await expect(rows.nth(1)).toContainText('Debojyoti Sen')
    await page.getByRole('searchbox').fill('nandini')
    await page.keyboard.press('Enter')
    await expect(page.getByRole('heading', { name: 'No users found' })).toBeVisible()
    await expectWellMade(page)
    await page.getByRole('link', { name: 'Clear Search' }).click()
    await expect(rows).toHaveCount(3)

    await openReady(page, '/admin?tab=qr-codes')
    await expect(page.getByRole('article')).toHaveCount(2)
    await page.getByRole('searchbox').fill('mh 12 qx')
    await page.keyboard.press('Enter')
    await expect(page.getByRole('article')).toHaveCount(1)
    await expect(page.getByRole('article')).toContainText('MH 12 QX 4827')
    await page.getByRole('searchbox').fill('nobody')
    await page.keyboard.press('Enter')
    await expect(page.getByRole('heading', { name: 'No QR codes found' })).toBeVisible()
    await page.getByRole('link', { name: 'Create QR Code' }).click()
    await expect(dialogOf(page, 'Create QR Code')).toBeVisible()
  })

  test('a message is written, shown to finders, hidden and deleted, despite failures in between', async ({
    page,
    context,
    server,
    problems,
    browser,
  }) => {
    const { codes } = await signIn(context, server, ADMIN, CODES)
    await openReady(page, '/admin?tab=system')
    await page.getByRole('link', { name: 'Add Message' }).click()
    const form = dialogOf(page, 'Add message')
    const submit = form.getByRole('button', { name: 'Add Message' })
    await submit.click()
    await expect(form.getByLabel('Title')).toHaveAccessibleDescription('Please enter a title')
    await expect(form.getByLabel('Title')).toBeFocused()
    await expectWellMade(page)
    await form.getByLabel('Title').fill('Thank you for stopping')
    await submit.click()
    await expect(form.getByLabel('Message')).toHaveAccessibleDescription('Please enter a message')
    await form.getByLabel('Message').fill('One call is all it takes.')
    problems.expect(/400/)
    problems.expect(/500/)
    await page.route('**/admin/messages', (route) => route.fulfill({ status: 500 }))
    await submit.click()
    await expect(toast(page, 'Failed to add message')).toBeVisible()
    await page.unroute('**/admin/messages')
    await submit.click()
    await expect(toast(page, 'Message added')).toBeVisible()
    await expect(page.getByRole('heading', { name: 'Thank you for stopping' })).toBeFocused()

    const finder = await browser.newPage({ baseURL: server.url })
    const message = finder.getByText('One call is all it takes.')
    await finder.goto(`/scan/${codes[0]?.qr_id}`)
    await expect(message).toBeVisible()
    const shown = page.getByRole('switch', { name: 'Thank you for stopping' })
    await expect(shown).toBeChecked()
    await shown.focus()
    await page.keyboard.press('Enter')
    await expect(toast(page, 'Message is hidden from finders')).toBeVisible()
    await expect(shown).not.toBeChecked()
    await expect(shown).toBeFocused()
    await finder.reload()
    await expect(message).toHaveCount(0)
    await finder.close()

    await page.getByRole('link', { name: 'Delete Thank you for stopping' }).click()
    const question = dialogOf(page, 'Delete this message?')
    await expect(question).toContainText('is deleted for good')
    await expectWellMade(page)
    await question.getByRole('button', { name: 'Keep Message' }).click()
    await expect(question).toHaveCount(0)
    await page.getByRole('link', { name: 'Delete Thank you for stopping' }).click()
    await question.getByRole('button', { name: 'Delete' }).click()
    await expect(toast(page, 'Message deleted')).toBeVisible()
    await expect(page.getByText('No messages yet.')).toBeVisible()

    await page.getByRole('link', { name: 'Overview' }).click()
    const acts = page.getByRole('list', { name: 'Recent Activity' }).getByRole('listitem')
    await expect(acts).toHaveCount(3)
    await expect(acts.first()).toContainText(
      'Message deletedThank you for stopping · by Nandini Rao',
    )
  })
})

test('the buttons of the System tab work, and a backup asks who is there ten minutes after the sign-in', async ({
  page,
  context,
  server,
  problems,
}) => {
  const { id } = await signIn(context, server, { ...ADMIN, password_hash: QUICK_HASH })
  await openReady(page, '/admin?tab=system')
  const press = (name: string) => page.getByRole('button', { name }).click()
  await page.getByRole('button', { name: 'Check Database' }).press('Enter')
  await expect(toast(page, 'The database was checked')).toBeVisible()
  await expect(page.getByRole('button', { name: 'Check Database' })).toBeFocused()
  await expectWellMade(page)
  await press('Clear Cache')
  await expect(toast(page, /^Cleared: the compiled finder’s page/)).toBeVisible()
  const log = await download(page, () => press('Export System Logs'))
  expect(log.name).toBe('driveqr-log.ndjson')
  expect(log.bytes.toString()).toContain('"msg":"listening"')
  const backup = await download(page, () => press('Backup Database'))
  expect(backup.name).toMatch(/^driveqr-\d{8}T\d{6}Z\.tar$/)
  expect(backup.bytes.subarray(0, 13).toString()).toBe('manifest.json')
  await page.getByText('Configure Email SMTP').click()
  await expect(page.getByText('SMTP_URL')).toBeVisible()
  await expectWellMade(page)
  await page.reload()
  await expect(page.getByRole('article', { name: 'Database' })).not.toContainText('Last backupNone')

  problems.expect(/403/)
  await ageSessions(server, id)
  await openReady(page, '/admin?tab=system')
  await press('Backup Database')
  const question = dialogOf(page, 'Please confirm that it is you')
  await expect(question).toBeVisible()
  await expectWellMade(page)
  await question.getByLabel('Password').fill(PASSWORD)
  const confirm = question.getByRole('button', { name: 'Confirm' })
  const confirmed = await download(page, () => confirm.click())
  expect(confirmed.bytes.subarray(0, 13).toString()).toBe('manifest.json')
})

async function download(page: Page, start: () => Promise<void>) {
  const started = page.waitForEvent('download')
  await start()
  const file = await started
  return { name: file.suggestedFilename(), bytes: await readFile(await file.path()) }
}
