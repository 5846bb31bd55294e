import { getCookie, setCookie } from 'hono/cookie'
import { senderOf } from '#actions/conversations/sender.ts'
import { keyedHash, randomId, sameHash } from '#db/secrets.ts'
import type { Sender } from '#domain/conversations/sender.ts'
import { exactClientAddress } from '#routes/_http/client-address.ts'
import type { AppContext } from '#routes/_http/context.ts'
import { cookieAttributes, sessionCookieName } from '#routes/_http/cookies.ts'

/** From the last visit of a form on: longer than any block holds. */
const LIFE_SECONDS = 31 * 86_400
const BROWSER = /^([\w-]{16})\.([0-9a-f]{64})$/

/** Returns the sender of a finder's request. */
export function senderOfRequest(c: AppContext): Sender {
  const address = exactClientAddress(c)
  return senderOf(c.var.deps, { address, browserId: readFinderBrowser(c) })
}

/**
 * Gives a finder's browser an id, or keeps the one that it has for longer. Limits and blocks hold for it instead of
 * for a whole network.
 */
export function keepFinderBrowser(c: AppContext): void {
  const id = readFinderBrowser(c) ?? randomId()
  const attributes = { ...cookieAttributes(c), maxAge: LIFE_SECONDS }
  setCookie(c, cookieName(c), `${id}.${macOf(c, id)}`, attributes)
}

/** Returns undefined also for an id that was not signed here. */
function readFinderBrowser(c: AppContext): string | undefined {
  const [, id, mac] = BROWSER.exec(getCookie(c, cookieName(c)) ?? '') ?? []
  return id && mac && sameHash(mac, macOf(c, id)) ? id : undefined
}

function macOf(c: AppContext, id: string): string {
  return keyedHash(c.var.deps.secretKey, 'finder browser', id)
}

function cookieName(c: AppContext): string {
  return `${sessionCookieName(c)}-finder`
}
