import { isEmail, normalizeEmail } from '#domain/accounts/contact.ts'
import { readPhone } from '#domain/accounts/phone.ts'
import { DomainError } from '#domain/error.ts'
import { type DocumentType, typeLabel } from '#domain/papers/document.ts'
import { formatDate } from '#domain/time.ts'

export const SHARE_METHODS = ['whatsapp', 'email', 'download'] as const
export type ShareMethod = (typeof SHARE_METHODS)[number]

export const SHARE_DAYS = 7

/**
 * Reads the recipient: an address for e-mail, a number or null for WhatsApp, where the sender can
 * choose the chat. Throws invalid.
 */
export function readRecipient(method: ShareMethod, sent: string | null): string | null {
  if (method === 'download') return null
  if (method === 'email') {
    const email = normalizeEmail(sent ?? '')
    if (!email) throw new DomainError('invalid.email_missing')
    if (!isEmail(email)) throw new DomainError('invalid.email')
    return email
  }
  if (sent === null) return null
  const phone = readPhone(sent)
  if (phone?.kind !== 'mobile') throw new DomainError('invalid.mobile')
  return phone.e164
}

type Shared = { document_type: DocumentType; url: string; expiresAt: string; timezone: string }

/** Returns the message around a shared link. */
export function shareText({ document_type, url, expiresAt, timezone }: Shared): string {
  return `${typeLabel(document_type)}: ${url}\nThe link works until ${formatDate(expiresAt, timezone)}.`
}

/** Returns the URL that opens WhatsApp with the text filled in, in the chat with the recipient if there is one. */
export function whatsappShareUrl(recipient: string | null, text: string): string {
  return `https://wa.me/${recipient?.slice(1) ?? ''}?text=${encodeURIComponent(text)}`
}

/** The hint of the form if the server cannot send mail. */
export const WRITTEN_BY_MAIL_APP = 'Your mail app opens with the link'

/** Returns the URL that opens the sender's mail program with the link filled in. */
export function mailShareUrl(recipient: string, name: string, url: string): string {
  const query = `subject=${encodeURIComponent(name)}&body=${encodeURIComponent(url)}`
  return `mailto:${encodeURIComponent(recipient)}?${query}`
}
