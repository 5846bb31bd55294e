import type { Guesser } from '#db/accounts/wrong-guesses.ts'
import type { Account } from '#db/schema.ts'
import { hashToken, randomToken } from '#db/secrets.ts'
import { currentDevice } from '#routes/_http/accounts/known-device.ts'
import { clientNetwork } from '#routes/_http/client-address.ts'
import type { AppContext } from '#routes/_http/context.ts'
import { readBrowserCookie, setBrowserCookie } from '#routes/_http/cookies.ts'
import type { Limited } from '#routes/_http/rate-limits.ts'

/** The keys by which wrong guesses of this request are counted. */
export function guesserOf(
  c: AppContext,
  account: Account | undefined,
  ...typed: string[]
): Guesser {
  const contacts = new Set([...typed, account?.email, account?.mobile])
  const device = account && currentDevice(c, account)
  return {
    contacts: [...contacts].filter((contact) => typeof contact === 'string'),
    network: clientNetwork(c).name,
    device: device && { id: device.id, accountId: account.id },
  }
}

/** A known device is counted separately, so that its network cannot use up its limit. */
export function unlessKnown({ device }: Guesser, limited: Limited): Limited[] {
  return device ? [] : [limited]
}

/**
 * The keys of the queue for hashing passwords: the account or contact `whose` password it is, and
 * the network of the request.
 */
export function passwordTurn(c: AppContext, whose: string): string[] {
  return [`account ${hashToken(whose)}`, `network ${clientNetwork(c).name}`]
}

/** Sets the cookie that one-time codes are bound to, keeping its value if the browser has one. */
export function keepBrowser(c: AppContext): void {
  setBrowserCookie(c, readBrowserCookie(c) ?? randomToken())
}

/** The hash of that secret; '' for callers without the cookie, who count as one browser. */
export function browserHash(c: AppContext): string {
  const secret = readBrowserCookie(c)
  return secret ? hashToken(secret) : ''
}
