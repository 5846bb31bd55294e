import { type Contact, isEmail, mobileContact, normalizeEmail } from '#domain/accounts/contact.ts'
import { nameProblem, passwordProblem } from '#domain/accounts/registration.ts'
import type { Anyway } from '#domain/codes/phones.ts'
import { cleanQrFields, cleanTicks, type QrFields, qrFieldProblem } from '#domain/codes/qr.ts'
import type { Visibility } from '#domain/codes/visibility.ts'
import { DomainError } from '#domain/error.ts'
import { cleanLine } from '#domain/text.ts'
import type { Refusal, RefusalCode } from '#locales/refusal.ts'

export const CONTACT_TYPES = ['mobile', 'email'] as const
export type ContactType = (typeof CONTACT_TYPES)[number]

/** The optional fields of a registration. */
export const CHILD_DETAILS = [
  'city_area',
  'emergency_contact_name',
  'emergency_contact_phone',
  'public_message',
] as const
type Details = Pick<QrFields, (typeof CHILD_DETAILS)[number]>
export type ChildDetails = Details & Partial<Visibility & Anyway>

export type ChildForm = {
  name: string
  contactType: ContactType
  contact: string
  password: string
  confirmPassword?: string | undefined
  details: ChildDetails
}

export function cleanChildDetails(sent: Record<string, unknown>): ChildDetails {
  const texts = CHILD_DETAILS.map((name) => [name, sent[name] ?? null])
  const cleaned = cleanQrFields(Object.fromEntries(texts)) as Details
  return { ...cleaned, ...cleanTicks(sent) }
}

/** The refusals of the form. A list without a spread, so that scripts for browsers leave it out. */
export const CHILD_REFUSALS = [
  'invalid.age_missing',
  'invalid.child_contact_missing',
  'invalid.child_email',
  'invalid.child_mobile',
  'invalid.emergency_phone',
  'invalid.name_missing',
  'invalid.password_long',
  'invalid.password_missing',
  'invalid.password_short',
  'invalid.passwords_differ',
  'invalid.too_long',
] as const satisfies RefusalCode[]

/** Returns the first problem of a registration, in the order that the specification sets. */
export function childRegistrationProblem(form: ChildForm): Refusal | undefined {
  return (
    nameProblem(form.name) ??
    childContactProblem(form) ??
    passwordProblem(form) ??
    CHILD_DETAILS.map((name) => qrFieldProblem(name, form.details[name])).find((wrong) => wrong)
  )
}

function childContactProblem({ contactType, contact }: ChildForm): Refusal | undefined {
  if (!cleanLine(contact)) return 'invalid.child_contact_missing'
  if (contactType === 'email') {
    return isEmail(contact.trim()) ? undefined : 'invalid.child_email'
  }
  return mobileContact(contact) ? undefined : 'invalid.child_mobile'
}

/** Returns the contact with which the child user will sign in. Call `childRegistrationProblem` first. */
export function childContact({ contactType, contact }: ChildForm): Contact {
  return contactType === 'email'
    ? { kind: 'email', email: normalizeEmail(contact) }
    : (mobileContact(contact) as Contact)
}

type Flag = boolean | number
type Code = { qr_type: string; is_active: Flag; is_child_registered: Flag }

export type ChildCodeState = 'not_found' | 'normal' | 'registered' | 'open'

export function childCodeState(code: Code | undefined): ChildCodeState {
  if (!code?.is_active) return 'not_found'
  if (code.qr_type !== 'child') return 'normal'
  return code.is_child_registered ? 'registered' : 'open'
}

/** Throws not_found for a code that is no child code, and conflict for one already registered. */
export function assertRegistrable<C extends Code>(code: C | undefined): asserts code is C {
  const state = childCodeState(code)
  if (state === 'registered') throw new DomainError('conflict.registered')
  if (state !== 'open') throw new DomainError('not_found.qr_code')
}
