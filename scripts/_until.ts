import { InvalidArgumentError } from 'commander'
import { isDay, startOfDayIn } from '#domain/time.ts'

const DAY_MS = 86_400_000

/** A day of the instance's zone, or an instant. */
export type Until = { day: string } | { instant: Date }

export function parseUntil(text: string): Until {
  if (isDay(text)) return { day: text }
  const instant = new Date(text)
  if (!/^\d{4}-\d{2}-\d{2}T/.test(text) || Number.isNaN(instant.getTime())) {
    throw new InvalidArgumentError('It must look like 2026-12-31 or 2026-12-31T18:30:00Z.')
  }
  return { instant }
}

/** A day counts to its end: it is over when the next one begins in the zone. */
export function endOf(until: Until, timezone: string): Date {
  if ('instant' in until) return until.instant
  const next = new Date(Date.parse(until.day) + DAY_MS).toISOString().slice(0, 10)
  return startOfDayIn(timezone, next)
}
