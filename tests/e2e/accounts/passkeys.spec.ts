import type { Page } from '@playwright/test'
import { giveAuthenticator } from '#tests/e2e/support/authenticator.ts'
import { ageSessions, signIn } from '#tests/e2e/support/dashboard.ts'
import {
  dialogOf,
  LOST,
  loseNextAnswer,
  openReady,
  toast,
  untilReady,
} from '#tests/e2e/support/page.ts'
import { expect, expectAccessible, expectWellMade, test } from '#tests/e2e/support/test.ts'
import { PASSWORD, QUICK_HASH } from '#tests/support/app.ts'

/** Adds a passkey on the page of security, and ends on the page of recovery codes. */
async function addFirst(page: Page, name: string): Promise<string[]> {
  await openReady(page, '/settings/security')
  await page.getByRole('button', { name: 'Add a passkey' }).press('Enter')
  const field = dialogOf(page, 'Add a passkey').getByLabel('Name')
  await field.fill(name)
  await page.keyboard.press('Enter')
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('Recovery codes')
  const codes = page.getByRole('group', { name: 'Recovery codes' }).locator('span')
  await expect(codes).toHaveCount(10)
  return codes.allTextContents()
}

test('a person adds a passkey, signs in with it and removes it, by keyboard @main', async ({
  page,
  context,
  server,
  problems,
}) => {
  problems.expect(/403|401/)
  await page.addInitScript(() => {
    window.print = () => document.body.setAttribute('data-printed', '')
  })
  const authenticator = await giveAuthenticator(page)
  const owner = await signIn(context, server, { password_hash: QUICK_HASH })
  await ageSessions(server, owner.id)
  await openReady(page, '/settings/security')
  await page.getByRole('button', { name: 'Add a passkey' }).press('Enter')
  const question = dialogOf(page, 'Please confirm that it is you')
  await expect(question).toContainText('Then the passkey is made.')
  await expect(question.getByRole('button', { name: 'Use a passkey' })).toHaveCount(0)
  await question.getByLabel('Password').fill(PASSWORD)
  await page.keyboard.press('Enter')
  const dialog = dialogOf(page, 'Add a passkey')
  const name = dialog.getByLabel('Name')
  await expect(name).toHaveValue(/Chrome/)
  await expectWellMade(page)
  await authenticator.verify(false)
  await page.keyboard.press('Tab')
  await name.press('Enter')
  await expect(toast(page, 'No passkey was used')).toBeVisible()
  await authenticator.verify(true)
  await name.fill('Redmi Note 13')
  await name.press('Enter')
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('Recovery codes')
  await expect(page.getByText('Your passkey is added.')).toBeVisible()
  await expectWellMade(page)
  await page.getByRole('button', { name: 'Print' }).press('Enter')
  await expect(page.locator('body[data-printed]')).toHaveCount(1)
  await page.getByLabel('I have kept them').check()
  await page.getByRole('button', { name: 'Done' }).press('Enter')
  const list = page.getByRole('list', { name: 'Your passkeys' })
  await expect(list.getByRole('listitem')).toContainText('Redmi Note 13')
  await expect(list).toContainText('never used')
  await untilReady(page)
  await expectWellMade(page)

  // The same device has one already.
  await page.getByRole('button', { name: 'Add a passkey' }).press('Enter')
  await dialog.getByLabel('Name').press('Enter')
  await expect(toast(page, 'This device has a passkey of your account already')).toBeVisible()
  await page.keyboard.press('Escape')
  await expect(dialog).toHaveCount(0)
  await list.getByRole('link', { name: 'Rename Redmi Note 13' }).press('Enter')
  await dialogOf(page, 'Rename the passkey').getByLabel('Name').fill('Red phone')
  await page.keyboard.press('Enter')
  await expect(toast(page, 'Passkey renamed')).toBeVisible()

  await context.clearCookies()
  await openReady(page, '/login')
  await expectWellMade(page)
  await page.getByRole('button', { name: 'Login with a passkey' }).press('Enter')
  await page.waitForURL('**/dashboard')
  await expect(toast(page, 'Login successful!')).toBeVisible()
  await ageSessions(server, owner.id)
  await openReady(page, '/settings/security')
  await expect(list).toContainText('last used today')
  await list.getByRole('link', { name: 'Remove Red phone' }).press('Enter')
  const ask = page.getByRole('dialog', { name: 'Remove this passkey?' })
  await expect(ask).toContainText('You cannot log in with it any more.')
  await expectAccessible(page)
  await ask.getByRole('button', { name: 'Remove' }).press('Enter')
  await expect(question).toContainText('Then the passkey is removed.')
  await expectAccessible(page)
  await authenticator.verify(false)
  await question.getByRole('button', { name: 'Use a passkey' }).press('Enter')
  await expect(toast(page, 'No passkey was used')).toBeVisible()
  await authenticator.verify(true)
  await question.getByRole('button', { name: 'Use a passkey' }).press('Enter')
  await expect(toast(page, 'Passkey removed')).toBeVisible()
  await expect(list).toHaveCount(0)
})

test('after the password a passkey is the second step, and replaces a forgotten password', async ({
  page,
  context,
  server,
}) => {
  // Acts like a browser without autofilled passkeys: this authenticator would answer before the
  // password is typed.
  await page.addInitScript(() => {
    PublicKeyCredential.isConditionalMediationAvailable = async () => false
  })
  const authenticator = await giveAuthenticator(page)
  const { email } = await signIn(context, server, { password_hash: QUICK_HASH })
  const [recovery = ''] = await addFirst(page, 'Phone')
  await openReady(page, '/settings/security')
  await page.getByText('Forgot it?').click()
  await page.getByLabel('New password').fill('blue kettle on the roof')
  await page.getByRole('button', { name: 'Use a passkey instead' }).click()
  await expect(toast(page, 'Password changed')).toBeVisible()

  const typePassword = async () => {
    // The page that is left would ask for new messages without its session.
    await page.goto('/terms')
    await context.clearCookies()
    await openReady(page, '/login?mode=password')
    await page.getByLabel('Email or Mobile Number').fill(email ?? '')
    await page.getByLabel('Password').fill('blue kettle on the roof')
    await page.keyboard.press('Enter')
    await expect(page.getByRole('heading', { name: 'One more step' })).toBeFocused()
  }
  await typePassword()
  await expect(page.getByLabel('6-digit code')).toHaveCount(0)
  await expectWellMade(page)
  await page.getByRole('button', { name: 'Use a passkey' }).click()
  await page.waitForURL('**/dashboard')

  await authenticator.forget()
  await typePassword()
  await page.getByRole('button', { name: 'Use a passkey' }).click()
  await expect(toast(page, 'No passkey was used')).toBeVisible()
  await page.getByLabel('Recovery code').fill(recovery)
  await page.keyboard.press('Enter')
  await page.waitForURL('**/dashboard')
})

test('a passkey whose script cannot be loaded says so', async ({ page, problems }) => {
  problems.expect(/ERR_FAILED/)
  await page.route('**/assets/_passkey-*.js', (route) => route.abort())
  await openReady(page, '/login')
  await page.getByRole('button', { name: 'Login with a passkey' }).click()
  await expect(toast(page, 'Passkeys could not be loaded. Load this page again.')).toBeVisible()
})

test('a passkey whose answer was lost is added once, and signs in', async ({
  page,
  context,
  server,
  problems,
}) => {
  problems.expect(LOST)
  await giveAuthenticator(page)
  await signIn(context, server)
  await openReady(page, '/settings/security')
  await page.getByRole('button', { name: 'Add a passkey' }).press('Enter')
  const go = dialogOf(page, 'Add a passkey').getByRole('button', { name: 'Continue' })
  await expect(go).toBeVisible()
  await loseNextAnswer(page)
  await go.click()
  await expect(toast(page, 'Failed to add a passkey')).toBeVisible()
  await go.click()
  await expect(toast(page, /^Passkey added\. Make new recovery codes/)).toBeVisible()
  await expect(page.getByRole('list', { name: 'Your passkeys' }).getByRole('listitem')).toHaveCount(
    1,
  )
  await context.clearCookies()
  // The browser offers it by itself.
  await openReady(page, '/login?mode=password')
  await expect(toast(page, 'Login successful!')).toBeVisible()
})
