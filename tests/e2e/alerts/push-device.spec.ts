import type { Page } from '@playwright/test'
import { vapidKeys } from '#mail/channels/vapid-keys.ts'
import { signIn } from '#tests/e2e/support/dashboard.ts'
import { openDashboard, toast } from '#tests/e2e/support/page.ts'
import { expect, expectWellMade, test } from '#tests/e2e/support/test.ts'
import { keysOf, newBrowser } from '#tests/support/web-push.ts'

const { publicKey } = vapidKeys(Buffer.alloc(32, 7))
const ENDPOINT = 'https://push.example/one'
const ALLOW = { name: 'Allow on this device' } as const

/** Puts the row on the page, as Settings has it. */
async function placeRow(page: Page, channels: string[] = []) {
  const props = JSON.stringify({ vapidKey: publicKey, channels })
  await page.evaluate((props) => {
    const island = document.createElement('drive-island')
    island.setAttribute('name', 'push-device')
    island.setAttribute('props', props)
    island.setAttribute('prefix', 'test-')
    const row = document.createElement('li')
    row.append(island)
    const rows = document.createElement('ul')
    rows.append(row)
    document.getElementById('panel')?.prepend(rows)
  }, props)
  await expect(page.locator('drive-island[name="push-device"][ready]')).toHaveCount(1)
}

/** The page shows what the server has now, without the row that the test has placed. */
async function untilReloaded(page: Page) {
  await expect(page.locator('drive-island[name="push-device"]')).toHaveCount(0)
}

/** A browser that subscribes at a push service of its own; Chromium has none without its vendor. */
async function fakePushService(page: Page) {
  const { p256dh, auth } = keysOf(newBrowser())
  await page.addInitScript(
    ({ endpoint, p256dh, auth }) => {
      let current: PushSubscription | null = null
      const { prototype } = PushManager
      prototype.getSubscription = async () => current
      prototype.subscribe = async (options) => {
        const key = String(options?.applicationServerKey).replaceAll('-', '+').replaceAll('_', '/')
        const applicationServerKey = Uint8Array.from(atob(key), (each) => each.charCodeAt(0)).buffer
        const keys = { p256dh, auth }
        current = {
          endpoint,
          options: { userVisibleOnly: true, applicationServerKey },
          toJSON: () => ({ endpoint, expirationTime: null, keys }),
          async unsubscribe() {
            current = null
            return true
          },
        } as unknown as PushSubscription
        return current
      }
    },
    { endpoint: ENDPOINT, p256dh, auth },
  )
  return { endpoint: ENDPOINT, expirationTime: null, keys: { p256dh, auth } }
}

test('a device is allowed, is known when the page is opened again, and is removed', async ({
  page,
  context,
  server,
}) => {
  await signIn(context, server)
  await context.grantPermissions(['notifications'])
  const subscription = await fakePushService(page)
  const calls: unknown[] = []
  await page.route('**/api/notifications/channels**', async (route) => {
    const request = route.request()
    calls.push([request.method(), new URL(request.url()).pathname, request.postDataJSON()])
    await route.fulfill({ status: 201, json: { id: 'channel-1' } })
  })
  await openDashboard(page)
  await placeRow(page)
  await page.getByRole('button', ALLOW).click()
  await expect(toast(page, 'Alerts come to this device')).toBeVisible()
  await untilReloaded(page)
  expect(calls).toEqual([['POST', '/api/notifications/channels', { type: 'push', subscription }]])

  await placeRow(page, ['another', 'channel-1'])
  await expect(page.getByText('Alerts come to this device.')).toBeVisible()
  await expect(page.getByRole('button', ALLOW)).toBeHidden()
  await page.getByRole('button', { name: 'Remove' }).click()
  await expect(toast(page, 'Alerts do not come to this device any more')).toBeVisible()
  await untilReloaded(page)
  expect(calls.slice(1)).toEqual([['DELETE', '/api/notifications/channels/channel-1', null]])
  const left = () =>
    page.evaluate(async () => (await navigator.serviceWorker.ready).pushManager.getSubscription())
  expect(await left()).toBeNull()
  await placeRow(page, ['another'])
  await expect(page.getByRole('button', ALLOW)).toBeEnabled()
})

test('a device that was removed elsewhere can be allowed again', async ({
  page,
  context,
  server,
}) => {
  await signIn(context, server)
  await context.grantPermissions(['notifications'])
  await fakePushService(page)
  await page.route('**/api/notifications/channels', (route) =>
    route.fulfill({ status: 201, json: { id: 'channel-1' } }),
  )
  await openDashboard(page)
  await placeRow(page)
  await page.getByRole('button', ALLOW).click()
  await expect(toast(page, 'Alerts come to this device')).toBeVisible()
  await untilReloaded(page)
  await placeRow(page, [])
  await expect(page.getByRole('button', ALLOW)).toBeEnabled()
})

test('what the server or the push service refuses is said, and can be tried again', async ({
  page,
  context,
  server,
  problems,
}) => {
  problems.expect(/status of 409/)
  await signIn(context, server)
  await context.grantPermissions(['notifications'])
  await fakePushService(page)
  await page.route('**/api/notifications/channels', (route) =>
    route.fulfill({ status: 409, json: { detail: 'There are 20 channels already' } }),
  )
  await openDashboard(page)
  await placeRow(page)
  await page.getByRole('button', ALLOW).click()
  await expect(toast(page, 'There are 20 channels already')).toBeVisible()
  await page.evaluate(() => {
    PushManager.prototype.getSubscription = async () => null
    PushManager.prototype.subscribe = () => Promise.reject(new DOMException('', 'AbortError'))
  })
  await page.getByRole('button', ALLOW).click()
  await expect(toast(page, 'The push service of this browser cannot be reached')).toBeVisible()
  await expect(page.getByRole('button', ALLOW)).toBeEnabled()
})

const CANNOT: [string, () => void, RegExp][] = [
  [
    'that has no push',
    () => Reflect.deleteProperty(window, 'PushManager'),
    /This browser cannot show alerts here/,
  ],
  [
    'that is an iPhone’s, outside of the home screen',
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
    /Allow them in its settings/,
  ],
  [
    'that refuses to tell',
    () => {
      navigator.serviceWorker.getRegistration = () =>
        Promise.reject(new DOMException('', 'SecurityError'))
    },
    /This browser cannot show alerts here/,
  ],
]

for (const [title, make, words] of CANNOT) {
  test(`a browser ${title} says so, and offers nothing that would fail`, async ({
    page,
    context,
    server,
  }) => {
    await signIn(context, server)
    await page.addInitScript(make)
    await openDashboard(page)
    await placeRow(page)
    await expect(page.getByText(words)).toBeVisible()
    await expect(page.getByRole('button', ALLOW)).toBeHidden()
    await expectWellMade(page)
  })
}
