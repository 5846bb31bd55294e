import { firstWord } from '#domain/codes/visibility.ts'
import type { MailText } from '#domain/mail.ts'
import type { ShareRole } from '#domain/people/roles.ts'
import { quotedName } from '#domain/text.ts'
import { formatDateTime } from '#domain/time.ts'
import { type MailBrand, writeLetter } from '#mail/letter.ts'
import type { Origin } from '#mail/texts.ts'

/** A share without the codes themselves: a mail names none. */
type Share = { role: ShareRole; company_fleet_name: string | null; code_id: string | null }

type Invitation = Origin & {
  owner: string
  share: Share
  url: string
  expiresAt: string
  brand?: MailBrand | undefined
}

/** Writes the mail to the invited person, the only one with the link. Only the address is known. */
export function shareInvitationMail(invitation: Invitation): MailText {
  const { site, timezone, owner, share, url, expiresAt, brand } = invitation
  const until = `${formatDateTime(expiresAt, timezone)} (${timezone})`
  return writeLetter({
    subject: 'You are asked to help with QR codes',
    site,
    reason: `${nameOf(owner)} asks you, at this address, to help with ${codesOf(share)} as a ${share.role}.`,
    parts: [
      { label: 'Look at it, then accept or decline', url },
      `The link works once, until ${until}. It is for you alone: do not pass it on.`,
      'You know nothing of it? Ignore this mail: nothing changes.',
    ],
    brand,
  })
}

/** The two sides of a share. Each mail links to the page on which it can be ended. */
type Sides = Origin & { owner: string; person: string; share: Share; publicUrl: string }

/** Writes the mail to the owner whose invitation was accepted. */
export function shareAcceptedMail({ person, share, ...about }: Sides): MailText {
  const what = `${nameOf(person)} accepted, and helps with ${codesOf(share)} as a ${share.role} now.`
  return peopleLetter(about, 'A person helps you now', what)
}

/** Writes the mail to the owner whose invitation was declined. */
export function shareDeclinedMail({ email, ...about }: Site & { email: string }): MailText {
  return peopleLetter(about, 'Your invitation was declined', `${email} does not want to help.`)
}

/** Writes the mails to both sides of a share that was changed, or has ended. */
export function shareMails(
  { owner, person, share, ...about }: Sides,
  isOver: boolean,
): { toOwner: MailText; toPerson: MailText } {
  const [subject, toOwner, toPerson] = isOver
    ? [
        'Shared QR codes: the help has ended',
        `${nameOf(person)} does not help with your QR codes any more.`,
        `You do not help with the QR codes of ${nameOf(owner)} any more.`,
      ]
    : [
        'Shared QR codes: the help was changed',
        `${nameOf(person)} helps with ${codesOf(share)} as a ${share.role} now.`,
        `You help ${nameOf(owner)} with ${codesOf(share)} as a ${share.role} now.`,
      ]
  return {
    toOwner: peopleLetter(about, subject, toOwner),
    toPerson: peopleLetter(about, subject, toPerson),
  }
}

type Site = Pick<Sides, 'site' | 'publicUrl'>

function peopleLetter({ site, publicUrl }: Site, subject: string, reason: string): MailText {
  const url = `${publicUrl}/settings/people`
  return writeLetter({ subject, site, reason, parts: [{ label: 'See the people', url }] })
}

function nameOf(name: string): string {
  return quotedName(firstWord(name) ?? '')
}

function codesOf({ company_fleet_name, code_id }: Share): string {
  if (code_id) return 'one QR code'
  return company_fleet_name ? `the QR codes of ${quotedName(company_fleet_name)}` : 'all QR codes'
}
