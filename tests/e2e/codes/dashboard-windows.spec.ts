import type { APIRequestContext } from '@playwright/test'
import { signIn } from '#tests/e2e/support/dashboard.ts'
import { dialogOf, openDashboard, toast, unfold, withoutStream } from '#tests/e2e/support/page.ts'
import { openDatabaseOf } from '#tests/e2e/support/server.ts'
import { expect, test } from '#tests/e2e/support/test.ts'

/** An action in another window: the call of its button. */
async function elsewhere(request: APIRequestContext, method: string, path: string) {
  const headers = { 'Sec-Fetch-Site': 'same-origin' }
  const answer = await request.fetch(path, { method, headers })
  expect(answer.ok(), `${method} ${path}`).toBe(true)
}

test('of two windows that edit one code, the second is offered the newer version and keeps its own input', async ({
  page,
  context,
  server,
  problems,
}) => {
  problems.expect(/409/)
  const { codes } = await signIn(context, server, {}, [{}])
  const query = `?edit=${codes[0]?.qr_id}`
  const other = await context.newPage()
  await openDashboard(page, query)
  await openDashboard(other, query)

  await unfold(dialogOf(other))
  await other.getByRole('textbox', { name: 'City / Area' }).fill('Nashik')
  await other.getByRole('button', { name: 'Save Changes' }).click()
  await expect(toast(other, 'QR code updated successfully!')).toBeVisible()

  const dialog = dialogOf(page)
  await unfold(dialog)
  await page.getByLabel('Email').fill('new@example.in')
  await dialog.getByRole('button', { name: 'Save Changes' }).click()
  await expect(dialog.getByRole('alert')).toContainText('Failed to update QR code')
  await dialog.getByRole('button', { name: 'Load the newer version' }).click()
  await unfold(dialog)
  await expect(page.getByRole('textbox', { name: 'City / Area' })).toHaveValue('Nashik')
  await expect(page.getByLabel('Email')).toHaveValue('new@example.in')
  await dialog.getByRole('button', { name: 'Save Changes' }).click()
  await expect(toast(page, 'QR code updated successfully!')).toBeVisible()
  await openDashboard(other, query)
  await unfold(dialogOf(other))
  await expect(other.getByLabel('Email')).toHaveValue('new@example.in')
  await expect(other.getByRole('textbox', { name: 'City / Area' })).toHaveValue('Nashik')
})

test('a code that was deleted in another window leaves the list at any action', async ({
  page,
  context,
  server,
  problems,
}) => {
  problems.expect(/404/)
  const names = ['Ramesh', 'Meera', 'Aarav', 'Sunanda']
  const named = names.map((owner_name) => ({ owner_name }))
  const { codes } = await signIn(context, server, { subscription_plan: 'premium' }, named)
  const [ramesh, meera, aarav, sunanda] = codes.map(({ qr_id }) => qr_id)
  const remove = (id?: string) => elsewhere(context.request, 'DELETE', `/api/qr/${id}`)
  const card = (name: string) => page.getByRole('article', { name })
  const choose = async (name: string, action: string) => {
    await card(name).getByText('More').click()
    await card(name).locator('.menu-list').getByText(action, { exact: true }).click()
  }

  await openDashboard(page, `?edit=${ramesh}`)
  await remove(ramesh)
  await unfold(dialogOf(page))
  await page.getByRole('textbox', { name: 'City / Area' }).fill('Pune')
  await page.getByRole('button', { name: 'Save Changes' }).click()
  await expect(toast(page, 'Failed to update QR code')).toBeVisible()
  await expect(dialogOf(page)).toHaveCount(0)
  await expect(card('Ramesh')).toHaveCount(0)
  await expect(page.getByRole('heading', { name: 'My QR Codes' })).toBeFocused()

  await choose('Meera', 'Delete')
  await remove(meera)
  await dialogOf(page).getByRole('button', { name: 'Delete' }).click()
  await expect(toast(page, 'Failed to delete QR code')).toBeVisible()
  await expect(dialogOf(page)).toHaveCount(0)
  await expect(card('Meera')).toHaveCount(0)

  await remove(aarav)
  await choose('Aarav', 'Deactivate')
  await expect(card('Aarav')).toHaveCount(0)
  await expect(toast(page, 'Failed to update QR code')).toBeVisible()

  await remove(sunanda)
  await choose('Sunanda', 'Delete')
  await expect(toast(page, 'QR code not found')).toBeVisible()
  await expect(page.getByRole('heading', { name: 'No QR Codes Yet' })).toBeVisible()
})

test('a quota that was used up in another window is reported, and no input is lost', async ({
  page,
  context,
  server,
  problems,
}) => {
  problems.expect(/402/)
  await signIn(context, server)
  await openDashboard(page, '?create=1')
  await page.getByLabel('Full Name').fill('Ramesh')
  await page.getByLabel('Mobile Number').fill('9876543210')
  const data = { owner_name: 'Meera', contact_phone: '9876500000' }
  const headers = { 'Sec-Fetch-Site': 'same-origin' }
  expect((await context.request.post('/api/qr/create', { data, headers })).status()).toBe(201)
  await dialogOf(page).getByRole('button', { name: 'Create QR Code' }).click()
  await expect(toast(page, 'QR limit reached (1/1)')).toBeVisible()
  await expect(page.getByRole('article', { name: 'Meera' })).toBeAttached()
  await expect(page.getByText('1 of 1 QR codes')).toBeAttached()
})

test('after the end of a session any action leads to the login', async ({
  page,
  context,
  server,
}) => {
  const { codes } = await signIn(context, server, {}, [{}])
  const cookies = await context.cookies()
  const endSession = async () => {
    const { db, close } = await openDatabaseOf(server)
    await db.deleteFrom('sessions').execute()
    await close()
  }
  const renew = async () => {
    await context.clearCookies()
    await signIn(context, server, {}, [{}])
  }
  const expectLogin = () => expect(page).toHaveURL(/\/login\?expired=1$/)

  await withoutStream(page)
  await openDashboard(page, `?edit=${codes[0]?.qr_id}`)
  await page.evaluate(() => localStorage.setItem('driveqr_session', 'ended'))
  await endSession()
  await page.getByRole('button', { name: 'Save Changes' }).click()
  await expectLogin()
  await expect(page.getByText('Your session has ended. Please log in again.')).toBeVisible()
  const kept = () => page.evaluate(() => localStorage.getItem('driveqr_session'))
  await expect.poll(kept).toBeNull()
  expect(await context.cookies()).toEqual(expect.arrayContaining(cookies))

  await renew()
  await openDashboard(page)
  await endSession()
  await page.getByText('More').click()
  await page.getByText('Deactivate', { exact: true }).click()
  await expectLogin()

  await renew()
  await openDashboard(page)
  await endSession()
  await page.getByRole('link', { name: 'Create QR Code' }).click()
  await expectLogin()
})
