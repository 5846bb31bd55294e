import type { Guesser } from '#db/accounts/wrong-guesses.ts'
import type { Account } from '#db/schema.ts'
import { hashToken, randomToken } from '#db/secrets.ts'
import { currentDevice } from '#routes/_http/accounts/known-device.ts'
import { clientNetwork } from '#routes/_http/client-address.ts'
import { readBrowserCookie, setBrowserCookie } from '#routes/_http/cookies.ts'
import type { AppContext } from '#routes/_http/deps.ts'
import type { Limited } from '#routes/_http/rate-limits.ts'

/** Whose wrong guesses a request's are counted with, by the contact as it was typed. */
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

/** What a known device does is counted by the device: its neighbours cannot use that up. */
export function unlessKnown({ device }: Guesser, limited: Limited): Limited[] {
  return device ? [] : [limited]
}

/**
 * Whose turn it is to have a password hashed: `whose` it is, which may be long and is hashed, and
 * the network that asks for it.
 */
export function passwordTurn(c: AppContext, whose: string): string[] {
  return [`account ${hashToken(whose)}`, `network ${clientNetwork(c).name}`]
}

/** Gives a browser the secret that its one-time codes are bound to, or keeps the one it has. */
export function keepBrowser(c: AppContext): void {
  setBrowserCookie(c, readBrowserCookie(c) ?? randomToken())
}

/** What is kept of that secret; '' for all callers without one, who count as one browser. */
export function browserHash(c: AppContext): string {
  const secret = readBrowserCookie(c)
  return secret ? hashToken(secret) : ''
}
