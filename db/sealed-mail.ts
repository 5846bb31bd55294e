import type { Selectable } from 'kysely'
import type { Tables } from '#db/schema.ts'
import { type SecretKey, seal, unseal } from '#db/secrets.ts'
import type { Mail, MailText } from '#domain/mail.ts'

type Words = Pick<MailText, 'subject' | 'text' | 'html'>

/** Encrypts the words of a mail for its row of the outbox. The subject may begin with an OTP. */
export function sealMail(key: SecretKey, id: string, { subject, text, html }: Words): Words {
  return {
    subject: seal(key, id, subject),
    text: seal(key, id, text),
    html: seal(key, id, html),
  }
}

/** Opens the mail of a row; undefined when it was encrypted with another key. */
export function openMail(key: SecretKey, row: Selectable<Tables['outbox']>): Mail | undefined {
  const [text, html] = [row.text, row.html ?? ''].map((sealed) => unseal(key, row.id, sealed))
  if (text === undefined || html === undefined) return undefined
  const stored = row.subject ?? ''
  // Version 1.0 stored it as it was.
  const subject = unseal(key, row.id, stored) ?? stored
  const { recipient, sender_name: sender } = row
  return { to: recipient ?? '', subject, text, html, ...(sender && { sender }) }
}
