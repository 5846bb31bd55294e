import { mailtoHref } from '#domain/accounts/contact.ts'
import { type Phone, shownPhone, smsHref, telHref, whatsappHref } from '#domain/accounts/phone.ts'
import { type LostColumns, lostOf } from '#domain/codes/lost.ts'
import { type PhoneColumns, phoneOf } from '#domain/codes/phones.ts'
import { formatPlate } from '#domain/codes/plate.ts'
import { DEFAULT_CLAIM_MESSAGE, DEFAULT_PUBLIC_MESSAGE } from '#domain/codes/qr.ts'
import { formatQrId } from '#domain/codes/qr-id.ts'
import type { Chosen, Thing } from '#domain/codes/visibility.ts'
import {
  canMessage,
  contactModeOf,
  type PublicScanFields,
  privateScanFields,
  publicScanFields,
  type Reachable,
} from '#domain/scans/scan.ts'
import type { ScanLinks, ScanPrivateFields, ScanView } from '#domain/scans/scan-view.ts'
import { formatDate, formatDateIn } from '#domain/time.ts'
import type { Catalogue } from '#locales/catalogue.ts'

type Flag = boolean | number

export type ScannedQr = PublicScanFields &
  Reachable &
  Chosen &
  LostColumns &
  PhoneColumns & { qr_id: string; thing: Thing; is_active: Flag; pin_hash: string | null }

/** The language of the page, the zone of its dates, and the region of its reader. */
export type ScanPlace = { words: Catalogue; timezone: string; region: string | undefined }

/** Returns everything about a code that is public to people who know its id. */
export function toPublicScan(qr: ScannedQr) {
  return {
    ...shownOf(qr),
    is_active: Boolean(qr.is_active),
    contact_mode: contactModeOf(qr),
    can_message: canMessage(qr),
    lost: lostOf(qr),
  }
}

function shownOf(qr: ScannedQr) {
  return {
    qr_id: qr.qr_id,
    qr_type: qr.qr_type,
    is_claimed: Boolean(qr.is_claimed),
    is_child_registered: Boolean(qr.is_child_registered),
    has_pin: qr.pin_hash !== null,
    thing: qr.thing,
    ...publicScanFields(qr),
  }
}

/** Returns all texts in their final form, because the page is rendered from a template. */
export function toScanView(qr: ScannedQr, place: ScanPlace): ScanView {
  const shown = shownOf(qr)
  const { contact_number, emergency_number } = qr
  const lost = lostOf(qr)
  const { words, timezone, region } = place
  const plate = shown.vehicle_registration
  return {
    ...shown,
    vehicle_registration: plate && formatPlate(plate),
    ...messageIn(words, shown.public_message),
    is_relay: contactModeOf(qr) === 'relay',
    lost: lost && { ...lost, since: formatDateIn(words.lang, lost.since, timezone) },
    links: {
      ...linksOf({ ...shown, contact_number, emergency_number }, region),
      ...(canMessage(qr) && { message: `/scan/${qr.qr_id}/message` }),
    },
  }
}

/** Returns the default message in the language of the page, and any other as its owner wrote it. */
function messageIn({ holder }: Catalogue, message: string | null) {
  const { defaultMessage, callMe } = holder
  const ours = {
    [DEFAULT_CLAIM_MESSAGE]: defaultMessage,
    [DEFAULT_PUBLIC_MESSAGE]: `${defaultMessage} ${callMe}`,
  }[message ?? '']
  return { public_message: ours ?? message, is_default_message: ours !== undefined }
}

/** Returns the links without their constant parts, which the page's template has. */
function linksOf(
  code: PublicScanFields & PhoneColumns & { qr_id: string },
  region: string | undefined,
): ScanLinks {
  const { email, emergency_contact_name } = code
  const phone = phoneOf(code.contact_phone, code.contact_number)
  const emergency = phoneOf(code.emergency_contact_phone, code.emergency_number)
  const whatsapp = phone && whatsappHref(phone, '')
  const mailto = email && mailtoHref(email, '')
  return {
    ...(phone && { call: toCall(phone, region) }),
    ...(phone &&
      whatsapp && {
        whatsapp: { href: whatsapp, code: formatQrId(code.qr_id) },
        sms: smsHref(phone),
      }),
    ...(mailto && { email: { href: mailto, hasSubject: true } }),
    ...(emergency && { emergency: { name: emergency_contact_name, ...toCall(emergency, region) } }),
  }
}

function toCall(phone: Phone, region: string | undefined): { href: string; display: string } {
  return { href: telHref(phone), display: shownPhone(phone, region) }
}

/** Returns the fields that the PIN unlocks, formatted for display. */
export function toPrivateView(qr: ScanPrivateFields): ScanPrivateFields {
  const fields = privateScanFields(qr)
  const expiry = fields.insurance_expiry_date
  return { ...fields, insurance_expiry_date: expiry && formatDate(expiry) }
}
