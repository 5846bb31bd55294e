import { daysUntil, formatDate, formatDayOfMonth, toDayIn } from '#domain/time.ts'

const MINUTE_MS = 60_000
const HOUR_MS = 3_600_000
const DAY_MS = 86_400_000

/** Returns `just now`, `18 min ago`, `3 h ago`; after a day, the date. */
export function formatAgo(instant: string, now: Date, timezone: string): string {
  const passed = now.getTime() - Date.parse(instant)
  if (passed >= DAY_MS) return formatDate(instant, timezone)
  if (passed >= HOUR_MS) return `${Math.floor(passed / HOUR_MS)} h ago`
  if (passed >= MINUTE_MS) return `${Math.floor(passed / MINUTE_MS)} min ago`
  return 'just now'
}

/** Returns `Today`, `Yesterday`, `18 Nov`; of another year, `18 Nov 2025`. */
export function formatDayAgo(instant: string, now: Date, timezone: string): string {
  const day = toDayIn(timezone, new Date(instant))
  const [yesterday, today = ''] = daysUntil(toDayIn(timezone, now), 2)
  if (day === today) return 'Today'
  if (day === yesterday) return 'Yesterday'
  return day.slice(0, 4) === today.slice(0, 4) ? formatDayOfMonth(day) : formatDate(day)
}

/** Returns how long a person has waited: `12 min`, `27 h`, `3 days`. */
export function formatWait(since: string, now: Date): string {
  const waited = Math.max(0, now.getTime() - Date.parse(since))
  if (waited < HOUR_MS) return `${Math.floor(waited / MINUTE_MS)} min`
  if (waited >= 2 * DAY_MS) return `${Math.floor(waited / DAY_MS)} days`
  return `${Math.floor(waited / HOUR_MS)} h`
}

/** Returns a duration: `3 days 4 h`, `4 h 12 min`, `12 min`. */
export function formatSpan(milliseconds: number): string {
  const minutes = Math.floor(milliseconds / 60_000)
  const hours = Math.floor(minutes / 60)
  const days = Math.floor(hours / 24)
  if (days > 0) return `${days} ${days === 1 ? 'day' : 'days'} ${hours % 24} h`
  return hours > 0 ? `${hours} h ${minutes % 60} min` : `${minutes} min`
}
