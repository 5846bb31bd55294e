import { callApi } from '#islands/_api.ts'
import { isGone } from '#islands/_api-problem.ts'
import {
  forgetDevice,
  isRemembered,
  rememberDevice,
  subscribeHere,
} from '#islands/alerts/_kept-device.ts'
import { hashEndpoint, isFor } from '#islands/alerts/_subscription.ts'

export type DeviceState =
  /** not an address with https */
  | 'insecure'
  /** an iPhone or iPad, which has push only on its home screen */
  | 'not-installed'
  | 'unsupported'
  /** somebody refused notifications of this site */
  | 'blocked'
  | 'off'
  | 'on'

type Home = { standalone?: boolean }

/** A browser as the server knows it. The browser can have got another endpoint since. */
export type KnownDevice = { id: string; endpoint_hash: string | null }

/** Finds the state of pushes in this browser, and its channel in the account. */
export async function lookAtDevice(
  vapidKey: string,
  channels: KnownDevice[],
): Promise<{ state: DeviceState; id?: string }> {
  if (!isSecureContext) return { state: 'insecure' }
  if (!('serviceWorker' in navigator && 'PushManager' in window && 'Notification' in window)) {
    return { state: (navigator as Home).standalone === false ? 'not-installed' : 'unsupported' }
  }
  if (Notification.permission === 'denied') return { state: 'blocked' }
  const subscription = await findSubscription()
  if (!subscription || !isFor(subscription, vapidKey)) return { state: 'off' }
  const hash = await hashEndpoint(subscription)
  const here = channels.find(({ endpoint_hash }) => endpoint_hash === hash)
  if (!here) return { state: 'off' }
  if (!isRemembered()) await rememberDevice(subscription)
  return { state: 'on', id: here.id }
}

/** Asks the user, subscribes this browser and adds it to the account. False if it was not allowed. */
export async function allowDevice(vapidKey: string): Promise<boolean> {
  if ((await Notification.requestPermission()) !== 'granted') return false
  await subscribeHere(vapidKey)
  return true
}

/** Takes this browser out of the account, and ends its subscription. */
export async function removeDevice(id: string): Promise<boolean> {
  forgetDevice()
  try {
    await callApi('DELETE', `/notifications/channels/${id}`)
  } catch (error) {
    // It was already removed on another device.
    if (!isGone(error)) throw error
  }
  await (await findSubscription())?.unsubscribe()
  return true
}

async function findSubscription(): Promise<PushSubscription | null | undefined> {
  return (await navigator.serviceWorker.getRegistration())?.pushManager.getSubscription()
}
