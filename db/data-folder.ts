import { existsSync, mkdirSync, readFileSync, renameSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { flushFolder, writeDurably } from '#db/durable-file.ts'
import { type Release, takeLock } from '#db/lock.ts'
import { DomainError } from '#domain/error.ts'

export const DATABASE_FILE = 'driveqr.db'
export const INSTALL_ID_FILE = 'install-id'
export const KEY_FILE = 'secret.key'
export const FILES_FOLDER = 'files'
export const BACKUPS_FOLDER = 'backups'
/** Locked by all who use the data folder, and alone by whoever replaces what is in it. */
const LOCK_FILE = 'lock'
const PATIENCE_MS = 1_000

const RESTORE_FOLDER = 'restore'
const STAGED_FOLDER = 'data'
/** Names the folder for what is replaced. With it, what is staged is whole and will take its place. */
const READY_FILE = 'ready'

/** What belongs together. The log comes before its database, which it must not outlive. */
const CONTENTS = [
  `${DATABASE_FILE}-wal`,
  `${DATABASE_FILE}-shm`,
  DATABASE_FILE,
  FILES_FOLDER,
  KEY_FILE,
  INSTALL_ID_FILE,
]

/** All that is kept directly in the data folder. */
export const PRIVATE_NAMES = [...CONTENTS, LOCK_FILE, BACKUPS_FOLDER, RESTORE_FOLDER]

/** Whether there is something in the data folder that could be lost. */
export function isInUse(dataDir: string): boolean {
  return CONTENTS.some((name) => existsSync(join(dataDir, name)))
}

/**
 * Says that this process uses the data folder until it gives that back. Finishes the restore that
 * a crash interrupted; throws conflict while one is under way.
 */
export function enterDataFolder(dataDir: string): Release {
  const lock = join(dataDir, LOCK_FILE)
  if (existsSync(join(dataDir, RESTORE_FOLDER))) {
    const release = takeLock(lock, 'alone', PATIENCE_MS)
    if (!release) throw beingRestored(dataDir)
    settleAnd(dataDir, release)()
  }
  const release = takeLock(lock, 'shared', PATIENCE_MS)
  if (!release) throw beingRestored(dataDir)
  return release
}

function beingRestored(dataDir: string): DomainError {
  return new DomainError('conflict', `${dataDir} is being restored: wait until that is done`)
}

/** Keeps everybody else out of the data folder. Throws conflict when somebody is in it. */
export function haveToItself(dataDir: string): Release {
  const release = takeLock(join(dataDir, LOCK_FILE), 'alone', 0)
  if (release) return settleAnd(dataDir, release)
  throw new DomainError('conflict', `A server or a command is using ${dataDir}: stop it first`)
}

function settleAnd(dataDir: string, release: Release): Release {
  try {
    settleReplacement(dataDir)
    return release
  } catch (error) {
    release()
    throw error
  }
}

/** A new empty folder, in which what is to replace the contents can be put together. */
export function openStage(dataDir: string): string {
  const stage = join(dataDir, RESTORE_FOLDER, STAGED_FOLDER)
  mkdirSync(stage, { recursive: true, mode: 0o700 })
  return stage
}

/**
 * Puts what is staged in the place of what is there, which is kept in the folder `aside`. All must
 * be on the disk before. From the moment on that the marker is, a crash leads to the new contents.
 */
export function replaceByStaged(dataDir: string, aside: string): void {
  const folder = join(dataDir, RESTORE_FOLDER)
  flushFolder(join(folder, STAGED_FOLDER))
  writeDurably(join(folder, READY_FILE), aside)
  for (const each of [folder, dataDir]) flushFolder(each)
  settleReplacement(dataDir)
}

/** Finishes a replacement that was decided, forgets one that was not. */
function settleReplacement(dataDir: string): void {
  const folder = join(dataDir, RESTORE_FOLDER)
  const ready = join(folder, READY_FILE)
  if (existsSync(ready)) {
    const aside = join(dataDir, readFileSync(ready, 'utf8'))
    exchange(dataDir, join(folder, STAGED_FOLDER), aside)
    for (const each of [aside, dataDir]) if (existsSync(each)) flushFolder(each)
    rmSync(ready)
    flushFolder(folder)
  }
  rmSync(folder, { recursive: true, force: true })
}

/** Each step can be the last before a crash: what is staged still, is what has not been moved. */
function exchange(dataDir: string, stage: string, aside: string): void {
  if (existsSync(join(stage, DATABASE_FILE))) {
    for (const name of CONTENTS.slice(0, 2)) moveAside(dataDir, name, aside)
  }
  for (const name of CONTENTS.slice(2)) {
    const staged = join(stage, name)
    if (!existsSync(staged)) continue
    moveAside(dataDir, name, aside)
    renameSync(staged, join(dataDir, name))
  }
}

function moveAside(dataDir: string, name: string, aside: string): void {
  if (!existsSync(join(dataDir, name))) return
  mkdirSync(aside, { recursive: true, mode: 0o700 })
  renameSync(join(dataDir, name), join(aside, name))
}
