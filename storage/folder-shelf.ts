import { constants, existsSync, mkdirSync, rmSync } from 'node:fs'
import { access, lstat, mkdir, open, readdir, rename, rm, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { readPart, readWhole } from '#storage/reading.ts'
import type { Shelf } from '#storage/shelf.ts'

export const FILES_FOLDER = 'files'
/** While this folder exists, removed files are moved into it. */
const HELD_FOLDER = 'held'

/** Returns the stored files of a data folder, or those of another folder in it. */
export function openFolderShelf(dataDir: string, name = FILES_FOLDER): Shelf {
  const folder = join(dataDir, name)
  const held = join(folder, HELD_FOLDER)

  /** The order matters: a file that is moved between the two looks is found by the second. */
  async function find<T>(name: string, look: (path: string) => Promise<T>): Promise<T | undefined> {
    const there = await look(join(folder, name)).catch(undefinedIfAbsent)
    return there ?? (await look(join(held, name)).catch(undefinedIfAbsent))
  }

  const openStored = (name: string) =>
    find(name, (path) => open(path, constants.O_RDONLY | constants.O_NOFOLLOW))

  return {
    place: folder,
    async put(files) {
      if (await mkdir(folder, { recursive: true, mode: 0o700 })) await flush(dataDir, 'r')
      for (const { path } of files) await flush(path, 'r+')
      for (const { path, name } of files) await rename(path, join(folder, name))
      await flush(folder, 'r')
    },
    async remove(name) {
      const isHeld =
        existsSync(held) &&
        (await rename(join(folder, name), join(held, name)).then(() => true, undefinedIfAbsent))
      if (!isHeld) await rm(join(folder, name), { force: true })
    },
    async size(name) {
      const found = await find(name, (path) => lstat(path))
      return found?.isFile() ? found.size : undefined
    },
    read: (name, part) =>
      readPart(async () => {
        const handle = await openStored(name)
        if (!handle) throw new Error('A stored file is gone')
        return handle
      }, part),
    async whole(name) {
      const handle = await openStored(name)
      return handle && readWhole(handle)
    },
    list: () => namesIn(folder),
    changedAt: async (name) => (await stat(join(folder, name)).catch(undefinedIfAbsent))?.mtime,
    // A killed upload leaves temporary files, and a killed backup's are released with its folder.
    clean: async () => {},
    beside: (other) => openFolderShelf(dataDir, other),
    async hold() {
      mkdirSync(held, { recursive: true, mode: 0o700 })
      return async () => removeHeld(held)
    },
    probe: () => access(folder, constants.R_OK | constants.W_OK | constants.X_OK),
    check: () => access(existsSync(folder) ? folder : dataDir, constants.R_OK | constants.W_OK),
  }
}

/** Deletes the files that a backup, also a killed one, has held. */
export function releaseRemovals(dataDir: string): void {
  removeHeld(join(dataDir, FILES_FOLDER, HELD_FOLDER))
}

function removeHeld(held: string): void {
  rmSync(held, { recursive: true, force: true, maxRetries: 3 })
}

/** Returns the names of a folder's files; none if it is missing. */
export function namesIn(folder: string): Promise<string[]> {
  return readdir(folder).catch((error) => undefinedIfAbsent(error) ?? [])
}

/** Returns undefined for a file that another process may have removed. */
export function undefinedIfAbsent(error: NodeJS.ErrnoException): undefined {
  if (error.code !== 'ENOENT') throw error
}

async function flush(path: string, flags: 'r' | 'r+'): Promise<void> {
  const handle = await open(path, flags)
  try {
    await handle.sync()
  } finally {
    await handle.close()
  }
}
