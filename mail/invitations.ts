import { firstWord } from '#domain/codes/visibility.ts'
import type { MailText } from '#domain/mail.ts'
import { quotedName } from '#domain/text.ts'
import { formatDateTime } from '#domain/time.ts'
import { writeLetter } from '#mail/letter.ts'
import type { Origin } from '#mail/texts.ts'

/** Writes the mail with the link of an invitation. Without `from` the operator sent it. */
export function invitationMail({
  site,
  timezone,
  from,
  url,
  expiresAt,
}: Origin & { from: string | undefined; url: string; expiresAt: string }): MailText {
  const until = `${formatDateTime(expiresAt, timezone)} (${timezone})`
  const who = from ? quotedName(firstWord(from) ?? '') : `The operator of ${site}`
  return writeLetter({
    subject: 'You are invited to DriveQR',
    site,
    reason: `${who} invites you to create an account with this address.`,
    parts: [
      { label: 'Create your account', url },
      `The link works once, until ${until}. It is for you alone: do not pass it on.`,
      'You know nothing of it? Ignore this mail: nothing happens.',
    ],
  })
}
