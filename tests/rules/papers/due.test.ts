import { describe, expect, test } from 'vitest'
import { readDocumentFields } from '#domain/papers/document.ts'
import {
  addDays,
  documentEndText,
  dueDateText,
  dueState,
  dueText,
  dueTitle,
  endsToRemindOf,
  lastRunDay,
  readDueDays,
} from '#domain/papers/due.ts'

const TODAY = '2026-11-20'

test.each([
  ['2026-11-19', 'expired'],
  ['2026-11-20', 'due'],
  ['2026-12-20', 'due'],
  ['2026-12-21', 'valid'],
] as const)('on 20 November 2026, %s is %s', (day, state) => {
  expect(dueState(day, TODAY)).toBe(state)
})

describe('the text about an end', () => {
  const puc = { kind: 'document', document_type: 'puc' } as const
  const insurance = { kind: 'insurance', document_type: null } as const
  const service = { kind: 'service', document_type: null } as const
  test.each([
    [puc, '2026-11-25', 'PUC ends in 5 days'],
    [puc, '2026-11-21', 'PUC ends tomorrow'],
    [puc, TODAY, 'PUC ends today'],
    [insurance, '2026-11-19', 'Insurance expired yesterday'],
    [insurance, '2026-11-17', 'Insurance expired 3 days ago'],
    [service, '2026-12-01', 'Service due in 11 days'],
    [service, '2026-11-10', 'Service was due 10 days ago'],
    [insurance, '2020-11-20', 'Insurance expired 2,191 days ago'],
    [
      { kind: 'document', document_type: 'fitness_certificate' },
      '2026-12-09',
      'Fitness ends in 19 days',
    ],
    [
      { kind: 'document', document_type: 'license' },
      '2026-12-09',
      'Driving licence ends in 19 days',
    ],
  ] as const)('of %j on %s is: %s', (due, ends_on, text) => {
    expect(dueText({ ...due, ends_on }, TODAY)).toBe(text)
  })

  test.each([
    ['2031-12-03', 'Ends on 3 Dec 2031'],
    ['2026-11-25', 'Ends in 5 days'],
    ['2026-11-17', 'Expired 3 days ago'],
  ])('a document that ends on %s says: %s', (day, text) => {
    expect(documentEndText(day, TODAY)).toBe(text)
  })

  test.each([
    ['document', '2031-12-03', 'Ends on 3 Dec 2031'],
    ['document', '2026-11-25', 'Ends in 5 days, on 25 Nov 2026'],
    ['insurance', '2026-11-17', 'Expired 3 days ago, on 17 Nov 2026'],
    ['service', '2031-12-03', 'Due on 3 Dec 2031'],
    ['service', '2026-11-20', 'Due today, on 20 Nov 2026'],
    ['service', '2026-11-19', 'Was due yesterday, on 19 Nov 2026'],
  ] as const)('a list by end says of a %s on %s: %s', (kind, ends_on, text) => {
    expect(dueDateText({ kind, document_type: null, ends_on }, TODAY)).toBe(text)
  })

  test('a calendar says the paper and the plate, and no more', () => {
    expect(dueTitle(puc, 'KA 05 ZZ 0003')).toBe('PUC ends: KA 05 ZZ 0003')
    expect(dueTitle(service, 'KA 05 ZZ 0003')).toBe('Service due: KA 05 ZZ 0003')
    expect(dueTitle(insurance, null)).toBe('Insurance ends')
  })
})

describe('reminders', () => {
  const remindedOn = (end: string) =>
    Array.from({ length: 80 }, (_, n) => addDays(end, n - 40)).filter((day) =>
      endsToRemindOf(addDays(day, -1), day).includes(end),
    )

  test('come 30, 15, 7 and 1 day before, on the day, and weekly for four weeks', () => {
    expect(remindedOn('2026-12-01')).toEqual([
      '2026-11-01',
      '2026-11-16',
      '2026-11-24',
      '2026-11-30',
      '2026-12-01',
      '2026-12-08',
      '2026-12-15',
      '2026-12-22',
      '2026-12-29',
    ])
  })

  test('of the days of a pause are made up for', () => {
    const missed = endsToRemindOf('2026-11-17', TODAY)
    expect(missed).toContain(addDays('2026-11-18', 30))
    expect(missed).toContain(addDays('2026-11-19', 15))
    expect(missed).toContain(addDays(TODAY, 1))
    expect(missed).not.toContain(addDays('2026-11-17', 30))
  })

  test('after a long pause are about nothing that ended more than four weeks ago', () => {
    const missed = endsToRemindOf('2025-01-01', TODAY)
    expect([missed[0], missed.at(-1)]).toEqual([addDays(TODAY, -28), addDays(TODAY, 30)])
    expect(new Set(missed).size).toBe(missed.length)
  })
})

describe('the run of a day', () => {
  test.each([
    ['Asia/Kolkata', '2026-11-20T03:29:59.999Z', '2026-11-19'],
    ['Asia/Kolkata', '2026-11-20T03:30:00.000Z', '2026-11-20'],
    ['UTC', '2026-11-20T08:59:59.000Z', '2026-11-19'],
    ['UTC', '2026-11-20T23:59:59.000Z', '2026-11-20'],
    // The clocks went back in the night before, and forward in that of the other.
    ['Europe/Berlin', '2026-10-25T07:59:59.000Z', '2026-10-24'],
    ['Europe/Berlin', '2026-10-25T08:00:00.000Z', '2026-10-25'],
    ['Europe/Berlin', '2026-03-29T06:59:59.000Z', '2026-03-28'],
    ['Europe/Berlin', '2026-03-29T07:00:00.000Z', '2026-03-29'],
  ])('in %s is at %s that of %s', (zone, now, day) => {
    expect(lastRunDay(new Date(now), zone)).toBe(day)
  })

  test.each(['Europe/Berlin', 'America/New_York', 'Asia/Kolkata', 'Australia/Lord_Howe'])(
    'in %s comes once for each day of a year',
    (zone) => {
      const days: string[] = []
      for (let at = Date.parse('2026-01-01T00:00Z'); at < Date.parse('2027-01-01'); at += 900_000) {
        const day = lastRunDay(new Date(at), zone)
        if (day !== days.at(-1)) days.push(day)
      }
      expect(days).toEqual(days.map((_, n) => addDays(days[0] ?? '', n)))
      expect(days.length).toBeGreaterThanOrEqual(365)
    },
  )
})

test.each(['-1', '1.5', '3651', '99999', '', 'soon', '1e3', ' 7'])('days=%j is refused', (days) => {
  expect(() => readDueDays(days)).toThrow('days must be a whole number from 0 to 3650')
})

test('days are 30 unless somebody says', () => {
  expect([readDueDays(undefined), readDueDays('0'), readDueDays('3650')]).toEqual([30, 0, 3650])
})

describe('the end in an upload', () => {
  const read = (sent: Record<string, string>) =>
    readDocumentFields({ document_type: 'puc', ...sent }).expires_on

  test('is a day, or none', () => {
    expect(read({ expires_on: ' 2028-02-29 ' })).toBe('2028-02-29')
    expect([read({}), read({ expires_on: '' })]).toEqual([null, null])
    expect(read({ expires_on: '2027-05-21', no_end: 'on' })).toBeNull()
  })

  test.each(['2027-02-29', '2027-13-01', '21.5.2027', '2027-5-1', 'tomorrow', '2027-05-21T00:00Z'])(
    '%s is no day',
    (expires_on) => {
      expect(() => read({ expires_on })).toThrow('Please enter a valid date for its end')
    },
  )

  test.each(['vehicle_photo', 'owner_photo', 'id_proof'])('is ignored for %s', (document_type) => {
    const document_side = document_type === 'id_proof' ? 'front' : ''
    expect(read({ document_type, expires_on: 'never', document_side })).toBeNull()
  })
})
