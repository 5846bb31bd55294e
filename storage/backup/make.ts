import { createReadStream, existsSync, renameSync, rmSync, statSync } from 'node:fs'
import { statfs } from 'node:fs/promises'
import { basename, dirname, join, resolve } from 'node:path'
import { DATABASE_FILE, FILES_FOLDER, INSTALL_ID_FILE, KEY_FILE } from '#db/data-folder.ts'
import { flushFolder } from '#db/durable-file.ts'
import { takeSnapshot } from '#db/open-engine.ts'
import type { Counts, Snapshot } from '#db/sqlite/snapshot.ts'
import { CommandError } from '#domain/error.ts'
import { formatBytes } from '#domain/size.ts'
import {
  type Add,
  type Advance,
  type Archived,
  hashContent,
  writeArchive,
} from '#storage/backup/archive.ts'
import {
  assertSums,
  MANIFEST,
  SUMS,
  type Sums,
  toManifest,
  toSums,
} from '#storage/backup/manifest.ts'
import { alone, draftOf } from '#storage/backup/place.ts'
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
  file: string
  made_at: string
  bytes: number
  counts: Counts
  files: number
  /** names of files that rows mention but the data folder did not have */
  missing: string[]
}

/** Free space that a backup leaves on the disk. */
const RESERVED_BYTES = 200 * 1024 * 1024
const PIECE_BYTES = 256 * 1024

type Part = { name: string; size: number }
type Contents = { snapshot: Snapshot; parts: Part[]; missing: string[] }

/**
 * Writes a new archive of a consistent copy of the database and of all files that it names. The
 * server may be running. The archive is read back before it gets its final name. Throws a
 * CommandError, and leaves nothing behind, when there is no room or something is damaged.
 */
export async function makeBackup(source: Source, file: string, watch: Watch): Promise<Backup> {
  const target = resolve(file)
  assertDatabase(source)
  return alone(source.dataDir, async (folder) => {
    assertFree(target)
    const draft = draftOf(target)
    rmSync(draft, { force: true })
    const files = await lookAtStorage(source)
    const release = await files.hold(source.now)
    try {
      const snapshot = await takeSnapshot(
        { dataDir: source.dataDir, databaseUrl: source.databaseUrl },
        join(folder, DATABASE_FILE),
      )
      const places = { ...placesOf(source), [DATABASE_FILE]: join(folder, DATABASE_FILE) }
      const contents = await gather(files, places, snapshot)
      const total = sum(contents.parts)
      await assertRoom(target, total, source.makeRoom)
      await writeDraft(draft, source, { files, places }, contents, watch(2 * total))
      renameSync(draft, target)
      flushFolder(dirname(target))
      return describe(target, source, contents)
    } finally {
      rmSync(draft, { force: true })
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

function assertFree(target: string): void {
  if (!existsSync(dirname(target))) {
    throw new CommandError(`There is no folder ${dirname(target)}`)
  }
  if (!existsSync(target)) return
  throw new CommandError(`${target} already exists: name another file`)
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

async function assertRoom(target: string, bytes: number, makeRoom = () => false): Promise<void> {
  const { bavail, bsize } = await statfs(dirname(target))
  if (bavail * bsize >= bytes + RESERVED_BYTES) return
  if (makeRoom()) return assertRoom(target, bytes, makeRoom)
  const needed = formatBytes(bytes + RESERVED_BYTES)
  throw new CommandError(`Too little room in ${dirname(target)}: ${needed} needed`)
}

async function writeDraft(
  draft: string,
  source: Source,
  from: From,
  { snapshot, parts, missing }: Contents,
  advance: Advance,
): Promise<void> {
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
  await writeArchive(draft, source.now, advance, async (add) => {
    sums.set(MANIFEST, await add(MANIFEST, manifest.length, [manifest]))
    for (const part of parts) sums.set(part.name, await addPart(add, part, from))
    const list = toSums(sums)
    await add(SUMS, list.length, [list])
  })
  const take = ({ content }: Archived) => hashContent(content, ({ length }) => advance(length))
  const readBack = await readBackup(draft, take)
  assertSums(readBack.sums, toSums(sums))
}

function describe(file: string, { now }: Source, { snapshot, parts, missing }: Contents): Backup {
  const { counts } = snapshot
  const files = parts.filter(isStored).length
  return { file, made_at: now.toISOString(), bytes: statSync(file).size, counts, files, missing }
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
