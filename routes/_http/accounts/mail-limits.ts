import { mailboxOf } from '#domain/accounts/contact.ts'
import { clientNetwork } from '#routes/_http/client-address.ts'
import type { AppContext } from '#routes/_http/context.ts'
import { type Limited, limit } from '#routes/_http/rate-limits.ts'

type Mailed = { accountId: string; address: string }

/**
 * Counts a mail of an account to an address by a limit of both, and by the limit of all accounts in the caller's
 * network: many accounts of one person must not fill a mailbox. Throws too_many.
 */
export function limitMailTo(
  c: AppContext,
  { accountId, address }: Mailed,
  ofAccount: 'transfer-contact' | 'share-mail-contact' | 'invite-contact',
  ...others: Limited[]
): void {
  const mailbox = mailboxOf(address)
  const ofPair = JSON.stringify([accountId, mailbox])
  const ofNetwork = JSON.stringify([mailbox, clientNetwork(c).name])
  limit(c, [ofAccount, ofPair], ['contact-mail', ofNetwork], ...others)
}
