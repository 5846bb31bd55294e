import { existsSync, mkdirSync, rmSync } from 'node:fs'
import { type FileHandle, lstat, open, rename, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { FILES_FOLDER, undefinedIfAbsent } from '#storage/strays.ts'

/** While this folder exists, removed files are moved into it. */
const HELD_FOLDER = 'held'

/**
 * Removes a stored file, or holds it for a running backup, whose copy of the database may still
 * contain the deleted row. Call it after the row's deletion is committed: then no later copy of the
 * database mentions the file.
 */
export async function removeUnlessHeld(folder: string, name: string): Promise<void> {
  const held = join(folder, HELD_FOLDER)
  const isHeld =
    existsSync(held) &&
    (await rename(join(folder, name), join(held, name)).then(() => true, undefinedIfAbsent))
  if (!isHeld) await rm(join(folder, name), { force: true })
}

/** Keeps removed files available to `openStored` until `releaseRemovals`. */
export function holdRemovals(dataDir: string): void {
  mkdirSync(join(dataDir, FILES_FOLDER, HELD_FOLDER), { recursive: true, mode: 0o700 })
}

/** Deletes the held files. */
export function releaseRemovals(dataDir: string): void {
  const held = join(dataDir, FILES_FOLDER, HELD_FOLDER)
  rmSync(held, { recursive: true, force: true, maxRetries: 3 })
}

/** Opens a stored or held file; undefined when it is neither. */
export function openStored(dataDir: string, name: string): Promise<FileHandle | undefined> {
  return findStored(dataDir, name, (path) => open(path))
}

/** Size in bytes of a stored or held file; undefined when it is neither. */
export async function sizeOfStored(dataDir: string, name: string): Promise<number | undefined> {
  return (await findStored(dataDir, name, (path) => lstat(path)))?.size
}

/** The order matters: a file moved between the two checks is found by the second. */
async function findStored<T>(dataDir: string, name: string, look: (path: string) => Promise<T>) {
  const folder = join(dataDir, FILES_FOLDER)
  const there = await look(join(folder, name)).catch(undefinedIfAbsent)
  return there ?? (await look(join(folder, HELD_FOLDER, name)).catch(undefinedIfAbsent))
}
