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

/** Room that uploads leave, all that are under way together, to the database: it counts scans. */
const RESERVED_BYTES = 200 * 1024 * 1024
const NAME_LETTERS = 'abcdefghijklmnopqrstuvwxyz234567'
const NAME_LENGTH = 26

export type FileStore = ReturnType<typeof openFileStore>
export type Swept = { temporary: number; orphans: string[]; missing: string[] }

/**
 * The files of a data folder, readable by this user alone. A file is written under a temporary
 * name, flushed and renamed before its row is made; when it is deleted, the row goes first.
 */
export function openFileStore(dataDir: string) {
  const folder = join(dataDir, FILES_FOLDER)
  const incoming = join(folder, INCOMING_FOLDER)
  if (!existsSync(incoming)) {
    mkdirSync(incoming, { recursive: true, mode: 0o700 })
    for (const made of [folder, dataDir]) flushFolderSync(made)
  }

  /** Flushes temporary files and gives each the name it is stored under: all of them or none. */
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
    /** Deletes stored files, those that are gone already too. */
    remove,
    /** Where something can be written that `keep` or `discard` takes over. */
    newTemporary: (): string => join(incoming, randomName()),
    discard,
    /** Throws unavailable when so many bytes more would leave too little room for the rest. */
    async assertRoom(bytes: number): Promise<void> {
      const { bavail, bsize } = await statfs(folder)
      if (bavail * bsize < bytes + RESERVED_BYTES) throw storageFull()
    },
    /** Bytes of a stored file; undefined for what is no stored name, no file, or a link to one. */
    async size(name: string): Promise<number | undefined> {
      if (!kindOfStoredName(name)) return undefined
      const found = await lstat(join(folder, name)).catch(undefinedIfAbsent)
      return found?.isFile() ? found.size : undefined
    },
    /** A part of a stored file, which is opened when the first of it is asked for. */
    read: (name: string, part: ByteRange): ReadableStream => readPart(join(folder, name), part),
    /** Removes what a crash before `startedAt` left. */
    async sweep(listNames: () => Promise<string[]>, startedAt: Date): Promise<Swept> {
      const { temporary, orphans, missing } = await findStrays(dataDir, listNames, startedAt)
      await discard(temporary.map((name) => join(incoming, name)))
      await remove(orphans)
      return { temporary: temporary.length, orphans, missing }
    },
  }
}

/** A full disk is nobody's mistake: whoever uploads is told so. Other errors stay what they are. */
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
