import { existsSync, mkdirSync, readFileSync, renameSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { writeDurably } from '#db/durable-file.ts'
import type { BackupRecord } from '#domain/backup.ts'
import { backupsFolder } from '#storage/backup/place.ts'

/** Not in the database, so that it survives a damaged database and a restore. */
const RECORD_FILE = 'last.json'

/**
 * Returns the record of the last backups. A damaged record reads as empty, so a backup is due,
 * which writes a new one.
 */
export function readRecord(dataDir: string): BackupRecord {
  const file = join(backupsFolder(dataDir), RECORD_FILE)
  if (!existsSync(file)) return {}
  const text = readFileSync(file, 'utf8')
  try {
    return JSON.parse(text)
  } catch {
    return {}
  }
}

/** Records a good backup, which clears earlier failures, or a failure since the last good one. */
export function writeRecord(dataDir: string, news: BackupRecord): void {
  mkdirSync(backupsFolder(dataDir), { recursive: true, mode: 0o700 })
  const file = join(backupsFolder(dataDir), RECORD_FILE)
  const record = news.good ? news : { ...readRecord(dataDir), ...news }
  const draft = `${file}.new`
  rmSync(draft, { force: true })
  writeDurably(draft, JSON.stringify(record, null, 2))
  renameSync(draft, file)
}
