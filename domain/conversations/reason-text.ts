import type { Thing } from '#domain/codes/visibility.ts'
import type { MessageReason } from '#domain/conversations/conversation.ts'
import { type Catalogue, en } from '#locales/catalogue.ts'

/** Returns the reason of a message for the code's user, whose pages and mails are in English. */
export function ownersReasonText(reason: MessageReason, thing: Thing): string {
  return reasonText(en, reason, thing)
}

/** Returns the reason of a message in the finder's language. Only a found thing has its own words. */
export function reasonText(words: Catalogue, reason: MessageReason, thing: Thing): string {
  return reason === 'found' ? words.scan.things[thing].reason : words.message.reasons[reason]
}
