import { giveAuthenticator } from '#tests/e2e/support/authenticator.ts'
import { WHOLE } from '#tests/e2e/support/chromium.ts'
import { signIn } from '#tests/e2e/support/dashboard.ts'
import { dialogOf, openReady, toast } from '#tests/e2e/support/page.ts'
import { expect, test } from '#tests/e2e/support/test.ts'

test.use({ launchOptions: WHOLE })

test('where the browser fills in passkeys, the login page offers them once it is there', async ({
  page,
  context,
  server,
}) => {
  await giveAuthenticator(page)
  await signIn(context, server)
  await openReady(page, '/settings/security')
  await page.getByRole('button', { name: 'Add a passkey' }).click()
  await dialogOf(page, 'Add a passkey').getByRole('button', { name: 'Continue' }).click()
  await expect(page.getByText('Your passkey is added.')).toBeVisible()
  await context.clearCookies()
  await page.goto('/login?mode=password')
  await page.waitForURL('**/dashboard')
  await expect(toast(page, 'Login successful!')).toBeVisible()
})

test('a server that cannot offer passkeys is asked once', async ({ page, problems }) => {
  problems.expect(/status of 503/)
  let asked = 0
  await page.route('**/passkey/options', (route) => {
    asked += 1
    return route.fulfill({ status: 503, json: { detail: 'Something went wrong' } })
  })
  await openReady(page, '/login?mode=password')
  await expect.poll(() => asked).toBeGreaterThan(0)
  await page.waitForTimeout(500)
  expect(asked).toBe(1)
  await expect(page.locator('.said .note')).toHaveCount(0)
})
