import { asciiDigits } from '#domain/digits.ts'

/** The default of the `TIMEZONE` setting. */
export const DEFAULT_TIMEZONE = 'Asia/Kolkata'

/**
 * The clocks of two servers differ by less, and a transaction that is repeated began no longer ago. A time that is
 * further ahead is of a clock that was wrong.
 */
export const SKEW_SECONDS = 60

const formatters = new Map<string, Intl.DateTimeFormat>()

/** Cached per zone: creating one costs a hundred times as much as using it. */
function formatterFor(timezone: string): Intl.DateTimeFormat {
  const known = formatters.get(timezone)
  if (known) return known
  const formatter = new Intl.DateTimeFormat('en-US', {
    timeZone: timezone,
    calendar: 'gregory',
    numberingSystem: 'latn',
    year: 'numeric',
    month: '2-digit',
    day: '2-digit',
    hour: '2-digit',
    minute: '2-digit',
    hourCycle: 'h23',
  })
  formatters.set(timezone, formatter)
  return formatter
}

type Parts = { year: string; month: string; day: string; hour: string; minute: string }

let zoneOfDate: string | undefined

/**
 * Says in which zone `Date` itself reckons, as it does in a process with a `TZ`. For that zone `Intl`, which takes
 * 8 MB as soon as it formats one date, is not needed.
 */
export function reckonIn(timezone: string | undefined): void {
  zoneOfDate = timezone
}

function partsIn(timezone: string, date: Date): Parts {
  if (timezone !== zoneOfDate) return partsByIntl(timezone, date)
  const two = (n: number) => String(n).padStart(2, '0')
  return {
    year: String(date.getFullYear()),
    month: two(date.getMonth() + 1),
    day: two(date.getDate()),
    hour: two(date.getHours()),
    minute: two(date.getMinutes()),
  }
}

/** From the text: asking for its parts takes three times as long. */
function partsByIntl(timezone: string, date: Date): Parts {
  const shown = formatterFor(timezone).format(date)
  const [month = '', day = '', year = '', hour = '', minute = ''] = shown.match(/\d+/g) ?? []
  return { year, month, day, hour, minute }
}

/** Returns the date in the zone at an instant, as YYYY-MM-DD. */
export function toDayIn(timezone: string, date: Date): string {
  const { year, month, day } = partsIn(timezone, date)
  return `${year.padStart(4, '0')}-${month}-${day}`
}

/** Returns whether the text is a valid date as YYYY-MM-DD. */
export function isDay(text: string): boolean {
  if (!/^\d{4}-\d{2}-\d{2}$/.test(text)) return false
  const date = new Date(`${text}T00:00:00Z`)
  return !Number.isNaN(date.getTime()) && date.toISOString().startsWith(text)
}

const DAY_FIRST = /^(\d{1,2})[-/. ](\d{1,2}|[a-z]{3,9})\.?[-/. ](\d{4}|\d{2})$/i

/**
 * Reads a typed date: the day first, as in `31-03-2027`, `31/3/27` and `31-Mar-27`, or YYYY-MM-DD. Returns any other
 * text unchanged.
 */
export function readDay(typed: string): string {
  const text = asciiDigits(typed).trim()
  const [, day = '', named = '', year = ''] = DAY_FIRST.exec(text) ?? []
  const month = /\d/.test(named) ? Number(named) : monthOf(named)
  if (!day || !month) return text
  const two = (n: number) => String(n).padStart(2, '0')
  const read = `${year.length === 2 ? `20${year}` : year}-${two(month)}-${two(Number(day))}`
  return isDay(read) ? read : text
}

/** Returns 1 to 12 for `Mar` and `March`; 0 for any other text. */
function monthOf(name: string): number {
  const found =
    name.length < 3 ? -1 : MONTH_NAMES.findIndex((each) => each.startsWith(name.toLowerCase()))
  return found + 1
}

const MONTH_NAMES =
  'january february march april may june july august september october november december'.split(' ')

/** Returns whether a paper or a service of a vehicle can end on a day. Other years are slips of the hand. */
export function isEndDay(text: string): boolean {
  return isDay(text) && text >= '1900-01-01' && text <= '2200-12-31'
}

const DAY_MS = 86_400_000

const MONTHS = /* @__PURE__ */ 'Jan Feb Mar Apr May Jun Jul Aug Sep Oct Nov Dec'.split(' ')

type Moment = string | Date | null | undefined

/**
 * Formats a date as `14 Mar 2024`, or `N/A` without a valid date. A day without a time is the same
 * in every zone. `Intl` does not write the text, because browsers and servers differ on `Sep`,
 * `Sept` and spaces.
 */
export function formatDate(moment: Moment, timezone = DEFAULT_TIMEZONE): string {
  if (typeof moment === 'string' && isDay(moment)) return inWords(moment)
  const date = toDate(moment)
  return date ? inWords(toDayIn(timezone, date)) : 'N/A'
}

const inLanguages = new Map<string, Intl.DateTimeFormat>()

/** Formats a date in a language. Only the server calls it: a browser's text might differ. */
export function formatDateIn(lang: string, instant: string, timezone: string): string {
  if (lang === 'en') return formatDate(instant, timezone)
  const key = `${lang} ${timezone}`
  const known = inLanguages.get(key)
  const formatter =
    known ??
    new Intl.DateTimeFormat(`${lang}-u-nu-latn`, {
      timeZone: timezone,
      day: 'numeric',
      month: 'long',
      year: 'numeric',
    })
  inLanguages.set(key, formatter)
  return formatter.format(new Date(instant))
}

/** Returns `14 Mar`, for a day (YYYY-MM-DD) whose year is clear from the context. */
export function formatDayOfMonth(day: string): string {
  return inWords(day).replace(/ \d+$/, '')
}

/** Returns `18 Jun 2024, 9:14 am`, or `N/A` without a valid date. */
export function formatDateTime(moment: Moment, timezone = DEFAULT_TIMEZONE): string {
  const date = toDate(moment)
  return date ? `${inWords(toDayIn(timezone, date))}, ${formatTime(date, timezone)}` : 'N/A'
}

/** Returns `9:14 am`. */
export function formatTime(moment: Date, timezone: string): string {
  const { hour, minute } = partsIn(timezone, moment)
  return `${Number(hour) % 12 || 12}:${minute} ${Number(hour) < 12 ? 'am' : 'pm'}`
}

function inWords(day: string): string {
  const [year, month, date] = day.split('-').map(Number)
  return `${date} ${MONTHS[(month ?? 0) - 1]} ${year}`
}

function toDate(moment: Moment): Date | undefined {
  if (moment === null || moment === undefined) return undefined
  // Engines disagree on other formats and on dates such as 30 February.
  if (typeof moment === 'string' && !isDay(moment.slice(0, 10))) return undefined
  const date = new Date(moment)
  return Number.isNaN(date.getTime()) ? undefined : date
}

/** Returns the `count` days (YYYY-MM-DD) up to and including `day`, which comes last. */
export function daysUntil(day: string, count: number): string[] {
  const last = Date.parse(`${day}T00:00:00Z`)
  return Array.from({ length: count }, (_, i) =>
    new Date(last - (count - 1 - i) * DAY_MS).toISOString().slice(0, 10),
  )
}

/** Returns the `count` months (YYYY-MM) up to and including that of a day (YYYY-MM-DD), which comes last. */
export function monthsUntil(day: string, count: number): string[] {
  const [year = 0, month = 0] = day.split('-').map(Number)
  return Array.from({ length: count }, (_, i) =>
    new Date(Date.UTC(year, month - count + i)).toISOString().slice(0, 7),
  )
}

/** Returns `Mar 2024`, for a month (YYYY-MM). */
export function formatMonth(month: string): string {
  return inWords(`${month}-01`).replace(/^\d+ /, '')
}

/** Returns how many days (YYYY-MM-DD) `to` is after `from`. */
export function daysBetween(from: string, to: string): number {
  return (Date.parse(to) - Date.parse(from)) / DAY_MS
}

/** Returns the instant at which a day (YYYY-MM-DD) begins in the zone. */
export function startOfDayIn(timezone: string, day: string): Date {
  return whenShownIn(timezone, Date.parse(day))
}

/**
 * The last day of four-digit years. It ends in the year 10000, in some zones earlier, and times of that year
 * are written and sorted in another way.
 */
const LAST_DAY = '9999-12-31'

/**
 * Reads a date (its end in the zone), a local time (`2026-12-31T18:30`) or an ISO 8601 instant.
 * Undefined for anything else, and on the last day of the year 9999.
 */
export function momentIn(timezone: string, text: string): Date | undefined {
  if (text.startsWith(LAST_DAY)) return undefined
  if (isDay(text)) return whenShownIn(timezone, Date.parse(text) + DAY_MS)
  if (!/^.{10}T\d{2}:\d{2}/.test(text) || !isDay(text.slice(0, 10))) return undefined
  const hasZone = /(?:Z|[+-]\d{2}:\d{2})$/.test(text)
  const moment = new Date(hasZone ? text : `${text}Z`)
  if (Number.isNaN(moment.getTime())) return undefined
  return hasZone ? moment : whenShownIn(timezone, moment.getTime())
}

/**
 * Returns the instant at which local time in the zone equals the UTC time `shown`, in milliseconds.
 * A time that the clocks skip is as long after their change.
 */
export function whenShownIn(timezone: string, shown: number): Date {
  const guess = shown - offsetIn(timezone, new Date(shown))
  // Computed twice, because daylight saving may change between the guess and the result.
  const second = shown - offsetIn(timezone, new Date(guess))
  const isShown = second === guess || second + offsetIn(timezone, new Date(second)) === shown
  return new Date(isShown ? second : Math.max(guess, second))
}

const MINUTE_MS = 60_000

/**
 * Returns the same time of day `months` later in the zone: on the same day, or on the last
 * one of a shorter month.
 */
export function addMonths(from: Date, months: number, timezone: string): Date {
  const minute = Date.parse(`${toFieldTime(from.toISOString(), timezone)}Z`)
  const shown = new Date(minute + (from.getTime() % MINUTE_MS))
  const [year, month] = [shown.getUTCFullYear(), shown.getUTCMonth() + months]
  const lastDay = new Date(Date.UTC(year, month + 1, 0)).getUTCDate()
  const day = Date.UTC(year, month, Math.min(shown.getUTCDate(), lastDay))
  return whenShownIn(timezone, day + (shown.getTime() % DAY_MS))
}

/** Returns the instant as the value of a `datetime-local` input: `2026-12-31T23:59`. */
export function toFieldTime(instant: string, timezone: string): string {
  const { year, month, day, hour, minute } = partsIn(timezone, new Date(instant))
  return `${year}-${month}-${day}T${hour}:${minute}`
}

/** Milliseconds by which the zone is ahead of UTC at an instant. */
function offsetIn(timezone: string, date: Date): number {
  const { year, month, day, hour, minute } = partsIn(timezone, date)
  const shown = Date.parse(`${year.padStart(4, '0')}-${month}-${day}T${hour}:${minute}Z`)
  return shown - Math.floor(date.getTime() / MINUTE_MS) * MINUTE_MS
}
