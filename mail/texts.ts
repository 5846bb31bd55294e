import { RESET_LINK_HOURS } from '#domain/password-reset.ts'
import { OTP_VALID_SECONDS } from '#domain/registration.ts'
import { formatDateTime } from '#domain/time.ts'
import type { Mail } from '#mail/mailer.ts'

type MailText = Omit<Mail, 'to'>
type Otp = { otp: string; site: string; expiresAt: string; timezone: string }

/** Mails with an OTP carry no link: nobody should learn to expect one beside a code. */
export function registrationOtpMail(code: Otp): MailText {
  return otpMail(code, {
    subject: 'Your DriveQR registration OTP',
    reason: 'Somebody, probably you, is creating an account with this address.',
    otherwise: 'If it was not you, ignore this mail: without the OTP no account is made.',
  })
}

export function loginOtpMail(code: Otp): MailText {
  return otpMail(code, {
    subject: 'Your DriveQR login OTP',
    reason: 'Somebody, probably you, is logging in to your account.',
    otherwise: 'If it was not you, ignore this mail: without the OTP nobody gets in.',
  })
}

export function resetOtpMail(code: Otp): MailText {
  return otpMail(code, {
    subject: 'Your DriveQR password reset OTP',
    reason: 'Somebody, probably you, has forgotten the password of your account.',
    otherwise: 'If it was not you, ignore this mail: your password stays as it is.',
  })
}

function otpMail(
  { otp, site, expiresAt, timezone }: Otp,
  { subject, reason, otherwise }: { subject: string; reason: string; otherwise: string },
): MailText {
  const minutes = OTP_VALID_SECONDS / 60
  const text = `This mail is from DriveQR at ${site}.
${reason}

Your OTP: ${otp}

It works once, within ${minutes} minutes, until ${formatDateTime(expiresAt, timezone)} (${timezone}).
Nobody from DriveQR ever asks you for it. Type it on our own page and nowhere else.

${otherwise}
`
  return { subject, text }
}

/** Goes to the one place where it may be said that an address has an account: that address. */
export function accountExistsMail({
  site,
  askedAt,
  timezone,
}: {
  site: string
  askedAt: Date
  timezone: string
}): MailText {
  const text = `This mail is from DriveQR at ${site}.
On ${formatDateTime(askedAt, timezone)} (${timezone}) somebody, probably you, asked to create an
account with this address. It has one already, so there is no OTP in this mail.

To get in, log in with your password. If you have forgotten it, choose "Forgot Password?" on the
login form, or have a one-time code mailed to you there.

If it was not you, ignore this mail: nothing has changed.
`
  return { subject: 'You already have a DriveQR account', text }
}

/** The one mail with a link: whoever asked for it told a person, who approved it. */
export function resetLinkMail({ site, url }: { site: string; url: string }): MailText {
  const text = `This mail is from DriveQR at ${site}.
You asked for a new password, and the owner of your QR code has approved it.

Set your new password here:
${url}

The link works once, within ${RESET_LINK_HOURS} hours. Whoever has it can set your password: pass it on to nobody.

If you did not ask for it, ignore this mail and tell the owner of your QR code.
`
  return { subject: 'Set a new DriveQR password', text }
}

export function passwordChangedMail({
  site,
  changedAt,
  timezone,
}: {
  site: string
  changedAt: Date
  timezone: string
}): MailText {
  const text = `This mail is from DriveQR at ${site}.
On ${formatDateTime(changedAt, timezone)} (${timezone}) the password of your account was changed by a link that
the owner of your QR code approved. Every device that was signed in has been signed out.

If it was not you, choose "Forgot Password?" on the login form to set a new password, and speak to
the owner of your QR code.
`
  return { subject: 'Your DriveQR password was changed', text }
}
