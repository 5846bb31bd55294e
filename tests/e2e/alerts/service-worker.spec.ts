import { WHOLE } from '#tests/e2e/support/chromium.ts'
import { signIn } from '#tests/e2e/support/dashboard.ts'
import { openDashboard } from '#tests/e2e/support/page.ts'
import { registerWorker } from '#tests/e2e/support/push.ts'
import { expect, expectNoSideways, expectWellMade, test } from '#tests/e2e/support/test.ts'

const ALERT = { title: 'I found these keys', body: 'They are at the gate', tag: 'one' }

// Its shell shows no notifications.
test.use({ launchOptions: WHOLE })

test.beforeEach(async ({ page, context, server }) => {
  await page.addInitScript(() => {
    window.counts = []
    navigator.setAppBadge = async (count) => void window.counts.push(count)
  })
  await signIn(context, server)
  await openDashboard(page)
})

test('a push is shown, and a tap on it leads to its page', async ({ page, server }) => {
  const { deliver, shown, tap, seen } = await registerWorker(page)
  const url = `${server.url}/dashboard?tab=messages`
  await deliver(JSON.stringify({ ...ALERT, url }))
  await expect.poll(shown).toEqual([ALERT])
  await tap(ALERT.title)
  await expect.poll(seen).toMatchObject({ opened: [url], focused: [] })
  expect(await shown()).toEqual([])
  await page.goto(url)
  await expect(page.getByRole('heading', { name: 'Messages', exact: true })).toBeVisible()
})

test('a tap brings a window to the front that has the page already', async ({
  page,
  context,
  server,
}) => {
  const { deliver, tap, seen } = await registerWorker(page)
  const url = `${server.url}/dashboard?tab=messages`
  const other = await context.newPage()
  await other.goto(url)
  await deliver(JSON.stringify({ ...ALERT, url }))
  await tap(ALERT.title)
  await expect.poll(seen).toMatchObject({ opened: [], focused: [url] })
})

test('a push of an address elsewhere, or that cannot be read, opens the dashboard', async ({
  page,
  context,
  server,
}) => {
  const { deliver, tap, seen } = await registerWorker(page)
  await page.goto('/terms')
  const urls = [
    'https://elsewhere.example/dashboard',
    '//elsewhere.example/',
    'javascript:alert(1)',
    `blob:${server.url}/one`,
    server.url.replace('http', 'https'),
    'https://[',
    42,
  ]
  for (const [n, url] of urls.entries()) {
    await deliver(JSON.stringify({ ...ALERT, title: `Alert ${n}`, tag: `${n}`, url }))
    await tap(`Alert ${n}`)
    await expect.poll(async () => (await seen()).opened).toHaveLength(n + 1)
  }
  await deliver('not JSON')
  await tap('There is something new')
  await expect.poll(async () => (await seen()).opened).toHaveLength(urls.length + 1)
  expect(new Set((await seen()).opened)).toEqual(new Set([`${server.url}/dashboard`]))
  expect(context.pages()).toHaveLength(1)
})

test('a newer push takes the place of the older one with its tag alone, and all that come at once are shown', async ({
  page,
}) => {
  const { deliver, shown } = await registerWorker(page)
  await deliver(JSON.stringify({ ...ALERT, body: '1 scan', tag: 'scans', url: '/' }))
  await deliver(JSON.stringify({ ...ALERT, body: 'a message', tag: 'message', url: '/' }))
  await deliver(JSON.stringify({ ...ALERT, body: '2 scans', tag: 'scans', url: '/' }))
  const bodies = async () => (await shown()).map(({ body }) => body).sort()
  await expect.poll(bodies).toEqual(['2 scans', 'a message'])
  const titles = ['One', 'Two', 'Three', 'Four', 'Five', 'Six']
  const push = (title: string) => deliver(JSON.stringify({ ...ALERT, title, tag: title, url: '/' }))
  await Promise.all(titles.map(push))
  const found = async () => (await shown()).map(({ title }) => title)
  await expect.poll(found).toEqual(expect.arrayContaining(titles))
})

test('the worker leaves pages and files to the network', async ({ page, server }) => {
  const { worker } = await registerWorker(page)
  await openDashboard(page)
  expect(await page.evaluate(() => navigator.serviceWorker.controller !== null)).toBe(true)
  expect(await worker.evaluate(() => caches.keys())).toEqual([])
  const files: boolean[] = []
  page.on('response', (answer) => {
    if (answer.url().startsWith(`${server.url}/assets/`)) files.push(answer.fromServiceWorker())
  })
  await page.goto('/dashboard?tab=analytics')
  await expect(page.getByRole('heading', { name: 'Analytics' }).first()).toBeVisible()
  expect(files).not.toContain(true)
  expect(await worker.evaluate(() => caches.keys())).toEqual([])
})

test('without a network the app says so, and goes on when it is back', async ({
  page,
  context,
  problems,
}) => {
  problems.expect(/ERR_INTERNET_DISCONNECTED|status of 503/)
  await registerWorker(page)
  await context.setOffline(true)
  await page.goto('/dashboard?tab=analytics')
  await expect(page.getByRole('heading', { name: 'You are offline' })).toBeVisible()
  await expectWellMade(page)
  await page.setViewportSize({ width: 320, height: 640 })
  await expectNoSideways(page)
  await context.setOffline(false)
  await page.getByRole('link', { name: 'Try again' }).click()
  await expect(page).toHaveURL(/tab=analytics/)
  await expect(page.getByRole('heading', { name: 'Analytics' }).first()).toBeVisible()
})

test('the icon of the app counts what is shown, and on the dashboard what is unread', async ({
  page,
}) => {
  await expect.poll(() => page.evaluate(() => window.counts)).toEqual([0])
  const { deliver, tap, seen } = await registerWorker(page)
  await deliver(JSON.stringify({ ...ALERT, title: 'One', tag: 'one', url: '/' }))
  await deliver(JSON.stringify({ ...ALERT, title: 'Two', tag: 'two', url: '/' }))
  await tap('One')
  await expect.poll(seen).toMatchObject({ counts: [1, 2, 1] })
})

declare global {
  interface Window {
    counts: (number | undefined)[]
  }
}
