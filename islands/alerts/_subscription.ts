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

/** Whether this installation can send to it. */
export function isFor({ options }: PushSubscription, vapidKey: string): boolean {
  const { applicationServerKey: key } = options
  return key !== null && toBase64Url(new Uint8Array(key)) === vapidKey
}

function toBase64Url(bytes: Uint8Array): string {
  const base64 = btoa(String.fromCharCode(...bytes))
  return base64.replaceAll('+', '-').replaceAll('/', '_').replace(/=+$/, '')
}
