import { InvalidArgumentError } from 'commander'
import { MOST_MONTHS } from '#domain/plans/term.ts'
import { momentIn } from '#domain/time.ts'
import { wholeNumber } from '#scripts/_whole-number.ts'

/** A date or time whose zone is not applied yet. */
export type Until = string

export function parseUntil(text: string): Until {
  if (momentIn('UTC', text)) return text
  throw new InvalidArgumentError('It must look like 2026-12-31 or 2026-12-31T18:30:00Z.')
}

export const parseMonths = wholeNumber(1, MOST_MONTHS)

export function endOf(until: Until, timezone: string): Date {
  return momentIn(timezone, until) as Date
}
