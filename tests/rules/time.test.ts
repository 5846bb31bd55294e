import { afterEach, describe, expect, it } from 'vitest'
import {
  formatDate,
  formatDateIn,
  formatDateTime,
  isDay,
  momentIn,
  reckonIn,
  toDayIn,
} from '#domain/time.ts'

describe('the day in a zone', () => {
  it('begins at midnight there', () => {
    expect(toDayIn('Asia/Kolkata', new Date('2024-03-14T18:29:59.999Z'))).toBe('2024-03-14')
    expect(toDayIn('Asia/Kolkata', new Date('2024-03-14T18:30:00.000Z'))).toBe('2024-03-15')
    expect(toDayIn('America/New_York', new Date('2024-03-14T02:00:00Z'))).toBe('2024-03-13')
    expect(toDayIn('UTC', new Date('2024-01-01T00:00:00Z'))).toBe('2024-01-01')
  })
})

describe('the zone of the process', () => {
  const HOUR_MS = 3_600_000
  const BEGIN = Date.parse('2025-12-31T11:45:00Z')
  const times = Array.from({ length: 2 * 366 * 24 }, (_, i) => new Date(BEGIN + i * HOUR_MS))
  const before = process.env.TZ

  afterEach(() => {
    reckonIn(undefined)
    if (before === undefined) delete process.env.TZ
    else process.env.TZ = before
  })

  it.each(['Asia/Kolkata', 'America/New_York', 'Europe/London', 'Australia/Lord_Howe', 'UTC'])(
    '%s: each hour of two years is shown as by Intl',
    (zone) => {
      const shown = () => times.map((time) => formatDateTime(time, zone))
      const byIntl = shown()
      process.env.TZ = zone
      reckonIn(zone)
      expect(shown()).toEqual(byIntl)
    },
  )

  it('is reckoned by Date, and others are not', () => {
    const evening = new Date('2024-03-14T20:00:00Z')
    process.env.TZ = 'Asia/Kolkata'
    reckonIn('Asia/Kolkata')
    expect(toDayIn('Asia/Kolkata', evening)).toBe('2024-03-15')
    expect(toDayIn('UTC', evening)).toBe('2024-03-14')
    process.env.TZ = 'UTC'
    expect(toDayIn('Asia/Kolkata', evening)).toBe('2024-03-14')
  })
})

describe('a date', () => {
  it('is written as people write it', () => {
    expect(formatDate('2024-03-14T10:00:00.000Z')).toBe('14 Mar 2024')
    expect(formatDate(new Date('2024-03-14T20:00:00Z'))).toBe('15 Mar 2024')
    expect(formatDate('2024-03-14T20:00:00Z', 'UTC')).toBe('14 Mar 2024')
  })

  it('without a time is the same everywhere', () => {
    for (const zone of ['Pacific/Kiritimati', 'Pacific/Pago_Pago', 'Asia/Kolkata']) {
      expect(formatDate('2024-09-02', zone)).toBe('2 Sep 2024')
    }
  })

  it('is written in the words of a language, with the digits of all', () => {
    const dayIn = (lang: string) => formatDateIn(lang, '2024-03-14T20:00:00Z', 'Asia/Kolkata')
    expect(['en', 'hi', 'ta'].map(dayIn)).toEqual(['15 Mar 2024', '15 मार्च 2024', '15 மார்ச், 2024'])
    expect(formatDateIn('hi', '2024-03-14T20:00:00Z', 'UTC')).toBe('14 मार्च 2024')
  })

  it('names all twelve months with three letters', () => {
    const days = Array.from({ length: 12 }, (_, month) =>
      formatDate(`2024-${String(month + 1).padStart(2, '0')}-05`),
    )
    expect(days.join()).toBe(
      '5 Jan 2024,5 Feb 2024,5 Mar 2024,5 Apr 2024,5 May 2024,5 Jun 2024,5 Jul 2024,5 Aug 2024,5 Sep 2024,5 Oct 2024,5 Nov 2024,5 Dec 2024',
    )
  })

  it.each([null, undefined, '', 'soon', '2024-02-30', new Date('x')])('is N/A for %s', (moment) => {
    expect(formatDate(moment)).toBe('N/A')
    expect(formatDateTime(moment)).toBe('N/A')
  })
})

describe('a date with its time', () => {
  it.each([
    ['2024-06-18T03:44:00Z', '18 Jun 2024, 9:14 am'],
    ['2024-06-17T12:32:00Z', '17 Jun 2024, 6:02 pm'],
    ['2024-06-17T18:30:00Z', '18 Jun 2024, 12:00 am'],
    ['2024-06-18T06:30:00Z', '18 Jun 2024, 12:00 pm'],
  ])('%s is %s in India', (moment, text) => expect(formatDateTime(moment)).toBe(text))

  it('is the time in the given zone', () => {
    expect(formatDateTime('2024-06-18T03:44:00Z', 'UTC')).toBe('18 Jun 2024, 3:44 am')
  })
})

describe('a day of the calendar', () => {
  it.each(['2024-02-29', '2000-02-29', '2025-12-31'])('is %s', (text) =>
    expect(isDay(text)).toBe(true),
  )

  it.each([
    '2025-02-29',
    '1900-02-29',
    '2024-04-31',
    '2024-00-10',
    '2024-13-01',
    '2024-1-1',
    '2024-01',
    '2024',
    '',
    '2024-01-01T00:00:00Z',
    '14-03-2024',
    '+02024-01-01',
  ])('is not %j', (text) => expect(isDay(text)).toBe(false))
})

describe('the moment that a text names', () => {
  it.each([
    ['a day, to its end there', '2026-12-31', '2026-12-31T18:30:00.000Z'],
    ['a time on the clocks there', '2026-12-31T18:30', '2026-12-31T13:00:00.000Z'],
    ['a time with seconds', '2026-12-31T18:30:15', '2026-12-31T13:00:15.000Z'],
    ['an instant', '2026-12-31T18:30:00.000Z', '2026-12-31T18:30:00.000Z'],
    ['an instant of another zone', '2026-12-31T18:30:00+01:00', '2026-12-31T17:30:00.000Z'],
  ])('is %s', (_, text, instant) => {
    expect(momentIn('Asia/Kolkata', text)?.toISOString()).toBe(instant)
  })

  it.each(['', 'soon', '2026-02-30', '2026-02-30T10:00', '2026-12-31T25:00', '2026-12-31 10:00'])(
    'is none for %j',
    (text) => expect(momentIn('Asia/Kolkata', text)).toBeUndefined(),
  )

  // It is in the year 10000 somewhere, whose times are written and sorted in another way.
  it.each(['9999-12-31', '9999-12-31T10:00', '9999-12-31T23:59:59.999-12:00'])(
    'is none for %s, in any zone',
    (text) => {
      for (const zone of ['Asia/Kolkata', 'UTC', 'America/New_York']) {
        expect(momentIn(zone, text)).toBeUndefined()
      }
    },
  )

  it('keeps its time on the clocks when they change', () => {
    const times = ['2026-03-28T12:00', '2026-03-29T12:00'].map((text) =>
      momentIn('Europe/Berlin', text)?.toISOString(),
    )
    expect(times).toEqual(['2026-03-28T11:00:00.000Z', '2026-03-29T10:00:00.000Z'])
  })

  it.each([
    ['America/Santiago', '2026-09-05', '2026-09-06T04:00:00.000Z'],
    ['America/New_York', '2026-03-08T02:30', '2026-03-08T07:30:00.000Z'],
    ['Europe/Berlin', '2026-03-29T02:30', '2026-03-29T01:30:00.000Z'],
  ])('in %s is after the clocks changed, for %s, which they skip', (zone, text, instant) => {
    expect(momentIn(zone, text)?.toISOString()).toBe(instant)
  })
})
