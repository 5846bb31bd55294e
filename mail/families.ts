import { formatQrId } from '#domain/codes/qr-id.ts'
import { GUARDIAN_DAYS } from '#domain/families/guardian.ts'
import type { MailText } from '#domain/mail.ts'
import { quotedName } from '#domain/text.ts'
import { writeLetter } from '#mail/letter.ts'
import type { Origin } from '#mail/texts.ts'

type GuardianRequest = Origin & { name: string; qr_id: string; publicUrl: string }

/** Writes the mail to the owner of a code whose user is not of age. */
export function guardianAskedMail({ site, name, qr_id, publicUrl }: GuardianRequest): MailText {
  return writeLetter({
    subject: 'Are you the guardian of a child user?',
    site,
    reason: `${quotedName(name)} registered your QR code ${formatQrId(qr_id)} and did not say to be 18 or older.`,
    parts: [
      `Their account works once you confirm that you are their guardian and agree to what we keep of them. You do not know them? Do not answer: after ${GUARDIAN_DAYS} days the registration is undone.`,
      { label: 'Look at it in your dashboard', url: `${publicUrl}/dashboard` },
    ],
  })
}

/** Writes the mail to a child user with a verified address. */
export function guardianConfirmedMail({
  site,
  publicUrl,
}: Origin & { publicUrl: string }): MailText {
  return writeLetter({
    subject: 'Your DriveQR account works now',
    site,
    reason: 'The owner of your QR code has confirmed to be your guardian.',
    parts: [{ label: 'Log in', url: `${publicUrl}/login` }],
  })
}

/** Writes the mail to the owner of a code whose child user has left. */
export function childLeftMail({
  site,
  name,
  qr_id,
}: Origin & { name: string; qr_id: string }): MailText {
  return writeLetter({
    subject: 'A child user has left',
    site,
    reason: `${quotedName(name)} has left your family. Your QR code ${formatQrId(qr_id)} is blank again: its details and papers are deleted.`,
    parts: ['Somebody else can register it now.'],
  })
}
