import { existsSync, mkdirSync, rmSync } from 'node:fs'
import { type FileHandle, open, statfs } from 'node:fs/promises'
import { join } from 'node:path'
import { COMMAND_LINE, recordAct } from '#db/admin/audit-events.ts'
import {
  DATABASE_FILE,
  discardStage,
  FILES_FOLDER,
  haveToItself,
  isInUse,
  KEY_FILE,
  openStage,
} from '#db/data-folder.ts'
import { flushFolder } from '#db/durable-file.ts'
import type { RestoreTarget } from '#db/engine.ts'
import { makeDataFolder } from '#db/folder.ts'
import { openRestoreTarget } from '#db/open-engine.ts'
import { fingerprint, type KeySettings, loadOwnKey } from '#db/secret-key.ts'
import { loadSecretKey } from '#db/secrets.ts'
import { openDatabase } from '#db/sqlite/database.ts'
import { forgetKey, inspectSnapshot } from '#db/sqlite/snapshot.ts'
import { SERVER_BUSY_MS } from '#db/sqlite/sqlite.ts'
import { listStoredNames } from '#db/stored-files.ts'
import { toStamp } from '#domain/backup.ts'
import { CommandError } from '#domain/error.ts'
import { formatBytes } from '#domain/size.ts'
import { type Advance, type Archived, hashContent } from '#storage/backup/archive.ts'
import { type ArchiveSource, fileSource } from '#storage/backup/archive-place.ts'
import type { Watch } from '#storage/backup/make.ts'
import { damaged, type Manifest } from '#storage/backup/manifest.ts'
import { readBackup } from '#storage/backup/read.ts'
import { storeStaged } from '#storage/backup/staged-files.ts'
import { lookAtStorage, type StorageSettings } from '#storage/open-storage.ts'

type RestoreInput = StorageSettings & {
  archive: ArchiveSource
  /** the size of the archive */
  bytes: number
  /** undefined: the key is in the data folder */
  secretKeyFile?: string | undefined
  /** where the database is, if it is not in the data folder */
  databaseUrl?: string | undefined
  replace: boolean
  now: Date
}
/** Where the replaced data is, if there was any: the folder, the schema, and the prefix in the bucket. */
export type Restored = {
  manifest: Manifest
  aside: string | undefined
  asideSchema: string | undefined
  asideFiles: string | undefined
}

/**
 * Replaces the contents of the data folder, and of its database, by a backup, and keeps the old
 * contents aside. The backup is unpacked and checked first, so a damaged archive changes nothing,
 * and a crash leaves either the old or the new data. Throws an Error for a person.
 */
export async function restoreBackup(
  { file, ...rest }: Omit<RestoreInput, 'archive' | 'bytes'> & { file: string | ArchiveSource },
  watch: Watch,
): Promise<Restored> {
  const { dataDir, databaseUrl } = rest
  const archive = typeof file === 'string' ? fileSource(file) : file
  const bytes = await archive.size()
  const target = await openRestoreTarget({ dataDir, databaseUrl })
  try {
    return await replaceData({ ...rest, archive, bytes }, target, watch)
  } finally {
    await target.close()
  }
}

async function replaceData(
  input: RestoreInput,
  target: RestoreTarget,
  watch: Watch,
): Promise<Restored> {
  const { bytes, dataDir, now } = input
  const isNew = !existsSync(dataDir)
  makeDataFolder(dataDir)
  const release = haveToItself(dataDir)
  try {
    assertReplaceable(input, target)
    const advance = watch(bytes * target.passes)
    const { stage, manifest, installId } = await prepare(input, advance)
    const hasData = isInUse(dataDir) || target.hasData
    const aside = hasData ? findFreeName(dataDir, `replaced-${toStamp(now)}`) : ''
    const stored = await storeStaged(input, {
      stage,
      installId,
      aside: hasData ? aside : undefined,
    })
    const asideSchema = await target
      .replace(stage, aside, (share) => advance(share * bytes))
      .catch(async (error) => {
        await stored.undo()
        throw error
      })
    await stored.complete()
    const isAside = aside !== '' && existsSync(join(dataDir, aside))
    return {
      manifest,
      aside: isAside ? join(dataDir, aside) : undefined,
      asideSchema,
      asideFiles: stored.aside,
    }
  } catch (error) {
    discardStage(dataDir)
    if (isNew && !isInUse(dataDir)) rmSync(dataDir, { recursive: true })
    throw error
  } finally {
    release()
  }
}

function findFreeName(folder: string, name: string, n = 1): string {
  const tried = n === 1 ? name : `${name}-${n}`
  return existsSync(join(folder, tried)) ? findFreeName(folder, name, n + 1) : tried
}

function assertReplaceable({ dataDir, replace }: RestoreInput, { hasData }: RestoreTarget): void {
  if (replace || !(hasData || isInUse(dataDir))) return
  const what = isInUse(dataDir) ? dataDir : 'The database of DATABASE_URL'
  throw new CommandError(`${what} has data: use --replace to put it aside`)
}

/** Unpacks and checks the new contents of the data folder, flushed to the disk. */
async function prepare(input: RestoreInput, advance: Advance) {
  const { archive, bytes, dataDir, now } = input
  await assertRoom(dataDir, bytes)
  const stage = openStage(dataDir)
  mkdirSync(join(stage, FILES_FOLDER), { mode: 0o700 })
  const { manifest } = await readBackup(archive, (entry) => unpack(entry, stage, advance))
  flushFolder(join(stage, FILES_FOLDER))
  return { stage, manifest, installId: await examine(stage, input, manifest, now) }
}

async function assertRoom(dataDir: string, bytes: number): Promise<void> {
  const { bavail, bsize } = await statfs(dataDir)
  if (bavail * bsize >= bytes) return
  const needed = formatBytes(bytes)
  throw new CommandError(`Too little room in ${dataDir}: ${needed} needed`)
}

/** `readBackup` has checked the name, so it cannot point outside the folder. */
async function unpack(entry: Archived, stage: string, advance: Advance): Promise<string> {
  const handle = await open(join(stage, entry.name), 'wx', 0o600)
  try {
    const sum = await hashContent(entry.content, async (piece) => {
      await writeAll(handle, piece)
      advance(piece.length)
    })
    await handle.sync()
    return sum
  } finally {
    await handle.close()
  }
}

async function writeAll(handle: FileHandle, piece: Buffer): Promise<void> {
  for (let done = 0; done < piece.length; ) {
    done += (await handle.write(piece, done)).bytesWritten
  }
}

/**
 * Opens the unpacked data as a server would, migrates it, and checks that every file exists. Resolves
 * with the id of its installation.
 */
async function examine(
  stage: string,
  { secretKeyFile }: KeySettings,
  manifest: Manifest,
  now: Date,
): Promise<string> {
  if (!existsSync(join(stage, DATABASE_FILE))) throw damaged(`${DATABASE_FILE} is missing`)
  await inspectSnapshot(join(stage, DATABASE_FILE))
  settleKey(stage, secretKeyFile)
  const { db, installId, close } = await openDatabase(stage, SERVER_BUSY_MS, secretKeyFile)
  try {
    const expected = new Set(await listStoredNames(db))
    const stored = await (await lookAtStorage({ dataDir: stage })).list()
    for (const name of [...manifest.missing, ...stored]) expected.delete(name)
    const [lost] = expected
    if (lost) throw damaged(`${lost} is missing`)
    const subject = { subject_type: 'backup', subject_id: manifest.made_at }
    await recordAct(db, { ...COMMAND_LINE, ...subject, action: 'backup.restored' }, now)
    return installId
  } finally {
    await close()
  }
}

/**
 * A backup without a key gets a new one, because the existing key belongs to the replaced data. A key
 * that servers share must be that of the backup.
 */
function settleKey(stage: string, secretKeyFile: string | undefined): void {
  const file = join(stage, KEY_FILE)
  if (!existsSync(file)) forgetKey(join(stage, DATABASE_FILE))
  else if (secretKeyFile !== undefined) {
    const shared = loadOwnKey({ dataDir: stage, secretKeyFile }, undefined)
    if (fingerprint(shared) !== fingerprint(loadSecretKey(stage))) throw otherKey(secretKeyFile)
    rmSync(file)
  }
}

function otherKey(secretKeyFile: string): CommandError {
  return new CommandError(
    `The backup has another key than SECRET_KEY_FILE ${secretKeyFile}: put its ${KEY_FILE} there first`,
  )
}
