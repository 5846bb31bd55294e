import { isEmail } from '#domain/accounts/contact.ts'
import { isNumber } from '#domain/accounts/phone.ts'
import { type Anyway, cleanAnyway } from '#domain/codes/phones.ts'
import { cleanVisibility, type Visibility } from '#domain/codes/visibility.ts'
import { asciiDigits } from '#domain/digits.ts'
import { DomainError } from '#domain/error.ts'
import { cleanLine, cleanText, LENGTHS, lengthProblem } from '#domain/text.ts'
import { isEndDay } from '#domain/time.ts'
import type { Refusal, RefusalCode } from '#locales/refusal.ts'

export const QR_TABS = ['Basic Info', 'Vehicle', 'Emergency', 'Misc', 'Finder'] as const
export type QrTab = (typeof QR_TABS)[number]

/** The fields of the create and edit forms, in their order. */
export const QR_FIELDS = {
  owner_name: field('Basic Info', 'Full Name', LENGTHS.name),
  contact_phone: field('Basic Info', 'Mobile Number'),
  email: field('Basic Info', 'Email'),
  city_area: field('Basic Info', 'City / Area'),
  public_message: field('Basic Info', 'Public Message', LENGTHS.message),
  vehicle_registration: field('Vehicle', 'Vehicle Registration'),
  vehicle_make_model: field('Vehicle', 'Vehicle Make & Model'),
  driving_license_number: field('Vehicle', 'Driving License Number'),
  insurance_policy_number: field('Vehicle', 'Insurance Policy Number'),
  insurance_expiry_date: field('Vehicle', 'Insurance Expiry Date'),
  next_service_due: field('Vehicle', 'Next Service Due'),
  emergency_contact_name: field('Emergency', 'Emergency Contact Name', LENGTHS.name),
  emergency_contact_phone: field('Emergency', 'Emergency Contact Phone'),
  blood_group: field('Emergency', 'Blood Group'),
  company_fleet_name: field('Misc', 'Company / Fleet Name', LENGTHS.name),
  optional_pin: field('Misc', 'Optional PIN'),
  notes_instructions: field('Misc', 'Notes / Instructions', LENGTHS.notes),
}

function field(tab: QrTab, label: string, max: number = LENGTHS.other) {
  return { tab, label, max }
}

export type QrField = keyof typeof QR_FIELDS
const OF_SEVERAL_LINES: readonly QrField[] = ['public_message', 'notes_instructions']
export type QrFields = Record<QrField, string | null>
/** All that the forms of a code send. */
export type QrInput = QrFields & Visibility & Anyway
const FIELD_NAMES = Object.keys(QR_FIELDS) as QrField[]

/** A field with a column of its own. The PIN has none: its hash is stored. */
export type QrColumn = Exclude<QrField, 'optional_pin'>
export const QR_COLUMNS = FIELD_NAMES.filter((name): name is QrColumn => name !== 'optional_pin')

/** The fields of a blank code. */
export const NO_QR_FIELDS = Object.fromEntries(QR_COLUMNS.map((name) => [name, null])) as Record<
  QrColumn,
  null
>

export const BLOOD_GROUPS: readonly string[] = 'A+ A- B+ B- AB+ AB- O+ O-'.split(' ')
/** The form's value for no blood group; stored as null. */
export const NOT_SPECIFIED = 'not_specified'

/** The default message of a claimed or registered code. */
export const DEFAULT_CLAIM_MESSAGE =
  'This key belongs to a wonderful human being. Thank you for scanning!'
/** The default message of a code made in the form. */
export const DEFAULT_PUBLIC_MESSAGE = `${DEFAULT_CLAIM_MESSAGE} Please call or return this to me.`

/** The limit of wrong tries of a PIN and of an activation code, and the length of the lock. */
export const SECRET_MAX_TRIES = 5
export const SECRET_LOCK_MINUTES = 15
export const QUANTITY_MAX = 50
export const QUANTITY_DEFAULT = 10

/** Returns a plate in upper case without spaces, dots and hyphens, so that it has one spelling: `MH12QX4827`. */
export function normalizeRegistration(typed: string): string {
  return asciiDigits(typed)
    .replace(/[\s.\p{Pd}]/gu, '')
    .toUpperCase()
}

/** Returns the fields that were sent, as they are stored. Fields that were not sent are left out. */
export function cleanQrFields(sent: Record<string, unknown>): Partial<QrInput> {
  const present = FIELD_NAMES.filter((name) => sent[name] !== undefined)
  const texts = present.map((name) => [name, storedForm(name, cleanField(name, sent[name]))])
  return { ...Object.fromEntries(texts), ...cleanTicks(sent) }
}

/** Returns the sent choices of the owner for the page, and the ticks of numbers. */
export function cleanTicks(sent: Record<string, unknown>): Partial<Visibility & Anyway> {
  return { ...cleanVisibility(sent), ...cleanAnyway(sent) }
}

function cleanField(name: QrField, value: unknown): string | null {
  return OF_SEVERAL_LINES.includes(name) ? cleanText(value) : cleanLine(value)
}

function storedForm(field: QrField, text: string | null): string | null {
  if (field === 'blood_group' && text === NOT_SPECIFIED) return null
  if (field === 'optional_pin' && text) return asciiDigits(text)
  if (field === 'blood_group' && text) return readBloodGroup(text)
  if (field === 'vehicle_registration' && text) return normalizeRegistration(text) || null
  return text
}

/** Reads a blood group in any letter case and usual spelling, such as `o +ve`. Returns any other text unchanged. */
function readBloodGroup(text: string): string {
  const [, letters, sign] =
    /^(a|b|ab|o|0)[\s(]*(\+|[-−–]|\+?pos|-?neg)(?:itive|ative|ve|\.)*\)?$/i.exec(
      text.trim().replace(/\s*(?:rh|type)\s*/i, ' '),
    ) ?? []
  if (!letters || !sign) return text
  const isPositive = /^\+|^pos/i.test(sign)
  return `${letters.toUpperCase().replace('0', 'O')}${isPositive ? '+' : '-'}`
}

const REQUIRED: Partial<Record<QrField, Refusal>> = {
  owner_name: 'invalid.full_name_missing',
  contact_phone: 'invalid.finder_number_missing',
}

const SHAPES: Partial<Record<QrField, (value: string) => Refusal | false | undefined>> = {
  contact_phone: (phone) => !isNumber(phone) && 'invalid.mobile',
  emergency_contact_phone: (phone) => !isNumber(phone) && 'invalid.emergency_phone',
  email: (email) => !isEmail(email) && 'invalid.email',
  insurance_expiry_date: (day) => !isEndDay(day) && 'invalid.insurance_end',
  next_service_due: (day) => !isEndDay(day) && 'invalid.service_day',
  blood_group: (group) => !BLOOD_GROUPS.includes(group) && 'invalid.blood_group',
  optional_pin: pinProblem,
}

export function pinProblem(pin: string): Refusal | undefined {
  return /^\d{4,6}$/.test(pin) ? undefined : 'invalid.pin'
}

/** The refusals of `qrFieldProblem`. */
export const QR_REFUSALS = [
  'invalid.blood_group',
  'invalid.email',
  'invalid.emergency_phone',
  'invalid.finder_number_missing',
  'invalid.full_name_missing',
  'invalid.insurance_end',
  'invalid.mobile',
  'invalid.pin',
  'invalid.service_day',
  'invalid.too_long',
] as const satisfies RefusalCode[]

/** Returns the reason why a cleaned field cannot be stored, to show beside it. */
export function qrFieldProblem(name: QrField, value?: string | null): Refusal | undefined {
  if (!value) return REQUIRED[name]
  const { label, max } = QR_FIELDS[name]
  return lengthProblem(label, value, max) ?? (SHAPES[name]?.(value) || undefined)
}

/**
 * Returns the first problem of cleaned fields, in the order of the form. Full Name and Mobile
 * Number are required: for a partial edit, merge the sent fields over the stored ones first.
 */
export function qrFieldsProblem(fields: Partial<QrFields>): Refusal | undefined {
  return FIELD_NAMES.map((name) => qrFieldProblem(name, fields[name])).find((problem) => problem)
}

/** Returns the fields that the edit form sends: those that changed, and always the two required ones. */
export function changedFields(
  before: Record<string, unknown>,
  after: Record<string, unknown>,
): Partial<QrInput> {
  const stored = cleanQrFields(before)
  const changes = Object.entries(cleanQrFields(after)) as [keyof QrInput, unknown][]
  return Object.fromEntries(
    changes.filter(([name, value]) => name in REQUIRED || value !== (stored[name] ?? null)),
  )
}

/** Throws invalid unless the value is a whole number from 1 to `max`. */
export function assertQuantity(value: unknown, max: number): asserts value is number {
  if (typeof value === 'number' && Number.isInteger(value) && value >= 1 && value <= max) return
  throw new DomainError({ code: 'invalid.quantity', values: { max } })
}

/** Returns the error for a change of an outdated state. */
export function changedMeanwhile(): DomainError {
  return new DomainError('conflict.code_changed')
}
