import type { ActionDeps } from '#actions/deps.ts'
import type { Day } from '#db/schema.ts'
import { addDays, DUE_DAYS } from '#domain/papers/due.ts'
import { toDayIn } from '#domain/time.ts'

type Clock = Pick<ActionDeps, 'clock' | 'config'>

/** Returns today's date in the configured time zone. */
export function todayOf({ clock, config }: Clock): Day {
  return toDayIn(config.timezone, clock())
}

/** Returns the last day that counts as soon due. */
export function dueUntil(deps: Clock, days: number = DUE_DAYS): Day {
  return addDays(todayOf(deps), days)
}
