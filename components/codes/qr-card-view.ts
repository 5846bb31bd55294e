export type QrCardView = {
  qr_id: string
  /** the id in the groups that people read */
  qr_id_text: string
  qr_type: string
  owner_name: string | null
  contact_phone: string | null
  email: string | null
  vehicle_registration: string | null
  vehicle_make_model: string | null
  company_fleet_name: string | null
  emergency_contact_name: string | null
  is_active: boolean
  /** whether finders see the mobile number; undefined where there is none to see */
  number: 'shown' | 'hidden' | undefined
  /** the address of a small picture of the vehicle */
  photo: string | undefined
  is_claimed: boolean
  is_child_registered: boolean
  /** claimed by a person without an account */
  is_claimed_away: boolean
  /** the day until which that claim can be undone, as it is shown */
  undo_until: string | undefined
  needs_activation: boolean
  /** the ids that it had before, as people read them */
  replaces: string[]
  /** the name of a child code's user, where the owner has named the code otherwise */
  child_name: string | null
  document_count: number
  scan_count: number
  /** whether Analytics lists it: not for a child user */
  has_analytics: boolean
  /** the date as it is shown */
  created: string
  /** the first name of the owner who shares it; undefined for the account's own */
  shared_by: string | undefined
  /** where the code's image is, or the image itself as a data: URL */
  image: string
  scan_url: string
  /** the day since when it is lost, as it is shown */
  lost_since: string | undefined
  /** what of it ends next, or has ended, as it is shown */
  due: { text: string; isOver: boolean } | undefined
  /** the recipient of a running transfer, and its last day, as it is shown */
  transfer: { email: string; until: string } | undefined
  may: {
    edit: boolean
    switch: boolean
    delete: boolean
    /** WhatsApp and Email besides the link, or a way to the plan with them */
    share: 'all' | 'upgrade' | undefined
    download: boolean
    upload: boolean
    print: boolean
    lost: 'mark' | 'end' | 'upgrade' | undefined
    replace: boolean
    /** to make a new activation code */
    activate: boolean
    transfer: boolean
    /** to share it with people */
    people: boolean
  }
}
