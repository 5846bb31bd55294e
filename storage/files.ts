import { randomBytes } from 'node:crypto'
import { closeSync, existsSync, fsyncSync, mkdirSync, openSync } from 'node:fs'
import { lstat, open, rename, rm, statfs } from 'node:fs/promises'
import { join } from 'node:path'
import { DomainError } from '#domain/error.ts'
import type { ByteRange } from '#domain/papers/byte-range.ts'
import { type FileKind, kindOfStoredName } from '#domain/papers/file-kind.ts'
import { removeUnlessHeld } from '#storage/held-files.ts'
import { readPart } from '#storage/reading.ts'
import { FILES_FOLDER, findStrays, INCOMING_FOLDER, undefinedIfAbsent } from '#storage/strays.ts'

/** Free space that uploads leave for the database. */
const RESERVED_BYTES = 200 * 1024 * 1024
const NAME_LETTERS = 'abcdefghijklmnopqrstuvwxyz234567'
const NAME_LENGTH = 26

export type FileStore = ReturnType<typeof openFileStore>
export type Swept = { temporary: number; orphans: string[]; missing: string[] }

/**
 * The files of a data folder, readable by this user alone. A new file is written under a temporary
 * name, flushed and renamed before its row is inserted. A deletion removes the row first.
 */
export function openFileStore(dataDir: string) {
  const folder = join(dataDir, FILES_FOLDER)
  const incoming = join(folder, INCOMING_FOLDER)
  if (!existsSync(incoming)) {
    mkdirSync(incoming, { recursive: true, mode: 0o700 })
    for (const made of [folder, dataDir]) flushFolderSync(made)
  }

  /** Flushes temporary files and renames them to their stored names: all of them or none. */
  async function keep(files: { path: string; kind: FileKind }[]): Promise<string[]> {
    const names = files.map(({ kind }) => `${randomName()}.${kind}`)
    try {
      for (const { path } of files) await flush(path, 'r+')
      for (const [i, { path }] of files.entries()) await rename(path, join(folder, names[i] ?? ''))
      await flush(folder, 'r')
      return names
    } catch (error) {
      await remove(names)
      throw asRefusal(error)
    }
  }

  async function remove(names: string[]): Promise<void> {
    for (const name of names.filter(kindOfStoredName)) await removeUnlessHeld(folder, name)
  }

  async function discard(paths: string[]): Promise<void> {
    for (const path of paths) await rm(path, { force: true })
  }

  return {
    keep,
    /** Deletes stored files. Missing ones are ignored. */
    remove,
    /** A path for a temporary file; pass it to `keep` or `discard`. */
    newTemporary: (): string => join(incoming, randomName()),
    discard,
    /** Throws unavailable when `bytes` more would leave too little free space. */
    async assertRoom(bytes: number): Promise<void> {
      const { bavail, bsize } = await statfs(folder)
      if (bavail * bsize < bytes + RESERVED_BYTES) throw storageFull()
    },
    /** Size in bytes; undefined for other names, missing files and links. */
    async size(name: string): Promise<number | undefined> {
      if (!kindOfStoredName(name)) return undefined
      const found = await lstat(join(folder, name)).catch(undefinedIfAbsent)
      return found?.isFile() ? found.size : undefined
    },
    /** A part of a stored file, opened on the first read. */
    read: (name: string, part: ByteRange): ReadableStream => readPart(join(folder, name), part),
    /** Removes files that a crash before `startedAt` left. */
    async sweep(listNames: () => Promise<string[]>, startedAt: Date): Promise<Swept> {
      const { temporary, orphans, missing } = await findStrays(dataDir, listNames, startedAt)
      await discard(temporary.map((name) => join(incoming, name)))
      await remove(orphans)
      return { temporary: temporary.length, orphans, missing }
    },
  }
}

/** Turns a full disk into a DomainError. Other errors are returned as they are. */
export function asRefusal(error: unknown): unknown {
  const { code, message } = (error ?? {}) as { code?: string; message?: string }
  const isFull = ['ENOSPC', 'EDQUOT', 'SQLITE_FULL'].includes(code ?? '')
  return isFull || /no space left|quota exceeded/i.test(message ?? '') ? storageFull() : error
}

function storageFull(): DomainError {
  return new DomainError('unavailable', 'Storage is full')
}

function randomName(): string {
  return Array.from(randomBytes(NAME_LENGTH), (byte) => NAME_LETTERS[byte % 32]).join('')
}

async function flush(path: string, flags: 'r' | 'r+'): Promise<void> {
  const handle = await open(path, flags)
  try {
    await handle.sync()
  } finally {
    await handle.close()
  }
}

function flushFolderSync(folder: string): void {
  const handle = openSync(folder, 'r')
  fsyncSync(handle)
  closeSync(handle)
}
