import { formatPlate } from '#domain/codes/plate.ts'
import { formatQrId } from '#domain/codes/qr-id.ts'
import { firstWord } from '#domain/codes/visibility.ts'
import type { MailText } from '#domain/mail.ts'
import { hasPlans } from '#domain/plans/offer.ts'
import { quotedName, unlinked } from '#domain/text.ts'
import { formatDateTime } from '#domain/time.ts'
import { type MailBrand, writeLetter } from '#mail/letter.ts'
import type { Origin } from '#mail/texts.ts'

type Code = { qr_id: string; vehicle_registration: string | null }
type About = Origin & { code: Code }

/** Writes the mail to the recipient, the only one with the link. Only their address is known. */
export function transferMail({
  site,
  timezone,
  code,
  owner,
  url,
  expiresAt,
  brand,
}: About & {
  owner: string
  url: string
  expiresAt: string
  brand?: MailBrand | undefined
}): MailText {
  const until = `${formatDateTime(expiresAt, timezone)} (${timezone})`
  return writeLetter({
    subject: 'A vehicle is handed over to you',
    site,
    reason: `${quotedName(firstWord(owner) ?? '')} hands ${nameOf(code)} over to you, at this address.`,
    parts: [
      { label: 'Look at it, then accept or decline', url },
      `The link works until ${until}, for an account with this address: log in with it, or register.`,
      'You know nothing of it? Ignore this mail: nothing changes.',
    ],
    brand,
  })
}

/** Writes the mail to the old owner. */
export function handedOverMail({
  site,
  timezone,
  code,
  email,
  include_documents,
  now,
}: About & { email: string; include_documents: boolean; now: Date }): MailText {
  return writeLetter({
    subject: 'Your vehicle was handed over',
    site,
    reason: `On ${formatDateTime(now, timezone)} (${timezone}) ${email} accepted ${nameOf(code)}.`,
    parts: [
      `Its page shows the details of the new owner now. ${include_documents ? 'The documents that you handed over are theirs.' : 'Its documents are deleted.'}`,
      `Your messages stay with you. The code’s PIN, lost mode and shared links have ended${hasPlans() ? ', and it no longer counts in your plan' : ''}.`,
    ],
  })
}

/** Writes the mail to the new owner. */
export function takenOverMail({
  site,
  timezone,
  code,
  url,
  now,
}: About & { url: string; now: Date }): MailText {
  return writeLetter({
    subject: 'A vehicle is yours now',
    site,
    reason: `On ${formatDateTime(now, timezone)} (${timezone}) you accepted ${nameOf(code)}.`,
    parts: [
      'Finders reach you with the details that you gave. You can change them at any time.',
      { label: 'Open it in your dashboard', url },
    ],
  })
}

/** Writes the mail to the owner who keeps the code. */
export function declinedMail({ site, code, email }: About & { email: string }): MailText {
  return writeLetter({
    subject: 'Your transfer was declined',
    site,
    reason: `${email} declined ${nameOf(code)}. It stays yours, as it is.`,
    parts: [],
  })
}

/** Returns a code's name without links, because a mail to another person contains it. */
function nameOf({ qr_id, vehicle_registration: plate }: Code): string {
  const code = `the QR code ${formatQrId(qr_id)}`
  return plate ? `${code} of the vehicle ${unlinked(formatPlate(plate))}` : code
}
