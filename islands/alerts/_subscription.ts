/** Subscribes this browser for pushes of this installation, whose public VAPID key it is. */
export async function subscribe(
  { pushManager }: ServiceWorkerRegistration,
  vapidKey: string,
): Promise<PushSubscription> {
  const old = await pushManager.getSubscription()
  if (old && isFor(old, vapidKey)) return old
  // The installation has other keys than it had.
  await old?.unsubscribe()
  return pushManager.subscribe({ userVisibleOnly: true, applicationServerKey: vapidKey })
}

/** Returns whether this installation can send to the subscription. */
export function isFor({ options }: PushSubscription, vapidKey: string): boolean {
  const { applicationServerKey: key } = options
  return key !== null && toBase64Url(new Uint8Array(key)) === vapidKey
}

/** Returns the hash by which the server lets the browser recognise its subscription. */
export async function hashEndpoint({ endpoint }: PushSubscription): Promise<string> {
  const hash = await crypto.subtle.digest('SHA-256', new TextEncoder().encode(endpoint))
  return [...new Uint8Array(hash)].map((byte) => byte.toString(16).padStart(2, '0')).join('')
}

function toBase64Url(bytes: Uint8Array): string {
  const base64 = btoa(String.fromCharCode(...bytes))
  return base64.replaceAll('+', '-').replaceAll('/', '_').replace(/=+$/, '')
}
