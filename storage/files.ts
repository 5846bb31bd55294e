import { randomBytes } from 'node:crypto'
import { closeSync, existsSync, fsyncSync, mkdirSync, openSync } from 'node:fs'
import { rm, statfs } from 'node:fs/promises'
import { join } from 'node:path'
import { DomainError } from '#domain/error.ts'
import { type FileKind, kindOfStoredName } from '#domain/papers/file-kind.ts'
import { FILES_FOLDER, openFolderShelf } from '#storage/folder-shelf.ts'
import { SHELF_FAILED, type Shelf } from '#storage/shelf.ts'
import { findStrays, type Strays } from '#storage/strays.ts'

/** Where uploads arrive, on this machine's disk wherever they are stored. */
const INCOMING_FOLDER = 'incoming'
/** Free space that uploads leave for the database. */
const RESERVED_BYTES = 200 * 1024 * 1024
/** In seconds. */
const RETRY_AFTER = 5
const NAME_LETTERS = 'abcdefghijklmnopqrstuvwxyz234567'
const NAME_LENGTH = 26

export type FileStore = ReturnType<typeof storeOn>
type Swept = { temporary: number; orphans: string[]; missing: string[] }

/**
 * Returns the files of a data folder, readable by this user alone. A new file is written under a
 * temporary name, flushed and renamed before its row is inserted. A deletion removes the row first.
 */
export function openFileStore(dataDir: string): FileStore {
  return openStoreOn(openFolderShelf(dataDir), dataDir)
}

/** Returns the store on a shelf, with its folder for uploads. */
export function openStoreOn(shelf: Shelf, dataDir: string): FileStore {
  const folder = join(dataDir, FILES_FOLDER)
  const incoming = join(folder, INCOMING_FOLDER)
  if (!existsSync(incoming)) {
    mkdirSync(incoming, { recursive: true, mode: 0o700 })
    for (const made of [folder, dataDir]) flushFolderSync(made)
  }
  return storeOn(shelf, dataDir)
}

/** Returns the same for a look at it, which creates nothing. */
export function storeOn(shelf: Shelf, dataDir: string) {
  const incoming = join(dataDir, FILES_FOLDER, INCOMING_FOLDER)

  /** Stores temporary files under new names: all of them or none. */
  async function keep(files: { path: string; kind: FileKind }[]): Promise<string[]> {
    const named = files.map(({ path, kind }) => ({ path, name: `${randomName()}.${kind}` }))
    const names = named.map(({ name }) => name)
    try {
      await shelf.put(named)
      return names
    } catch (error) {
      // A file that this cannot remove is an orphan, which a sweep finds.
      await remove(names).catch(() => undefined)
      throw asFull(error)
    }
  }

  async function remove(names: string[]): Promise<void> {
    for (const name of names.filter(kindOfStoredName)) await shelf.remove(name)
  }

  async function discard(paths: string[]): Promise<void> {
    for (const path of paths) await rm(path, { force: true })
  }

  const strays = (listNames: () => Promise<string[]>, startedAt: Date): Promise<Strays> =>
    findStrays(shelf, incoming, listNames, startedAt)

  return {
    ...shelf,
    keep,
    /** Deletes stored files. Missing ones are ignored. */
    remove,
    /** A path for a temporary file; pass it to `keep` or `discard`. */
    newTemporary: (): string => join(incoming, randomName()),
    discard,
    /** Throws unavailable when `bytes` more would leave too little free space. */
    async assertRoom(bytes: number): Promise<void> {
      const { bavail, bsize } = await statfs(incoming)
      if (bavail * bsize < bytes + RESERVED_BYTES) throw storageFull()
    },
    /** Size in bytes; undefined for other names, missing files and links. */
    size: async (name: string) => (kindOfStoredName(name) ? shelf.size(name) : undefined),
    /** The names of all stored files, with or without a row. */
    list: async () => (await shelf.list()).filter(kindOfStoredName),
    findStrays: strays,
    /** Removes files that a crash before `startedAt` left. */
    async sweep(listNames: () => Promise<string[]>, startedAt: Date): Promise<Swept> {
      const { temporary, orphans, missing } = await strays(listNames, startedAt)
      await discard(temporary.map((name) => join(incoming, name)))
      await remove(orphans)
      await shelf.clean(startedAt)
      return { temporary: temporary.length, orphans, missing }
    },
  }
}

/**
 * Turns a full disk, and a storage that does not answer, into a DomainError. Other errors are
 * returned as they are.
 */
export function asRefusal(error: unknown): unknown {
  if ((error as { code?: string } | undefined)?.code !== SHELF_FAILED) return asFull(error)
  return new DomainError('unavailable.storage', { retryAfter: RETRY_AFTER })
}

function asFull(error: unknown): unknown {
  const { code, message } = (error ?? {}) as { code?: string; message?: string }
  const isFull = ['ENOSPC', 'EDQUOT', 'SQLITE_FULL'].includes(code ?? '')
  return isFull || /no space left|quota exceeded/i.test(message ?? '') ? storageFull() : error
}

function storageFull(): DomainError {
  return new DomainError('unavailable.storage_full')
}

function randomName(): string {
  return Array.from(randomBytes(NAME_LENGTH), (byte) => NAME_LETTERS[byte % 32]).join('')
}

function flushFolderSync(folder: string): void {
  const handle = openSync(folder, 'r')
  fsyncSync(handle)
  closeSync(handle)
}
