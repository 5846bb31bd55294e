/**
 * The service worker (`/sw.js`). It shows pushes and opens their pages, and shows a page of its own when a page
 * cannot be reached. It keeps no files, so pages are as they are without it.
 */
import type { PushPayload } from '#domain/alerts/push.ts'
import { offlinePage } from '#islands/alerts/_offline-page.ts'
import { subscribe } from '#islands/alerts/_subscription.ts'

/** Opened in place of a page that cannot be opened. */
const HOME = '/dashboard'

type Lasting = { waitUntil(work: Promise<unknown>): void }
type Events = {
  install: Lasting
  activate: Lasting
  push: Lasting & { data: { text(): string } | null }
  notificationclick: Lasting & { notification: Notification }
  notificationclose: Lasting
  pushsubscriptionchange: Lasting
}
type PageWindow = { url: string; focus(): Promise<unknown> }

/** A global of service workers, which the types of pages lack. */
declare const registration: ServiceWorkerRegistration
declare const clients: {
  matchAll(options: { type: 'window'; includeUncontrolled: true }): Promise<PageWindow[]>
  openWindow(url: string): Promise<unknown>
}
declare function skipWaiting(): Promise<void>

/** A request that the worker may answer; `preloadResponse` was requested while the worker started. */
type Fetching = Event & {
  request: Request
  preloadResponse: Promise<Response | undefined>
  respondWith(answer: Promise<Response>): void
}

/** The browser keeps the worker alive until the work is done. */
function on<E extends keyof Events>(type: E, work: (event: Events[E]) => Promise<unknown>): void {
  addEventListener(type, (event) => {
    const lasting = event as unknown as Events[E]
    lasting.waitUntil(work(lasting))
  })
}

on('install', () => skipWaiting())
// Older browsers start the worker before they request a page.
on('activate', async () => registration.navigationPreload?.enable())
addEventListener('fetch', (event) => {
  const { request } = event as Fetching
  // A form that was not sent stays on its page.
  if (request.mode !== 'navigate' || request.method !== 'GET') return
  const fetching = event as Fetching
  fetching.respondWith(reach(fetching))
})
on('push', ({ data }) => inTurn(() => show(readPayload(data?.text()))))
on('notificationclick', async ({ notification }) => {
  notification.close()
  await Promise.all([inTurn(showCount), open(inside(notification.data))])
})
on('notificationclose', () => inTurn(showCount))
on('pushsubscriptionchange', renew)

async function reach({ request, preloadResponse }: Fetching): Promise<Response> {
  try {
    return (await preloadResponse) ?? (await fetch(request))
  } catch {
    return offlinePage(navigator.languages)
  }
}

let turn: Promise<unknown> = Promise.resolve()

/**
 * Runs notifications one after another. Those that waited for a phone arrive together, and Chromium
 * drops one that is made while others are listed.
 */
function inTurn(work: () => Promise<unknown>): Promise<unknown> {
  turn = turn.then(work, work)
  return turn
}

/** A browser ends the subscription if a push shows nothing, so one that cannot be read does too. */
function readPayload(text = ''): PushPayload {
  try {
    return JSON.parse(text)
  } catch {
    return { title: 'There is something new', body: '', url: HOME, tag: 'new', isUnmarked: true }
  }
}

async function show({ title, body, url, tag, isUnmarked }: PushPayload): Promise<void> {
  const shown = await registration.getNotifications({ tag })
  // One that was sent twice is not heard twice.
  const renotify = shown.every((each) => each.body !== body)
  const icon = isUnmarked ? {} : { icon: '/assets/icon-192.png' }
  const options = { body, tag, renotify, data: url, ...icon }
  await registration.showNotification(title, options)
  await showCount()
}

/** On the icon of the installed app: how many notifications are there. */
async function showCount(): Promise<void> {
  if (!('setAppBadge' in navigator)) return
  const shown = await registration.getNotifications()
  await navigator.setAppBadge(shown.length)
}

/** An address of this origin; the front page in place of another one. */
function inside(url: unknown): string {
  const { origin, protocol } = location
  const home = new URL(HOME, origin)
  if (typeof url !== 'string' || !URL.canParse(url, origin)) return home.href
  const there = new URL(url, origin)
  // A `blob:` URL has the origin of its creator.
  return there.origin === origin && there.protocol === protocol ? there.href : home.href
}

/** Shows the window that has the page already, or a new one. */
async function open(url: string): Promise<void> {
  const windows = await clients.matchAll({ type: 'window', includeUncontrolled: true })
  const there = windows.find((each) => each.url === url)
  await (there ? there.focus() : clients.openWindow(url))
}

/** The browser has ended its subscription by itself: it gets another one, which the server is told. */
async function renew(): Promise<void> {
  const { vapid_public_key } = await call('/api/notifications/settings')
  const subscription = await subscribe(registration, vapid_public_key)
  const body = JSON.stringify({ type: 'push', subscription })
  const headers = { 'Content-Type': 'application/json' }
  await call('/api/notifications/channels', { method: 'POST', headers, body })
}

async function call(path: string, init?: RequestInit) {
  const answer = await fetch(path, init)
  if (!answer.ok) throw new Error(`${path}: ${answer.status}`)
  return answer.json()
}
