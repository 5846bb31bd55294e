import { expect, test } from 'vitest'
import { formatDayAgo } from '#domain/ago.ts'
import { formatTime } from '#domain/time.ts'

/** Half an hour after midnight in India. */
const NOW = new Date('2026-01-02T19:00:00.000Z')

test.each([
  ['2026-01-02T18:30:00.000Z', 'Today'],
  ['2026-01-02T18:29:59.000Z', 'Yesterday'],
  ['2026-01-01T18:29:59.000Z', '1 Jan'],
  ['2025-12-31T18:29:59.000Z', '31 Dec 2025'],
])('%s is called %s', (instant, day) => {
  expect(formatDayAgo(instant, NOW, 'Asia/Kolkata')).toBe(day)
})

test.each([
  ['2026-01-02T18:30:00.000Z', '12:00 am'],
  ['2026-01-02T06:35:00.000Z', '12:05 pm'],
  ['2026-01-02T05:12:00.000Z', '10:42 am'],
])('the time of %s is %s', (instant, time) => {
  expect(formatTime(new Date(instant), 'Asia/Kolkata')).toBe(time)
})
