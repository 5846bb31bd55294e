import { createReadStream } from 'node:fs'
import { access } from 'node:fs/promises'
import type { Storage } from '#config.ts'
import { kindOfStoredName } from '#domain/papers/file-kind.ts'
import { checkBucket, isDead, openObjects, type S3Objects } from '#storage/s3-objects.ts'
import type { Shelf } from '#storage/shelf.ts'

/** Beside the stored files: to which installation they belong. */
const OWNER = 'install-id'
/** One object for each backup that is being made; while there is one, removed files stay. */
const HOLDS = 'holds/'
/** Names of files that are removed when no hold is left. */
const HELD = 'held/'

export type S3Shelf = Shelf & {
  /** Throws when the files here belong to another installation; the first one notes its id. */
  claim(installId: string): Promise<void>
  /** The same with further ids beside those that are noted, or alone. */
  setOwners(installIds: string[]): Promise<void>
  owners(): Promise<string[]>
  listStored(): Promise<string[]>
  /** Copies a stored file within the bucket, under a folder. */
  copyAside(name: string, folder: string): Promise<void>
  removeAside(name: string, folder: string): Promise<void>
}

/** Opens the stored files in a bucket of S3. */
export function openS3Shelf(at: Storage, objects = openObjects(at)): S3Shelf {
  const { bucket, prefix, endpoint } = at
  const { head, write, remove, all } = objects
  const holds = openHolds(objects)
  const size = async (name: string) => (await head(name))?.ContentLength
  const names = async () => (await all('')).map(({ name }) => name)
  const owners = async () => (await objects.text(OWNER))?.split('\n').filter(Boolean) ?? []
  return {
    place: `s3://${bucket}/${prefix}${endpoint ? ` at ${new URL(endpoint).host}` : ''}`,
    async put(files) {
      for (const { path, name } of files) {
        await access(path)
        await objects.upload(createReadStream(path), name)
      }
    },
    remove: holds.remove,
    size,
    read: objects.read,
    async whole(name) {
      const bytes = await size(name)
      if (bytes === undefined) return undefined
      return piecesOf(objects.read(name, { first: 0, last: bytes - 1 }))
    },
    list: names,
    changedAt: async (name) => (await head(name))?.LastModified,
    beside: (folder) =>
      openS3Shelf({ ...at, prefix: `${prefix}${folder}/` }, objects.beside(folder)),
    hold: holds.hold,
    async clean(now) {
      await holds.endDead(now)
      await objects.abortUploads((since) => isDead(since, now))
    },
    async probe() {
      if (!(await head(OWNER))) throw new Error(`${OWNER} is missing in the bucket`)
    },
    check: () => checkBucket(at),
    listStored: async () => (await names()).filter(kindOfStoredName),
    copyAside: (name, folder) => objects.copy(name, `${folder}${name}`),
    removeAside: (name, folder) => remove(`${folder}${name}`),
    owners,
    setOwners: (ids) => write(OWNER, ids.join('\n')),
    async claim(installId) {
      const noted = await owners()
      if (noted.length === 0) await write(OWNER, installId)
      else if (!noted.includes(installId)) {
        throw new Error(
          `The files in ${bucket}/${prefix} belong to another installation: give STORAGE_URL another prefix`,
        )
      }
    },
  }
}

/** Keeps removed files while a backup reads them. */
function openHolds({ list, all, write, remove }: S3Objects) {
  /** A hold of a killed process counts until a sweep or the next backup finds it. */
  async function isHeld(): Promise<boolean> {
    for await (const _ of list(HOLDS)) return true
    return false
  }

  async function releaseUnlessHeld(): Promise<void> {
    if (await isHeld()) return
    for (const { name } of await all(HELD)) {
      await remove(name)
      await remove(`${HELD}${name}`)
    }
  }

  async function removeDead(now: Date): Promise<void> {
    for (const { name, at } of await all(HOLDS)) {
      if (isDead(at, now)) await remove(`${HOLDS}${name}`)
    }
  }

  return {
    async remove(name: string): Promise<void> {
      if (await isHeld()) await write(`${HELD}${name}`, name)
      else await remove(name)
    },
    async hold(now: Date): Promise<() => Promise<void>> {
      await removeDead(now)
      const mine = `${HOLDS}${crypto.randomUUID()}`
      await write(mine, mine)
      return async () => {
        await remove(mine)
        await releaseUnlessHeld()
      }
    },
    async endDead(now: Date): Promise<void> {
      await removeDead(now)
      await releaseUnlessHeld()
    },
  }
}

async function* piecesOf(stream: ReadableStream<Uint8Array>): AsyncGenerator<Buffer> {
  for await (const { buffer, byteOffset, byteLength } of stream) {
    yield Buffer.from(buffer, byteOffset, byteLength)
  }
}
