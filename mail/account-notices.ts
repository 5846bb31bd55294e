import { type KeyScopes, wordsOfScopes } from '#domain/accounts/api-key.ts'
import { type EndedAccess, endedSentences } from '#domain/accounts/ended-access.ts'
import { TRUST_DAYS } from '#domain/accounts/second-factor.ts'
import type { DeviceKind } from '#domain/scans/scan.ts'
import { quotedName, unlinked } from '#domain/text.ts'
import { formatDateTime } from '#domain/time.ts'
import { type WrittenLetter, writeLetter } from '#mail/letter.ts'
import type { Origin } from '#mail/texts.ts'

/** The device of an act, as mails name it; `browser` is its name, if known. */
export type Device = { device: DeviceKind; browser: string | null }

const DEVICES: Record<DeviceKind, string> = {
  phone: 'a phone',
  tablet: 'a tablet',
  desktop: 'a computer',
  other: 'a device',
}

/**
 * Returns a device's name, such as `a phone (Chrome on Android)`. The name is quoted, because a
 * program may have named itself.
 */
export function deviceText({ device, browser }: Device): string {
  return browser ? `${DEVICES[device]} (${unlinked(browser)})` : DEVICES[device]
}

/** Returns the mail's one link, to the Security page. */
export function securityLink(publicUrl: string) {
  return { label: 'See your sessions', url: `${publicUrl}/settings/security` }
}

type Changed = Origin & { publicUrl: string; now: Date } & Device

/** Writes the change as a sentence that ends with "on" a device. */
function changeLetter(
  { site, timezone, publicUrl, now, ...device }: Changed,
  { subject, what, otherwise }: { subject: string; what: string; otherwise: string },
): WrittenLetter {
  return writeLetter({
    subject,
    site,
    reason: `On ${formatDateTime(now, timezone)} (${timezone}) ${what} on ${deviceText(device)}.`,
    parts: [otherwise, securityLink(publicUrl)],
  })
}

const NOT_YOU =
  'Not you? Sign out the others there and set a new password: choose "Forgot Password?" on the login form.'

/** Writes the mail to the new address and the other channels of the account. */
export function emailChangedMail(change: Changed & { email: string }): WrittenLetter {
  return changeLetter(change, {
    subject: 'Your DriveQR email was changed',
    what: `the email of your account was changed to ${change.email}`,
    otherwise: NOT_YOU,
  })
}

export function mobileChangedMail(change: Changed): WrittenLetter {
  return changeLetter(change, {
    subject: 'Your DriveQR mobile number was changed',
    what: 'the mobile number of your account was changed',
    otherwise: NOT_YOU,
  })
}

/** The changes of the second factor. */
export type FactorChange =
  | 'app-on'
  | 'app-off'
  | 'recovery-codes'
  | 'recovery-code-used'
  | 'passkey-on'
  | 'passkey-off'
  | 'device-trusted'

const FACTOR_CHANGES: Record<FactorChange, { subject: string; what: string }> = {
  'app-on': {
    subject: 'Your DriveQR authenticator app is on',
    what: 'an authenticator app was turned on for your account',
  },
  'app-off': {
    subject: 'Your DriveQR authenticator app is off',
    what: 'the authenticator app of your account was removed',
  },
  'passkey-on': {
    subject: 'Your DriveQR account has a new passkey',
    what: 'a passkey was added to your account',
  },
  'passkey-off': {
    subject: 'A DriveQR passkey was removed',
    what: 'a passkey of your account was removed',
  },
  'recovery-codes': {
    subject: 'Your DriveQR recovery codes are new',
    what: 'new recovery codes were made for your account',
  },
  'recovery-code-used': {
    subject: 'A DriveQR recovery code was used',
    what: 'a recovery code was used for your account',
  },
  'device-trusted': {
    subject: 'A device signs in to DriveQR without a code now',
    what: `signing in without a second step was allowed for ${TRUST_DAYS} days`,
  },
}

export function factorMail({ change, ...about }: Changed & { change: FactorChange }) {
  return changeLetter(about, { ...FACTOR_CHANGES[change], otherwise: NOT_YOU })
}

/** Writes the mail about a second factor that the command line has removed. */
export function factorsRemovedMail({
  site,
  timezone,
  publicUrl,
  now,
}: Origin & { publicUrl: string; now: Date }): WrittenLetter {
  return writeLetter({
    subject: 'Your DriveQR second step was removed',
    site,
    reason: `On ${formatDateTime(now, timezone)} (${timezone}) the operator removed the second step of your login. Your password alone is enough now.`,
    parts: ['If you did not ask for it, contact the support.', securityLink(publicUrl)],
  })
}

type Moved = Omit<Changed, 'publicUrl'> & { email: string; url: string; hours: number }

/** Writes the mail to the earlier address, which can take the change back. It shows the new address only in part. */
export function emailMovedMail({ site, timezone, now, email, url, hours, ...device }: Moved) {
  return writeLetter({
    subject: 'Your DriveQR account has another email now',
    site,
    reason: `On ${formatDateTime(now, timezone)} (${timezone}) the email of your account was changed from this address to ${hint(email)}, on ${deviceText(device)}.`,
    parts: [
      `Not you? Take it back within ${hours} hours: that signs out every device and ends the password.`,
      { label: 'Take it back', url },
    ],
  })
}

/** `r…@example.in` */
function hint(email: string): string {
  const [name = '', host = ''] = email.split('@')
  return `${name.slice(0, 1)}…@${host}`
}

/** An intruder may have added one. */
const PASSKEYS_STAY =
  'Your passkeys still sign in without the password. Remove there what is not yours.'

/** Writes the mail to the address that an account has again. */
export function emailTakenBackMail({
  site,
  timezone,
  publicUrl,
  now,
  passkeys,
  login_id,
  ...ended
}: Origin &
  EndedAccess & {
    publicUrl: string
    now: Date
    passkeys: number
    /** signs in to the account that had the address meanwhile */
    login_id: string | null
  }): WrittenLetter {
  return writeLetter({
    subject: 'Your DriveQR account has this email again',
    site,
    reason: `On ${formatDateTime(now, timezone)} (${timezone}) the change of your email was taken back. Every device has been signed out, and the password no longer works.`,
    parts: [
      ...endedSentences(ended),
      'To log in, choose "Forgot Password?" on the login form and set a new password.',
      ...(login_id
        ? [`The account that had this email in between signs in with ${login_id} from now on.`]
        : []),
      ...(passkeys > 0 ? [PASSKEYS_STAY, securityLink(publicUrl)] : []),
    ],
  })
}

type Deleted = Origin & { now: Date; url: string; endsAt: string } & Device

/** Writes the mail with the only link that keeps an account which is being deleted. */
export function accountDeletionMail({ site, timezone, now, url, endsAt, ...device }: Deleted) {
  return writeLetter({
    subject: 'Your DriveQR account is being deleted',
    site,
    reason: `On ${formatDateTime(now, timezone)} (${timezone}) the deletion of your account was asked for on ${deviceText(device)}. Every device is signed out, and your QR codes are off.`,
    parts: [
      `Until ${formatDateTime(endsAt, timezone)} you can take it back. Then everything is gone for good. Not you? Take it back and set a new password: choose "Forgot Password?" on the login form.`,
      { label: 'Keep my account', url },
    ],
  })
}

type CodeEnds = Origin & { code: string; endsAt: string }

/** Writes the mail to the child user of a code whose owner deletes their account. */
export function codeEndsMail({ site, timezone, code, endsAt }: CodeEnds): WrittenLetter {
  return writeLetter({
    subject: `Your DriveQR code ${code} ends`,
    site,
    reason: `The owner of your QR code ${code} is deleting their account. The code ends with it on ${formatDateTime(endsAt, timezone)} (${timezone}), unless the owner takes that back.`,
    parts: ['Your own account stays. Download the documents on the code before, if you need them.'],
  })
}

export function codeEndedMail({ site, code }: Pick<CodeEnds, 'site' | 'code'>): WrittenLetter {
  return writeLetter({
    subject: `Your DriveQR code ${code} has ended`,
    site,
    reason: `The owner of your QR code ${code} has deleted their account, and the code ended with it.`,
    parts: [
      'Your own account stays. A finder who scans the code sees "QR Code Not Found", so please take it off.',
    ],
  })
}

/** The way in which a password was set. */
export type PasswordWay = 'code' | 'link' | 'operator' | 'settings'

const WAYS: Record<PasswordWay, string> = {
  code: 'with a one-time code that was mailed to this address',
  link: 'with a link that was mailed to this address, after the owner of your QR code had approved it',
  operator: 'by the operator',
  settings: 'in the settings',
}

type PasswordSet = Origin &
  EndedAccess & {
    hasPassword: boolean
    /** how many still sign in without the password */
    passkeys: number
    way: PasswordWay
    now: Date
    publicUrl: string
    from?: Device
  }

export function passwordMail({ hasPassword, ...set }: PasswordSet): WrittenLetter {
  return hasPassword ? passwordSetMail(set) : passwordEndedMail(set)
}

function passwordSetMail({
  site,
  timezone,
  now,
  way,
  publicUrl,
  from,
  passkeys,
  ...ended
}: Omit<PasswordSet, 'hasPassword'>): WrittenLetter {
  const where = from ? ` on ${deviceText(from)}` : ''
  // A change in the settings keeps its own session.
  const others = way === 'settings' ? 'Every other device' : 'Every device'
  return writeLetter({
    subject: 'Your DriveQR password was changed',
    site,
    reason: `On ${formatDateTime(now, timezone)} (${timezone}) the password of your account was set${where} ${WAYS[way]}. ${others} that was signed in has been signed out.`,
    parts: [
      ...endedSentences(ended),
      ...(passkeys > 0 ? [PASSKEYS_STAY] : []),
      'Not you? Choose "Forgot Password?" on the login form to set a new password.',
      securityLink(publicUrl),
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
    reason: `On ${formatDateTime(now, timezone)} (${timezone}) you verified this address with a one-time code. The earlier password and second step no longer work, and every other device is signed out.`,
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
  scopes,
  madeAt,
}: Origin & { name: string; scopes: KeyScopes; madeAt: Date }): WrittenLetter {
  const acts = wordsOfScopes(scopes).map(({ can }) => can)
  const can = new Intl.ListFormat('en-GB').format(acts)
  return writeLetter({
    subject: 'A new DriveQR API key was created',
    site,
    reason: `On ${formatDateTime(madeAt, timezone)} (${timezone}) an API key named ${quotedName(name)} was created for your account. Anyone who has it can ${can}.`,
    parts: [
      'Not you? Revoke the key in your settings and set a new password: choose "Forgot Password?" on the login form. That ends all keys.',
    ],
  })
}
