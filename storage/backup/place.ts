import { existsSync, mkdirSync, readdirSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { BACKUPS_FOLDER } from '#db/data-folder.ts'
import { makeFolder } from '#db/folder.ts'
import { takeLock } from '#db/lock.ts'
import {
  type BackupsKept,
  backupName,
  findOutdated,
  sortBackups,
  timeOfBackup,
} from '#domain/backup.ts'
import { DomainError } from '#domain/error.ts'
import { releaseRemovals } from '#storage/folder-shelf.ts'

const LOCK_FILE = 'lock'
/** The copy of the database, until it is in the archive. */
const WORK_FOLDER = 'working'
const DRAFT_ENDING = '.partial'

/** Returns the folder for the work on backups and the record of the last one. */
export function backupsFolder(dataDir: string): string {
  return join(dataDir, BACKUPS_FOLDER)
}

type Place = { dataDir: string; backups: { folder: string | undefined } }

/** Returns the folder of nightly backups, and of those that were made without a FILE. */
export function archivesFolder({ dataDir, backups }: Place): string {
  return backups.folder ?? backupsFolder(dataDir)
}

/** Returns the path of a backup without a given name. */
export function newBackupFile(archives: string, now: Date): string {
  return join(archives, backupName(now))
}

/** Returns the name of an archive until it is complete. */
export function draftOf(file: string): string {
  return `${file}${DRAFT_ENDING}`
}

/** Runs the work in an empty folder under the backup lock. Throws conflict when the lock is held. */
export async function alone<T>(dataDir: string, work: (folder: string) => Promise<T>): Promise<T> {
  const folder = join(backupsFolder(dataDir), WORK_FOLDER)
  makeFolder(backupsFolder(dataDir))
  const release = lock(dataDir)
  if (!release) throw new DomainError('conflict.backup_running')
  try {
    discard(dataDir)
    mkdirSync(folder, { mode: 0o700 })
    return await work(folder)
  } finally {
    discard(dataDir)
    release()
  }
}

/** Removes what a killed backup left. Does nothing while a backup is being made. */
export function discardLeftovers(dataDir: string, archives?: string): void {
  if (!existsSync(backupsFolder(dataDir))) return
  const release = lock(dataDir)
  if (!release) return
  discard(dataDir)
  if (archives) discardDrafts(archives)
  release()
}

/** Removes unfinished archives, and nothing that others made: the folder may be one of the operator's. */
export function discardDrafts(archives: string): void {
  if (!existsSync(archives)) return
  for (const name of readdirSync(archives)) {
    const isDraft = name.endsWith(DRAFT_ENDING) && timeOfBackup(name.slice(0, -DRAFT_ENDING.length))
    if (isDraft) rmSync(join(archives, name), { force: true })
  }
}

function lock(dataDir: string) {
  return takeLock(join(backupsFolder(dataDir), LOCK_FILE), 'alone', 0)
}

function discard(dataDir: string): void {
  const folder = backupsFolder(dataDir)
  const drafts = readdirSync(folder).filter((name) => name.endsWith(DRAFT_ENDING))
  for (const name of [...drafts, WORK_FOLDER]) {
    rmSync(join(folder, name), { recursive: true, force: true })
  }
  releaseRemovals(dataDir)
}

/** Names of the backups in a folder, oldest first. */
function listBackups(archives: string, now: Date): string[] {
  return existsSync(archives) ? sortBackups(readdirSync(archives), now) : []
}

/** Removes the oldest backup, but never the only one. Returns its name. */
export function removeOldest(archives: string, now: Date): string | undefined {
  const [oldest, ...others] = listBackups(archives, now)
  if (!oldest || others.length === 0) return undefined
  rmSync(join(archives, oldest))
  return oldest
}

/** Removes the backups that are no longer kept. Returns their names. */
export function removeOutdated(
  archives: string,
  kept: BackupsKept,
  timezone: string,
  now: Date,
): string[] {
  const outdated = findOutdated(listBackups(archives, now), kept, timezone, now)
  for (const name of outdated) rmSync(join(archives, name))
  return outdated
}
