import { NO_DETAILS } from '#db/codes/qr-columns.ts'
import type { QrCode } from '#db/schema.ts'
import { DEFAULT_PUBLIC_MESSAGE } from '#domain/codes/qr.ts'
import { makeQrId } from '#domain/codes/qr-id.ts'
import { type ContactMode, VISIBLE } from '#domain/codes/visibility.ts'
import type { Random } from '#scripts/_sample-random.ts'
import sample from '#scripts/sample/sample.json' with { type: 'json' }

const DAY_MS = 86_400_000

type Owner = { id: string }
type SamplingAt = Sampling & { at: Date }

/** The random numbers and the contact mode of sample codes. */
export type Sampling = { random: Random; contactMode: ContactMode }

/** Makes an unclaimed code that was created `at` a time. */
export function blankCode(owner: Owner, { random, contactMode, at }: SamplingAt): QrCode {
  const time = at.toISOString()
  return {
    id: random.id(),
    qr_id: makeQrId(random.bytes),
    qr_type: 'normal',
    owner_id: owner.id,
    created_by: owner.id,
    child_account_id: null,
    is_active: 1,
    is_claimed: 0,
    is_child_registered: 0,
    printed_at: null,
    own_scan_at: null,
    claim_email: null,
    claim_lang: null,
    claimed_at: null,
    take_token_hash: null,
    claim_notice: null,
    ...NO_DETAILS,
    ...VISIBLE,
    contact_mode: contactMode,
    pin_hash: null,
    earlier_scans: 0,
    is_ending: 0,
    created_at: time,
    updated_at: time,
  }
}

/** Owner, plate, vehicle, blood group, and how many days ago the policy was renewed. */
const FAMILY = sample.family as [string, string, string, string | null, number][]

/** Makes the codes of one household and its friends, created over the last year. */
export function familyCodes(owner: Owner, sampling: Sampling, now: Date): QrCode[] {
  const { random } = sampling
  return FAMILY.map(([owner_name, plate, vehicle, blood_group, renewed], i) => ({
    ...blankCode(owner, { ...sampling, at: daysBefore(now, 1 + (i + 1) * 30) }),
    is_claimed: 1,
    owner_name,
    contact_phone: samplePhone(random),
    city_area: random.pick(['Kothrud, Pune', 'Aundh, Pune', 'Viman Nagar, Pune']),
    emergency_contact_name:
      owner_name === 'Meera Deshpande' ? 'Rohan Deshpande' : 'Meera Deshpande',
    emergency_contact_phone: samplePhone(random),
    blood_group,
    vehicle_registration: plate,
    vehicle_make_model: vehicle,
    driving_license_number: `MH12 2011${1_000_000 + random.below(9_000_000)}`,
    insurance_policy_number: `OG-26-${1000 + random.below(9000)}-${100_000 + random.below(900_000)}`,
    insurance_expiry_date: dayOf(daysBefore(now, renewed - 365)),
    next_service_due: dayOf(daysBefore(now, -random.below(150))),
    public_message: DEFAULT_PUBLIC_MESSAGE,
  }))
}

const VEHICLES = [
  'Maruti Suzuki Dzire Tour S',
  'Toyota Innova Crysta',
  'Hyundai Aura',
  'Tata Ace Gold',
  'Mahindra Bolero Pik-Up',
  'Bajaj RE Compact',
  'Maruti Suzuki Eeco Cargo',
  'Tata Tigor EV',
]
const OFFICES = ['MH01', 'MH02', 'MH04', 'MH12', 'GJ01', 'KA05', 'DL1C', 'TN09', 'TS08', 'HR26']
const LETTERS = 'ABCDEFGHJKLMNPRSTUVWXYZ'

/** Makes any number of codes of one company, created over the last year, oldest first. */
export function* companyCodes(
  owner: Owner & { name: string },
  count: number,
  sampling: Sampling,
  now: Date,
): Generator<QrCode> {
  const { random } = sampling
  for (let i = 0; i < count; i++) {
    const at = new Date(now.getTime() - Math.ceil(((count - i) / count) * 365 * DAY_MS))
    yield {
      ...blankCode(owner, { ...sampling, at }),
      is_claimed: 1,
      owner_name: owner.name,
      contact_phone: samplePhone(random),
      vehicle_registration: samplePlate(random),
      vehicle_make_model: random.pick(VEHICLES),
      company_fleet_name: owner.name,
      public_message: DEFAULT_PUBLIC_MESSAGE,
    }
  }
}

function samplePlate({ pick, below }: Random): string {
  return (
    pick(OFFICES) +
    pick([...LETTERS]) +
    pick([...LETTERS]) +
    String(1 + below(9999)).padStart(4, '0')
  )
}

const AREAS = ['202', '206', '212', '303', '305', '312', '415', '512', '617', '702']

/**
 * Makes a phone number from the range that North America reserves for fiction (555-0100 to 555-0199). It belongs to
 * nobody, and pages offer WhatsApp for it. India has no such range.
 */
export function samplePhone({ below, pick }: Random): string {
  return `+1${pick(AREAS)}55501${String(below(100)).padStart(2, '0')}`
}

export function daysBefore(now: Date, days: number): Date {
  return new Date(now.getTime() - days * DAY_MS)
}

export function dayOf(date: Date): string {
  return date.toISOString().slice(0, 10)
}
