import type { Config } from '#config.ts'
import { type FileStore, openFileStore, openStoreOn, storeOn } from '#storage/files.ts'
import { openFolderShelf } from '#storage/folder-shelf.ts'
import type { S3Shelf } from '#storage/s3-shelf.ts'

export type StorageSettings = {
  dataDir: string
  /** undefined: a folder of the data folder */
  storage?: Config['storage']
}

/**
 * Throws an Error with one line for the operator when the configured bucket cannot be used. Changes
 * nothing, so a start calls it first.
 */
export async function checkStorage({ storage }: StorageSettings): Promise<void> {
  if (!storage) return
  const { checkBucket } = await import('#storage/s3-objects.ts')
  await checkBucket(storage)
}

/**
 * Opens the configured storage for an installation. Throws an Error with one line for the operator
 * when it belongs to another one.
 */
export async function openStorage(
  { dataDir, storage }: StorageSettings,
  installId: string,
): Promise<FileStore> {
  if (!storage) return openFileStore(dataDir)
  const shelf = await openBucket(storage)
  await shelf.claim(installId)
  return openStoreOn(shelf, dataDir)
}

/** Returns the configured storage for a look at it, which creates nothing. */
export async function lookAtStorage({ dataDir, storage }: StorageSettings): Promise<FileStore> {
  return storeOn(storage ? await openBucket(storage) : openFolderShelf(dataDir), dataDir)
}

/** Returns the client is loaded only where S3 is used. */
export async function openBucket(storage: NonNullable<Config['storage']>): Promise<S3Shelf> {
  const { openS3Shelf } = await import('#storage/s3-shelf.ts')
  return openS3Shelf(storage)
}
