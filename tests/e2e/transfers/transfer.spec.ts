import type { Page } from '@playwright/test'
import { signIn } from '#tests/e2e/support/dashboard.ts'
import { freshEmail } from '#tests/e2e/support/fresh.ts'
import { test } from '#tests/e2e/support/mailing.ts'
import { card, dialogOf, openDashboard, toast, untilReady } from '#tests/e2e/support/page.ts'
import { expect, expectWellMade } from '#tests/e2e/support/test.ts'
import { type Received, textOf } from '#tests/support/smtp.ts'

const VEHICLE = {
  owner_name: 'Ramesh Kulkarni',
  vehicle_registration: 'MH12QX4827',
  vehicle_make_model: 'Maruti Suzuki Swift VXi',
}

/** The link that was mailed to an address. */
async function linkTo({ received }: { received: Received[] }, email: string): Promise<string> {
  const find = () =>
    received
      .filter(({ to }) => to.includes(email))
      .flatMap((mail) => /\/transfer\/[\w-]{43}/.exec(textOf(mail)) ?? [])
      .at(-1)
  await expect.poll(find).toBeTruthy()
  return find() ?? ''
}

/** Keeps a result for the next page, like the login page does. */
function keepResult(page: Page, message: string): Promise<void> {
  return page.evaluate(
    (kept) => sessionStorage.setItem('driveqr_result', kept),
    JSON.stringify({ message, kind: 'success' }),
  )
}

test('a vehicle is handed over by mail, and accepted @main', async ({
  page,
  context,
  server,
  mailbox,
  problems,
}) => {
  problems.expect(/status of 400/)
  const email = freshEmail('meenakshi')
  const owner = await signIn(context, server, { name: 'Ramesh Kulkarni' }, [VEHICLE])
  const ownCookies = await context.cookies()
  await openDashboard(page)
  const mine = card(page, 'Maruti Suzuki')
  await mine.getByText('More').click()
  await mine.locator('.menu-list').getByText('Transfer', { exact: true }).click()
  const dialog = dialogOf(page, 'Transfer')
  await expect(dialog.locator('.plate')).toHaveText('MH 12 QX 4827')
  await expectWellMade(page)
  await dialog.getByLabel('New owner’s email').fill(email)
  await dialog.getByLabel('Type the number plate to confirm').fill('MH 12')
  await dialog.getByRole('button', { name: 'Transfer' }).click()
  await expect(dialog.getByText('Type the number plate as above')).toBeVisible()
  await expect(dialog.getByLabel('Type the number plate to confirm')).toBeFocused()
  await dialog.getByLabel('Type the number plate to confirm').fill('mh12qx4827')
  await dialog.getByRole('button', { name: 'Transfer' }).click()
  await expect(toast(page, 'Transfer started. The new owner gets a mail.')).toBeVisible()
  await expect(mine.getByText('Transfer under way')).toBeVisible()
  await expectWellMade(page)
  const path = await linkTo(mailbox, email)

  await context.clearCookies()
  await page.goto(path)
  await expect(page.getByRole('heading', { name: 'A vehicle is handed over to you' })).toBeVisible()
  await expectWellMade(page)
  const kept = await context.cookies()
  await signIn(context, server, { name: 'Meenakshi Pillai', email })
  await keepResult(page, 'Registration completed successfully!')
  expect(kept.map(({ name }) => name)).toContain('driveqr_transfer')
  await page.goto('/dashboard')
  await expect(page).toHaveURL(server.url + path)
  await expect(page.getByRole('heading', { level: 1 })).toHaveText(
    'Ramesh hands a vehicle over to you',
  )
  await expect(toast(page, 'Registration completed successfully!')).toBeVisible()
  await expectWellMade(page)
  await page.getByLabel('Mobile Number').fill('12')
  await page.getByRole('button', { name: 'Accept' }).click()
  await expect(page.getByText('Please enter a valid mobile number')).toBeVisible()
  await page.getByLabel('Mobile Number').fill('98190 00482')
  await page.getByText('Emergency contact (optional)').click()
  await page.getByLabel('Emergency Contact Name').fill('Suresh Pillai')
  await expectWellMade(page)
  await page.getByRole('button', { name: 'Accept' }).click()
  await untilReady(page)
  await expect(page.locator('.said')).toHaveText('The vehicle is yours now.')
  await expect(card(page, 'Maruti Suzuki').locator('.plate')).toHaveText('MH 12 QX 4827')

  await context.clearCookies()
  await context.addCookies(ownCookies)
  await openDashboard(page)
  await expect(page.getByRole('heading', { name: 'No QR Codes Yet' })).toBeVisible()
  await expect
    .poll(() => mailbox.received.filter(({ to }) => to.includes(owner.email ?? '')).length)
    .toBe(1)
})

test('a transfer is cancelled on the card, and declined on its page', async ({
  page,
  context,
  server,
  mailbox,
  problems,
}) => {
  problems.expect(/status of 404/)
  const email = freshEmail('meenakshi')
  await signIn(context, server, { name: 'Ramesh Kulkarni' }, [VEHICLE])
  const ownCookies = await context.cookies()
  const mine = card(page, 'Maruti Suzuki')
  const begin = async () => {
    await openDashboard(page)
    await mine.getByText('More').click()
    await mine.locator('.menu-list').getByText('Transfer', { exact: true }).click()
    const dialog = dialogOf(page, 'Transfer')
    await dialog.getByLabel('New owner’s email').fill(email)
    await dialog.getByLabel('Type the number plate to confirm').fill('MH 12 QX 4827')
    await dialog.getByRole('button', { name: 'Transfer' }).click()
    await expect(mine.getByText('Transfer under way')).toBeVisible()
  }
  await begin()
  const dead = await linkTo(mailbox, email)
  await mine.getByRole('button', { name: 'Cancel transfer' }).click()
  await expect(toast(page, 'Transfer cancelled')).toBeVisible()
  await expect(mine.getByText('Transfer under way')).toHaveCount(0)
  await begin()
  await expect.poll(() => linkTo(mailbox, email)).not.toBe(dead)
  const path = await linkTo(mailbox, email)

  await context.clearCookies()
  await signIn(context, server, { name: 'Meenakshi Pillai', email })
  await page.goto(dead)
  await expect(page.getByRole('heading', { name: 'This link is no longer valid' })).toBeVisible()
  await expectWellMade(page)
  await page.goto(path)
  await page.locator('summary', { hasText: 'Decline' }).click()
  await expect(page.getByText('It stays with its owner')).toBeVisible()
  await expectWellMade(page)
  await page.getByRole('button', { name: 'Decline' }).click()
  await untilReady(page)
  await expect(page.getByText('Transfer declined')).toBeVisible()

  await context.clearCookies()
  await context.addCookies(ownCookies)
  await openDashboard(page)
  await expect(mine).toBeVisible()
  await expect(mine.getByText('Transfer under way')).toHaveCount(0)
})

test.describe('without script', () => {
  test.use({ javaScriptEnabled: false })

  test('the dialog is a page that begins a transfer', async ({
    page,
    context,
    server,
    mailbox,
  }) => {
    const email = freshEmail('meenakshi')
    await signIn(context, server, { name: 'Ramesh Kulkarni' }, [VEHICLE])
    await page.goto('/dashboard')
    const mine = card(page, 'Maruti Suzuki')
    await mine.getByText('More').click()
    await mine.locator('.menu-list').getByText('Transfer', { exact: true }).click()
    const dialog = page.getByRole('dialog', { name: 'Transfer' })
    await dialog.getByLabel('New owner’s email').fill(email)
    await dialog.getByLabel('Type the number plate to confirm').fill('MH 12 QX 4827')
    await dialog.getByRole('button', { name: 'Transfer' }).click()
    await expect(page.getByText('Transfer started. The new owner gets a mail.')).toBeVisible()
    await expect(mine.getByText('Transfer under way')).toBeVisible()
    await linkTo(mailbox, email)
    await mine.getByRole('button', { name: 'Cancel transfer' }).click()
    await expect(page.getByText('Transfer cancelled')).toBeVisible()
  })
})
