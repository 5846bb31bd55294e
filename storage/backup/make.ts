import { createReadStream, existsSync, statSync } from 'node:fs'
import { basename, join } from 'node:path'
import type { Readable } from 'node:stream'
import { DATABASE_FILE, FILES_FOLDER, INSTALL_ID_FILE, KEY_FILE } from '#db/data-folder.ts'
import { takeSnapshot } from '#db/open-engine.ts'
import type { Counts, Snapshot } from '#db/sqlite/snapshot.ts'
import { CommandError } from '#domain/error.ts'
import {
  type Add,
  type Advance,
  type Archived,
  hashContent,
  writeArchive,
} from '#storage/backup/archive.ts'
import { type ArchiveTarget, fileTarget } from '#storage/backup/archive-place.ts'
import {
  assertSums,
  MANIFEST,
  SUMS,
  type Sums,
  toManifest,
  toSums,
} from '#storage/backup/manifest.ts'
import { alone } from '#storage/backup/place.ts'
import { readBackup } from '#storage/backup/read.ts'
import type { FileStore } from '#storage/files.ts'
import { lookAtStorage, type StorageSettings } from '#storage/open-storage.ts'

export type Source = StorageSettings & {
  /** undefined: the key is in the data folder */
  secretKeyFile?: string | undefined
  /** where the database is, if it is not in the data folder */
  databaseUrl?: string | undefined
  publicUrl: string
  now: Date
  /** Frees space on the disk; false when there is nothing left to remove. */
  makeRoom?: () => boolean
}
/** Receives the total number of bytes, and returns the progress callback. */
export type Watch = (totalBytes: number) => Advance

export type Backup = {
  /** the path of the archive, or its address in a bucket */
  file: string
  made_at: string
  bytes: number
  counts: Counts
  files: number
  /** names of files that rows mention but the data folder did not have */
  missing: string[]
}

const PIECE_BYTES = 256 * 1024

type Part = { name: string; size: number }
type Contents = { snapshot: Snapshot; parts: Part[]; missing: string[] }

/**
 * Writes a new archive of a consistent copy of the database and of all files that it names. The
 * server may be running. The archive is read back before it gets its final name. Throws a
 * CommandError, and leaves nothing behind, when there is no room or something is damaged.
 */
export async function makeBackup(
  source: Source,
  place: string | ArchiveTarget,
  watch: Watch,
): Promise<Backup> {
  const target = typeof place === 'string' ? fileTarget(place) : place
  assertDatabase(source)
  return alone(source.dataDir, async (folder) => {
    await target.prepare(source.now)
    const files = await lookAtStorage(source)
    const release = await files.hold(source.now)
    try {
      const snapshot = await takeSnapshot(
        { dataDir: source.dataDir, databaseUrl: source.databaseUrl },
        join(folder, DATABASE_FILE),
      )
      const places = { ...placesOf(source), [DATABASE_FILE]: join(folder, DATABASE_FILE) }
      const contents = await gather(files, places, snapshot)
      await target.assertRoom(sum(contents.parts), source.makeRoom)
      await writeChecked(target, source, { files, places }, contents, watch)
      return await describe(target, source, contents)
    } finally {
      await release()
    }
  })
}

/** Where the parts of an archive are that are no stored files. */
type Places = Record<string, string>

function placesOf({ dataDir, secretKeyFile }: Source): Places {
  return {
    [KEY_FILE]: secretKeyFile ?? join(dataDir, KEY_FILE),
    [INSTALL_ID_FILE]: join(dataDir, INSTALL_ID_FILE),
  }
}

function assertDatabase({ dataDir, databaseUrl }: Source): void {
  // Not existsSync: to a user who may not look into the folder it says that nothing is there.
  const file = () => statSync(join(dataDir, DATABASE_FILE), { throwIfNoEntry: false })
  if (databaseUrl !== undefined || file()) return
  throw new CommandError(`There is no database in ${dataDir}`)
}

/** The contents of the archive with their sizes, which do not change from here on. */
async function gather(files: FileStore, places: Places, snapshot: Snapshot): Promise<Contents> {
  const parts: Part[] = []
  for (const name of [DATABASE_FILE, KEY_FILE, INSTALL_ID_FILE]) {
    const path = places[name] ?? ''
    if (existsSync(path)) parts.push({ name, size: statSync(path).size })
  }
  const missing: string[] = []
  for (const name of snapshot.stored_names ?? (await files.list())) {
    const size = await files.size(name)
    if (size === undefined) missing.push(name)
    else parts.push({ name: `${FILES_FOLDER}/${name}`, size })
  }
  return { snapshot, parts, missing }
}

function sum(parts: Part[]): number {
  return parts.reduce((total, { size }) => total + size, 0)
}

/** Writes an archive, and gives it its name once it has been read back. */
async function writeChecked(
  target: ArchiveTarget,
  source: Source,
  from: From,
  contents: Contents,
  watch: Watch,
): Promise<void> {
  const advance = watch(2 * sum(contents.parts))
  try {
    const sums = await write(target, source, from, contents, advance)
    const take = ({ content }: Archived) => hashContent(content, ({ length }) => advance(length))
    const readBack = await readBackup(target, take)
    assertSums(readBack.sums, toSums(sums))
    await target.complete()
  } catch (error) {
    await target.discard()
    throw error
  }
}

async function write(
  target: ArchiveTarget,
  source: Source,
  from: From,
  { snapshot, parts, missing }: Contents,
  advance: Advance,
): Promise<Sums> {
  const { schema_version, counts } = snapshot
  const manifest = toManifest({
    schema_version,
    made_at: source.now.toISOString(),
    public_url: source.publicUrl,
    counts,
    files: parts.filter(isStored).length,
    missing,
  })
  const sums: Sums = new Map()
  const send = (archive: Readable) => target.write(archive, sum(parts))
  await writeArchive(send, source.now, advance, async (add) => {
    sums.set(MANIFEST, await add(MANIFEST, manifest.length, [manifest]))
    for (const part of parts) sums.set(part.name, await addPart(add, part, from))
    const list = toSums(sums)
    await add(SUMS, list.length, [list])
  })
  return sums
}

async function describe(
  target: ArchiveTarget,
  { now }: Source,
  { snapshot, parts, missing }: Contents,
): Promise<Backup> {
  const { counts } = snapshot
  const files = parts.filter(isStored).length
  const made_at = now.toISOString()
  return { file: target.name, made_at, bytes: await target.size(), counts, files, missing }
}

function isStored({ name }: Part): boolean {
  return name.startsWith(`${FILES_FOLDER}/`)
}

type From = { files: FileStore; places: Places }

async function addPart(add: Add, part: Part, { files, places }: From): Promise<string> {
  const { name, size } = part
  const content = isStored(part)
    ? await files.whole(basename(name))
    : createReadStream(places[name] ?? '', { highWaterMark: PIECE_BYTES })
  if (!content) throw new Error(`${name} was removed while the backup was made`)
  return add(name, size, content)
}
