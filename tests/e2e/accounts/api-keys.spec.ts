import { signIn } from '#tests/e2e/support/dashboard.ts'
import { dialogOf, openDashboard, untilReady } from '#tests/e2e/support/page.ts'
import { expect, expectAccessible, expectWellMade, test } from '#tests/e2e/support/test.ts'

test('an owner creates a key, copies it once, uses it, and revokes it after a confirmation', async ({
  page,
  context,
  server,
  request,
  problems,
}) => {
  problems.expect(/400/)
  await context.grantPermissions(['clipboard-read', 'clipboard-write'])
  await signIn(context, server, { subscription_plan: 'enterprise' }, [{}])
  await openDashboard(page)
  await page.getByLabel('Menu', { exact: true }).click()
  await page.getByRole('link', { name: 'Settings' }).click()
  await page.getByRole('link', { name: 'API keys' }).click()
  await untilReady(page)
  await expect(page.getByText('No API keys yet.')).toBeVisible()
  await expectWellMade(page)

  await page.getByRole('button', { name: 'Create API key' }).click()
  const name = page.getByLabel('Name of a new key')
  await expect(name).toHaveAccessibleDescription(/Please enter a name for the key$/)
  await expect(name).toBeFocused()
  await name.fill('Stock program')
  const scopes = page.getByRole('group', { name: 'It may' }).getByRole('checkbox')
  await expect(scopes).toHaveCount(4)
  for (const scope of await scopes.all()) await scope.uncheck()
  await page.getByRole('button', { name: 'Create API key' }).click()
  await expect(page.getByRole('group', { name: 'It may' })).toHaveAccessibleDescription(
    'Please choose what the key may do',
  )
  await expect(scopes.first()).toBeFocused()
  await expect(name).toHaveValue('Stock program')
  await scopes.first().check()
  await page.getByRole('button', { name: 'Create API key' }).click()
  const made = dialogOf(page, 'Key for Stock program')
  await expect(made.getByText('it is not shown again')).toBeVisible()
  await expectAccessible(page)
  await made.getByRole('button', { name: 'Copy' }).click()
  await expect(made.getByRole('button', { name: 'Copied' })).toBeVisible()
  const key = await page.evaluate(() => navigator.clipboard.readText())
  expect(key).toMatch(/^dqk_[\w-]{43}$/)

  const headers = { Authorization: `Bearer ${key}` }
  const codes = await request.get('/api/qr/my-qrs', { headers })
  expect(await codes.json()).toHaveLength(1)

  await made.getByRole('button', { name: 'Done' }).click()
  const list = page.getByRole('list', { name: 'Your API keys' })
  await expect(list.getByRole('listitem')).toContainText('Stock program')
  await expect(list.getByRole('listitem')).toContainText('See codes')
  await expect(list.getByRole('listitem')).toContainText('never used')
  expect(await page.content()).not.toContain(key)
  await list.getByRole('link', { name: 'Revoke Stock program' }).click()
  const question = dialogOf(page, 'Revoke this API key?')
  await expect(question).toContainText('stops working at once')
  await expectAccessible(page)
  await question.getByRole('button', { name: 'Revoke' }).click()
  await expect(page.getByText('API key revoked')).toBeVisible()
  await expect(page.getByText('No API keys yet.')).toBeVisible()
  expect((await request.get('/api/qr/my-qrs', { headers })).status()).toBe(401)
  expect(new URL(page.url()).search).toBe('')
})

test('an owner of another plan sees which plan has API access', async ({
  page,
  context,
  server,
}) => {
  await signIn(context, server, { subscription_plan: 'premium' })
  await page.goto('/settings/api-keys')
  await expect(page.getByRole('main')).toContainText(
    'API access is available on the Enterprise plan',
  )
  await expectWellMade(page)
  await page.getByRole('link', { name: 'Upgrade' }).click()
  await expect(page.getByRole('dialog', { name: 'Upgrade' })).toBeVisible()
})

test('the API page is accessible, and links to its subjects', async ({ page }) => {
  await page.goto('/api/docs')
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('DriveQR API')
  await expectAccessible(page)
  await page.getByRole('link', { name: 'Gallery' }).click()
  await expect(page.getByRole('heading', { name: 'Gallery', exact: true })).toBeInViewport()
  const isWide = () => document.documentElement.scrollWidth > innerWidth
  expect(await page.evaluate(isWide)).toBe(false)
})
