import type { CDPSession, Page, Worker } from '@playwright/test'
import { expect } from '#tests/e2e/support/test.ts'

type Shown = { title: string; body: string; tag: string }

/** The worker's side of the watched events, and of acts that only a real tap may do. */
type Scope = {
  registration: ServiceWorkerRegistration
  clients: { openWindow(url: string): Promise<null> }
  WindowClient: { prototype: { focus(this: { url: string }): Promise<unknown> } }
  NotificationEvent: new (type: string, init: { notification: Notification }) => Event
  seen: Seen
}

/** The acts of the worker: windows that it opened or focused, and numbers on the app's icon. */
export type Seen = { opened: string[]; focused: string[]; counts: (number | undefined)[] }

/** The service worker of a page, with pushes as a push service would deliver them. */
export type PushWorker = {
  worker: Worker
  /** Resolves when the worker is done with it. */
  deliver(text: string): Promise<void>
  /** The notifications that are there. */
  shown(): Promise<Shown[]>
  /** Somebody taps the notification. */
  tap(title: string): Promise<void>
  seen(): Promise<Seen>
}

/** Registers the product's worker on the current page, with leave to show notifications. */
export async function registerWorker(page: Page): Promise<PushWorker> {
  const context = page.context()
  await context.grantPermissions(['notifications'])
  const { origin } = new URL(page.url())
  const session = await context.newCDPSession(page)
  const registrationId = idOfRegistration(session, `${origin}/`)
  await session.send('ServiceWorker.enable')
  const appeared = context.waitForEvent('serviceworker')
  await page.evaluate(async () => {
    await navigator.serviceWorker.register('/sw.js')
    await navigator.serviceWorker.ready
  })
  const worker = await appeared
  await worker.evaluate(watch)
  const shown = () => worker.evaluate(listShown)
  const seen = () => worker.evaluate(() => (self as unknown as Scope).seen)
  return {
    worker,
    shown,
    async deliver(data) {
      const push = { origin, registrationId: await registrationId, data }
      const before = (await seen()).counts.length
      await session.send('ServiceWorker.deliverPushMessage', push)
      await expect.poll(async () => (await seen()).counts.length).toBeGreaterThan(before)
    },
    async tap(title) {
      await expect.poll(async () => (await shown()).map((each) => each.title)).toContain(title)
      await worker.evaluate(tapIn, title)
    },
    seen,
  }
}

function idOfRegistration(session: CDPSession, scope: string): Promise<string> {
  return new Promise((resolve) => {
    session.on('ServiceWorker.workerRegistrationUpdated', ({ registrations }) => {
      const found = registrations.find((each) => each.scopeURL === scope)
      if (found) resolve(found.registrationId)
    })
  })
}

/** A browser opens and focuses windows only after a real tap, which no protocol can make. */
function watch(): void {
  const scope = self as unknown as Scope
  const seen: Seen = { opened: [], focused: [], counts: [] }
  scope.seen = seen
  scope.clients.openWindow = async (url) => {
    seen.opened.push(url)
    return null
  }
  scope.WindowClient.prototype.focus = async function focus() {
    seen.focused.push(this.url)
    return this
  }
  navigator.setAppBadge = async (count) => void seen.counts.push(count)
}

async function listShown(): Promise<Shown[]> {
  const all = await (self as unknown as Scope).registration.getNotifications()
  return all.map(({ title, body, tag }) => ({ title, body, tag }))
}

async function tapIn(title: string): Promise<void> {
  const { registration, NotificationEvent } = self as unknown as Scope
  const all = await registration.getNotifications()
  const notification = all.find((each) => each.title === title)
  if (!notification) throw new Error(`${title} is not shown`)
  const event = new NotificationEvent('notificationclick', { notification })
  // An event that a script has made may not prolong the worker's life.
  dispatchEvent(Object.assign(event, { waitUntil() {} }))
}
