import { describe, expect, test } from 'vitest'
import { assertQuietHours, endOfQuiet, waitsInQuietHours } from '#domain/alerts/quiet-hours.ts'

const INDIA = 'Asia/Kolkata'
const NIGHT = { from: '22:00', to: '07:00' }
const end = (now: string, hours = NIGHT, zone = INDIA) =>
  endOfQuiet(new Date(now), hours, zone)?.toISOString()

describe('quiet hours', () => {
  test.each([
    ['2026-11-20T16:29:59.999Z', undefined],
    ['2026-11-20T16:30:00.000Z', '2026-11-21T01:30:00.000Z'],
    ['2026-11-20T18:29:00.000Z', '2026-11-21T01:30:00.000Z'],
    ['2026-11-20T18:31:00.000Z', '2026-11-21T01:30:00.000Z'],
    ['2026-11-21T01:29:59.999Z', '2026-11-21T01:30:00.000Z'],
    ['2026-11-21T01:30:00.000Z', undefined],
    ['2026-12-31T20:00:00.000Z', '2027-01-01T01:30:00.000Z'],
  ])('over midnight in the zone: at %s they last until %s', (now, until) => {
    expect(end(now)).toBe(until)
  })

  test.each([
    ['2026-11-20T07:29:00.000Z', undefined],
    ['2026-11-20T07:30:00.000Z', '2026-11-20T09:30:00.000Z'],
    ['2026-11-20T09:30:00.000Z', undefined],
  ])('on one day: at %s they last until %s', (now, until) => {
    expect(end(now, { from: '13:00', to: '15:00' })).toBe(until)
  })

  test('that nobody set never begin', () => {
    expect(endOfQuiet(new Date(), null, INDIA)).toBeUndefined()
  })

  test.each([
    // The clocks go forward: the night has an hour less, and 02:30 does not come.
    ['2026-03-08T03:00:00.000Z', NIGHT, '2026-03-08T11:00:00.000Z'],
    ['2026-03-08T06:30:00.000Z', { from: '22:00', to: '02:30' }, '2026-03-08T07:30:00.000Z'],
    // They go back: it has an hour more, and 01:30 comes twice.
    ['2026-11-01T02:30:00.000Z', NIGHT, '2026-11-01T12:00:00.000Z'],
    ['2026-11-01T05:10:00.000Z', { from: '22:00', to: '01:30' }, '2026-11-01T05:30:00.000Z'],
    ['2026-11-01T06:10:00.000Z', { from: '22:00', to: '01:30' }, '2026-11-01T06:30:00.000Z'],
  ])('end when the clock on the wall says so: from %s, %o, at %s', (now, hours, until) => {
    expect(end(now, hours, 'America/New_York')).toBe(until)
  })

  test('that end at a time which comes twice end the first time, in any zone', () => {
    const hours = { from: '22:00', to: '01:30' }
    const endInLondon = (now: string) => end(now, hours, 'Europe/London')
    expect(endInLondon('2026-10-24T22:00:00.000Z')).toBe('2026-10-25T00:30:00.000Z')
    expect(endInLondon('2026-10-25T00:10:00.000Z')).toBe('2026-10-25T00:30:00.000Z')
    expect(endInLondon('2026-10-25T01:10:00.000Z')).toBe('2026-10-25T01:30:00.000Z')
  })

  test('always end later than now, and outside of themselves, whenever it is asked', () => {
    const hours = [NIGHT, { from: '01:15', to: '02:45' }, { from: '03:00', to: '02:30' }]
    for (const zone of ['America/New_York', 'Europe/London', 'Australia/Lord_Howe']) {
      for (const each of hours) {
        for (const day of ['2026-03-08', '2026-03-29', '2026-10-04', '2026-10-25', '2026-11-01']) {
          const start = Date.parse(`${day}T00:00:00Z`) - 12 * 3_600_000
          for (let minutes = 0; minutes < 36 * 60; minutes += 7) {
            const now = new Date(start + minutes * 60_000)
            const until = endOfQuiet(now, each, zone)
            if (!until) continue
            const hoursLeft = (until.getTime() - now.getTime()) / 3_600_000
            expect([zone, now, each, hoursLeft > 0 && hoursLeft < 25]).toEqual([
              zone,
              now,
              each,
              true,
            ])
          }
        }
      }
    }
  })

  test.each([
    [{ from: '22', to: '07:00' }],
    [{ from: '24:00', to: '07:00' }],
    [{ from: '22:00', to: '7:00' }],
    [{ from: '22:60', to: '07:00' }],
    [{ from: '', to: '07:00' }],
  ])('of another form are refused: %o', (hours) => {
    expect(() => assertQuietHours(hours)).toThrow('Please enter a time like 22:00')
  })

  test('must have an end', () => {
    expect(() => assertQuietHours({ from: '22:00', to: '22:00' })).toThrow('at another time')
    expect(() => assertQuietHours(NIGHT)).not.toThrow()
  })

  test('are ignored by urgent messages, by lost codes and by security alone', () => {
    const waits = (event: Parameters<typeof waitsInQuietHours>[0]['event'], isUrgent = false) =>
      waitsInQuietHours({ event, isUrgent })
    expect([waits('message'), waits('scan'), waits('police_view')]).toEqual([true, true, true])
    expect([waits('reset_request'), waits('plan'), waits('due')]).toEqual([true, true, true])
    expect([waits('message', true), waits('lost_scan'), waits('security')]).toEqual([
      false,
      false,
      false,
    ])
  })
})
