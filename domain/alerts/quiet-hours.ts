import type { Alert } from '#domain/alerts/alert.ts'
import { DomainError } from '#domain/error.ts'
import { toFieldTime, whenShownIn } from '#domain/time.ts'

/** From a time of the day, as `22:00`, until another, which may be on the next day. */
export type QuietHours = { from: string; to: string }

export const CLOCK_TIME = /^([01]\d|2[0-3]):[0-5]\d$/
const DAY_MS = 86_400_000

export function isClockTime(text: string): boolean {
  return CLOCK_TIME.test(text)
}

/** Throws invalid unless both are times of the day, and not the same. */
export function assertQuietHours({ from, to }: QuietHours): void {
  if (!isClockTime(from) || !isClockTime(to)) throw new DomainError('invalid.clock_time')
  if (from === to) {
    throw new DomainError('invalid.quiet_hours')
  }
}

/** Returns whether an alert is held back in quiet hours. */
export function waitsInQuietHours({ event, isUrgent }: Pick<Alert, 'event' | 'isUrgent'>): boolean {
  return !isUrgent && event !== 'lost_scan' && event !== 'security'
}

/** Returns the end of the quiet hours that hold at an instant; undefined when none do. */
export function endOfQuiet(
  now: Date,
  hours: QuietHours | null,
  timezone: string,
): Date | undefined {
  const isQuiet = (instant: Date) =>
    hours !== null && isBetween(clockTimeOf(instant, timezone), hours)
  if (!hours || !isQuiet(now)) return undefined
  const [day = '', time = ''] = toFieldTime(now.toISOString(), timezone).split('T')
  const endsToday = time < hours.to
  const shown = Date.parse(`${day}T${hours.to}Z`) + (endsToday ? 0 : DAY_MS)
  const minutes = (shown - Date.parse(`${day}T${time}Z`)) / 60_000
  const counted = new Date(Math.floor(now.getTime() / 60_000 + minutes) * 60_000)
  // They differ when the clocks change meanwhile: then the time comes an hour off, twice or not at all.
  const ends = [counted, whenShownIn(timezone, shown)].filter((end) => end > now && !isQuiet(end))
  const [first = counted] = ends.sort((a, b) => a.getTime() - b.getTime())
  return first
}

function clockTimeOf(instant: Date, timezone: string): string {
  return toFieldTime(instant.toISOString(), timezone).slice(11)
}

function isBetween(time: string, { from, to }: QuietHours): boolean {
  return from < to ? time >= from && time < to : time >= from || time < to
}
