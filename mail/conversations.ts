import { displayMobile } from '#domain/accounts/contact.ts'
import { formatPlate } from '#domain/codes/plate.ts'
import { formatQrId } from '#domain/codes/qr-id.ts'
import { type MessageReason, REASON_LABELS } from '#domain/conversations/conversation.ts'
import type { Catalogue } from '#domain/languages/en.ts'
import type { MailText } from '#domain/mail.ts'
import { quotedName, unlinked } from '#domain/text.ts'
import { writeLetter } from '#mail/letter.ts'

type Written = {
  site: string
  /** of the conversation in the dashboard */
  url: string
  qr_id: string
  vehicle_registration: string | null
  owner_name: string | null
  reason: MessageReason
  name: string | null
  place: string | null
  /** null unless the finder ticked that it may be shown */
  reply_to: string | null
  hasLocation: boolean
  hasPhoto: boolean
  /** of all messages since the last mail; the text of the first one may be empty */
  texts: string[]
}

/** To the code's user: what a finder wrote. What finders type is quoted, and none of it is a link. */
export function finderWroteMail(written: Written): MailText {
  const { site, url, reason, name, place, reply_to, hasLocation, hasPhoto } = written
  const texts = written.texts.filter(Boolean)
  const shared = [...(hasLocation ? ['location'] : []), ...(hasPhoto ? ['photo'] : [])]
  return writeLetter({
    subject: `${REASON_LABELS[reason]} · ${codeName(written)}`,
    site,
    reason: `${name ? quotedName(name) : 'Somebody'} wrote to you about ${codeName(written)}: ${REASON_LABELS[reason]}`,
    parts: [
      ...texts.map((text) => ({ quote: unlinked(text) })),
      ...(place ? [`Where it is: ${quotedName(place)}`] : []),
      ...(shared.length > 0 ? [`In your dashboard: a ${shared.join(' and a ')}.`] : []),
      ...(reply_to ? [`How to reach them: ${shownContact(reply_to)}`] : []),
      { label: 'Read and answer', url },
    ],
  })
}

/** To the finder, who gets no word of the answer by mail: it may be a number. */
export function ownerAnsweredMail({ words, site, url }: Answered): MailText {
  const { subject, reason, read, secret, stop } = words.mails.answered
  return writeLetter({
    words,
    subject,
    site,
    reason,
    parts: [{ label: read, url }, secret, stop],
  })
}

type Answered = { words: Catalogue; site: string; url: string }

/** A parent may have typed them on the code of its child, who gets the mail. */
function codeName({
  vehicle_registration,
  owner_name,
  qr_id,
}: Pick<Written, 'vehicle_registration' | 'owner_name' | 'qr_id'>): string {
  if (vehicle_registration) return unlinked(formatPlate(vehicle_registration))
  return owner_name ? unlinked(owner_name) : formatQrId(qr_id)
}

function shownContact(contact: string): string {
  return contact.includes('@') ? contact : displayMobile(contact)
}
