import type { QrCode, Scan } from '#db/schema.ts'
import { startOfDayIn, toDayIn } from '#domain/time.ts'
import type { Random } from '#scripts/_sample-random.ts'

/** Relative activity per hour of the day. */
const RHYTHM = [1, 1, 1, 1, 1, 2, 4, 8, 14, 16, 12, 10, 12, 11, 9, 9, 11, 15, 18, 17, 13, 8, 4, 2]
const BUSIEST = Math.max(...RHYTHM)
const DAY_MS = 86_400_000
const HOUR_MS = 3_600_000
/** The offsets of all time zones are multiples of a quarter of an hour. */
const QUARTER_MS = 900_000

const DEVICES = ['phone', 'phone', 'phone', 'phone', 'phone', 'phone', 'tablet', 'desktop'] as const
const REFERRERS = ['direct', 'direct', 'direct', 'direct', 'social', 'search', 'own'] as const

export type MadeCode = Pick<QrCode, 'qr_id' | 'created_at'>
type When = { now: Date; timezone: string; days: number }

/**
 * Makes `count` scans of the last `days` days with a daily rhythm, none before its code was created,
 * ordered by code and time like the table's primary key. Some codes are scanned far more often than others.
 */
export function* makeScans(
  codes: readonly MadeCode[],
  count: number,
  random: Random,
  { now, timezone, days }: When,
): Generator<Scan> {
  const sorted = codes.toSorted((a, b) => (a.qr_id < b.qr_id ? -1 : 1))
  const weights = sorted.map(() => random.next() ** 3 + 0.02)
  const total = weights.reduce((sum, weight) => sum + weight, 0)
  const hourOf = createHourReader(timezone)
  let n = 0
  let reached = 0
  for (const [i, { qr_id, created_at }] of sorted.entries()) {
    const age = Math.min(days * DAY_MS, now.getTime() - Date.parse(created_at))
    reached += weights[i] ?? 0
    const upTo = i === sorted.length - 1 ? count : Math.round((count * reached) / total)
    const times = Array.from({ length: upTo - n }, () => pickTime(random, now, age, hourOf)).sort()
    for (const time of times) {
      const scanned_at = new Date(time).toISOString()
      const kind = { device: random.pick(DEVICES), referrer: random.pick(REFERRERS) }
      yield { qr_id, scanned_at, n: n++, ...kind, replaced_id: null }
    }
  }
}

/** Returns a function for the local hour of a time. It caches hours, because computing one takes longer than storing a scan. */
function createHourReader(timezone: string): (time: number) => number {
  const known = new Map<number, number>()
  return (time) => {
    const index = Math.floor(time / QUARTER_MS)
    const found = known.get(index)
    if (found !== undefined) return found
    const start = new Date(index * QUARTER_MS)
    const day = toDayIn(timezone, start)
    const sinceMidnight = start.getTime() - startOfDayIn(timezone, day).getTime()
    const hour = Math.floor(sinceMidnight / HOUR_MS) % 24
    known.set(index, hour)
    return hour
  }
}

/** Returns a random time of the last `age` milliseconds. Busy hours are likelier. */
function pickTime(
  random: Random,
  now: Date,
  age: number,
  hourOf: (time: number) => number,
): number {
  for (;;) {
    const time = now.getTime() - 1 - random.below(age)
    const busy = RHYTHM[hourOf(time)] ?? 0
    if (random.next() * BUSIEST < busy) return time
  }
}
