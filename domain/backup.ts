import { SKEW_SECONDS, startOfDayIn, toDayIn } from '#domain/time.ts'

const HOUR_MS = 3_600_000
const DAY_MS = 24 * HOUR_MS
/** At night, when the service is least used. */
const NIGHTLY_HOUR = 3
const TRY_AGAIN_AFTER_MS = HOUR_MS
/** The newest are kept even when one day has several. */
const NEWEST_KEPT = 3

/** The last good backup, and the last failure since then, if any. */
export type BackupRecord = {
  good?: { made_at: string; file: string; bytes: number } | undefined
  failed?: { at: string; reason: string } | undefined
}

/** The numbers of days and of months whose backups are kept. */
export type BackupsKept = { days: number; months: number }

const NAME = /^driveqr-(\d{4})(\d\d)(\d\d)T(\d\d)(\d\d)(\d\d)Z\.tar$/

/** Returns `driveqr-20261121T213000Z.tar`. The name is in UTC, so that names sort by time. */
export function backupName(now: Date): string {
  return `driveqr-${toStamp(now)}.tar`
}

/** Returns an instant as `20261121T213000Z`. */
export function toStamp(now: Date): string {
  return now.toISOString().replace(/[-:]|\.\d+/g, '')
}

/** Returns the time in a backup's name; undefined for other names. */
export function timeOfBackup(name: string): Date | undefined {
  const parts = NAME.exec(name)
  if (!parts) return undefined
  const [, year, month, day, hour, minute, second] = parts
  return new Date(`${year}-${month}-${day}T${hour}:${minute}:${second}Z`)
}

/**
 * Returns whether the nightly backup is due: none was made since the last three o'clock in the
 * zone. A backup missed while the machine was off is due at once. A failed one is retried after an
 * hour. Records from a clock that was ahead do not count.
 */
export function isBackupDue({ good, failed }: BackupRecord, now: Date, timezone: string): boolean {
  const hasFailed = failed && !isFuture(new Date(failed.at), now)
  if (hasFailed && now.getTime() - Date.parse(failed.at) < TRY_AGAIN_AFTER_MS) return false
  const today = startOfDayIn(timezone, toDayIn(timezone, now)).getTime() + NIGHTLY_HOUR * HOUR_MS
  const due = now.getTime() < today ? today - DAY_MS : today
  return !good || isFuture(new Date(good.made_at), now) || Date.parse(good.made_at) < due
}

function isFuture(time: Date, now: Date): boolean {
  return time.getTime() > now.getTime() + SKEW_SECONDS * 1000
}

/**
 * Returns the names of backups, the oldest first. Those from the future were made before the clock
 * was set back, so they are deleted first.
 */
export function sortBackups(names: readonly string[], now: Date): string[] {
  const times = names
    .flatMap((name) => timeOfBackup(name) ?? [])
    .sort((a, b) => a.getTime() - b.getTime())
  const ahead = times.filter((time) => isFuture(time, now))
  return [...ahead, ...times.filter((time) => !isFuture(time, now))].map(backupName)
}

/**
 * Returns the names of the backups to delete. The newest three, the last one of each of the newest days and the first
 * one of each of the newest months are kept. Files with other names are never listed.
 */
export function findOutdated(
  names: readonly string[],
  kept: BackupsKept,
  timezone: string,
  now: Date,
): string[] {
  const newest = sortBackups(names, now).reverse()
  const dayOf = (name: string) => toDayIn(timezone, timeOfBackup(name) ?? now)
  const firsts = new Map<string, string>()
  for (const name of newest) {
    if (!isFuture(timeOfBackup(name) ?? now, now)) firsts.set(dayOf(name).slice(0, 7), name)
  }
  const ofMonths = [...firsts.values()].slice(0, kept.months)
  const days = new Set<string>()
  return newest.filter((name, i) => {
    const day = dayOf(name)
    const isOfDay = !days.has(day) && days.size < kept.days
    days.add(day)
    return !(i < NEWEST_KEPT || isOfDay || ofMonths.includes(name))
  })
}
