import { signIn } from '#tests/e2e/support/dashboard.ts'
import { hold, holdReact, made, openDashboard, withoutStream } from '#tests/e2e/support/page.ts'
import { expect, test } from '#tests/e2e/support/test.ts'

test('an island hydrates without warnings, keeps its labels, and works when it is inserted later or again', async ({
  page,
  context,
  server,
}) => {
  await signIn(context, server)
  await openDashboard(page, '?create=1')
  await expect(page.locator('drive-island[ready]')).toHaveCount(1)
  const field = page.getByLabel('Mobile Number')
  const id = await field.getAttribute('id')
  expect(id).toBeTruthy()
  await expect(page.locator(`label[for="${id}"]`)).toHaveText('Mobile Number')

  const expectWorks = async () => {
    await expect(page.locator('drive-island[ready]')).toHaveCount(1)
    await page.getByRole('dialog').getByRole('button', { name: 'Create QR Code' }).click()
    const error = page.locator('drive-island .error').first()
    await expect(error).toHaveText('Enter the mobile number finders should call')
  }

  // Elements that are inserted later work like the original page.
  await page.evaluate(async () => {
    const html = await (await fetch('/dashboard?create=1')).text()
    const fresh = new DOMParser().parseFromString(html, 'text/html').querySelector('drive-island')
    const old = document.querySelector('drive-island')
    if (fresh) old?.replaceWith(document.adoptNode(fresh))
  })
  await expectWorks()

  await page.evaluate(() => {
    const island = document.querySelector('drive-island')
    const place = island?.parentElement
    island?.remove()
    island?.removeAttribute('ready')
    if (island) place?.append(island)
  })
  await expectWorks()

  // Taken out while it hydrates, it ends without an error.
  const wasReady = await page.evaluate(async () => {
    const old = document.querySelector('drive-island')
    const html = await (await fetch('/dashboard?create=1')).text()
    const fresh = new DOMParser().parseFromString(html, 'text/html').querySelector('drive-island')
    const place = old?.parentElement
    if (!fresh || !old || !place) throw new Error('There is no island')
    const island = document.adoptNode(fresh)
    // React listens on the element at the beginning of a hydration, and hydrates in a later task.
    const begun = new Promise<void>((resolve) => {
      const listen = island.addEventListener.bind(island)
      island.addEventListener = (...args: Parameters<typeof listen>) => {
        listen(...args)
        if (args[0] === 'click') queueMicrotask(resolve)
      }
    })
    old.replaceWith(island)
    await begun
    const wasReady = island.hasAttribute('ready')
    island.remove()
    await new Promise((resolve) => setTimeout(resolve, 100))
    place.append(island)
    return wasReady
  })
  expect(wasReady).toBe(false)
  await expectWorks()
})

test('a page without islands loads no script', async ({ page }) => {
  const scripts: string[] = []
  page.on('request', (request) => {
    if (request.resourceType() === 'script') scripts.push(request.url())
  })
  for (const path of ['/', '/terms', '/privacy', '/scan/DEMO']) await page.goto(path)
  expect(scripts).toEqual([])
})

test('a page loads the script of its own island and of no other, and the login its own', async ({
  page,
  context,
  server,
}) => {
  const scripts = new Set<string>()
  page.on('request', (request) => {
    const [, name] = /\/assets\/(.+)-\w+\.js$/.exec(request.url()) ?? []
    if (name) scripts.add(name)
  })
  async function scriptsOf(path: string) {
    scripts.clear()
    await page.goto(path, { waitUntil: 'networkidle' })
    await expect(page.locator('html[data-ready]')).toHaveCount(1)
    return [...scripts].filter((name) => name !== 'chunk').sort()
  }
  expect(await scriptsOf('/login?mode=register')).toEqual(['_login'])
  await signIn(context, server, {}, [{}])
  expect(await scriptsOf('/dashboard')).toEqual(['_drafts', '_live', 'qr-form'])
  expect(await scriptsOf('/dashboard?tab=analytics')).toEqual(['_drafts', '_live'])
  expect(await scriptsOf('/dashboard?labels=1')).toEqual(['_drafts', '_live', 'qr-labels'])
  const upload = '/dashboard?tab=popup-images&upload=1'
  expect(await scriptsOf(upload)).toEqual(['_drafts', '_live', 'popup-upload'])
})

test('static files are compressed and cached by the browser', async ({ page, request }) => {
  await page.goto('/login')
  const boot = await page.locator('script[type="module"]').first().getAttribute('src')
  const answer = await request.get(boot ?? '', { headers: { 'Accept-Encoding': 'br' } })
  expect(answer.headers()['content-encoding']).toBe('br')
  expect(answer.headers()['cache-control']).toBe('public, max-age=31536000, immutable')
})

test('the login is ready after six requests, the dashboard after seven, their forms too', async ({
  page,
  context,
  server,
}) => {
  let requests: string[] = []
  page.on('request', (request) => requests.push(request.url()))
  const forms = ['/login?mode=password', '/dashboard?create=1']
  for (const path of ['/login', '/dashboard', ...forms]) {
    await context.clearCookies()
    if (path.startsWith('/dashboard')) await signIn(context, server)
    requests = []
    await page.goto(path, { waitUntil: 'networkidle' })
    await expect(page.locator('html[data-ready]')).toHaveCount(1)
    // The browser requests the icon itself. Messages as they arrive, kept text and passkeys to fill in come after
    // the page.
    const later = /\.svg$|\/_(?:live|drafts|passkey)-\w+\.js$|\/events$|\/passkey\/options$/
    const asked = new Set(requests.filter((url) => !later.test(url)))
    // The cards have a style sheet of their own.
    const most = path.startsWith('/dashboard') ? 6 : 5
    expect(asked.size, path).toBeLessThanOrEqual(most)
  }
})

test('a link and a button that are pressed before the script loads work once', async ({
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
  await expect(made(page)).toBeVisible()
  await page.goto('/dashboard', { waitUntil: 'commit' })
  await expect(page.getByRole('article', { name: 'Ramesh Kulkarni' })).toHaveCount(1)
})

test('a form of an island is sent without a page load before React is loaded', async ({
  page,
  context,
  server,
  problems,
}) => {
  problems.expect(/status of 400/)
  await signIn(context, server)
  const load = await holdReact(page)
  await page.goto('/dashboard?create=1')
  await page.evaluate(() => document.body.toggleAttribute('data-same-page', true))
  const dialog = page.getByRole('dialog', { name: 'Create QR Code' })
  await dialog.getByLabel('Full Name').fill('Ramesh Kulkarni')
  await dialog.getByRole('button', { name: 'Create QR Code' }).click()
  await expect(dialog.getByRole('button', { name: 'Create QR Code' })).toBeEnabled()
  load()
  const phone = dialog.getByLabel('Mobile Number')
  await expect(phone).toHaveAccessibleDescription(/Enter the mobile number finders should call/)
  await expect(phone).toBeFocused()
  await expect(dialog.getByLabel('Full Name')).toHaveValue('Ramesh Kulkarni')
  await expect(page.locator('body[data-same-page]')).toHaveCount(1)
  await phone.fill('9876543210')
  await dialog.getByRole('button', { name: 'Create QR Code' }).click()
  await expect(made(page)).toBeVisible()
})

test('React that loads while a form is being sent waits for the answer', async ({
  page,
  context,
  server,
  problems,
}) => {
  problems.expect(/status of 400/)
  await signIn(context, server)
  const load = await holdReact(page)
  const answer = await hold(page, '**/dashboard/qr')
  await page.goto('/dashboard?create=1')
  const dialog = page.getByRole('dialog', { name: 'Create QR Code' })
  await dialog.getByLabel('Full Name').fill('')
  await dialog.getByRole('button', { name: 'Create QR Code' }).click()
  const loaded = page.waitForResponse('**/assets/qr-form-*.js')
  load()
  await loaded
  await expect(page.locator('drive-island[ready]')).toHaveCount(0)
  answer()
  await expect(dialog.getByLabel('Full Name')).toHaveAccessibleDescription(
    /Please enter the full name/,
  )
})

test('a page from the browser’s page cache is reloaded, because the session may have ended', async ({
  page,
  context,
  server,
}) => {
  await signIn(context, server)
  await withoutStream(page)
  await openDashboard(page)
  await context.clearCookies()
  await page.evaluate(() => dispatchEvent(new PageTransitionEvent('pageshow', { persisted: true })))
  await expect(page).toHaveURL(/\/login/)
})

test('Escape and Cancel work before the handlers of a dialog are installed', async ({
  page,
  context,
  server,
}) => {
  await signIn(context, server)
  const load = await holdReact(page)
  await openDashboard(page)
  const opener = page.getByRole('link', { name: 'Create QR Code' }).first()
  await opener.click()
  await expect(page.getByRole('heading', { name: 'Create QR Code' })).toBeFocused()
  await page.keyboard.press('Escape')
  await page.getByRole('button', { name: 'Cancel' }).click()
  await expect(page.getByRole('dialog')).toBeVisible()
  load()
  await expect(page.getByRole('dialog')).toHaveCount(0)
  await expect(opener).toBeFocused()
})

test('a dialog whose script cannot be loaded is sent and closed all the same', async ({
  page,
  context,
  server,
  problems,
}) => {
  problems.expect(/ERR_FAILED|dynamically imported module/)
  problems.expect(/status of 400/)
  await signIn(context, server)
  await page.route('**/assets/qr-form-*.js', (route) => route.abort())
  await page.goto('/dashboard')
  await page.locator('html[data-ready]').waitFor({ state: 'attached' })
  const opener = page.getByRole('link', { name: 'Create QR Code' }).first()
  const dialog = page.getByRole('dialog', { name: 'Create QR Code' })
  for (const way of ['Escape', 'Close', 'Cancel']) {
    await opener.click()
    await expect(dialog).toBeVisible()
    if (way === 'Escape') await page.keyboard.press(way)
    else await dialog.getByRole('button', { name: way }).click()
    await expect(dialog).toHaveCount(0)
    await expect(opener).toBeFocused()
  }
  await opener.click()
  await dialog.getByLabel('Full Name').fill('Ramesh Kulkarni')
  await dialog.getByRole('button', { name: 'Create QR Code' }).click()
  const phone = dialog.getByLabel('Mobile Number')
  await expect(phone).toHaveAccessibleDescription(/Enter the mobile number finders should call/)
  await expect(dialog.getByLabel('Full Name')).toHaveValue('Ramesh Kulkarni')
  await phone.fill('9876543210')
  await dialog.getByRole('button', { name: 'Create QR Code' }).click()
  await expect(made(page)).toBeVisible()
  await expect(dialog).toHaveCount(0)
})
