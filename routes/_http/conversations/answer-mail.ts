import { mailboxOf } from '#domain/accounts/contact.ts'
import type { AppContext } from '#routes/_http/context.ts'
import { takeTry } from '#routes/_http/rate-limits.ts'

/** Limits mails to finders: who has a code can write to it, too, and name somebody else's address. */
export function mayMailFinder(c: AppContext): (address: string) => boolean {
  return (address) =>
    !takeTry(c, 'answer-mail') && !takeTry(c, ['answer-mail-contact', mailboxOf(address)])
}
