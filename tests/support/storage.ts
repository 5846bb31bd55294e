import { existsSync, readdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs'
import { basename, dirname, join } from 'node:path'
import { readConfig } from '#config.ts'
import type { FileStore } from '#storage/files.ts'
import { openStorage } from '#storage/open-storage.ts'
import { KEY, type S3Server, startS3Server } from '#tests/support/s3-server.ts'

/** Whether this run keeps files on S3. */
export const isOnS3 = () => process.env.DRIVEQR_TEST_STORAGE === 's3'

/** The credentials in the standard variables. */
export const CREDENTIALS = {
  AWS_ACCESS_KEY_ID: KEY.accessKeyId,
  AWS_SECRET_ACCESS_KEY: KEY.secretAccessKey,
}

/** In the bucket: to which installation it belongs. */
const OWNER = 'install-id'

/** One for this process, which ends with it. */
let server: S3Server | undefined

export async function s3Server(): Promise<S3Server> {
  server ??= await startS3Server()
  return server
}

/** The folder of the bucket that has the files of a data folder. */
export const prefixOf = (dataDir: string) => `${basename(dirname(dataDir))}-${basename(dataDir)}`

/** The settings with which the files of a data folder are on S3. */
export async function s3Settings(prefix: string): Promise<Record<string, string>> {
  return { STORAGE_URL: (await s3Server()).urlOf(prefix), ...CREDENTIALS }
}

/** The settings of the storage that this run is about. */
export async function storageSettings(dataDir: string): Promise<Record<string, string>> {
  return isOnS3() ? s3Settings(prefixOf(dataDir)) : {}
}

/** The content of a stored file. */
export function storedFile(dataDir: string, name: string): Buffer {
  if (!isOnS3()) return readFileSync(join(dataDir, 'files', name))
  const object = server?.objects.get(`${prefixOf(dataDir)}/${name}`)
  if (!object) throw new Error(`${name} is not stored`)
  return object.body
}

/** Stores a file without a row, or instead of another one. */
export async function storeFile(dataDir: string, name: string, body: Uint8Array): Promise<void> {
  if (!isOnS3()) return writeFileSync(join(dataDir, 'files', name), body)
  const object = { body: Buffer.from(body), at: new Date(), checksum: undefined }
  ;(await s3Server()).objects.set(`${prefixOf(dataDir)}/${name}`, object)
}

/** Takes the stored files away, as a failing storage does, until the answer is called. */
export function takeStorageAway(dataDir: string): () => void {
  const name = `${prefixOf(dataDir)}/${OWNER}`
  const object = isOnS3() && server?.objects.get(name)
  if (server && object) {
    const { objects } = server
    objects.delete(name)
    return () => void objects.set(name, object)
  }
  const folder = join(dataDir, 'files')
  renameSync(folder, `${folder}-away`)
  return () => renameSync(`${folder}-away`, folder)
}

/** All that is kept for a data folder, in it and in the bucket. */
export function keptFor(dataDir: string): { name: string; bytes: Buffer }[] {
  const files = readdirSync(dataDir, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map(({ parentPath, name }) => ({ name, bytes: readFileSync(join(parentPath, name)) }))
  const objects = [...(server?.objects ?? [])]
    .filter(([name]) => name.startsWith(`${prefixOf(dataDir)}/`))
    .map(([name, { body }]) => ({ name, bytes: body }))
  return [...files, ...objects]
}

/** The names of stored and incoming files of a data folder. */
export function filesOn(where: 'folder' | 's3', dataDir: string) {
  const folder = join(dataDir, 'files')
  const incoming = join(folder, 'incoming')
  const own = ['incoming', OWNER]
  const all = where === 's3' ? (server?.namesIn(prefixOf(dataDir)) ?? []) : readdirSync(folder)
  return {
    // In the bucket, exports have a folder beside them.
    stored: all.filter((name) => !own.includes(name) && !name.startsWith('exports/')),
    incoming: existsSync(incoming) ? readdirSync(incoming) : [],
  }
}

/** The storage of a data folder that this run is about, or another one. */
export async function openTestStorage(
  dataDir: string,
  settings?: Record<string, string>,
): Promise<FileStore> {
  const config = readConfig(settings ?? (await storageSettings(dataDir)))
  return openStorage({ dataDir, storage: config.storage }, 'installation')
}
