import { CommandError } from '#domain/error.ts'
import { type Archived, hashContent, readArchive, readSmall } from '#storage/backup/archive.ts'
import type { ArchiveSource } from '#storage/backup/archive-place.ts'
import {
  assertBelongs,
  assertSums,
  damaged,
  LARGEST_MANIFEST,
  LARGEST_SUMS,
  MANIFEST,
  type Manifest,
  notABackup,
  readManifest,
  SUMS,
  type Sums,
} from '#storage/backup/manifest.ts'
import { SHELF_FAILED } from '#storage/shelf.ts'

/** Consumes the content of one file of a backup. Resolves with its SHA-256. */
type Take = (entry: Archived) => Promise<string>

/**
 * Reads a whole backup and passes each file to `take`. Throws a CommandError when it is not a backup,
 * is newer than this program, or is damaged.
 */
export async function readBackup({ read }: Pick<ArchiveSource, 'read'>, take: Take) {
  const sums: Sums = new Map()
  let manifest: Manifest | undefined
  let list: Buffer | undefined
  try {
    for await (const entry of readArchive(read())) {
      if (!manifest) manifest = await readFirst(entry, sums)
      else if (list) throw damaged(`something was added`)
      else if (entry.name === SUMS) list = await readSmall(entry, LARGEST_SUMS)
      else {
        assertBelongs(entry, sums)
        sums.set(entry.name, await take(entry))
      }
    }
  } catch (error) {
    throw asRefusal(error as NodeJS.ErrnoException, manifest)
  }
  if (!manifest) throw notABackup()
  if (!list) throw damaged('its end is missing')
  assertSums(sums, list)
  return { manifest, sums }
}

async function readFirst(entry: Archived, sums: Sums): Promise<Manifest> {
  if (entry.name !== MANIFEST || !entry.isFile || entry.size > LARGEST_MANIFEST) throw notABackup()
  const pieces: Buffer[] = []
  sums.set(MANIFEST, await hashContent(entry.content, (piece) => pieces.push(piece)))
  return readManifest(Buffer.concat(pieces))
}

/** Errors of the disk or the bucket and refusals stay as they are; others mean a malformed archive. */
function asRefusal(error: NodeJS.ErrnoException, manifest: Manifest | undefined): Error {
  if (error instanceof CommandError || error.syscall || error.code === SHELF_FAILED) return error
  return manifest ? damaged(error.message) : notABackup()
}
