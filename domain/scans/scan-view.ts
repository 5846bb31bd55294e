/** What anybody who scans may see of a code, and the links its page is made of. */
export type ScanView = {
  qr_id: string
  qr_type: string
  is_claimed: boolean
  is_child_registered: boolean
  has_pin: boolean
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
  links: ScanLinks
}

/** Ready to be followed; a way of reaching the owner that is not there has no link. */
export type ScanLinks = {
  call?: { href: string; display: string }
  whatsapp?: string
  sms?: string
  email?: string
  emergency?: { name: string | null; href: string; display: string }
}

/** What the PIN opens, each field as it is to be read. */
export type ScanPrivateFields = {
  driving_license_number: string | null
  insurance_policy_number: string | null
  insurance_expiry_date: string | null
  notes_instructions: string | null
}

/** How the last try at the PIN went; without a try there is none. */
export type ScanUnlock =
  | { outcome: 'opened'; fields: ScanPrivateFields }
  | { outcome: 'incorrect' | 'malformed' }
  | { outcome: 'locked'; minutes: number }

/** What stands before the contact page: the owner's active images, the service's messages. */
export type ScanPopup = {
  images: { id: string; url: string }[]
  messages: { id: string; title: string; content: string }[]
}
