import type { Alert, ScanEvent } from '#domain/alerts/alert.ts'
import { formatPlate } from '#domain/codes/plate.ts'
import { formatQrId } from '#domain/codes/qr-id.ts'
import type { MailText } from '#domain/mail.ts'
import { counted, formatCount } from '#domain/number.ts'
import { whose } from '#domain/people/whose.ts'
import { quotedName, unlinked } from '#domain/text.ts'
import { formatDateTime } from '#domain/time.ts'
import { type Device, deviceText, securityLink } from '#mail/account-notices.ts'
import { type WrittenLetter, writeLetter } from '#mail/letter.ts'

/** The site, the zone of the dates, and the address that links begin with. */
type Origin = { site: string; timezone: string; publicUrl: string }
/** An alert for every channel, and the mail with the same content. */
export type WrittenAlert = { alert: Alert; mail: MailText }

type CodeName = {
  qr_id: string
  vehicle_registration: string | null
  owner_name: string | null
  /** the owner of a code that is shared with the reader */
  person?: { ownerName: string } | undefined
}

/**
 * Returns a code's name in alerts: its plate, or else its name, and before it the owner's if it is shared. A parent may have
 * typed them for a child.
 */
export function codeName({ person, ...code }: CodeName): string {
  const name = ownName(code)
  return person ? `${unlinked(whose(person.ownerName))} ${name}` : name
}

function ownName({ vehicle_registration, owner_name, qr_id }: CodeName): string {
  if (vehicle_registration) return unlinked(formatPlate(vehicle_registration))
  return owner_name ? unlinked(owner_name) : formatQrId(qr_id)
}

/** Makes an alert of a letter, with its reason as the body unless another one is given. */
export function asAlert(
  { reason, ...mail }: WrittenLetter,
  about: Pick<Alert, 'event' | 'url'> & Partial<Alert>,
): WrittenAlert {
  const alert = { title: mail.subject, body: reason, isUrgent: false, qr_id: null, ...about }
  return { alert, mail }
}

type Scanned = { code: CodeName & { event: ScanEvent }; scans: number; since: string; now: Date }

/** Writes the alert of a scan, or of several since the last alert. */
export function scanAlert(
  { code, scans, since, now }: Scanned,
  { site, timezone, publicUrl }: Origin,
): WrittenAlert {
  const name = codeName(code)
  const isLost = code.event === 'lost_scan'
  const what = isLost ? 'Lost code scanned' : 'Scanned'
  const times = scans === 1 ? '' : ` ${formatCount(scans)} times`
  const url = `${publicUrl}/dashboard?${new URLSearchParams({ tab: 'my-qrs', q: code.qr_id })}`
  const letter = writeLetter({
    subject: `${what}${times} · ${name}`,
    site,
    reason: `${name}${isLost ? ', which is reported lost' : ''}: ${scannedText(scans, since, now, timezone)}.`,
    parts: [{ label: 'Open your dashboard', url }],
  })
  return asAlert(letter, { event: code.event, url, isUrgent: isLost, qr_id: code.qr_id })
}

const MINUTE_MS = 60_000

function scannedText(scans: number, since: string, now: Date, timezone: string): string {
  const minutes = Math.round((now.getTime() - Date.parse(since)) / MINUTE_MS)
  const text = counted(scans, 'scan')
  if (minutes === 0) return `${text} on ${formatDateTime(now, timezone)} (${timezone})`
  if (minutes === 1) return `${text} in the last minute`
  if (minutes <= 20) return `${text} in the last ${minutes} minutes`
  return `${text} since ${formatDateTime(since, timezone)} (${timezone})`
}

export function policeViewAlert(
  code: CodeName & { now: Date },
  { site, timezone, publicUrl }: Origin,
): WrittenAlert {
  const name = codeName(code)
  const url = `${publicUrl}/dashboard?tab=documents`
  const letter = writeLetter({
    subject: `Authority page opened · ${name}`,
    site,
    reason: `On ${formatDateTime(code.now, timezone)} (${timezone}) somebody opened the police view of ${name}.`,
    parts: [{ label: 'Open your documents', url }],
  })
  return asAlert(letter, { event: 'police_view', url, qr_id: code.qr_id })
}

export function resetRequestAlert(
  { child_name, ...code }: CodeName & { child_name: string },
  { site, publicUrl }: Omit<Origin, 'timezone'>,
): WrittenAlert {
  const url = `${publicUrl}/dashboard?tab=password-requests`
  // The name on a child code is the child's.
  const name = codeName({ ...code, owner_name: null })
  const letter = writeLetter({
    subject: `Password reset request · ${name}`,
    site,
    reason: `${quotedName(child_name)}, who uses your QR code ${name}, asks for a new password.`,
    parts: [
      'Ask them whether it was really them before you approve it.',
      { label: 'Approve or reject', url },
    ],
  })
  return asAlert(letter, { event: 'reset_request', url, qr_id: code.qr_id })
}

export function newDeviceAlert(
  { now, ...device }: Device & { now: Date },
  { site, timezone, publicUrl }: Origin,
): WrittenAlert {
  const link = securityLink(publicUrl)
  const letter = writeLetter({
    subject: 'New sign-in to your DriveQR account',
    site,
    reason: `On ${formatDateTime(now, timezone)} (${timezone}) somebody, probably you, signed in to your account on ${deviceText(device)} that was not used for it before.`,
    parts: [
      'Not you? Choose "Forgot Password?" on the login form and set a new password. That signs out every device.',
      link,
    ],
  })
  return asAlert(letter, { event: 'security', url: link.url })
}

type Unreachable = { label: string; name: string | null; since: string; settingsUrl: string }

/** Writes the mail to an owner whose channel has failed for a day. */
export function unreachableMail(
  { label, name, since, settingsUrl }: Unreachable,
  { site, timezone }: Omit<Origin, 'publicUrl'>,
): MailText {
  const called = name ? `${label} (${name})` : label
  const { reason: _, ...mail } = writeLetter({
    subject: `DriveQR cannot reach your ${label}`,
    site,
    reason: `Your alerts have not arrived by ${called} since ${formatDateTime(since, timezone)} (${timezone}). Some of them are given up.`,
    parts: [
      'We keep trying. Send a test in the settings, or remove it.',
      { label: 'Open the settings', url: settingsUrl },
    ],
  })
  return mail
}

/** Writes the alert of Send a test. */
export function testAlert({ site, publicUrl }: Omit<Origin, 'timezone'>): WrittenAlert {
  const url = `${publicUrl}/settings/notifications`
  const letter = writeLetter({
    subject: 'Test from DriveQR',
    site,
    reason: 'You asked for a test in your settings. Alerts arrive the same way.',
    parts: [{ label: 'Open the settings', url }],
  })
  return asAlert(letter, { event: 'message', url, isTest: true })
}
