import { existsSync, mkdirSync, rmSync } from 'node:fs'
import { type FileHandle, lstat, open, rename, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { FILES_FOLDER, undefinedIfAbsent } from '#storage/strays.ts'

/** While it is there, stored files that are removed go into it instead. */
const HELD_FOLDER = 'held'

/**
 * Removes a stored file, or holds it for a backup that may still have to copy it: the backup's
 * database can have the row that has just been deleted. Whoever deletes commits before this, so a
 * file that is removed for good here has no row in any database that is copied from now on.
 */
export async function removeUnlessHeld(folder: string, name: string): Promise<void> {
  const held = join(folder, HELD_FOLDER)
  const isHeld =
    existsSync(held) &&
    (await rename(join(folder, name), join(held, name)).then(() => true, undefinedIfAbsent))
  if (!isHeld) await rm(join(folder, name), { force: true })
}

/** From now on removed files can still be opened by `openStored`, until `releaseRemovals`. */
export function holdRemovals(dataDir: string): void {
  mkdirSync(join(dataDir, FILES_FOLDER, HELD_FOLDER), { recursive: true, mode: 0o700 })
}

/** Removes for good what was held. */
export function releaseRemovals(dataDir: string): void {
  const held = join(dataDir, FILES_FOLDER, HELD_FOLDER)
  rmSync(held, { recursive: true, force: true, maxRetries: 3 })
}

/** Opens a stored file where it is, or where it is held; undefined when it is in neither place. */
export function openStored(dataDir: string, name: string): Promise<FileHandle | undefined> {
  return findStored(dataDir, name, (path) => open(path))
}

/** Bytes of a stored file where it is, or where it is held; undefined when it is in neither. */
export async function sizeOfStored(dataDir: string, name: string): Promise<number | undefined> {
  return (await findStored(dataDir, name, (path) => lstat(path)))?.size
}

/** In this order: what is moved between the two looks is found by the second. */
async function findStored<T>(dataDir: string, name: string, look: (path: string) => Promise<T>) {
  const folder = join(dataDir, FILES_FOLDER)
  const there = await look(join(folder, name)).catch(undefinedIfAbsent)
  return there ?? (await look(join(folder, HELD_FOLDER, name)).catch(undefinedIfAbsent))
}
