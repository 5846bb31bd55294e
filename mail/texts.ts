import { DELETION_DAYS } from '#domain/accounts/deletion.ts'
import { OTP_VALID_SECONDS } from '#domain/accounts/registration.ts'
import { RESET_LINK_HOURS } from '#domain/families/password-reset.ts'
import type { MailText } from '#domain/mail.ts'
import { formatDateTime } from '#domain/time.ts'
import type { Catalogue } from '#locales/catalogue.ts'
import { format } from '#locales/message.ts'
import { type Letter, type MailBrand, writeLetter } from '#mail/letter.ts'

/** The site and the zone of the dates, which every mail mentions. */
export type Origin = { site: string; timezone: string }
type Otp = Origin & { otp: string; expiresAt: string }
/** In the language of the page that the addressee used. */
type InWords = { words: Catalogue; site: string }
/** About the code of that name. */
export type Claimed = InWords & { name: string; brand?: MailBrand | undefined }

/*
 * Mails with an OTP have no link, so that people do not learn to expect one beside a code. Their subjects begin with it,
 * so that a phone's notification shows it whole.
 */

/** Writes the mail with the OTP of a registration. `isTyped`: an account has the address, and nobody has proven it. */
export function registrationOtpMail({ isTyped, ...code }: Otp & { isTyped?: boolean }): MailText {
  const letter = {
    subject: 'is your DriveQR registration OTP',
    reason: 'Somebody, probably you, is creating an account with this address.',
    otherwise: 'Not you? Ignore this mail: without the OTP no account is made.',
  }
  return otpMail(code, isTyped ? { ...letter, instead: TAKE_OVER_INSTEAD } : letter)
}

const TAKE_OVER_INSTEAD =
  'There is an account with this address already, but nobody has verified it. Is it meant for you? Then do not use the OTP: choose "Email me a one-time code instead" on the login form. Then it is yours alone, and its password ends. The OTP makes a new account, and the other one loses this address.'

export function loginOtpMail(code: Otp): MailText {
  return otpMail(code, {
    subject: 'is your DriveQR login OTP',
    reason: 'Somebody, probably you, is logging in to your account.',
    otherwise: 'Not you? Ignore this mail: nobody can log in without the OTP.',
  })
}

export function resetOtpMail(code: Otp): MailText {
  return otpMail(code, {
    subject: 'is your DriveQR password reset OTP',
    reason: 'Somebody, probably you, has forgotten the password of your account.',
    otherwise: 'Not you? Ignore this mail: your password stays as it is.',
  })
}

export function newEmailOtpMail(code: Otp): MailText {
  return otpMail(code, {
    subject: 'is your DriveQR OTP for a new email',
    reason: 'Somebody, probably you, is changing the email of a DriveQR account to this address.',
    otherwise: 'Not you? Ignore this mail: without the OTP nothing changes.',
  })
}

/** Writes the mail to an address that another account wants to change to. */
export function emailInUseMail({
  site,
  requestedAt,
  timezone,
}: Origin & { requestedAt: Date }): MailText {
  return writeLetter({
    subject: 'You already have a DriveQR account',
    site,
    reason: `On ${at(requestedAt, timezone)} somebody, probably you, asked to change the email of another account to this address. It has an account already, so there is no OTP in this mail.`,
    parts: [
      'An address can have one account. To use this one for the other account, change the email of this account first.',
      'Not you? Ignore this mail: nothing has changed.',
    ],
  })
}

/** Its subject follows the OTP. */
type OtpLetter = { subject: string; reason: string; instead?: string; otherwise: string }

function otpMail(
  { otp, site, expiresAt, timezone }: Otp,
  { subject, reason, instead, otherwise }: OtpLetter,
): MailText {
  const minutes = OTP_VALID_SECONDS / 60
  return writeLetter({
    subject: `${otp} ${subject}`,
    site,
    reason,
    parts: [
      { label: 'Your OTP', code: otp },
      `It works once, within ${minutes} minutes, until ${at(expiresAt, timezone)}. Nobody from DriveQR ever asks you for it. Type it only on this website.`,
      ...(instead ? [instead] : []),
      otherwise,
    ],
  })
}

/** Writes the mail to an address that has an account already. Only the address itself may learn that. */
export function accountExistsMail({
  site,
  requestedAt,
  timezone,
}: Origin & { requestedAt: Date }): MailText {
  return writeLetter({
    subject: 'You already have a DriveQR account',
    site,
    reason: `On ${at(requestedAt, timezone)} somebody, probably you, asked to create an account with this address. It has one already, so there is no OTP in this mail.`,
    parts: [
      'Log in with your password. If you have forgotten it, choose "Forgot Password?" on the login form, or have a one-time code mailed to you there.',
      'Not you? Ignore this mail: nothing has changed.',
    ],
  })
}

/** Writes the only mail with a reset link: the owner of the QR code approved the request. */
export function resetLinkMail({ words, site, url }: InWords & { url: string }): MailText {
  const { subject, reason, set, once, ignore } = words.mails.resetLink
  return writeLetter({
    words,
    subject,
    site,
    reason,
    parts: [{ label: set, url }, format(once, { hours: RESET_LINK_HOURS }), ignore],
  })
}

/** Writes the mail to the address of a claim without an account. */
export function claimedMail({ url, ...claim }: Claimed & { url: string }): MailText {
  const { manage, login, ignore, ...texts } = claim.words.mails.claimed
  return claimMail(claim, texts, [manage, { label: login, url }, ignore])
}

/** Writes the mail to the address of a claim that the issuer has undone. */
export function claimUndoneMail(claim: Claimed): MailText {
  const { deleted, again, ...texts } = claim.words.mails.undone
  return claimMail(claim, texts, [deleted, again])
}

/** Writes the mail to the address of a claim whose issuer deletes their account. The code is off at once. */
export function claimEndsMail(claim: Claimed): MailText {
  const { deleted, another, ...texts } = claim.words.mails.ends
  return claimMail(claim, texts, [format(deleted, { days: DELETION_DAYS }), another])
}

export function claimEndedMail(claim: Claimed): MailText {
  const { deleted, takeOff, ...texts } = claim.words.mails.ended
  return claimMail(claim, texts, [deleted, takeOff])
}

function claimMail(
  { words, site, name, brand }: Claimed,
  {
    subject,
    reason,
  }: Pick<Letter, 'subject'> & { reason: Catalogue['mails']['claimed']['reason'] },
  parts: Letter['parts'],
): MailText {
  return writeLetter({
    words,
    subject,
    site,
    reason: format(reason, { code: name }),
    parts,
    brand,
  })
}

/** Writes the mail to the issuer who has undone a claim. */
export function undidClaimMail({ site, name }: Origin & { name: string }): MailText {
  return writeLetter({
    subject: 'You have undone a claim',
    site,
    reason: `The claim of the QR code ${name} was undone in your account. The code is blank again.`,
    parts: [
      'The claimer’s details are deleted. If they gave an email, we tell them.',
      'Not you? Choose "Forgot Password?" on the login form and set a new password.',
    ],
  })
}

export function testMail({ site, sentAt, timezone }: Origin & { sentAt: Date }): MailText {
  return writeLetter({
    subject: 'Test mail from DriveQR',
    site,
    reason: `On ${at(sentAt, timezone)} you requested a test mail on the System tab.`,
    parts: ['It has arrived. Registration, login and reset mails are sent the same way.'],
  })
}

function at(moment: string | Date, timezone: string): string {
  return `${formatDateTime(moment, timezone)} (${timezone})`
}
