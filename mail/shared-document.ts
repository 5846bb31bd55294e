import { type DocumentType, typeLabel } from '#domain/document.ts'
import { formatDateTime } from '#domain/time.ts'
import type { Mail } from '#mail/mailer.ts'

type Shared = {
  sender: string
  document_type: DocumentType
  url: string
  site: string
  expiresAt: string
  timezone: string
}

export function sharedDocumentMail(shared: Shared): Omit<Mail, 'to'> {
  const { sender, document_type, url, site, expiresAt, timezone } = shared
  const what = typeLabel(document_type)
  const text = `This mail is from DriveQR at ${site}.
${sender} has shared a document with you: ${what}

${url}

The link works until ${formatDateTime(expiresAt, timezone)} (${timezone}), unless it is taken back earlier.
Whoever has the link can open the document: pass it on only to those who need it.
`
  return { subject: `A document was shared with you: ${what}`, text }
}
