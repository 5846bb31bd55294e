import { DomainError } from '#domain/error.ts'
import { formatCount } from '#domain/number.ts'
import { type DocumentType, typeLabel } from '#domain/papers/document.ts'
import { daysBetween, formatDate, toDayIn, whenShownIn } from '#domain/time.ts'

/** The kinds of end dates: of a document, or of the fields of a code. */
export const DUE_KINDS = ['document', 'insurance', 'service'] as const
export type DueKind = (typeof DUE_KINDS)[number]

export const DUE_STATES = ['valid', 'due', 'expired'] as const
export type DueState = (typeof DUE_STATES)[number]

/** Enough to renew an insurance or to find a free day at a garage. */
export const DUE_DAYS = 30
/** The most days that a request can look ahead. */
export const MOST_DUE_DAYS = 3_650

/** The end date of a paper or service of a vehicle: the latest, if there are several. */
export type Due = { kind: DueKind; document_type: DocumentType | null; ends_on: string }

/** Returns the state of an end date; both days are YYYY-MM-DD. A paper that ends today is due. */
export function dueState(endsOn: string, today: string): DueState {
  const days = daysBetween(today, endsOn)
  if (days < 0) return 'expired'
  return days <= DUE_DAYS ? 'due' : 'valid'
}

const HOUR_MS = 3_600_000
const DAY_MS = 24 * HOUR_MS

/** Returns the day (YYYY-MM-DD) that is `days` after another. */
export function addDays(day: string, days: number): string {
  return new Date(Date.parse(day) + days * DAY_MS).toISOString().slice(0, 10)
}

/** The days of reminders, counted from the end: before it, on it, and weekly after it. */
export const REMINDER_DAYS = [-30, -15, -7, -1, 0, 7, 14, 21, 28] as const
/** The hour of the day at which reminders are sent, in TIMEZONE. */
export const REMINDER_HOUR = 9

/** Returns the end dates that have a reminder on a day after `last`, up to and including `day`. */
export function endsToRemindOf(last: string, day: string): string[] {
  const days = Array.from({ length: Math.max(0, daysBetween(last, day)) }, (_, i) =>
    addDays(day, -i),
  )
  const ends = days.flatMap((each) => REMINDER_DAYS.map((after) => addDays(each, -after)))
  // After a long downtime, papers that ended long ago get no reminder.
  const first = addDays(day, -(REMINDER_DAYS.at(-1) ?? 0))
  return [...new Set(ends)].filter((end) => end >= first).sort()
}

/** Returns the last day whose reminders are due: today from 09:00 on in the zone, and yesterday before. */
export function lastRunDay(now: Date, timezone: string): string {
  const today = toDayIn(timezone, now)
  const begins = whenShownIn(timezone, Date.parse(today) + REMINDER_HOUR * HOUR_MS)
  return now >= begins ? today : addDays(today, -1)
}

/** The short names of papers. */
const NAMES: Partial<Record<DocumentType, string>> = {
  rc_book: 'Registration',
  puc: 'PUC',
  vehicle_permit: 'Permit',
  fitness_certificate: 'Fitness',
}

export function dueName({ kind, document_type }: Omit<Due, 'ends_on'>): string {
  if (kind === 'service') return 'Service'
  if (kind === 'insurance' || !document_type) return typeLabel('insurance')
  return NAMES[document_type] ?? typeLabel(document_type)
}

/** Returns `PUC ends in 5 days`, `Insurance expired 3 days ago`, `Service due today`. */
export function dueText(due: Due, today: string): string {
  const text = endText(due.ends_on, today, due.kind)
  return `${dueName(due)} ${text}`
}

/** Returns the title of a calendar entry: `PUC ends: KA 05 ZZ 0003`, and without a plate `PUC ends`. */
export function dueTitle(due: Omit<Due, 'ends_on'>, plate: string | null): string {
  const title = `${dueName(due)} ${due.kind === 'service' ? 'due' : 'ends'}`
  return plate ? `${title}: ${plate}` : title
}

/** Returns `ends in 5 days`, `expired 3 days ago`; for a service `due in 5 days`, `was due 3 days ago`. */
function endText(endsOn: string, today: string, kind: DueKind = 'document'): string {
  const days = daysBetween(today, endsOn)
  const [comes, gone] = kind === 'service' ? ['due', 'was due'] : ['ends', 'expired']
  if (days === 0) return `${comes} today`
  if (days === 1) return `${comes} tomorrow`
  if (days === -1) return `${gone} yesterday`
  return days > 0 ? `${comes} in ${days} days` : `${gone} ${formatCount(-days)} days ago`
}

/** Returns when a document ends: `Ends in 5 days`, `Ends on 3 Dec 2031`. */
export function documentEndText(endsOn: string, today: string): string {
  if (dueState(endsOn, today) === 'valid') return `Ends on ${formatDate(endsOn)}`
  return capitalised(endText(endsOn, today))
}

/** Returns the date with its word: `Ends in 5 days, on 4 Dec 2026`, `Due on 3 Dec 2031`. */
export function dueDateText({ kind, ends_on }: Due, today: string): string {
  const date = `on ${formatDate(ends_on)}`
  if (dueState(ends_on, today) !== 'valid') {
    return `${capitalised(endText(ends_on, today, kind))}, ${date}`
  }
  return `${kind === 'service' ? 'Due' : 'Ends'} ${date}`
}

/** Returns the date of a document or of a field of its code: `Ends on 4 Dec 2026`, `Expired on 3 Nov 2026`. */
export function endDateText(endsOn: string, today: string): string {
  return `${endsOn < today ? 'Expired' : 'Ends'} on ${formatDate(endsOn)}`
}

function capitalised(text: string): string {
  return text.charAt(0).toUpperCase() + text.slice(1)
}

/** Reads the number of days ahead; 30 by default. Throws invalid. */
export function readDueDays(sent: string | undefined): number {
  if (sent === undefined) return DUE_DAYS
  const days = Number(sent)
  if (/^\d{1,4}$/.test(sent) && days <= MOST_DUE_DAYS) return days
  throw new DomainError({ code: 'invalid.due_days', values: { most: MOST_DUE_DAYS } })
}
