import { displayPhone } from '#domain/accounts/phone.ts'
import type { Thing } from '#domain/codes/visibility.ts'
import type { MessageReason } from '#domain/conversations/conversation.ts'
import { ownersReasonText } from '#domain/conversations/reason-text.ts'
import { formatCount } from '#domain/number.ts'
import { quotedName, unlinked } from '#domain/text.ts'
import type { Catalogue } from '#locales/catalogue.ts'
import { codeName } from '#mail/alerts.ts'
import { type MailBrand, type WrittenLetter, writeLetter } from '#mail/letter.ts'

type Person = Parameters<typeof codeName>[0]['person']
type Written = {
  site: string
  /** of the conversation in the dashboard */
  url: string
  qr_id: string
  vehicle_registration: string | null
  owner_name: string | null
  /** the reader, if the code is another's */
  person?: Person | undefined
  reason: MessageReason
  thing: Thing
  name: string | null
  place: string | null
  /** null unless the finder ticked that it may be shown */
  reply_to: string | null
  hasLocation: boolean
  hasPhoto: boolean
  /** of all messages since the last mail; the text of the first one may be empty */
  texts: string[]
}

/**
 * Writes the mail to the code's user about a finder's message. It quotes the finder's text, and
 * makes no link of it.
 */
export function finderWroteMail(written: Written): WrittenLetter {
  const { site, url, name, place, reply_to, hasLocation, hasPhoto } = written
  const reason = ownersReasonText(written.reason, written.thing)
  const texts = written.texts.filter(Boolean)
  const shared = [...(hasLocation ? ['location'] : []), ...(hasPhoto ? ['photo'] : [])]
  return writeLetter({
    subject: `${reason} · ${codeName(written)}`,
    site,
    reason: `${name ? quotedName(name) : 'Somebody'} wrote ${written.person ? '' : 'to you '}about ${codeName(written)}: ${reason}`,
    parts: [
      ...texts.map((text) => ({ quote: unlinked(text) })),
      ...(place ? [`Where it is: ${quotedName(place)}`] : []),
      ...(shared.length > 0 ? [`In your dashboard: a ${shared.join(' and a ')}.`] : []),
      ...(reply_to ? [`How to reach them: ${shownContact(reply_to)}`] : []),
      { label: 'Read and answer', url },
    ],
  })
}

type Many = Pick<
  Written,
  'site' | 'url' | 'qr_id' | 'vehicle_registration' | 'owner_name' | 'person'
> & {
  messages: number
}

/** Writes the mail to the code's user about messages that are told together, because there are many. */
export function moreMessagesMail({ site, url, messages, ...code }: Many): WrittenLetter {
  const name = codeName(code)
  const more = `${formatCount(messages)} more ${messages === 1 ? 'message' : 'messages'}`
  return writeLetter({
    subject: `${more} · ${name}`,
    site,
    reason: `Finders sent ${more} about ${name}. There are many now, so we tell you every ten minutes.`,
    parts: [{ label: 'Read and answer', url }],
  })
}

/** The most characters of an alert that is no mail. */
const LONGEST_BODY = 500

/**
 * Returns finders' messages as the body of an alert, if they have text. Only the mail has their
 * contact and place.
 */
export function wroteText(texts: string[]): { body?: string } {
  const text = unlinked(texts.filter(Boolean).join('\n'))
  if (!text) return {}
  if (text.length <= LONGEST_BODY) return { body: text }
  // Half a character at the cut.
  return { body: `${text.slice(0, LONGEST_BODY - 1).replace(/[\ud800-\udbff]$/, '')}…` }
}

type AnsweredReport = Pick<Written, 'site' | 'qr_id' | 'vehicle_registration' | 'owner_name'> & {
  text: string
}

/** Writes the mail to an account whose report about a conversation a moderator answers. */
export function reportAnsweredMail({ site, text, ...code }: AnsweredReport): WrittenLetter {
  const name = codeName(code)
  return writeLetter({
    subject: `About your report · ${name}`,
    site,
    reason: `You reported a conversation about ${name}. A moderator answers:`,
    parts: [
      { quote: unlinked(text) },
      'Is somebody in danger? Call 112 first. Nobody reads answers to this mail.',
    ],
  })
}

/** Writes the mail to the finder. It does not contain the answer, which may be a number. */
export function ownerAnsweredMail({ words, site, url, brand }: Answered): WrittenLetter {
  const { subject, reason, read, secret, stop } = words.mails.answered
  return writeLetter({
    words,
    subject,
    site,
    reason,
    parts: [{ label: read, url }, secret, stop],
    brand,
  })
}

type Answered = {
  words: Catalogue
  site: string
  url: string
  brand: MailBrand | undefined
}

function shownContact(contact: string): string {
  return contact.includes('@') ? contact : displayPhone(contact)
}
