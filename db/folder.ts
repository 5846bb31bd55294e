import { accessSync, constants, existsSync, mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { enterDataFolder, INSTALL_ID_FILE } from '#db/data-folder.ts'
import { writeOnce } from '#db/durable-file.ts'
import type { Release } from '#db/lock.ts'
import { closeToOthers } from '#db/private-folder.ts'

/**
 * Creates the data folder if it is missing, removes other users' access, and blocks restores until
 * it is released. Throws an Error for the operator when it cannot be used.
 */
export function openFolder(dataDir: string): Release {
  makeFolder(dataDir)
  assertWritable(dataDir)
  closeToOthers(dataDir)
  return enterDataFolder(dataDir)
}

export function makeFolder(dataDir: string): void {
  try {
    mkdirSync(dataDir, { recursive: true, mode: 0o700 })
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException
    if (code !== 'EEXIST' && code !== 'ENOTDIR') throw error
    throw new Error(`DATA_DIR ${dataDir} is no folder, or not in one`)
  }
}

function assertWritable(dataDir: string): void {
  try {
    accessSync(dataDir, constants.W_OK)
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException
    const reason = code === 'EROFS' ? 'the disk is read-only' : 'this user may not write there'
    throw new Error(`The data folder ${dataDir} cannot be written to: ${reason}`)
  }
}

/** Throws when an empty database would replace a lost one. */
export function assertNeverUsed(dataDir: string, database: string): void {
  if (!existsSync(join(dataDir, INSTALL_ID_FILE))) return
  throw new Error(
    `${database} is missing or empty, but this data folder has been in use: restore a backup, or start with an empty data folder`,
  )
}

/** Throws when the database belongs to another installation; `id` is the one in the database. */
export function assertInstallId(dataDir: string, id: string, database: string): void {
  const found = writeOnce(join(dataDir, INSTALL_ID_FILE), Buffer.from(`${id}\n`))
  if (found.toString().trim() === id) return
  throw new Error(`${database} belongs to another data folder: its install-id differs`)
}
