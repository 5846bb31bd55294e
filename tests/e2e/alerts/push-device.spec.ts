import type { Page } from '@playwright/test'
import { WHOLE } from '#tests/e2e/support/chromium.ts'
import { signIn } from '#tests/e2e/support/dashboard.ts'
import { openReady, toast } from '#tests/e2e/support/page.ts'
import { registerWorker } from '#tests/e2e/support/push.ts'
import { test } from '#tests/e2e/support/push-service.ts'
import { expect, expectWellMade } from '#tests/e2e/support/test.ts'

const PAGE = '/settings/notifications'
const CHROME =
  'Mozilla/5.0 (Linux; Android 10; K) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/131.0.0.0 Mobile Safari/537.36'

// Its shell shows no notifications.
test.use({ userAgent: CHROME, launchOptions: WHOLE })

const allow = (page: Page) => page.getByRole('button', { name: 'Allow on this device' })
/** The row of this browser, with its buttons. */
const here = (page: Page) =>
  page.getByRole('listitem').filter({ has: page.getByText('Push on this device') })
const devices = (page: Page) => page.getByText('Chrome on Android', { exact: true })

async function allowHere(page: Page) {
  await openReady(page, PAGE)
  await allow(page).click()
  await expect(toast(page, 'Alerts come to this device')).toBeVisible()
  await expect(devices(page)).toHaveCount(1)
}

test('a device is allowed, gets a test that leads back, is removed here or in the list, and is not of the next person', async ({
  page,
  context,
  server,
  subscribed,
}) => {
  await signIn(context, server)
  await openReady(page, PAGE)
  const worker = await registerWorker(page)
  await allowHere(page)
  await expect(here(page)).toContainText('Alerts come to this device.')
  await expect(allow(page)).toBeHidden()

  await page.getByRole('button', { name: 'Send a test to Push: Chrome on Android' }).click()
  await expect(toast(page, 'The test arrived')).toBeVisible()
  const [push] = subscribed.pushes
  expect(push?.payload).toMatchObject({ title: 'Test from DriveQR', url: server.url + PAGE })
  await page.goto('/terms')
  await worker.deliver(JSON.stringify(push?.payload))
  await worker.tap('Test from DriveQR')
  await expect.poll(worker.seen).toMatchObject({ opened: [server.url + PAGE] })

  await openReady(page, PAGE)
  await here(page).getByRole('button', { name: 'Remove' }).click()
  await expect(toast(page, 'Alerts do not come to this device any more')).toBeVisible()
  await expect(devices(page)).toHaveCount(0)
  await expect(allow(page)).toBeEnabled()
  await expectWellMade(page)
  await allow(page).click()
  await expect(devices(page)).toHaveCount(1)

  await page.getByRole('link', { name: 'Remove Push: Chrome on Android' }).click()
  await page.getByRole('dialog').getByRole('button', { name: 'Remove' }).click()
  await expect(devices(page)).toHaveCount(0)
  await expect(allow(page)).toBeEnabled()
  await allow(page).click()
  await expect(devices(page)).toHaveCount(1)
  expect(subscribed.pushes).toHaveLength(1)

  await page.goto('/terms')
  await context.clearCookies()
  await signIn(context, server)
  await openReady(page, PAGE)
  await expect(allow(page)).toBeEnabled()
  await expect(devices(page)).toHaveCount(0)
})

test('a subscription that the browser makes anew is told to the server', async ({
  page,
  context,
  server,
  subscribed,
}) => {
  await signIn(context, server)
  await openReady(page, PAGE)
  const { worker } = await registerWorker(page)
  await page.evaluate(subscribeAlone)
  await worker.evaluate((subscription) => {
    PushManager.prototype.getSubscription = async () => null
    PushManager.prototype.subscribe = async () =>
      ({ toJSON: () => subscription }) as unknown as PushSubscription
    const event = new Event('pushsubscriptionchange')
    dispatchEvent(Object.assign(event, { waitUntil() {} }))
  }, subscribed.subscription)
  const kinds = async () => {
    const { channels } = await (await page.request.get('/api/notifications/channels')).json()
    return channels.map(({ type }: { type: string }) => type)
  }
  await expect.poll(kinds).toContain('push')
  await openReady(page, PAGE)
  await expect(here(page)).toContainText('Alerts come to this device.')
  await expect(allow(page)).toBeHidden()
  await page.getByRole('button', { name: 'Send a test to Push: Chrome on Android' }).click()
  await expect(toast(page, 'The test arrived')).toBeVisible()
  expect(subscribed.pushes).toHaveLength(1)
})

test('the next page renews a lost subscription, for its own account alone', async ({
  page,
  context,
  server,
}) => {
  const readChannels = async () =>
    (await (await page.request.get('/api/notifications/channels')).json()).channels as {
      id: string
      type: string
    }[]
  const kinds = async () => (await readChannels()).map(({ type }) => type)
  /** The push service has ended it: the browser and the server know it no more. */
  async function lose() {
    const ids = (await readChannels()).flatMap(({ id, type }) => (type === 'push' ? [id] : []))
    await page.evaluate(async (ids) => {
      localStorage.removeItem('subscribed for')
      for (const id of ids) await fetch(`/api/notifications/channels/${id}`, { method: 'DELETE' })
    }, ids)
  }
  await signIn(context, server)
  await allowHere(page)
  await lose()
  await openReady(page, '/dashboard')
  await expect.poll(kinds).toContain('push')

  await lose()
  await page.goto('/terms')
  await context.clearCookies()
  await signIn(context, server)
  const asked = page.waitForResponse('**/api/auth/me')
  await openReady(page, '/dashboard')
  await asked
  await openReady(page, PAGE)
  await expect(allow(page)).toBeEnabled()
  expect(await kinds()).not.toContain('push')
})

/** The browser has a subscription that the server does not know. */
async function subscribeAlone() {
  const { vapid_public_key } = await (await fetch('/api/notifications/settings')).json()
  const { pushManager } = await navigator.serviceWorker.ready
  await pushManager.subscribe({ applicationServerKey: vapid_public_key })
}

test('a refusal of the server or the push service is shown, and can be tried again', async ({
  page,
  context,
  server,
  problems,
  subscribed,
}) => {
  problems.expect(/status of 409/)
  await signIn(context, server)
  await openReady(page, PAGE)
  await page.route('**/api/notifications/channels', (route) =>
    route.fulfill({ status: 409, json: { detail: 'There are 20 channels already' } }),
  )
  await allow(page).click()
  await expect(toast(page, 'There are 20 channels already')).toBeVisible()
  await page.evaluate(() => {
    PushManager.prototype.getSubscription = async () => null
    PushManager.prototype.subscribe = () => Promise.reject(new DOMException('', 'AbortError'))
  })
  await allow(page).click()
  await expect(toast(page, 'This browser’s alert service does not answer')).toBeVisible()
  await expect(allow(page)).toBeEnabled()
  expect(subscribed.pushes).toEqual([])
})

test('without script the row says that it needs JavaScript', async ({ browser, server }) => {
  const context = await browser.newContext({ javaScriptEnabled: false, baseURL: server.url })
  await signIn(context, server)
  const page = await context.newPage()
  await page.goto(PAGE)
  // Playwright does not count the text of this element as text of its parents.
  const note = here(page).locator('noscript')
  await expect(note.locator('span')).toHaveText('It needs JavaScript.')
  const before = await note.evaluate(({ previousSibling }) => previousSibling?.textContent)
  expect(before, 'what parts two sentences').toBe(' ')
  await expect(note.locator('span')).toBeVisible()
  await expect(allow(page)).toBeHidden()
  await context.close()
})

const CANNOT: [string, () => void, RegExp][] = [
  [
    'without push',
    () => Reflect.deleteProperty(window, 'PushManager'),
    /This browser shows no alerts/,
  ],
  [
    'of an iPhone, outside of the home screen',
    () => {
      Reflect.deleteProperty(window, 'PushManager')
      Object.assign(navigator, { standalone: false })
    },
    /tap Share, then Add to Home Screen/,
  ],
  [
    'on a page without https',
    () => Object.defineProperty(window, 'isSecureContext', { value: false }),
    /where the address begins with https/,
  ],
  [
    'that blocks notifications',
    () => Object.defineProperty(Notification, 'permission', { value: 'denied' }),
    /Allow them beside the address/,
  ],
  [
    'that refuses to tell',
    () => {
      navigator.serviceWorker.getRegistration = () =>
        Promise.reject(new DOMException('', 'SecurityError'))
    },
    /This browser shows no alerts/,
  ],
]

test('a browser that cannot get alerts says why, and offers nothing that would fail', async ({
  context,
  server,
}) => {
  await signIn(context, server)
  for (const [n, [title, make, words]] of CANNOT.entries()) {
    await test.step(title, async () => {
      const page = await context.newPage()
      await page.addInitScript(make)
      await openReady(page, PAGE)
      await expect(here(page)).toContainText(words)
      await expect(allow(page)).toBeHidden()
      if (n === 0) await expectWellMade(page)
      await page.close()
    })
  }
})

/** Chromium offers it after its own checks, at a time of its own. */
function offerInstall() {
  const prompt = async () => {
    document.documentElement.dataset.asked = 'yes'
  }
  const event = new Event('beforeinstallprompt', { cancelable: true })
  dispatchEvent(Object.assign(event, { prompt }))
  return event.defaultPrevented
}

test('the app is offered by a button of its own, once on a device', async ({
  page,
  context,
  server,
}) => {
  await signIn(context, server)
  await openReady(page, PAGE)
  await expect(allow(page)).toBeEnabled()
  const install = here(page).getByRole('button', { name: 'Install', exact: true })
  await expect(install).toHaveCount(0)
  expect(await page.evaluate(offerInstall), 'without a banner of the browser').toBe(true)
  await expect(here(page)).toContainText('open it from your home screen')
  await expectWellMade(page)
  await install.click()
  await expect(page.locator('[data-asked]')).toHaveCount(1)
  await expect(install).toHaveCount(0)
  await openReady(page, PAGE)
  await expect(allow(page)).toBeEnabled()
  expect(await page.evaluate(offerInstall)).toBe(true)
  await expect(install).toHaveCount(0)
})

test('a new code offers alerts of its scans, which the button asks for', async ({
  page,
  context,
  server,
}) => {
  const { codes } = await signIn(context, server, {}, [{}])
  await openReady(page, `/dashboard/qr/${codes[0]?.qr_id}/made`)
  await expect(page.getByText('Tell me when somebody scans')).toBeVisible()
  await expectWellMade(page)
  await allow(page).click()
  await expect(toast(page, 'Alerts come to this device')).toBeVisible()
  await expect(page.getByText('Tell me when somebody scans')).toHaveCount(0)
  await expect(page.getByText('Add your papers')).toBeVisible()
  const answer = await page.request.get('/api/notifications/settings')
  expect((await answer.json()).events.scan).toMatchObject({ push: true, email: false })
})
