import { formatDayAgo } from '#domain/ago.ts'
import { formatTime, toDayIn } from '#domain/time.ts'

/** When a page is rendered, and where its reader is. */
export type Moment = { now: Date; timezone: string }

export type TalkDay<T> = { day: string; text: string; items: T[] }

/** Groups messages by day. */
export function inDays<T extends { sent_at: string }>(
  items: T[],
  { now, timezone }: Moment,
): TalkDay<T>[] {
  const days: TalkDay<T>[] = []
  for (const item of items) {
    const day = toDayIn(timezone, new Date(item.sent_at))
    const last = days.at(-1)
    if (last?.day === day) last.items.push(item)
    else days.push({ day, text: formatDayAgo(item.sent_at, now, timezone), items: [item] })
  }
  return days
}

/** Returns the time of today, or the day of an earlier day. */
export function formatWhen(instant: string, { now, timezone }: Moment): string {
  const day = formatDayAgo(instant, now, timezone)
  return day === 'Today' ? formatTime(new Date(instant), timezone) : day
}
