/** Remembers this browser's subscription for alerts, and replaces one that was lost without a sign. */
import { callApi } from '#islands/_api.ts'
import { hashEndpoint, subscribe } from '#islands/alerts/_subscription.ts'

const WORKER = '/sw.js'
/** The boot script looks for it, too. */
const KEPT = 'driveqr_push'

/** The account that allowed this browser: another one that signs in here does not get its alerts. */
type Kept = { account: string; hash: string }

/** Subscribes this browser and adds it to the account. */
export async function subscribeHere(vapidKey: string): Promise<void> {
  await navigator.serviceWorker.register(WORKER)
  const registration = await navigator.serviceWorker.ready
  const subscription = await subscribe(registration, vapidKey)
  await callApi('POST', '/notifications/channels', { type: 'push', subscription })
  await rememberDevice(subscription)
}

export async function rememberDevice(subscription: PushSubscription): Promise<void> {
  const kept: Kept = { account: await readAccountId(), hash: await hashEndpoint(subscription) }
  localStorage.setItem(KEPT, JSON.stringify(kept))
}

export function isRemembered(): boolean {
  return localStorage.getItem(KEPT) !== null
}

export function forgetDevice(): void {
  localStorage.removeItem(KEPT)
}

/** Subscribes again where the subscription is missing or another one, for the account that allowed it. */
export async function renewDevice(): Promise<void> {
  const kept = JSON.parse(localStorage.getItem(KEPT) ?? 'null') as Kept | null
  if (!kept || Notification.permission !== 'granted') return
  const registration = await navigator.serviceWorker.getRegistration()
  const now = await registration?.pushManager.getSubscription()
  if (now && (await hashEndpoint(now)) === kept.hash) return
  if ((await readAccountId()) !== kept.account) return
  const { vapid_public_key } = await callApi<{ vapid_public_key: string }>(
    'GET',
    '/notifications/settings',
  )
  await subscribeHere(vapid_public_key)
}

async function readAccountId(): Promise<string> {
  const { user } = await callApi<{ user: { id: string } }>('GET', '/auth/me')
  return user.id
}
