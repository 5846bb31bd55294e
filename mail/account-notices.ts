import { type EndedAccess, endedSentences } from '#domain/accounts/ended-access.ts'
import { quotedName } from '#domain/text.ts'
import { formatDateTime } from '#domain/time.ts'
import { type WrittenLetter, writeLetter } from '#mail/letter.ts'
import type { Origin } from '#mail/texts.ts'

/** How a password was set. */
export type PasswordWay = 'code' | 'link' | 'operator'

const WAYS: Record<PasswordWay, string> = {
  code: 'with a one-time code that was mailed to this address',
  link: 'with a link that was mailed to this address, after the owner of your QR code had approved it',
  operator: 'by the operator of this service',
}

type PasswordSet = Origin & EndedAccess & { hasPassword: boolean; way: PasswordWay; now: Date }

export function passwordMail({ hasPassword, ...set }: PasswordSet): WrittenLetter {
  return hasPassword ? passwordSetMail(set) : passwordEndedMail(set)
}

function passwordSetMail({
  site,
  timezone,
  now,
  way,
  ...ended
}: Omit<PasswordSet, 'hasPassword'>): WrittenLetter {
  return writeLetter({
    subject: 'Your DriveQR password was changed',
    site,
    reason: `On ${formatDateTime(now, timezone)} (${timezone}) the password of your account was set ${WAYS[way]}. Every device that was signed in has been signed out.`,
    parts: [
      ...endedSentences(ended),
      'If it was not you, choose "Forgot Password?" on the login form to set a new password.',
    ],
  })
}

/** Sent after an address is first verified, because another person may have registered it. */
function passwordEndedMail({
  site,
  timezone,
  now,
  ...ended
}: Omit<PasswordSet, 'hasPassword'>): WrittenLetter {
  return writeLetter({
    subject: 'Your DriveQR account is verified',
    site,
    reason: `On ${formatDateTime(now, timezone)} (${timezone}) you verified this address with a one-time code. The password that was set when the account was registered no longer works, and every other device has been signed out.`,
    parts: [
      ...endedSentences(ended),
      'To log in with a password, choose "Forgot Password?" on the login form and set a new one.',
    ],
  })
}

export function newApiKeyMail({
  site,
  timezone,
  name,
  madeAt,
}: Origin & { name: string; madeAt: Date }): WrittenLetter {
  return writeLetter({
    subject: 'A new DriveQR API key was created',
    site,
    reason: `On ${formatDateTime(madeAt, timezone)} (${timezone}) an API key named ${quotedName(name)} was created for your account. Anyone who has it can read and change your QR codes and documents.`,
    parts: [
      'If it was not you, revoke the key in your dashboard and set a new password: choose "Forgot Password?" on the login form. That ends all keys.',
    ],
  })
}
