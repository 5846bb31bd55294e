import { existsSync, readFileSync, renameSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { haveToItself, MOVE_FOLDER } from '#db/data-folder.ts'
import { flushFolder, writeDurably } from '#db/durable-file.ts'
import type { MoveSource, MoveState, RowReader } from '#db/engine.ts'
import { makeDataFolder, makeFolder } from '#db/folder.ts'
import { nameOfDatabase, openMoveSource, openMoveTarget } from '#db/open-engine.ts'
import { CommandError } from '#domain/error.ts'
import { kindOfStoredName } from '#domain/papers/file-kind.ts'
import { moveFiles } from '#storage/backup/move/files.ts'
import { moveRows } from '#storage/backup/move/rows.ts'
import { type FileStore, openFileStore } from '#storage/files.ts'
import { lookAtStorage, openBucket, type StorageSettings } from '#storage/open-storage.ts'

/** The settings of one side. Both have the same data folder. */
type MovePlace = StorageSettings & { databaseUrl?: string | undefined }

/** The amount of work; `units` are bytes, with `BYTES_OF_A_ROW` for each row. */
export type Work = { rows: number; files: number; bytes: number; units: number }
/** The bytes of a file that take as long as a row. */
const BYTES_OF_A_ROW = 1024

/** Receives what there is to do, and returns what receives the units that were just done. */
type WatchMove = (work: Work) => (units: number) => void

export type Moved = {
  database: string
  storage: string
  rows: number
  files: number
  bytes: number
  /** names of files that rows mention but the storage did not have */
  missing: string[]
}

const STATE_FILE = 'state.json'
/** Which move was interrupted. */
type State = MoveState & { database: string; storage: string }

/**
 * Copies all rows and files to another database and another storage, while nobody writes, and compares
 * each table and each file with its copy. Equal tables and files stay. An interrupted move goes
 * on when it is called again. Throws a CommandError when a server is running or the target has data.
 */
export async function moveInstallation(
  from: MovePlace,
  to: MovePlace,
  watch: WatchMove,
): Promise<Moved> {
  const { dataDir } = from
  const places = { database: await nameOfDatabase(to), storage: (await lookAtStorage(to)).place }
  const same = {
    database: places.database === (await nameOfDatabase(from)),
    storage: places.storage === (await lookAtStorage(from)).place,
  }
  if (same.database && same.storage) {
    throw new CommandError('Nothing is to be moved: it is there already')
  }
  makeDataFolder(dataDir)
  const release = haveToItself(dataDir)
  try {
    const source = await openMoveSource(from)
    try {
      return await moveFrom(source, { from, to, places, same }, watch)
    } finally {
      await source.close()
    }
  } finally {
    release()
  }
}

type Plan = {
  from: MovePlace
  to: MovePlace
  places: { database: string; storage: string }
  same: { database: boolean; storage: boolean }
}

async function moveFrom(source: MoveSource, plan: Plan, watch: WatchMove): Promise<Moved> {
  const { from, to, places, same } = plan
  const { dataDir } = from
  const state = readState(dataDir, places)
  const folder = join(dataDir, MOVE_FOLDER)
  const target = same.database ? undefined : await openMoveTarget(to, state).catch(refuseTarget)
  try {
    const shelf = same.storage
      ? undefined
      : await openShelf(to, source.installId, state).catch(refuseTarget)
    // Only now, when nothing is refused any more.
    if (!state) writeState(dataDir, { ...places, isCompleting: false })
    await target?.prepare()
    await shelf?.begin()
    const names = (await source.storedNames()).filter(kindOfStoredName)
    const origin = await lookAtStorage(from)
    const work = await measure(target && source, shelf && { origin, names })
    const advance = watch(work)
    const rows = target
      ? await moveRows(source, target, (count) => advance(count * BYTES_OF_A_ROW))
      : work.rows
    const files = shelf
      ? await moveFiles({
          from: origin,
          to: shelf.shelf,
          names,
          folder: join(folder, 'files'),
          advance,
        })
      : { bytes: 0, missing: [] }
    writeState(dataDir, { ...places, isCompleting: true })
    await target?.complete()
    rmSync(folder, { recursive: true })
    flushFolder(dataDir)
    return { ...places, rows, files: shelf ? names.length - files.missing.length : 0, ...files }
  } catch (error) {
    if (!existsSync(join(folder, STATE_FILE))) rmSync(folder, { recursive: true, force: true })
    throw error
  } finally {
    await target?.close()
  }
}

/** Names the options in a problem of the target: its settings are still those of the environment. */
export function namingOptions(error: Error): Error {
  error.message = error.message
    .replaceAll('DATABASE_URL', '--to')
    .replaceAll('STORAGE_URL', '--storage')
  return error
}

function refuseTarget(error: Error): never {
  throw namingOptions(error)
}

async function measure(
  source: RowReader | undefined,
  moved: { origin: FileStore; names: string[] } | undefined,
): Promise<Work> {
  let [rows, bytes] = [0, 0]
  for (const table of (await source?.tables()) ?? []) rows += (await source?.count(table)) ?? 0
  for (const name of moved?.names ?? []) bytes += (await moved?.origin.size(name)) ?? 0
  const files = moved?.names.length ?? 0
  return { rows, files, bytes, units: rows * BYTES_OF_A_ROW + bytes }
}

/** The storage that a move fills. Throws conflict if it has files of another move or installation. */
async function openShelf(to: MovePlace, installId: string, state: State | undefined) {
  const files = await lookAtStorage(to)
  await files.check()
  const isEmpty = (await files.list()).length === 0
  if (!to.storage) {
    if (!isEmpty && !state) throw hasFiles(files.place)
    return { shelf: files, begin: async () => void openFileStore(to.dataDir) }
  }
  const bucket = await openBucket(to.storage)
  const owners = await bucket.owners()
  const isOurs = state !== undefined && owners.includes(installId)
  if (!isOurs && !(isEmpty && owners.length === 0)) throw hasFiles(files.place)
  return { shelf: files, begin: () => bucket.claim(installId) }
}

function hasFiles(place: string): CommandError {
  return new CommandError(`There are files in ${place} already: give --storage an empty one`)
}

function readState(dataDir: string, places: Plan['places']): State | undefined {
  const file = join(dataDir, MOVE_FOLDER, STATE_FILE)
  if (!existsSync(file)) return undefined
  const state: State = JSON.parse(readFileSync(file, 'utf8'))
  if (state.database === places.database && state.storage === places.storage) return state
  throw new CommandError(
    `A move to ${state.database} and ${state.storage} was interrupted: complete it, or delete ${join(dataDir, MOVE_FOLDER)}`,
  )
}

function writeState(dataDir: string, state: State): void {
  const folder = join(dataDir, MOVE_FOLDER)
  makeFolder(folder)
  const draft = join(folder, `${STATE_FILE}.new`)
  rmSync(draft, { force: true })
  writeDurably(draft, JSON.stringify(state))
  renameSync(draft, join(folder, STATE_FILE))
  for (const each of [folder, dataDir]) flushFolder(each)
}
