import type { Page } from '@playwright/test'
import { signIn } from '#tests/e2e/support/dashboard.ts'
import { dialogOf, made, openDashboard, openReady, toast } from '#tests/e2e/support/page.ts'
import { expect, test } from '#tests/e2e/support/test.ts'
import { insertConversation } from '#tests/support/stored-conversations.ts'

const BACK_AGAIN = 'What you had typed is here again'
const form = (page: Page) => dialogOf(page, 'Create QR Code')
const answer = (page: Page) => page.getByLabel('Your answer')
/** All that the browser has kept of forms. */
const kept = (page: Page) =>
  page.evaluate(() =>
    Object.entries(localStorage)
      .filter(([key]) => key.startsWith('driveqr_draft'))
      .map(([, value]) => value)
      .join(),
  )

async function openForm(page: Page): Promise<void> {
  await page.getByRole('link', { name: 'Create QR Code' }).first().click()
  await expect(form(page)).toBeVisible()
  await page.locator('drive-island[ready]').waitFor()
}

test('a half-written code survives a reload, another tab and no connection, and is gone once made @main', async ({
  page,
  context,
  server,
  problems,
}) => {
  problems.expect(/ERR_INTERNET_DISCONNECTED/)
  await signIn(context, server)
  await openDashboard(page)
  await openForm(page)
  await form(page).getByLabel('Full Name').fill('Ramesh Kulkarni')
  await form(page).getByLabel('Mobile Number').fill('98765 43210')
  await form(page).getByText('Misc', { exact: true }).click()
  await form(page).locator('[name="optional_pin"]').first().fill('4711')
  await expect.poll(() => kept(page)).toContain('Ramesh Kulkarni')
  expect(await kept(page)).not.toContain('4711')
  page.once('dialog', (question) => question.accept())
  await openDashboard(page)
  await openForm(page)
  await expect(toast(page, BACK_AGAIN)).toBeVisible()
  await expect(form(page).getByLabel('Full Name')).toHaveValue('Ramesh Kulkarni')

  const other = await context.newPage()
  await openDashboard(other)
  await openForm(other)
  await expect(form(other).getByLabel('Mobile Number')).toHaveValue('98765 43210')
  await other.close({ runBeforeUnload: false })

  await context.setOffline(true)
  await form(page).getByLabel('Full Name').fill('Ramesh K.')
  await form(page).getByRole('button', { name: 'Create QR Code' }).click()
  await expect(form(page)).toContainText('No connection')
  await context.setOffline(false)
  await expect.poll(() => kept(page)).toContain('Ramesh K.')
  await form(page).getByRole('button', { name: 'Create QR Code' }).click()
  await expect(made(page)).toBeVisible()
  expect(await kept(page)).toBe('')
})

test('Back closes a dialog before it leaves the page, and asks about typed text', async ({
  page,
  context,
  server,
}) => {
  await signIn(context, server)
  await openDashboard(page, '?tab=documents')
  await openDashboard(page)
  await openForm(page)
  await form(page).getByLabel('Full Name').fill('Ramesh')
  await page.goBack()
  await expect(form(page).getByText('What you typed is not saved.')).toBeVisible()
  await form(page).getByRole('button', { name: 'Keep editing' }).click()
  await page.goBack()
  await form(page).getByRole('button', { name: 'Discard' }).click()
  await expect(form(page)).toHaveCount(0)
  expect(await kept(page)).toBe('')
  await openForm(page)
  await expect(form(page).getByLabel('Full Name')).not.toHaveValue('Ramesh')
  await page.goBack()
  await expect(form(page)).toHaveCount(0)
  await expect(page).toHaveURL(/\/dashboard$/)
  await openForm(page)
  await form(page).getByRole('button', { name: 'Cancel' }).click()
  await expect(form(page)).toHaveCount(0)
  await page.goBack()
  await expect(page).toHaveURL(/tab=documents/)
})

test('an answer is kept for its conversation and its account, until it is sent or they log out', async ({
  page,
  context,
  server,
}) => {
  const ids: string[] = []
  await signIn(context, server, {}, [{}], async (db, { id, codes: [code] }) => {
    const about = { account_id: id, qr_id: code?.qr_id ?? '' }
    for (let n = 0; n < 2; n++) ids.push((await insertConversation(db, about)).id)
  })
  const cookies = await context.cookies()
  const open = (n: number) => openReady(page, `/dashboard?tab=messages&conversation=${ids[n]}`)
  const typed = async (text: string) => {
    await answer(page).fill(text)
    await expect.poll(() => kept(page)).toContain(text)
  }
  await open(0)
  await page.waitForLoadState('networkidle')
  await typed('I am coming at')
  await open(1)
  await expect(answer(page)).toHaveValue('')
  await open(0)
  await expect(answer(page)).toHaveValue('I am coming at')
  await page.getByRole('button', { name: 'Answer', exact: true }).click()
  await expect(page.getByRole('log', { name: 'What was written' })).toContainText('I am coming at')
  expect(await kept(page)).toBe('')

  await typed('A secret')
  await context.clearCookies()
  await signIn(context, server)
  await openDashboard(page)
  await expect.poll(() => kept(page)).toBe('')
  await context.clearCookies()
  await context.addCookies(cookies)
  await open(0)
  await page.waitForLoadState('networkidle')
  await typed('Until I log out')
  await page.locator('.topbar summary').click()
  await page.getByRole('button', { name: 'Logout' }).filter({ visible: true }).first().click()
  await expect(page).toHaveURL(/login|\/$/)
  expect(await kept(page)).toBe('')
})
