import { signIn } from '#tests/e2e/support/dashboard.ts'
import { openDashboard } from '#tests/e2e/support/page.ts'
import { expect, test } from '#tests/e2e/support/test.ts'

test('an island hydrates without a word of complaint, and its labels keep their fields', async ({
  page,
}) => {
  await page.goto('/login?mode=password')
  await expect(page.locator('drive-island[ready]')).toHaveCount(1)
  const field = page.getByLabel('Email or Mobile Number')
  const id = await field.getAttribute('id')
  expect(id).toBeTruthy()
  await expect(page.locator(`label[for="${id}"]`)).toHaveText('Email or Mobile Number')
})

test('an island in HTML that is swapped in later works like one that came with the page', async ({
  page,
}) => {
  await page.goto('/login?mode=password')
  await expect(page.locator('drive-island[ready]')).toHaveCount(1)
  await page.evaluate(async () => {
    const html = await (await fetch('/login?mode=register')).text()
    const fresh = new DOMParser().parseFromString(html, 'text/html').querySelector('drive-island')
    const old = document.querySelector('drive-island')
    if (fresh) old?.replaceWith(document.adoptNode(fresh))
  })
  await expect(page.locator('drive-island[ready]')).toHaveCount(1)
  await page.getByRole('button', { name: 'Send OTP' }).click()
  await expect(page.locator('drive-island .error')).toHaveText('Please enter your email address')
})

test('an island that is taken out and put back works again', async ({ page }) => {
  await page.goto('/login?mode=register')
  await expect(page.locator('drive-island[ready]')).toHaveCount(1)
  await page.evaluate(() => {
    const island = document.querySelector('drive-island')
    const place = island?.parentElement
    island?.remove()
    island?.removeAttribute('ready')
    if (island) place?.append(island)
  })
  await expect(page.locator('drive-island[ready]')).toHaveCount(1)
  await page.getByRole('button', { name: 'Send OTP' }).click()
  await expect(page.locator('drive-island .error')).toHaveText('Please enter your email address')
})

test('a page without islands loads no script', async ({ page }) => {
  const scripts: string[] = []
  page.on('request', (request) => {
    if (request.resourceType() === 'script') scripts.push(request.url())
  })
  for (const path of ['/', '/terms', '/privacy', '/scan/DEMO']) await page.goto(path)
  expect(scripts).toEqual([])
})

test('static files are compressed and kept by the browser', async ({ page, request }) => {
  await page.goto('/login')
  const boot = await page.locator('script[type="module"]').getAttribute('src')
  const answer = await request.get(boot ?? '', { headers: { 'Accept-Encoding': 'br' } })
  expect(answer.headers()['content-encoding']).toBe('br')
  expect(answer.headers()['cache-control']).toBe('public, max-age=31536000, immutable')
})

test('login and dashboard are there after six requests @both', async ({
  page,
  context,
  server,
}) => {
  let requests: string[] = []
  page.on('request', (request) => requests.push(request.url()))
  for (const path of ['/login', '/dashboard']) {
    requests = []
    await page.goto(path, { waitUntil: 'networkidle' })
    await expect(page.locator('html[data-ready]')).toHaveCount(1)
    // Its picture for the tab is asked for by the browser, not by the page.
    expect(requests.filter((url) => !url.endsWith('.svg')).length, path).toBeLessThanOrEqual(5)
    await signIn(context, server)
  }
})

test('a link and a button that are pressed before the script has come do their work once', async ({
  page,
  context,
  server,
}) => {
  await signIn(context, server)
  await page.route('**/assets/*.js', async () => {})
  await page.goto('/dashboard', { waitUntil: 'commit' })
  await page.getByRole('link', { name: 'Create QR Code' }).first().click()
  await page.getByLabel('Full Name').fill('Ramesh Kulkarni')
  await page.getByLabel('Mobile Number').fill('9876543210')
  await page.getByRole('dialog').getByRole('button', { name: 'Create QR Code' }).click()
  await expect(page.getByText('QR code created successfully!')).toBeVisible()
  await expect(page.getByRole('article', { name: 'Ramesh Kulkarni' })).toHaveCount(1)
})

test('a page that the browser has kept is loaded again, for the session may have ended', async ({
  page,
  context,
  server,
}) => {
  await signIn(context, server)
  await openDashboard(page)
  await context.clearCookies()
  await page.evaluate(() => dispatchEvent(new PageTransitionEvent('pageshow', { persisted: true })))
  await expect(page).toHaveURL(/\/login/)
})

test('an Escape before the handlers of a dialog are there is not lost', async ({
  page,
  context,
  server,
}) => {
  await signIn(context, server)
  await openDashboard(page)
  let load = () => {}
  const slow = new Promise<void>((resolve) => {
    load = resolve
  })
  await page.route('**/assets/_dashboard-*.js', async (route) => {
    await slow
    await route.continue()
  })
  const opener = page.getByRole('link', { name: 'Create QR Code' }).first()
  await opener.click()
  await expect(page.getByRole('heading', { name: 'Create QR Code' })).toBeFocused()
  await page.keyboard.press('Escape')
  await expect(page.getByRole('dialog')).toBeVisible()
  load()
  await expect(page.getByRole('dialog')).toHaveCount(0)
  await expect(opener).toBeFocused()
})
