import { DomainError } from '#domain/error.ts'

/** The payload of a push for the service worker, as JSON. A newer one with the same tag replaces the older. */
export type PushPayload = {
  title: string
  body: string
  url: string
  tag: string
  /** `isUnmarked` of the alert: the notification has no icon */
  isUnmarked?: true
}

/** The result of `PushSubscription.toJSON()`. */
export type Subscription = { endpoint: string; keys: { p256dh: string; auth: string } }

/** An uncompressed point of P-256, and 16 bytes, in base64url. */
const PUBLIC_KEY = /^B[A-P][\w-]{85}$/
const SECRET = /^[\w-]{22}$/

/** Returns the target of a browser's pushes. Throws invalid for keys that cannot encrypt. */
export function toPushTarget({ endpoint, keys }: Subscription) {
  const { p256dh, auth } = keys
  if (PUBLIC_KEY.test(p256dh) && SECRET.test(auth)) return { endpoint, p256dh, auth }
  throw new DomainError('invalid.subscription')
}

/** Returns whether browsers have push on pages of this origin: with https, or on the same machine. */
export function hasPush(origin: string): boolean {
  return origin.startsWith('https:') || isOfThisMachine(origin)
}

/** Returns whether only browsers on the server's own machine can open an origin without https. */
export function isOfThisMachine(origin: string): boolean {
  return /^http:\/\/(localhost|127(\.\d+){3}|\[::1\])(:|$)/.test(origin)
}
