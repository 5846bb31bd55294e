import type { MailText } from '#domain/mail.ts'
import { type DocumentType, typeLabel } from '#domain/papers/document.ts'
import { quotedName } from '#domain/text.ts'
import { formatDateTime } from '#domain/time.ts'
import { type MailBrand, writeLetter } from '#mail/letter.ts'

type Shared = {
  sender: string
  document_type: DocumentType
  url: string
  site: string
  expiresAt: string
  timezone: string
  brand?: MailBrand | undefined
}

export function sharedDocumentMail(shared: Shared): MailText {
  const { sender, document_type, url, site, expiresAt, timezone, brand } = shared
  const what = typeLabel(document_type)
  return writeLetter({
    subject: `A document was shared with you: ${what}`,
    site,
    reason: `${quotedName(sender)} has shared a document with you: ${what}`,
    parts: [
      { label: 'Open the document', url },
      `The link works until ${formatDateTime(expiresAt, timezone)} (${timezone}), unless the sender ends it earlier. Anyone with the link can open it: share it with care.`,
    ],
    brand,
  })
}
