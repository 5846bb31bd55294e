import { startOfDayIn, toDayIn } from '#domain/time.ts'

const HOUR_MS = 3_600_000
const DAY_MS = 24 * HOUR_MS
/** At night, when few keys are found. */
const NIGHTLY_HOUR = 3
const TRY_AGAIN_AFTER_MS = HOUR_MS
const DAYS_KEPT = 14
/** Of the newest, all are kept: on a day with many, too. */
const NEWEST_KEPT = 3

/** How backups went: the last good one, and the failure since then if there was one. */
export type BackupRecord = {
  good?: { made_at: string; file: string; bytes: number } | undefined
  failed?: { at: string; reason: string } | undefined
}

const NAME = /^driveqr-(\d{4})(\d\d)(\d\d)T(\d\d)(\d\d)(\d\d)Z\.tar$/

/** `driveqr-20261121T213000Z.tar`: in the order of time when sorted by name, whatever the zone. */
export function backupName(now: Date): string {
  return `driveqr-${toStamp(now)}.tar`
}

/** `20261121T213000Z`. */
export function toStamp(now: Date): string {
  return now.toISOString().replace(/[-:]|\.\d+/g, '')
}

/** When the backup of that name was made; undefined for other names. */
export function timeOfBackup(name: string): Date | undefined {
  const parts = NAME.exec(name)
  if (!parts) return undefined
  const [, year, month, day, hour, minute, second] = parts
  return new Date(`${year}-${month}-${day}T${hour}:${minute}:${second}Z`)
}

/**
 * Whether the nightly backup is to be made: none was since three o'clock in the zone, for the
 * machine may have been off then. After a failure an hour passes.
 */
export function isBackupDue({ good, failed }: BackupRecord, now: Date, timezone: string): boolean {
  if (failed && now.getTime() - Date.parse(failed.at) < TRY_AGAIN_AFTER_MS) return false
  const today = startOfDayIn(timezone, toDayIn(timezone, now)).getTime() + NIGHTLY_HOUR * HOUR_MS
  const due = now.getTime() < today ? today - DAY_MS : today
  return !good || Date.parse(good.made_at) < due
}

/**
 * Which of these names go: kept are the last of each of the fourteen newest days, and the newest
 * three whatever their days. Other names are left alone.
 */
export function findOutdated(names: readonly string[], timezone: string): string[] {
  const days = new Set<string>()
  return names
    .flatMap((name) => timeOfBackup(name) ?? [])
    .sort((a, b) => b.getTime() - a.getTime())
    .filter((time, i) => {
      const day = toDayIn(timezone, time)
      const isKept = i < NEWEST_KEPT || (!days.has(day) && days.size < DAYS_KEPT)
      days.add(day)
      return !isKept
    })
    .map(backupName)
}
