import type { BackupsKept } from '#domain/backup.ts'
import { type Backup, makeBackup, type Source, type Watch } from '#storage/backup/make.ts'
import {
  archivesFolder,
  newBackupFile,
  removeOldest,
  removeOutdated,
} from '#storage/backup/place.ts'
import { writeRecord } from '#storage/backup/record.ts'

export type KeptSource = Omit<Source, 'makeRoom'> & {
  timezone: string
  backups: { folder: string | undefined; keep: BackupsKept }
}

/** Makes a backup among the kept ones, and removes those that are no longer kept. Returns their names too. */
export async function makeKeptBackup(
  source: KeptSource,
  watch: Watch = () => () => {},
): Promise<Backup & { removed: string[] }> {
  const { dataDir, backups, timezone, now } = source
  const archives = archivesFolder(source)
  const removed: string[] = []
  const makeRoom = () => {
    const name = removeOldest(archives, now)
    if (name) removed.push(name)
    return name !== undefined
  }
  const made = await makeBackup({ ...source, makeRoom }, newBackupFile(archives, now), watch)
  const { made_at, file, bytes } = made
  writeRecord(dataDir, { good: { made_at, file, bytes } })
  removed.push(...removeOutdated(archives, backups.keep, timezone, now))
  return { ...made, removed }
}
