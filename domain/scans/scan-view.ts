import type { Lost } from '#domain/codes/lost.ts'
import type { Thing } from '#domain/codes/visibility.ts'

/** The public part of a code, with the links on its page. */
export type ScanView = {
  qr_id: string
  qr_type: string
  is_claimed: boolean
  is_child_registered: boolean
  has_pin: boolean
  thing: Thing
  owner_name: string | null
  contact_phone: string | null
  email: string | null
  city_area: string | null
  emergency_contact_name: string | null
  emergency_contact_phone: string | null
  blood_group: string | null
  vehicle_registration: string | null
  vehicle_make_model: string | null
  company_fleet_name: string | null
  public_message: string | null
  /** the message is of the program, in the language of the page */
  is_default_message: boolean
  /** finders write first: there is no number to call */
  is_relay: boolean
  /** with the day as it is shown */
  lost: Lost | null
  links: ScanLinks
}

/** The links to reach the owner; those without a number or address are missing. */
export type ScanLinks = {
  /** to write to the owner; missing where nobody has an account to answer from */
  message?: string
  call?: { href: string; display: string }
  /** with the code as the greeting names it; the page adds the greeting */
  whatsapp?: { href: string; code?: string | undefined }
  sms?: string
  /** the page adds the subject */
  email?: { href: string; hasSubject: boolean }
  emergency?: { name: string | null; href: string; display: string }
}

/** The fields that the PIN unlocks, formatted for display. */
export type ScanPrivateFields = {
  driving_license_number: string | null
  insurance_policy_number: string | null
  insurance_expiry_date: string | null
  notes_instructions: string | null
}

/** The result of a PIN try; `retryAfter` is in seconds. */
export type ScanUnlock =
  | { outcome: 'opened'; fields: ScanPrivateFields }
  | { outcome: 'incorrect' | 'malformed' }
  | { outcome: 'locked'; retryAfter: number }

/** Shown before the contact page: the owner's active images and the service's messages. */
export type ScanPopup = {
  images: { id: string; url: string; width: number; height: number }[]
  messages: { id: string; title: string; content: string }[]
}
