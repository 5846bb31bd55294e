/** Archives in a bucket of S3. */
import { backupName, timeOfBackup } from '#domain/backup.ts'
import { CommandError } from '#domain/error.ts'
import type { ArchiveSource, ArchiveTarget } from '#storage/backup/archive-place.ts'
import type { StorageSettings } from '#storage/open-storage.ts'
import { asFailure } from '#storage/s3-errors.ts'
import { checkBucket, isDead, openArchives, type S3Objects } from '#storage/s3-objects.ts'

type Bucket = NonNullable<StorageSettings['storage']>

/** Returns the archive that an address names. Its last part is the name of an object, not of a folder. */
export function bucketSource({ prefix, ...at }: Bucket): ArchiveSource {
  return sourceOf({ ...at, prefix: '' }, prefix.slice(0, -1))
}

/** Returns the object of a new archive below a prefix, which is there only once it was sent whole. */
export function bucketTarget(at: Bucket, now: Date): ArchiveTarget {
  const objects = openArchives(at)
  const key = backupName(now)
  const source = sourceOf(at, key, objects)
  let isSent = false
  return {
    ...source,
    async prepare() {
      await checkBucket(at).catch(namingOption)
      if (await objects.head(key)) throw new CommandError(`${source.name} already exists`)
      await objects.abortUploads(
        (since, name) => isDead(since, now) && timeOfBackup(name) !== undefined,
      )
    },
    assertRoom: async () => {},
    async write(archive, bytes) {
      await objects.upload(archive, key, bytes)
      isSent = true
    },
    complete: async () => {},
    async discard() {
      if (!isSent) return
      await objects.remove(key).catch((cause) => {
        throw new CommandError(`${source.name} differs from what was sent: delete it`, { cause })
      })
    },
  }
}

/** The reasons are written for the setting, which this address is not. */
function namingOption(error: Error): never {
  throw new CommandError(error.message.replaceAll('STORAGE_URL', '--to'))
}

function sourceOf(at: Bucket, key: string, objects: S3Objects = openArchives(at)): ArchiveSource {
  const name = `s3://${at.bucket}/${at.prefix}${key}`
  const sizeOf = async () => (await objects.head(key))?.ContentLength
  return {
    name,
    async size() {
      const bytes = await sizeOf()
      if (bytes === undefined) throw new CommandError(`There is no ${name}`)
      return bytes
    },
    async *read() {
      const bytes = (await sizeOf()) ?? 0
      try {
        yield* objects.read(key, { first: 0, last: bytes - 1 })
      } catch (error) {
        throw asFailure(error)
      }
    },
  }
}
