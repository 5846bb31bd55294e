import { expect, test } from 'vitest'
import { startOfDayIn, toDayIn } from '#domain/time.ts'

test.each([
  ['Asia/Kolkata', '2026-11-20', '2026-11-19T18:30:00.000Z'],
  ['Asia/Kathmandu', '2026-11-20', '2026-11-19T18:15:00.000Z'],
  ['UTC', '2026-11-20', '2026-11-20T00:00:00.000Z'],
  ['America/New_York', '2026-07-04', '2026-07-04T04:00:00.000Z'],
  ['America/New_York', '2026-03-08', '2026-03-08T05:00:00.000Z'],
  ['America/New_York', '2026-03-09', '2026-03-09T04:00:00.000Z'],
  // The clocks skip midnight.
  ['America/Santiago', '2026-09-06', '2026-09-06T04:00:00.000Z'],
  ['America/Havana', '2026-03-08', '2026-03-08T05:00:00.000Z'],
  ['Atlantic/Azores', '2026-03-29', '2026-03-29T01:00:00.000Z'],
  ['Africa/Cairo', '2026-04-24', '2026-04-23T22:00:00.000Z'],
  ['Pacific/Auckland', '2026-04-06', '2026-04-05T12:00:00.000Z'],
])('in %s the day %s begins at %s', (zone, day, instant) => {
  const start = startOfDayIn(zone, day)
  expect(start.toISOString()).toBe(instant)
  expect(toDayIn(zone, start)).toBe(day)
  expect(toDayIn(zone, new Date(start.getTime() - 1))).not.toBe(day)
})
