import { COMMAND_LINE } from '#db/admin/audit-events.ts'
import type { Account, QrCode } from '#db/schema.ts'
import { withNumbers } from '#db/seed.ts'
import { DEFAULT_CLAIM_MESSAGE } from '#domain/codes/qr.ts'
import { PLANS } from '#domain/plans/plan.ts'
import {
  blankCode,
  daysBefore,
  familyCodes,
  type Sampling,
  samplePhone,
} from '#scripts/_sample-fleet.ts'
import type { Random } from '#scripts/_sample-random.ts'

type About = Pick<Account, 'name' | 'email'> & Partial<Account>
export type Sample = ReturnType<typeof makeSample>

const NO_TERM = { term_plan: null, term_ends_at: null, term_child_quota: 0, term_reminded: 0 }
const CHILD_CODES = 3
const BLANK_CODES = 10

/**
 * Makes a household, the workshop that sold its key rings, a seller who asks for money, three other
 * accounts, a moderator and a super admin.
 */
export function makeSample(sampling: Sampling, now: Date, password_hash: string) {
  const { random } = sampling
  const account = (days: number, about: About): Account => {
    const plan = PLANS[about.subscription_plan ?? 'free']
    return {
      id: random.id(),
      email_verified_at: daysBefore(now, days).toISOString(),
      mobile: null,
      login_id: null,
      email_lost_at: null,
      lost_email: null,
      role: 'client',
      subscription_plan: 'free',
      qr_limit: plan.qr_limit,
      child_qr_quota: plan.child_qr_limit,
      is_active: 1,
      parent_id: null,
      created_at: daysBefore(now, days).toISOString(),
      ...NO_TERM,
      ...about,
      password_hash,
    }
  }
  const admin = account(450, {
    name: 'Nandini Rao',
    email: 'admin@driveqr.example',
    role: 'super_admin',
  })
  const demo = account(400, {
    name: 'Rohan Deshpande',
    email: 'demo@driveqr.example',
    mobile: samplePhone(sampling.random),
    subscription_plan: 'premium',
    child_qr_quota: PLANS.premium.child_qr_limit - CHILD_CODES,
  })
  const workshop = account(420, {
    name: 'Sai Motors, Baner',
    email: 'workshop@driveqr.example',
    subscription_plan: 'enterprise',
  })
  const child = account(40, {
    name: 'Aarav Deshpande',
    email: 'aarav@driveqr.example',
    parent_id: demo.id,
    email_verified_at: null,
  })
  const upgraded = account(50, { name: 'Dev Menon', email: 'dev@driveqr.example' })
  const refused = account(15, { name: 'Lakshmi Iyer', email: 'lakshmi@driveqr.example' })
  const free = account(6, { name: 'Farida Khan', email: 'farida@driveqr.example' })
  const moderator = account(200, {
    name: 'Ishita Ghosh',
    email: 'moderator@driveqr.example',
    role: 'moderator',
  })
  const seller = account(30, { name: 'Quick Tyres, Nashik', email: 'tyres@driveqr.example' })
  const people = { admin, moderator, demo, workshop, child, upgraded, refused, free, seller }
  const qr_codes = makeCodes({ demo, workshop, child, seller }, sampling, now).map(withNumbers)
  return {
    people,
    qr_codes,
    lost_periods: lostPeriods(qr_codes),
    audit_events: [seeded(random, now)],
  }
}

type People = { demo: Account; workshop: Account; child: Account; seller: Account }

function makeCodes(
  { demo, workshop, child, seller }: People,
  sampling: Sampling,
  now: Date,
): QrCode[] {
  const [first, ...family] = familyCodes(demo, sampling, now)
  const made = (owner: Account, days: number) =>
    blankCode(owner, { ...sampling, at: daysBefore(now, days) })
  const children = Array.from({ length: CHILD_CODES }, () => made(demo, 42))
  return [
    // Issued by the workshop and claimed by its owner.
    { ...(first as QrCode), created_by: workshop.id },
    ...family.map((code) => ({ ...code, ...chosenFor(code, now) })),
    ...children.map((code, i) => ({
      ...code,
      qr_type: 'child' as const,
      ...(i === 0 ? registeredBy(child, sampling.random) : {}),
    })),
    ...Array.from({ length: BLANK_CODES }, () => made(workshop, 12)),
    {
      ...made(seller, 28),
      is_claimed: 1,
      owner_name: seller.name,
      contact_phone: samplePhone(sampling.random),
      city_area: 'Nashik',
      public_message: 'Best price for all tyres. Scan, pay, then call. No payment, no key.',
    },
  ]
}

/** Returns the special fields of two codes: one is lost, and one shows finders no number. */
function chosenFor({ vehicle_registration }: QrCode, now: Date): Partial<QrCode> {
  if (vehicle_registration === 'MH12WB9031') {
    const public_message = 'Thank you for scanning! Please write to me, I answer fast.'
    return { contact_mode: 'relay', public_message }
  }
  if (vehicle_registration !== 'MH12TU2240') return {}
  const lost_note = 'On the bus from Kothrud to Katraj: a red key ring with a small elephant'
  return { lost_since: daysBefore(now, 2).toISOString(), lost_note, lost_reward: '₹500' }
}

function lostPeriods(codes: QrCode[]) {
  return codes.flatMap(({ qr_id, lost_since: since }) =>
    since ? [{ qr_id, since, until: null }] : [],
  )
}

function registeredBy(child: Account, random: Random): Partial<QrCode> {
  return {
    child_account_id: child.id,
    is_claimed: 1,
    is_child_registered: 1,
    owner_name: child.name,
    email: child.email,
    contact_phone: samplePhone(random),
    city_area: 'Kothrud, Pune',
    vehicle_registration: 'MH12VE6190',
    vehicle_make_model: 'TVS Scooty Pep+',
    emergency_contact_name: 'Meera Deshpande',
    emergency_contact_phone: samplePhone(random),
    public_message: DEFAULT_CLAIM_MESSAGE,
  }
}

function seeded(random: Random, now: Date) {
  return {
    id: random.id(),
    happened_at: now.toISOString(),
    ...COMMAND_LINE,
    action: 'sample_data.created',
    subject_type: 'installation',
    subject_id: null,
    before: null,
    after: null,
  }
}

/** Makes the owner of the codes of large sample data. */
export function companyAccount(random: Random, now: Date, password_hash: string): Account {
  const { qr_limit, child_qr_limit } = PLANS.enterprise
  return {
    id: random.id(),
    name: 'Konkan Cabs',
    email: 'fleet@driveqr.example',
    email_verified_at: daysBefore(now, 366).toISOString(),
    mobile: null,
    login_id: null,
    email_lost_at: null,
    lost_email: null,
    password_hash,
    role: 'client',
    subscription_plan: 'enterprise',
    qr_limit,
    child_qr_quota: child_qr_limit,
    is_active: 1,
    parent_id: null,
    created_at: daysBefore(now, 366).toISOString(),
    ...NO_TERM,
  }
}
