import type { Page } from '@playwright/test'
import { type OpenIdProvider, startProvider } from '#tests/e2e/support/openid-provider.ts'
import { untilReady, withoutStream } from '#tests/e2e/support/page.ts'
import { test as base, expect, expectAccessible } from '#tests/e2e/support/test.ts'

const test = base.extend<{ provider: OpenIdProvider }>({
  // biome-ignore lint/correctness/noEmptyPattern: Playwright reads the pattern
  provider: async ({}, use) => {
    const provider = await startProvider()
    await use(provider)
    await provider.stop()
  },
  serverEnv: async ({ provider }, use) => {
    await use(provider.env)
  },
})

const tokenIn = (page: Page) => page.evaluate(() => localStorage.getItem('driveqr_session'))
const toast = (page: Page, text: string) => page.locator('.said').getByText(text, { exact: true })

/** Goes from the login page to the provider, and signs in on its pages. */
async function signInThere(page: Page, name: string) {
  await page.goto('/login')
  await page.getByRole('link', { name: 'Login with 127.0.0.1' }).click()
  await page.locator('input[name=login]').fill(name)
  await page.locator('input[name=password]').fill('any')
  await page.locator('button[type=submit]').click()
  await page.locator('button[type=submit]').click()
}

test('a user signs in with Google, and again the next time', async ({ page, server, provider }) => {
  provider.admit(server.url)
  await withoutStream(page)
  // The provider's pages load a font from elsewhere, which does not concern DriveQR.
  await page.route(/fonts\./, (route) => route.fulfill({ body: '' }))
  await page.goto('/login')
  await untilReady(page)
  await expect(page.getByText('is not configured')).toBeHidden()
  await expectAccessible(page)

  await signInThere(page, 'Asha')
  await expect(page).toHaveURL(`${server.url}/dashboard`)
  await expect(toast(page, 'Welcome! You are now logged in.')).toBeVisible()
  const token = await tokenIn(page)
  expect(token).toMatch(/^[\w-]{43}$/)
  const asked = await page.request.get('/api/auth/me', {
    headers: { Authorization: `Bearer ${token}`, Cookie: '' },
  })
  expect((await asked.json()).user).toMatchObject({ name: 'Asha', email: 'asha@example.in' })
  await page.reload()
  expect(new URL(page.url()).hash).toBe('')

  await page.request.post('/api/auth/logout', { headers: { 'Sec-Fetch-Site': 'same-origin' } })
  await page.goto('/login')
  await untilReady(page)
  expect(await tokenIn(page)).toBeNull()
  // The provider remembers the person and asks nothing.
  await page.getByRole('link', { name: 'Login with 127.0.0.1' }).click()
  await expect(page).toHaveURL(`${server.url}/dashboard`)
  expect(await tokenIn(page)).not.toBe(token)
})

test('the login page shows that a code is of another browser, and that the provider cannot be reached', async ({
  page,
  server,
  provider,
  problems,
}) => {
  problems.expect(/400/)
  await page.goto(`${server.url}/dashboard#session_id=${'x'.repeat(43)}`)
  await expect(page).toHaveURL(`${server.url}/login`)
  await expect(
    toast(page, 'Login failed: Invalid or expired sign-in. Please try again.'),
  ).toBeVisible()
  expect(await tokenIn(page)).toBeNull()
  await provider.stop()
  await page.goto(`${server.url}/login`)
  await page.getByRole('link', { name: 'Login with 127.0.0.1' }).click()
  await expect(page).toHaveURL(`${server.url}/login?google_failed=1`)
  await expect(page.getByText('Login failed: 127.0.0.1 could not be reached')).toBeVisible()
  await expectAccessible(page)
})
