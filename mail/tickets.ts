import { quotedName, unlinked } from '#domain/text.ts'
import { type WrittenLetter, writeLetter } from '#mail/letter.ts'

type About = {
  site: string
  /** of the ticket */
  url: string
  number: number
  subject: string
  /** of all messages since the last mail */
  texts: string[]
  hasAttachment: boolean
}

/** Writes the mail to the support. It quotes the customer's text, and makes no link of it. */
export function customerWroteMail(
  about: About & { customer: string; isNew: boolean },
): WrittenLetter {
  const { number, customer, isNew } = about
  const did = isNew ? 'opened' : 'wrote in'
  return ticketMail(about, `${quotedName(customer)} ${did} ticket ${number}`)
}

/** Writes the mail to the customer with the support's answer. */
export function supportAnsweredMail(about: About): WrittenLetter {
  return ticketMail(about, `The support answered your ticket ${about.number}`)
}

function ticketMail(
  { site, url, number, subject, texts, hasAttachment }: About,
  what: string,
): WrittenLetter {
  return writeLetter({
    subject: `Ticket ${number} · ${unlinked(subject)}`,
    site,
    reason: `${what}: ${quotedName(subject)}`,
    parts: [
      ...texts.map((text) => ({ quote: unlinked(text) })),
      ...(hasAttachment ? ['There is an attachment. You find it with the ticket.'] : []),
      { label: 'Read and answer', url },
    ],
  })
}
