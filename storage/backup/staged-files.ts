import { rmSync } from 'node:fs'
import { join } from 'node:path'
import { FILES_FOLDER } from '#db/data-folder.ts'
import { lookAtStorage, openBucket, type StorageSettings } from '#storage/open-storage.ts'

type Staged = {
  stage: string
  installId: string
  /** the name for the replaced file, if there is one */
  aside: string | undefined
}

/** The steps after the database was replaced, or after it was not. */
type Stored = {
  /** where copies of the replaced files are */
  aside: string | undefined
  complete(): Promise<void>
  undo(): Promise<void>
}

const NOTHING: Stored = { aside: undefined, complete: async () => {}, undo: async () => {} }

/**
 * Puts the unpacked files of a backup into the configured bucket, and copies those that are there
 * aside. What the database of the old or of the new data does not name is a stray then, which a sweep
 * removes: so whenever this is interrupted, each of them finds its files. Files of a data folder are
 * replaced with it.
 */
export async function storeStaged(
  { storage }: StorageSettings,
  { stage, installId, aside }: Staged,
): Promise<Stored> {
  if (!storage) return NOTHING
  const shelf = await openBucket(storage)
  const staged = await lookAtStorage({ dataDir: stage })
  const names = await staged.list()
  const old = aside === undefined ? [] : await shelf.listStored()
  const owners = await shelf.owners()
  const removeCopies = async () => {
    for (const name of old) await shelf.removeAside(name, `${aside}/`)
  }
  try {
    for (const name of old) await shelf.copyAside(name, `${aside}/`)
    for (const name of names) {
      await shelf.put([{ path: join(stage, FILES_FOLDER, name), name }])
    }
    await shelf.setOwners([...new Set([...owners, installId])])
  } catch (error) {
    // A bucket that does not answer at all keeps them.
    await removeCopies().catch(() => undefined)
    throw error
  }
  rmSync(join(stage, FILES_FOLDER), { recursive: true })
  return {
    aside: old.length > 0 ? `${shelf.place}, under ${aside}/` : undefined,
    complete: () => shelf.setOwners([installId]),
    async undo() {
      await removeCopies()
      if (owners.length > 0) await shelf.setOwners(owners)
    },
  }
}
