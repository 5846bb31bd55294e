import { expect, test } from 'vitest'
import { backupName, findOutdated, isBackupDue, sortBackups, timeOfBackup } from '#domain/backup.ts'
import { formatBytes } from '#domain/size.ts'

const ZONE = 'Asia/Kolkata'
const KEPT = { days: 14, months: 0 }
const at = (time: string) => new Date(`2026-11-${time}+05:30`)
const good = (time: string) => ({
  good: { made_at: at(time).toISOString(), file: 'a.tar', bytes: 1 },
})

test('a backup is named by its time, which can be read back', () => {
  const now = new Date('2026-11-21T21:30:05.123Z')
  expect(backupName(now)).toBe('driveqr-20261121T213005Z.tar')
  expect(timeOfBackup(backupName(now))).toEqual(new Date('2026-11-21T21:30:05Z'))
  expect(timeOfBackup('driveqr.tar')).toBeUndefined()
  expect(timeOfBackup(`${backupName(now)}.partial`)).toBeUndefined()
})

test.each([
  ['20T03:00', '21T02:59', false],
  ['20T03:00', '21T03:00', true],
  ['20T02:59', '20T03:00', true],
  ['21T03:01', '21T23:59', false],
  // The machine was off for days, or over three o'clock.
  ['15T03:00', '21T11:00', true],
  ['20T22:00', '21T09:00', true],
  ['20T22:00', '21T02:00', false],
])('with one from %s another is due at %s: %s', (last, now, isDue) => {
  expect(isBackupDue(good(last), at(now), ZONE)).toBe(isDue)
})

test('the first one is due at once', () => {
  expect(isBackupDue({}, at('20T12:00'), ZONE)).toBe(true)
})

test('after a failure it is tried again in an hour', () => {
  const failed = { at: at('21T03:00').toISOString(), reason: 'Too little room' }
  const record = { ...good('20T03:00'), failed }
  expect(isBackupDue(record, at('21T03:59'), ZONE)).toBe(false)
  expect(isBackupDue(record, at('21T04:00'), ZONE)).toBe(true)
})

test.each(['good', 'failed'])(
  'one recorded as %s while the clock was ahead delays no other',
  (what) => {
    const [ahead, before] = [at('29T03:00').toISOString(), good('20T03:00')]
    const failed = { ...before, failed: { at: ahead, reason: 'Too little room' } }
    const record = what === 'good' ? good('29T03:00') : failed
    expect(isBackupDue(record, at('21T03:00'), ZONE)).toBe(true)
    const { made_at, ...rest } = good('21T03:00').good
    const skewed = {
      good: { ...rest, made_at: new Date(Date.parse(made_at) + 30_000).toISOString() },
    }
    expect(isBackupDue(skewed, at('21T03:00'), ZONE)).toBe(false)
  },
)

const NOW = at('21T04:00')
const named = (...times: string[]) => times.map((time) => backupName(at(time)))

test('the last of each of fourteen days is kept, however many were made on a day', () => {
  const days = Array.from({ length: 20 }, (_, n) => `${String(n + 1).padStart(2, '0')}T03:00`)
  expect(findOutdated(named(...days), KEPT, ZONE, NOW).toSorted()).toEqual(
    named(...days.slice(0, 6)),
  )
  const many = Array.from({ length: 20 }, (_, n) => `20T${String(n + 4).padStart(2, '0')}:00`)
  const outdated = findOutdated(named(...days, ...many), KEPT, ZONE, NOW)
  const kept = named(...days, ...many).filter((name) => !outdated.includes(name))
  expect(kept).toEqual(named(...days.slice(6, 19), ...many.slice(-3)))
})

test('the first of each of the newest months is kept besides', () => {
  const name = (day: string) => backupName(new Date(`2026-${day}T03:00+05:30`))
  const old = ['07-01', '08-02', '08-03', '09-01', '09-30', '10-05', '10-31'].map(name)
  const recent = ['11-02', '11-18', '11-19', '11-20'].map(name)
  const outdated = (days: number, months: number) =>
    findOutdated([...old, ...recent], { days, months }, ZONE, NOW).toSorted()
  const kept = ['09-01', '10-05', '11-02'].map(name)
  expect(outdated(2, 3)).toEqual(old.filter((each) => !kept.includes(each)))
  expect(outdated(2, 0)).toEqual([...old, name('11-02')])
  expect(outdated(1, 99)).toEqual(['08-03', '09-30', '10-31'].map(name))
})

test('days without one do not count, and other files are left alone', () => {
  const rare = ['01T03:00', '10T03:00', '20T03:00']
  expect(findOutdated([...named(...rare), 'before-upgrade.tar', 'lock'], KEPT, ZONE, NOW)).toEqual(
    [],
  )
})

test('those that were made while the clock was ahead are the first to go', () => {
  const past = Array.from({ length: 14 }, (_, n) => `${String(n + 1).padStart(2, '0')}T03:00`)
  const ahead = ['25T03:00', '26T03:00']
  expect(findOutdated(named(...past, ...ahead), KEPT, ZONE, NOW)).toEqual(named(...ahead).reverse())
  expect(sortBackups(named('20T03:00', ...ahead), NOW)).toEqual(named(...ahead, '20T03:00'))
})

test.each([
  [0, '0 KB'],
  [1, '1 KB'],
  [999_000, '999 KB'],
  [1_230_000, '1.2 MB'],
  [34_400_000, '34 MB'],
  [1_230_000_000, '1.2 GB'],
])('%d bytes are %s', (bytes, text) => {
  expect(formatBytes(bytes)).toBe(text)
})
