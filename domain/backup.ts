import { SKEW_SECONDS, startOfDayIn, toDayIn } from '#domain/time.ts'

const HOUR_MS = 3_600_000
const DAY_MS = 24 * HOUR_MS
/** At night, when the service is least used. */
const NIGHTLY_HOUR = 3
const TRY_AGAIN_AFTER_MS = HOUR_MS
const DAYS_KEPT = 14
/** The newest are kept even when one day has several. */
const NEWEST_KEPT = 3

/** The last good backup, and the last failure since then, if any. */
export type BackupRecord = {
  good?: { made_at: string; file: string; bytes: number } | undefined
  failed?: { at: string; reason: string } | undefined
}

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
 * Returns the names of the backups to delete. The newest three and the last one of each of the
 * fourteen newest days are kept. Files with other names are never listed.
 */
export function findOutdated(names: readonly string[], timezone: string, now: Date): string[] {
  const days = new Set<string>()
  return sortBackups(names, now)
    .reverse()
    .filter((name, i) => {
      const day = toDayIn(timezone, timeOfBackup(name) ?? now)
      const isKept = i < NEWEST_KEPT || (!days.has(day) && days.size < DAYS_KEPT)
      days.add(day)
      return !isKept
    })
}
