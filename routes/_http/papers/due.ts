import type { Day } from '#db/schema.ts'
import { addDays, DUE_DAYS } from '#domain/papers/due.ts'
import { toDayIn } from '#domain/time.ts'
import type { AppContext } from '#routes/_http/context.ts'

export function todayOf(c: AppContext): Day {
  const { clock, config } = c.var.deps
  return toDayIn(config.timezone, clock())
}

/** The last day on which an end is near, so many days ahead. */
export function dueUntil(c: AppContext, days: number = DUE_DAYS): Day {
  return addDays(todayOf(c), days)
}
