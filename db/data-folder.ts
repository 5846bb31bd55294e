import { existsSync, mkdirSync, readFileSync, renameSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { flushFolder, writeDurably } from '#db/durable-file.ts'
import { type Release, takeLock } from '#db/lock.ts'
import { CommandError } from '#domain/error.ts'

export const DATABASE_FILE = 'driveqr.db'
export const INSTALL_ID_FILE = 'install-id'
export const KEY_FILE = 'secret.key'
export const FILES_FOLDER = 'files'
export const BACKUPS_FOLDER = 'backups'
export const EXPORTS_FOLDER = 'exports'
/** Shared by all programs that use the data folder, exclusive for a restore. */
const LOCK_FILE = 'lock'
/** Exclusive for the one server of a database in this folder. */
const SERVER_LOCK_FILE = 'server-lock'
/** The version and the addresses of earlier starts. */
export const START_FILE = 'starts.json'
const PATIENCE_MS = 1_000

/** The steps of a move until it is complete. */
export const MOVE_FOLDER = 'move'
const RESTORE_FOLDER = 'restore'
const STAGED_FOLDER = 'data'
/**
 * Marks a complete stage that will replace the contents. It contains the name of the folder for the
 * replaced contents.
 */
const READY_FILE = 'ready'
/** Marks a complete stage that will replace the contents if a database on a server has committed. */
const UNDECIDED_FILE = 'undecided'

/** The log is moved before its database, because it must not remain without it. */
const SQLITE_FILES = [`${DATABASE_FILE}-wal`, `${DATABASE_FILE}-shm`, DATABASE_FILE]
/** The contents of the data folder that belong together. */
const CONTENTS = [...SQLITE_FILES, FILES_FOLDER, KEY_FILE, INSTALL_ID_FILE]

/** Everything that is directly in the data folder. */
export const PRIVATE_NAMES = [
  ...CONTENTS,
  LOCK_FILE,
  SERVER_LOCK_FILE,
  START_FILE,
  BACKUPS_FOLDER,
  EXPORTS_FOLDER,
  RESTORE_FOLDER,
  MOVE_FOLDER,
]

/** Returns whether the data folder contains data. */
export function isInUse(dataDir: string): boolean {
  const holdsContents = CONTENTS.some((name) => existsSync(join(dataDir, name)))
  return holdsContents || findUndecided(dataDir) !== undefined
}

/** Returns whether there is, or was, a database in the data folder. A folder `files` may be anybody's. */
export function hasBegun(dataDir: string): boolean {
  const holdsDatabase = [DATABASE_FILE, INSTALL_ID_FILE].some((name) =>
    existsSync(join(dataDir, name)),
  )
  return holdsDatabase || findUndecided(dataDir) !== undefined
}

/**
 * Marks the data folder as used by this process until it is released. Finishes a restore that a
 * crash interrupted. Throws conflict while a restore is running.
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

/**
 * Marks the data folder as the one of this server until it is released. Throws a CommandError when another
 * server uses it: each would count scans, limits and popups for itself, and make backups at the same time.
 */
export function enterAsServer(dataDir: string): Release {
  const release = takeLock(join(dataDir, SERVER_LOCK_FILE), 'alone', PATIENCE_MS)
  if (release) return release
  throw new CommandError(
    `Another server uses ${dataDir}: stop it, or set another DATA_DIR. With SQLite one process does everything`,
  )
}

function beingRestored(dataDir: string): CommandError {
  return new CommandError(`${dataDir} is being restored or moved: wait until that is done`)
}

/** Locks the data folder exclusively. Throws conflict while it is used. */
export function haveToItself(dataDir: string): Release {
  const release = takeLock(join(dataDir, LOCK_FILE), 'alone', 0)
  if (release) return settleAnd(dataDir, release)
  throw new CommandError(`A server or a command is using ${dataDir}: stop it first`)
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

/** Creates an empty folder for new contents of the data folder. */
export function openStage(dataDir: string): string {
  const stage = join(dataDir, RESTORE_FOLDER, STAGED_FOLDER)
  mkdirSync(stage, { recursive: true, mode: 0o700 })
  return stage
}

/** Discards a stage without a marker. */
export function discardStage(dataDir: string): void {
  const folder = join(dataDir, RESTORE_FOLDER)
  const isMarked = [READY_FILE, UNDECIDED_FILE].some((name) => existsSync(join(folder, name)))
  if (!isMarked) rmSync(folder, { recursive: true, force: true })
}

/** `aside` is the name of the folder for the replaced contents. */
type Replacement = { aside: string }
/** A replacement that happens if the transaction that stores the token in this database commits. */
export type Undecided = Replacement & { database: string; token: string }

/**
 * Replaces the contents of the data folder by the stage, and keeps the old contents in the folder
 * `aside`. The stage must be flushed. Once the marker exists, a crash leads to the new contents.
 */
export function replaceByStaged(dataDir: string, aside: string): void {
  mark<Replacement>(dataDir, READY_FILE, { aside })
  settleReplacement(dataDir)
}

/**
 * Marks a complete stage that replaces the contents if the database commits. Call `settleByCommit`
 * after the commit. The caller must have the data folder to itself.
 */
export function awaitCommit(dataDir: string, undecided: Undecided): void {
  mark(dataDir, UNDECIDED_FILE, undecided)
}

function mark<Mark extends Replacement>(dataDir: string, name: string, content: Mark): void {
  const folder = join(dataDir, RESTORE_FOLDER)
  const draft = join(folder, `${name}.new`)
  flushFolder(join(folder, STAGED_FOLDER))
  writeDurably(draft, JSON.stringify(content))
  renameSync(draft, join(folder, name))
  for (const each of [folder, dataDir]) flushFolder(each)
}

/**
 * Finishes the replacement if this database has committed it, and discards it otherwise. Returns
 * whether it was committed. A replacement that depends on another database stays undecided.
 */
export async function settleByCommit(
  dataDir: string,
  database: string,
  hasCommitted: (token: string) => Promise<boolean>,
): Promise<boolean> {
  const undecided = findUndecided(dataDir)
  if (undecided?.database !== database) return false
  const folder = join(dataDir, RESTORE_FOLDER)
  const isCommitted = await hasCommitted(undecided.token)
  if (isCommitted) {
    // The stage has no database file that replaces them.
    for (const name of SQLITE_FILES) moveAside(dataDir, name, join(dataDir, undecided.aside))
    flushFolder(dataDir)
    renameSync(join(folder, UNDECIDED_FILE), join(folder, READY_FILE))
    flushFolder(folder)
  } else rmSync(join(folder, UNDECIDED_FILE))
  settleReplacement(dataDir)
  return isCommitted
}

/** Settles a replacement that a crash interrupted. Throws conflict while a restore is running. */
export async function settleInterrupted(
  ...[dataDir, database, hasCommitted]: Parameters<typeof settleByCommit>
): Promise<void> {
  if (!findUndecided(dataDir)) return
  const release = takeLock(join(dataDir, LOCK_FILE), 'alone', PATIENCE_MS)
  if (!release) throw beingRestored(dataDir)
  try {
    await settleByCommit(dataDir, database, hasCommitted)
  } finally {
    release()
  }
}

function findUndecided(dataDir: string): Undecided | undefined {
  const file = join(dataDir, RESTORE_FOLDER, UNDECIDED_FILE)
  return existsSync(file) ? JSON.parse(readFileSync(file, 'utf8')) : undefined
}

/**
 * Finishes a replacement that has its marker, and discards one that has none. Throws conflict for one
 * that only its database can decide.
 */
function settleReplacement(dataDir: string): void {
  const folder = join(dataDir, RESTORE_FOLDER)
  const ready = join(folder, READY_FILE)
  const undecided = findUndecided(dataDir)
  if (undecided) throw wasInterrupted(folder, undecided)
  if (existsSync(ready)) {
    const replacement: Replacement = JSON.parse(readFileSync(ready, 'utf8'))
    const aside = join(dataDir, replacement.aside)
    exchange(dataDir, join(folder, STAGED_FOLDER), aside)
    for (const each of [aside, dataDir]) if (existsSync(each)) flushFolder(each)
    rmSync(ready)
    flushFolder(folder)
  }
  rmSync(folder, { recursive: true, force: true })
}

/** Only that database knows which files belong to its rows. */
function wasInterrupted(folder: string, { database }: Undecided): CommandError {
  return new CommandError(
    `A restore into PostgreSQL at ${database} was interrupted: start once with that DATABASE_URL, or delete ${folder}`,
  )
}

/**
 * Exchanges the folders. Each step may be the last before a crash. A folder that is still in the
 * stage has not been moved.
 */
function exchange(dataDir: string, stage: string, aside: string): void {
  if (existsSync(join(stage, DATABASE_FILE))) {
    for (const name of SQLITE_FILES.slice(0, 2)) moveAside(dataDir, name, aside)
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
