import {
  createReadStream,
  createWriteStream,
  existsSync,
  renameSync,
  rmSync,
  statSync,
} from 'node:fs'
import { statfs } from 'node:fs/promises'
import { dirname, resolve } from 'node:path'
import type { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { flushFolder } from '#db/durable-file.ts'
import { CommandError } from '#domain/error.ts'
import { formatBytes } from '#domain/size.ts'
import { discardDrafts, draftOf } from '#storage/backup/place.ts'

/** An archive that is there. */
export type ArchiveSource = {
  /** where it is, for the operator */
  name: string
  /** Returns the size in bytes. Throws a CommandError where there is none. */
  size(): Promise<number>
  /** Reads it from its beginning. */
  read(): AsyncIterable<Uint8Array>
}

/** The place of a new archive, which looks like one only once it is whole. */
export type ArchiveTarget = ArchiveSource & {
  /** Removes what killed backups left. Throws an Error for the operator where no archive may be put. */
  prepare(now: Date): Promise<void>
  /** Throws a CommandError where there is no room. `makeRoom` frees some, or returns false. */
  assertRoom(bytes: number, makeRoom?: () => boolean): Promise<void>
  /** Consumes a new archive of about so many bytes, durably. */
  write(archive: Readable, bytes: number): Promise<void>
  /** Gives the archive its name, once it has been read and compared. */
  complete(): Promise<void>
  /** Removes an archive that is not complete. */
  discard(): Promise<void>
}

/** Free space that a backup leaves on the disk. */
const RESERVED_BYTES = 200 * 1024 * 1024
const PIECE_BYTES = 256 * 1024

const readFile = (path: string) => createReadStream(path, { highWaterMark: PIECE_BYTES })

/** Returns the archive in a file. */
export function fileSource(name: string): ArchiveSource {
  return {
    name,
    async size() {
      if (!existsSync(name)) throw new CommandError(`There is no ${name}`)
      return statSync(name).size
    },
    read: () => readFile(name),
  }
}

/** Returns the file of a new archive, which has another name until it is complete. */
export function fileTarget(file: string): ArchiveTarget {
  const name = resolve(file)
  const draft = draftOf(name)
  return {
    ...fileSource(name),
    read: () => readFile(draft),
    async prepare() {
      assertFree(name)
      discardDrafts(dirname(name))
      rmSync(draft, { force: true })
    },
    assertRoom: (bytes, makeRoom) => assertRoom(dirname(name), bytes + RESERVED_BYTES, makeRoom),
    write: (archive) =>
      pipeline(archive, createWriteStream(draft, { flags: 'wx', mode: 0o600, flush: true })),
    async complete() {
      renameSync(draft, name)
      flushFolder(dirname(name))
    },
    discard: async () => rmSync(draft, { force: true }),
  }
}

function assertFree(target: string): void {
  if (!existsSync(dirname(target))) {
    throw new CommandError(`There is no folder ${dirname(target)}`)
  }
  if (!existsSync(target)) return
  throw new CommandError(`${target} already exists: name another file`)
}

async function assertRoom(folder: string, bytes: number, makeRoom = () => false): Promise<void> {
  const { bavail, bsize } = await statfs(folder)
  if (bavail * bsize >= bytes) return
  if (makeRoom()) return assertRoom(folder, bytes, makeRoom)
  throw new CommandError(`Too little room in ${folder}: ${formatBytes(bytes)} needed`)
}
