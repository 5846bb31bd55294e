/** The only module that uses ical-generator. */
import { createHash } from 'node:crypto'
import { REMINDER_DAYS, REMINDER_HOUR } from '#domain/papers/due.ts'

type CalendarEvent = { uid: string; title: string; day: string }

/** `stamp`: when its events were made, as an instant. */
type CalendarFile = { name: string; stamp: string; events: readonly CalendarEvent[] }

const HOUR = 3_600
/** The interval at which calendar programs read it again. */
const READ_AGAIN_SECONDS = 12 * HOUR

/** Names the contents of a calendar, without writing it. */
export function calendarVersion(file: CalendarFile): string {
  return createHash('sha256').update(JSON.stringify(file)).digest('base64url').slice(0, 22)
}

/**
 * Draws a calendar with an all-day event for each end, which takes up no time, and an alarm at
 * 09:00 of the reader on each day of a reminder.
 */
export async function drawCalendar({ name, stamp, events }: CalendarFile): Promise<string> {
  const {
    default: ical,
    ICalAlarmRelatesTo,
    ICalAlarmType,
    ICalEventTransparency,
  } = await import('ical-generator')
  const calendar = ical({ name, prodId: { company: name, product: name }, ttl: READ_AGAIN_SECONDS })
  for (const { uid, title, day } of events) {
    const event = calendar.createEvent({
      id: uid,
      summary: title,
      start: day,
      allDay: true,
      stamp,
      transparency: ICalEventTransparency.TRANSPARENT,
    })
    for (const after of REMINDER_DAYS) {
      const triggerAfter = (after * 24 + REMINDER_HOUR) * HOUR
      // Otherwise one after the start would count from the end. The constructor ignores this.
      const from = triggerAfter > 0 ? ICalAlarmRelatesTo.start : null
      event.createAlarm({ type: ICalAlarmType.display, triggerAfter }).relatesTo(from)
    }
  }
  // RFC 5545 ends every line, also the last.
  return `${calendar}\r\n`
}
