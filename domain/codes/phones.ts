import { homeCountry } from '#domain/accounts/country.ts'
import {
  asTyped,
  type Phone,
  type PhoneProblem,
  phoneProblem,
  toStoredPhone,
} from '#domain/accounts/phone.ts'
import { DomainError } from '#domain/error.ts'
import type { Refusal } from '#locales/refusal.ts'

/** The numbers of a code, with the refusals of each. */
export const PHONE_REFUSALS = {
  contact_phone: {
    invalid: 'invalid.mobile',
    unknown: 'invalid.mobile_unknown',
    abroad: 'invalid.mobile_abroad',
  },
  emergency_contact_phone: {
    invalid: 'invalid.emergency_phone',
    unknown: 'invalid.emergency_phone_unknown',
    abroad: 'invalid.emergency_phone_abroad',
  },
} as const
export type PhoneField = keyof typeof PHONE_REFUSALS
export const PHONE_FIELDS = Object.keys(PHONE_REFUSALS) as PhoneField[]

/** Whether a number that is in no plan is to be used as it was typed. */
export type Anyway = { [name in PhoneField as `${name}_anyway`]: boolean }
export const ANYWAY_FIELDS = ['contact_phone_anyway', 'emergency_contact_phone_anyway'] as const

type Texts = Partial<Record<PhoneField, string | null>>

/** Returns the sent ticks. A form sends `1`. */
export function cleanAnyway(sent: Record<string, unknown>): Partial<Anyway> {
  const ticked = ANYWAY_FIELDS.filter((name) => sent[name] === true || sent[name] === '1')
  return Object.fromEntries(ticked.map((name) => [name, true]))
}

/** Returns the number that a refusal offers to use anyway. */
export function offeredBy(code: string | undefined): PhoneField | undefined {
  return PHONE_FIELDS.find((name) => {
    const { unknown, abroad } = PHONE_REFUSALS[name]
    return code === unknown || code === abroad
  })
}

/** Returns the reason why a number of a code cannot be stored as it is. */
export function phoneFieldProblem(
  name: PhoneField,
  fields: Texts & Partial<Anyway>,
): Refusal | undefined {
  const typed = fields[name]
  const problem = typed ? phoneProblem(typed, fields[`${name}_anyway`]) : undefined
  return problem && phoneRefusal(name, problem)
}

/** Returns the refusal of a number. It names the country of numbers without `+` where that matters. */
export function phoneRefusal(name: PhoneField, problem: PhoneProblem): Refusal {
  if (problem === 'invalid') return PHONE_REFUSALS[name].invalid
  return { code: PHONE_REFUSALS[name][problem], values: { country: homeCountry() } }
}

/** Throws invalid for a number that is in no plan, unless it is stored already or is to be used anyway. */
export function assertPhones(fields: Texts & Partial<Anyway>, stored: Texts = {}): void {
  for (const name of PHONE_FIELDS) {
    const problem = fields[name] === stored[name] ? undefined : phoneFieldProblem(name, fields)
    if (problem) throw new DomainError(problem)
  }
}

/** The columns of the numbers, as the page of a scan needs them: it does not load all numbering plans. */
export type PhoneColumns = { contact_number: string | null; emergency_number: string | null }
export const NUMBER_COLUMNS = {
  contact_phone: 'contact_number',
  emergency_contact_phone: 'emergency_number',
} as const

/** Returns a stored number; one without its column is dialled as it was typed. */
export function phoneOf(text: string | null, column: string | null): Phone | undefined {
  if (!text) return undefined
  return column ? (JSON.parse(column) as Phone) : asTyped(text)
}

/** Returns a stored number as pages other than a finder's show it: with its country. */
export function shownNumber(text: string | null, column: string | null): string {
  return phoneOf(text, column)?.international ?? text ?? ''
}

/** The numbers of a stored code. */
export type StoredPhones = Texts & Partial<PhoneColumns>

/**
 * Returns the columns of the numbers that were sent. One that `read` does not know has none. A text that stays keeps
 * its column, because `COUNTRY` may have been another one when it was typed.
 */
export function phoneColumns(
  texts: Texts,
  read: (typed: string) => Phone | undefined = toStoredPhone,
  stored: StoredPhones = {},
): Partial<PhoneColumns> {
  const stays = (name: PhoneField) =>
    texts[name] === stored[name] && Boolean(stored[NUMBER_COLUMNS[name]])
  const sent = PHONE_FIELDS.filter((name) => texts[name] !== undefined && !stays(name))
  return Object.fromEntries(
    sent.map((name) => {
      const phone = read(texts[name] ?? '')
      return [NUMBER_COLUMNS[name], phone ? JSON.stringify(phone) : null]
    }),
  )
}
