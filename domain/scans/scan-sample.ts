import { DEMO_QR_ID } from '#domain/codes/qr-id.ts'
import type { ScanView } from '#domain/scans/scan-view.ts'

/**
 * Returns the code behind See Demo. Any realistic number may belong to a person, so its links go to
 * `href` instead.
 */
export function sampleScan(href: string): ScanView {
  return {
    qr_id: DEMO_QR_ID,
    qr_type: 'normal',
    is_claimed: true,
    is_child_registered: false,
    has_pin: false,
    thing: 'keys',
    owner_name: 'Ramesh Kulkarni',
    contact_phone: '+91 98765 43210',
    email: 'ramesh@example.in',
    city_area: 'Kothrud, Pune',
    emergency_contact_name: 'Sunita Kulkarni',
    emergency_contact_phone: '+91 98765 01234',
    blood_group: 'O+',
    vehicle_registration: 'MH 12 QX 4827',
    vehicle_make_model: 'Maruti Suzuki Swift VXi',
    company_fleet_name: null,
    public_message:
      'This key belongs to a wonderful human being. Thank you for scanning! Please call or return this to me.',
    is_default_message: false,
    is_relay: false,
    lost: null,
    links: {
      message: href,
      call: { href, display: '+91 98765 43210' },
      whatsapp: { href },
      sms: href,
      email: { href, hasSubject: false },
      emergency: { name: 'Sunita Kulkarni', href, display: '+91 98765 01234' },
    },
  }
}
