import { accessSync, constants, existsSync, mkdirSync, statSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { enterDataFolder, INSTALL_ID_FILE, MOVE_FOLDER } from '#db/data-folder.ts'
import { writeOnce } from '#db/durable-file.ts'
import type { Release } from '#db/lock.ts'
import { closeToOthers } from '#db/private-folder.ts'
import { giveToThisUser } from '#db/reason.ts'

/**
 * Makes the data folder ready, and blocks restores until it is released. Throws an Error for the
 * operator when it cannot be used.
 */
export function openFolder(dataDir: string): Release {
  makeDataFolder(dataDir)
  return enterDataFolder(dataDir)
}

/**
 * Creates the data folder if it is missing, and removes other users' access. Throws an Error for the operator
 * when nothing can be written there.
 */
export function makeDataFolder(dataDir: string): void {
  makeFolder(dataDir)
  assertWritable(dataDir)
  closeToOthers(dataDir)
}

const NOT_ALLOWED = 'cannot be made: this user may not write there'
const NO_FOLDER = 'is no folder, or not in one'
const WHY_NOT_MADE: Record<string, string> = {
  EEXIST: NO_FOLDER,
  ENOTDIR: NO_FOLDER,
  EACCES: NOT_ALLOWED,
  EPERM: NOT_ALLOWED,
  EROFS: 'cannot be made: the disk is read-only',
  ENOENT: 'cannot be made there',
}

/** Creates a folder with those that it is in. Throws an Error for the operator when it cannot be. */
export function makeFolder(dataDir: string): void {
  try {
    makeWithParents(dataDir)
  } catch (error) {
    const why = WHY_NOT_MADE[(error as NodeJS.ErrnoException).code ?? '']
    throw why ? new Error(`DATA_DIR ${dataDir} ${why}`) : error
  }
}

/** One by one: with `recursive` Node tries for ever where the system has none made, as below /proc. */
function makeWithParents(folder: string): void {
  if (isFolder(folder)) return
  makeWithParents(dirname(folder))
  try {
    mkdirSync(folder, { mode: 0o700 })
  } catch (error) {
    // Another process was quicker.
    if (!isFolder(folder)) throw error
  }
}

function isFolder(path: string): boolean {
  return statSync(path, { throwIfNoEntry: false })?.isDirectory() ?? false
}

/** Throws an Error for the operator when this user may not use the folder. */
export function assertWritable(dataDir: string): void {
  try {
    accessSync(dataDir, constants.R_OK | constants.W_OK | constants.X_OK)
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException
    const reason = code === 'EROFS' ? 'the disk is read-only' : whyNotAllowed(dataDir)
    throw new Error(`The data folder ${dataDir} cannot be written to: ${reason}`)
  }
}

function whyNotAllowed(dataDir: string): string {
  const { uid } = statSync(dataDir)
  const own = process.geteuid?.()
  if (uid === own) return 'this user may not write there'
  return `it belongs to user ${uid}, and DriveQR runs as user ${own}: ${giveToThisUser()}`
}

/** Throws when an empty database would replace a lost one. */
export function assertNeverUsed(dataDir: string, database: string): void {
  if (!existsSync(join(dataDir, INSTALL_ID_FILE))) return
  // Another remedy would give up the data that is still where it was.
  const remedy = existsSync(join(dataDir, MOVE_FOLDER))
    ? 'complete the move that was interrupted, with the same command and the settings of before'
    : 'restore a backup, or start with an empty data folder'
  throw new Error(
    `${database} is missing or empty, but this data folder has been in use: ${remedy}`,
  )
}

/** Throws when the database belongs to another installation; `id` is the one in the database. */
export function assertInstallId(dataDir: string, id: string, database: string): void {
  const found = writeOnce(join(dataDir, INSTALL_ID_FILE), Buffer.from(`${id}\n`))
  if (found.toString().trim() === id) return
  throw new Error(`${database} belongs to another data folder: its install-id differs`)
}
