import {
  displayMobile,
  mailtoHref,
  normalizeMobile,
  smsHref,
  whatsappHref,
} from '#domain/accounts/contact.ts'
import { formatPlate } from '#domain/codes/plate.ts'
import { type PublicScanFields, privateScanFields, publicScanFields } from '#domain/scans/scan.ts'
import type { ScanLinks, ScanPrivateFields, ScanView } from '#domain/scans/scan-view.ts'
import { formatDate } from '#domain/time.ts'

type Flag = boolean | number

export type ScannedQr = PublicScanFields & {
  qr_id: string
  qr_type: string
  is_active: Flag
  is_claimed: Flag
  is_child_registered: Flag
  pin_hash: string | null
}

/** The prefilled message from the finder to the owner. */
export type FinderMessage = { text: string; subject: string }

/** Everything about a code that is public to people who know its id. */
export function toPublicScan(qr: ScannedQr) {
  return {
    qr_id: qr.qr_id,
    qr_type: qr.qr_type,
    is_active: Boolean(qr.is_active),
    is_claimed: Boolean(qr.is_claimed),
    is_child_registered: Boolean(qr.is_child_registered),
    has_pin: qr.pin_hash !== null,
    ...publicScanFields(qr),
  }
}

/** All texts in their final form, because the page is rendered from a template. */
export function toScanView(qr: ScannedQr, message: FinderMessage): ScanView {
  const { is_active: _, ...view } = toPublicScan(qr)
  const plate = view.vehicle_registration
  return {
    ...view,
    vehicle_registration: plate && formatPlate(plate),
    links: linksOf(view, message),
  }
}

function linksOf(fields: PublicScanFields, { text, subject }: FinderMessage): ScanLinks {
  const { contact_phone, email, emergency_contact_name, emergency_contact_phone } = fields
  const mobile = normalizeMobile(contact_phone ?? '')
  const emergency = normalizeMobile(emergency_contact_phone ?? '')
  return {
    ...(mobile && {
      call: toCall(mobile),
      whatsapp: whatsappHref(mobile, text),
      sms: smsHref(mobile),
    }),
    ...(email && { email: mailtoHref(email, subject) }),
    ...(emergency && { emergency: { name: emergency_contact_name, ...toCall(emergency) } }),
  }
}

function toCall(e164: string): { href: string; display: string } {
  return { href: `tel:${e164}`, display: displayMobile(e164) }
}

/** The fields that the PIN unlocks, formatted for display. */
export function toPrivateView(qr: ScanPrivateFields): ScanPrivateFields {
  const fields = privateScanFields(qr)
  const expiry = fields.insurance_expiry_date
  return { ...fields, insurance_expiry_date: expiry && formatDate(expiry) }
}
